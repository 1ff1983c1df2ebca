"""Positions of Pyramid Scheme, set up directly for tests of single rules.

    table = position(seats=2, hands={0: ["green-a"]}, pyramids={0: {"green-f": "founder", "blue-a": "green-f"}})

Cards are named as in the notation; `a` to `e` are 1s, `f` to `i` 2s, `j` to `l` 3s, `m` and `n` 4s, `o` and `p` 5s.
Every position keeps the game's invariants.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pyramidion
from pyramidion import Match
from pyramidion.engine.layout import record
from pyramidion.games.pyramid_scheme import trees
from pyramidion.games.pyramid_scheme.layout import (
    ACTING,
    DISCARDED,
    FIRST_FOUNDER,
    GOALS,
    GONE,
    HAND_LIMIT,
    HOLDER_NAMES,
    IN_HAND,
    IN_PYRAMID,
    VICTIM_NAMES,
)
from pyramidion.games.pyramid_scheme.market import add_to_hand

GAME = pyramidion.load("pyramid-scheme")
QUIET = ("five-green", "five-blue", "five-pink", "five-yellow", "two-of-each-colour", "smart-same-number")
"""Goals that small positions do not meet."""


def position(
    seats: int = 2,
    *,
    turn: int = 0,
    actions: int = 2,
    hands: Mapping[int, Iterable[str]] | None = None,
    pyramids: Mapping[int, Mapping[str, str]] | None = None,
    flipped: Iterable[str] = (),
    founders_flipped: Iterable[int] = (),
    limits: Mapping[str, int] | None = None,
    tokens: Mapping[int, int] | None = None,
    hand_limit: Mapping[int, int] | None = None,
    market: Iterable[str] = ("yellow-a", "yellow-b", "yellow-c"),
    top: str = "yellow-d",
    deck: Iterable[str] | None = None,
    discard: Iterable[str] = (),
    goals: Iterable[str] = QUIET,
    seed: int | str = 1,
    cards: str | None = None,
    **options: Any,
) -> Match:
    """Return a match that begins at this position, with `actions` left in the turn of seat `turn`.

    `pyramids[seat]` maps a card to the one above it, in the order of placing. What is named nowhere is in the deck, or,
    where `deck` says what is, out of the game. Hands count as taken openly. Tokens: none unless given.
    """
    match = GAME.new(seats, seed, cards=cards, **{"start": "random", **options})
    opening, dealt = GAME.layout.new(), match.state_copy()
    for name in ("seats", "rng"):
        opening[name] = dealt[name]
    box, s = record(match.box), record(opening)
    s.parent[:] = -1
    s.spot[:] = -1
    left = 20
    for seat in range(seats):
        s.hand_limit[seat] = (hand_limit or {}).get(seat, HAND_LIMIT)
        s.tokens[seat] = (tokens or {}).get(seat, 0)
        left -= int(s.tokens[seat])
        trees.found_pyramid(s, seat)
        for name, under in (pyramids or {}).get(seat, {}).items():
            number = card(name)
            trees.add_to_pyramid(box, s, seat, number, card(under, seat))
            if number < 64:
                s.spot[number] = IN_PYRAMID
            if name in set(flipped):
                trees.flip(box, s, seat, number, 6_01)
        for name in (hands or {}).get(seat, ()):
            add_to_hand(s, seat, card(name))
            s.spot[card(name)] = IN_HAND + seat
    for seat in founders_flipped:
        trees.flip(box, s, seat, FIRST_FOUNDER + seat, 6_01)
    for name, count in (limits or {}).items():
        s.limits[card(name)] += count
        s.room[card(name)] += count
        left -= count
    s.supply = left
    for i, name in enumerate(market):
        s.market[i] = card(name)
        s.spot[card(name)] = 1
    s.deck_top = card(top)
    s.spot[card(top)] = 2
    for name in discard:
        s.spot[card(name)] = DISCARDED
        s.discard_count += 1
    rest = [n for n in range(64) if s.spot[n] == -1]
    drawn = rest if deck is None else [card(name) for name in deck]
    for n in rest:
        s.spot[n] = 0 if n in drawn else GONE
    s.deck[: len(drawn)] = drawn
    s.deck_count = len(drawn)
    s.goals[:] = sorted(GOALS.index(name) for name in goals)
    s.phase, s.turn_seat, s.actions_left, s.turn_number = ACTING, turn, actions, 1
    s.acting = 1 << turn
    s.event_count = 0
    return Match.from_state(GAME, opening, options=match.options, cards=cards, seed=seed)


def card(name: str, seat: int = 0) -> int:
    """Return the number of a card by its name."""
    return FIRST_FOUNDER + seat if name == "founder" else HOLDER_NAMES.index(name)


def play(match: Match, *actions: str) -> Match:
    """Play actions, each by the seat that is due, checking the invariants after each."""
    for action in actions:
        match.play(match.acting[0], action)
        wrong = GAME.invariants(record(match.box), record(match.state_copy()))
        assert wrong is None, wrong
    return match


def texts(match: Match) -> set[str]:
    """Return the notation of all that the seat that is due may do."""
    return {action.text for action in match.legal(match.acting[0])}


def places(match: Match, name: str) -> set[str]:
    """Return the cards below which a Victim in hand may be placed."""
    return {text.split()[2] for text in texts(match) if text.startswith(f"place {name} ")}


def family(match: Match, name: str) -> set[str]:
    """Return what the legal actions of a family name."""
    return {text.split()[-1] for text in texts(match) if text.split()[0] == name}


def player(match: Match, seat: int) -> dict[str, Any]:
    """Return what a seat sees of itself, or what was last seen of it."""
    return match.view(seat)["players"][seat]


def pyramid(match: Match, seat: int) -> dict[str, dict[str, Any]]:
    """Return the cards of a pyramid by name."""
    return {placed["card"]: placed for placed in player(match, seat)["pyramid"]}


def hand(match: Match, seat: int) -> set[str]:
    """Return the names of the cards in a hand."""
    return {held["card"] for held in player(match, seat)["hand"]}


def goal(match: Match, name: str) -> dict[str, Any]:
    """Return an open goal."""
    return next(shown for shown in match.view(None)["goals"] if shown["goal"] == name)


def told(match: Match, name: str) -> list[Any]:
    """Return the events of a kind, as a spectator knows them."""
    return [event for event in match.events(None) if event.name == name]


def refused(match: Match, action: str, seat: int | None = None) -> tuple[str, str]:
    """Return the rule and the sentence of a refusal."""
    refusal = match.refusal(match.acting[0] if seat is None else seat, action)
    assert refusal is not None, f"{action} is legal"
    return refusal.rule, refusal.reason


def with_wants(name: str, wants: str, reward: str | None = None) -> str:
    """Return the game's card file with another condition, and perhaps reward, on one Victim."""
    return edited({name: (wants, reward)})


def edited(changes: Mapping[str, tuple[str, str | None]]) -> str:
    """Return the game's card file with other conditions and rewards on some Victims."""
    lines = (GAME.folder / "cards.toml").read_text("utf-8").splitlines()
    rows = [n for n, line in enumerate(lines) if line.lstrip().startswith("{colour")]
    for name, (wants, reward) in changes.items():
        row = rows[VICTIM_NAMES.index(name)]
        head = lines[row].split(", wants")[0]
        lines[row] = f"{head}, wants = {wants}" + (f', reward = "{reward}"' if reward else "") + "},"
    return "\n".join(lines)
