"""Positions of Ponzi Scheme, set up directly for tests of single rules.

    table = position(seats=4, phase="trading", cash={0: 50}, tiles={0: {"media": 1}, 2: {"media": 2}})

Cards are named by their values in dollars, as in the notation. Every position keeps the game's invariants.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pyramidion
from pyramidion import Match
from pyramidion.engine.layout import record

GAME = pyramidion.load("ponzi-scheme")
INDUSTRIES = ("transportation", "grain", "media", "real-estate")
T, G, M, R = INDUSTRIES
PHASES = {"funding": 1, "trading": 2, "marker": 5}
ALL_VALUES = range(9, 81)
STARTING = range(9, 18)
BEARS = range(63, 81)
TILES = 15


def position(
    seats: int = 4,
    *,
    phase: str = "funding",
    start: int = 0,
    turn: int = 0,
    round_number: int = 2,
    market: Iterable[int] | None = None,
    deck: Iterable[int] | None = None,
    discard: Iterable[int] = (),
    wheels: Mapping[int, Mapping[int, int]] | None = None,
    rest: str | int = "deck",
    tiles: Mapping[int, Mapping[str, int]] | None = None,
    cash: Mapping[int, int] | None = None,
    luxuries: Mapping[str, int] | None = None,
    seed: int | str = 1,
    **options: Any,
) -> Match:
    """Return a match that begins at this position.

    `turn` seats, from the start player `start` on, have had their turn in `phase`. `wheels[seat]` maps a card to its
    distance from the arrow in spaces. The market shows the lowest ordinary cards if not given. Cards named nowhere go
    to `rest`: "deck", "discard", or the wheel of a seat, three spaces from the arrow; starting cards named nowhere are
    out of the game. `luxuries` maps a luxury to its owner.
    """
    match = GAME.new(seats, seed, **options)
    opening, dealt = GAME.layout.new(), match.state_copy()
    for name in ("seats", "rng"):
        opening[name] = dealt[name]
    s = record(opening)

    on_wheels = {seat: dict(cards) for seat, cards in (wheels or {}).items()}
    drawn, thrown = list(deck or ()), list(discard)
    if market is None:
        elsewhere = {*drawn, *thrown, *(card for cards in on_wheels.values() for card in cards)}
        market = [card for card in ALL_VALUES if card not in elsewhere and card not in STARTING][:9]
    shown = sorted(market)
    named = [*shown, *drawn, *thrown, *(card for cards in on_wheels.values() for card in cards)]
    assert len(set(named)) == len(named), "a card is named twice"
    left = [card for card in ALL_VALUES if card not in named]
    gone = [card for card in left if card in STARTING]
    left = [card for card in left if card not in STARTING]
    if rest == "deck":
        assert deck is None, "say where the rest goes"
        drawn += left
    elif rest == "discard":
        thrown += left
    else:
        on_wheels.setdefault(int(rest), {}).update(dict.fromkeys(left, 3))

    _fill(s, "market", shown)
    _fill(s, "deck", drawn)
    _fill(s, "discard", thrown)
    held = [(card, seat, space) for seat, cards in on_wheels.items() for card, space in cards.items()]
    for i, (card, seat, space) in enumerate(held):
        s.held_card[i], s.held_seat[i], s.held_space[i] = card - 9, seat, space
    s.held_count = len(held)
    s.removed_count = len(gone)
    s.supply[:] = TILES
    for seat, owned in (tiles or {}).items():
        for industry, count in owned.items():
            s.tiles[seat, INDUSTRIES.index(industry)] = count
            s.supply[INDUSTRIES.index(industry)] -= count
    for seat, amount in (cash or {}).items():
        s.cash[seat] = s.public_cash[seat] = amount
    for luxury, owner in (luxuries or {}).items():
        s.luxury_owner[("30", "56", "78", "96").index(luxury)] = owner + 1
    s.phase, s.start_seat, s.turn, s.round_number = PHASES[phase], start, turn, round_number
    s.acting = 1 << (start + turn) % seats
    assert int(s.cash.sum()) <= sum(ALL_VALUES), "there is not that much money to be had"
    return Match.from_state(GAME, opening, options=match.options, seed=seed)


def _fill(s: Any, pile: str, cards: list[int]) -> None:
    for i, card in enumerate(cards):
        s[pile][i] = card - 9
    s[f"{pile}_count"] = len(cards)


# Reading a position. What one seat may see is read from its own view, so that these work as the players do.


def cash(match: Match, seat: int) -> int:
    """Return the cash of a seat, as that seat sees it."""
    return match.view(seat)["players"][seat]["cash"]


def all_cash(match: Match) -> list[int]:
    """Return the cash of every seat."""
    return [cash(match, seat) for seat in range(match.seats)]


def tiles(match: Match, seat: int, industry: str) -> int:
    """Return how many tiles of an industry a seat has."""
    return match.view(None)["players"][seat]["tiles"][industry]


def supply(match: Match, industry: str) -> int:
    """Return how many tiles of an industry are left to take."""
    return match.view(None)["supply"][industry]


def market(match: Match) -> list[int]:
    """Return the values of the cards in the market, lowest first."""
    return [card["value"] for card in match.view(None)["market"]]


def rows(match: Match) -> list[list[int]]:
    """Return the values in the market row by row."""
    market = match.view(None)["market"]
    return [[card["value"] for card in market if card["row"] == row] for row in (1, 2, 3)]


def wheel(match: Match, seat: int) -> dict[int, int]:
    """Return the spaces to the arrow of the cards on a seat's wheel."""
    return {card["value"]: card["space"] for card in match.view(None)["players"][seat]["wheel"]}


def texts(match: Match, seat: int) -> set[str]:
    """Return the notation of the legal actions of a seat."""
    return {str(action) for action in match.legal(seat)}


def events(match: Match, name: str, viewer: int | None = None) -> list[dict[str, int]]:
    """Return the data of all events of one kind that a viewer knows of."""
    return [event.data for event in match.events(viewer) if event.name == name]


def rules_told(match: Match, name: str, viewer: int | None = None) -> set[str]:
    """Return the rules that events of one kind cite."""
    return {event.rule for event in match.events(viewer) if event.name == name}


def play(match: Match, *actions: str) -> Match:
    """Play actions given in notation, each by the seat that is due; return the match."""
    for action in actions:
        match.play(match.acting[0], action)
    return match


def pass_all(match: Match) -> Match:
    """Let everybody pass until the phase ends; return the match."""
    phase = match.view(None)["phase"]
    while match.view(None)["phase"] == phase and not match.over:
        play(match, "pass")
    return match


def trade(match: Match, other: int, industry: str, amount: int, answer: str) -> Match:
    """Let the seat that is due trade: offer, fill the envelope, and have it answered; return the match."""
    return play(match, f"offer {other} {industry}", f"amount {amount}", answer)


def finish_round(match: Match, remove: int | None = None) -> Match:
    """Pass what is left of funding and trading and remove a card: the highest, which keeps bears from piling up."""
    now = match.view(None)["round"]
    while not match.over and match.view(None)["round"] == now:
        phase = match.view(None)["phase"]
        if phase == "marker":
            play(match, f"remove {remove if remove is not None else market(match)[-1]}")
        else:
            play(match, str(match.legal(match.acting[0])[0]))
    return match
