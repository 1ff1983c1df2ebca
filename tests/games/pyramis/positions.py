"""Positions of Pyramis, set up directly for tests of single rules.

    table = position(seats=2, fleets={0: {"a1": 17, "a2": -18}}, river=[1, 2, 43], tops=(22, 23))

Cards are named by their numbers on the rules page, 1 to 48; a negative number is a card that has been turned. Star
cards are named 1 to 5 in the order of cards.toml: 1 and 2 show a Pyramid, 3 two of them, 4 and 5 an Alien. Every
position keeps the game's invariants.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyramidion
from pyramidion import Match
from pyramidion.engine.layout import record
from pyramidion.engine.random import seed_words

GAME = pyramidion.load("pyramis")
SPACES = ("a1", "a2", "a3", "a4", "b1", "b2", "b3", "c1", "c2", "d1")
COLOURS = ("blue", "green", "pink", "gray")
BLUE, GREEN, PINK, GRAY = range(1, 17), range(17, 31), range(31, 43), range(43, 49)
WITH_STAR = (13, 14, 15, 16, 28, 29, 30, 40, 41, 42, 48)
NO_PYRAMID = (11, 19, 21, 25, 30, 35, 37, 38)  # on the back
PHASES = {"place": 1, "steal": 2, "refill": 3, "rotate": 4}


def position(
    seats: int = 2,
    *,
    active: int = 0,
    turn: int | None = None,
    phase: str = "place",
    fleets: Mapping[int, Mapping[str, int]] | None = None,
    filler: Mapping[int, int] | None = None,
    river: Sequence[int] | None = None,
    gap: int = 1,
    tops: Sequence[int | None] = (None, None),
    left: Sequence[int] | None = None,
    hands: Mapping[int, Iterable[int]] | None = None,
    seed: int | str = 1,
    cards: str | None = None,
    **options: Any,
) -> Match:
    """Return a match that begins at this position, with seat `active` to act.

    `filler` gives a seat so many more cards that are named nowhere, on its first empty spaces. In the phase "refill"
    slot `gap` of the River is empty. `tops` are the cards on the decks (None: any without a Pyramid on its back),
    `left` how many cards they have, top card included. Star cards in no hand are in the reserve.
    """
    match = GAME.new(seats, seed, cards=cards, **options)
    opening, dealt = GAME.layout.new(), match.state_copy()
    for name in ("seats", "rng"):
        opening[name] = dealt[name]
    s, box = record(opening), record(match.box)

    lying: dict[int, dict[str, int]] = {seat: dict(fleet) for seat, fleet in (fleets or {}).items()}
    named = {abs(card) for fleet in lying.values() for card in fleet.values()}
    named |= {card for card in tops if card} | set(river or ())
    free = [card for card in range(1, 49) if card not in named]
    shown = list(river) if river is not None else [free.pop() for _ in range(3)]
    above = [card if card else next(c for c in NO_PYRAMID if c in free) for card in tops[:1]]
    free = [card for card in free if card not in above]
    above += [card if card else next(c for c in NO_PYRAMID if c in free) for card in tops[1:]]
    free = [card for card in free if card not in above]
    for seat, count in (filler or {}).items():
        fleet = lying.setdefault(seat, {})
        for space in [space for space in SPACES if space not in fleet][:count]:
            fleet[space] = free.pop()

    for seat, fleet in lying.items():
        for space, card in fleet.items():
            put(box, s, seat, space, card)
    for slot, card in enumerate(shown):
        s.river[slot] = card
    s.gap = gap - 1
    if phase in ("refill", "steal"):
        free.append(shown[gap - 1])
        s.river[gap - 1] = 0
    remaining = len(free) + 2
    s.left[:] = left if left is not None else (remaining // 2, remaining - remaining // 2)
    for deck in (0, 1):
        if s.left[deck]:
            s.top[deck] = above[deck]
            s.back[deck] = box.back[above[deck] - 1]
        else:
            free.append(above[deck])
    for i, card in enumerate(free):
        s.pool[i] = card - 1
    s.pool_count = len(free)
    s.reserve = 5
    for seat, hand in (hands or {}).items():
        for star in hand:
            s.stars[seat] |= 1 << star - 1
            s.drawn[seat] |= 1 << star - 1
            s.star_count[seat] += 1
            s.reserve -= 1
    s.phase, s.active, s.acting = PHASES[phase], active, 1 << active
    s.turn = turn if turn is not None else sum(len(fleet) for fleet in lying.values())
    return Match.from_state(GAME, opening, options=match.options, cards=cards, seed=seed)


def put(box: Any, s: Any, seat: int, space: str, card: int) -> None:
    """Lay a card on a space of a Fleet."""
    n = SPACES.index(space)
    s.fleet[seat, n] = abs(card)
    s.filled[seat] |= 1 << n
    s.of_colour[seat, box.colour[abs(card) - 1]] |= 1 << n
    if card < 0:
        s.turned[seat] |= 1 << n


# Reading a position. What one seat may see is read from its own view, so that these work as the players do.
# `shown` saves making the view again.


def fleet(match: Match, seat: int, shown: Any = None) -> dict[str, int]:
    """Return the cards of a Fleet by space, negative where they are turned."""
    spaces = (shown or match.view(None))["players"][seat]["fleet"]
    return {p["space"]: -p["card"]["card"] if p["turned"] else p["card"]["card"] for p in spaces if p["card"]}


def river(match: Match, shown: Any = None) -> list[int | None]:
    """Return the cards in the River, None for the gap."""
    return [card["card"] if card else None for card in (shown or match.view(None))["river"]]


def backs(match: Match) -> list[list[str]]:
    """Return the colours on the backs of both decks."""
    return [deck["back"] for deck in match.view(None)["decks"]]


def counts(match: Match, shown: Any = None) -> list[int]:
    """Return how many cards each deck has."""
    return [deck["left"] for deck in (shown or match.view(None))["decks"]]


def hand(match: Match, seat: int) -> list[int]:
    """Return the Star cards of a seat, as that seat sees them."""
    return [star["star"] for star in match.view(seat)["players"][seat]["star_cards"]]


def texts(match: Match, seat: int) -> set[str]:
    """Return the notation of the legal actions of a seat."""
    return {str(action) for action in match.legal(seat)}


def open_spaces(match: Match, seat: int) -> set[str]:
    """Return the spaces that a seat may place a card on."""
    return {text.split()[2] for text in texts(match, seat)}


def events(match: Match, name: str, viewer: int | None = None) -> list[dict[str, int]]:
    """Return the data of all events of one kind that a viewer knows of."""
    return [event.data for event in match.events(viewer) if event.name == name]


def rules_told(match: Match, name: str, viewer: int | None = None) -> set[str]:
    """Return the rules that events of one kind cite."""
    return {event.rule for event in match.events(viewer) if event.name == name}


def play(match: Match, *actions: str) -> Match:
    """Play actions given in notation, each by the first seat that is due; return the match."""
    for action in actions:
        match.play(match.acting[0], action)
    return match


def finish_turn(match: Match, deck: str = "left") -> Match:
    """Play the first legal action of everybody until the turn is over, refilling from `deck`; return the match."""
    turn = match.view(None)["turn"]
    while not match.over and match.view(None)["turn"] == turn:
        seat = match.acting[0]
        refill = f"refill {deck}"
        play(match, refill if refill in texts(match, seat) else str(match.legal(seat)[0]))
    return match


def finish_game(match: Match) -> Match:
    """Play the first legal action of everybody to the end; return the match."""
    while not match.over:
        play(match, str(match.legal(match.acting[0])[0]))
    return match


def refused(match: Match, seat: int, action: str) -> str:
    """Return the rule by which an action is refused; empty if it is not."""
    refusal = match.refusal(seat, action)
    return refusal.rule if refusal else ""


def showing(pairs: Iterable[str], deck: str = "left", **how: Any) -> Match:
    """Return a position in which seat `active` has just refilled from a deck and the backs show exactly these pairs.

    `how` is as for `position`; chance is tried out until the card below has the right back.
    """
    wanted, begun = list(pairs), position(phase="refill", **how)
    opening = begun.state_copy()
    for seed in range(3000):
        opening["rng"] = seed_words(seed)
        match = Match.from_state(GAME, opening, options=begun.options, cards=how.get("cards"), seed=seed)
        play(match, f"refill {deck}")
        if match.view(None)["pairs"] == wanted:
            return match
    raise AssertionError(f"no deal of {how} shows {wanted}")
