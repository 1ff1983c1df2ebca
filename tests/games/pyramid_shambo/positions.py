"""Positions of Pyramid-Sham-Bo, set up directly for tests of single rules.

    table = position(3, {0: "a1 b2", 1: "b1", 2: "*"})
    win(table, 1)                   # the active seat challenges seat 1 and wins at the first throw

Pieces are named as in the notation: a3 is the large piece of seat 0's colour. Every position keeps the invariants.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pyramidion
from pyramidion import Match
from pyramidion.engine.layout import record

GAME = pyramidion.load("pyramid-shambo")
COLOURS = "abcdefghjk"
NAMES = [f"{colour}{pips}" for colour in COLOURS for pips in (1, 2, 3)]
BEATEN = {"rock": "scissors", "paper": "rock", "scissors": "paper"}


def position(
    seats: int,
    hold: Mapping[int, str] | None = None,
    *,
    active: int = 0,
    out: Iterable[int] = (),
    challenges: int = 3,
    seed: int | str = 1,
    rules_version: int | None = None,
    **options: Any,
) -> Match:
    """Return a match that begins at a challenge of `active`.

    `hold` maps a seat to its pieces, "a1 c3"; the seat that has "*" among them holds whatever is named nowhere. Without
    `hold` everybody has the own trio. Colours of the seats in `out` have left.
    """
    match = GAME.new(seats, seed, rules_version=rules_version, **options)
    opening = match.state_copy()
    s = record(opening)
    gone = set(out)
    pieces = [NAMES[i] for i in range(3 * seats) if i // 3 not in gone]
    if hold is None:
        hold = {seat: " ".join(NAMES[3 * seat : 3 * seat + 3]) for seat in range(seats) if seat not in gone}
    owner = {name: seat for seat, names in hold.items() for name in names.split() if name != "*"}
    assert len(owner) == sum(len(names.replace("*", "").split()) for names in hold.values()), "a piece is named twice"
    rest = [seat for seat, names in hold.items() if "*" in names.split()]
    for name in pieces:
        if name not in owner:
            assert rest, f"nobody holds {name}"
            owner[name] = rest[0]
    assert set(owner) == set(pieces), f"{set(owner) - set(pieces)} are not in the game"
    s.holder[:] = -1
    s.count[:] = 0
    for name, seat in owner.items():
        piece = NAMES.index(name)
        s.holder[piece] = seat
        s.count[seat, piece % 3] += 1
    for seat in gone:
        s.out_at[seat] = 1
    s.active, s.acting, s.challenges = active, 1 << active, challenges
    return Match.from_state(GAME, opening, options=match.options, seed=seed, rules_version=rules_version)


def play(table: Match, *texts: str) -> Match:
    """Play actions, each by the seat whose decision is due, and check what is accounted for after each."""
    for text in texts:
        table.play(table.acting[0], text)
        wrong = GAME.invariants(record(table.box), record(table.state_copy()))
        assert wrong is None, wrong
    return table


def throws(table: Match, one: str, other: str) -> Match:
    """The active seat and the challenged one throw."""
    view = table.view(None)
    active, opponent = view["active"], view["opponent"]
    table.play(active, f"throw {one}")
    table.play(opponent, f"throw {other}")
    return table


def tie(table: Match, times: int = 1) -> Match:
    """Both throw the same, so many times."""
    for _ in range(times):
        throws(table, "paper", "paper")
    return table


def win(table: Match, other: int, ties: int = 0) -> Match:
    """The active seat challenges `other` and wins after so many ties."""
    return throws(tie(play(table, f"challenge {other}"), ties), "rock", "scissors")


def lose(table: Match, other: int, ties: int = 0) -> Match:
    """The active seat challenges `other` and loses after so many ties."""
    return throws(tie(play(table, f"challenge {other}"), ties), "scissors", "rock")


# Reading a position, as everybody sees it.


def pieces(table: Match, seat: int) -> str:
    """Return the pieces of a seat in order."""
    return " ".join(piece["piece"] for piece in table.view(None)["players"][seat]["pieces"])


def pips(table: Match) -> list[int]:
    """Return the pips of every seat."""
    return [player["pips"] for player in table.view(None)["players"]]


def playing(table: Match) -> list[int]:
    """Return the seats in the game."""
    return [player["seat"] for player in table.view(None)["players"] if player["playing"]]


def texts(table: Match, seat: int | None = None) -> set[str]:
    """Return what the seat whose decision is due may do; the pieces alone where pieces are chosen."""
    acting = table.acting[0] if seat is None else seat
    return {str(action) for action in table.legal(acting)}


def choices(table: Match) -> str:
    """Return the pieces that may be chosen now, in order."""
    return " ".join(sorted(str(action).split()[1] for action in table.legal(table.acting[0])))


def events(table: Match, name: str) -> list[dict[str, int]]:
    """Return the data of all events of a name."""
    return [event.data for event in table.events(None) if event.name == name]


def rules_told(table: Match, name: str) -> set[str]:
    """Return the rules that events of a name cite."""
    return {event.rule for event in table.events(None) if event.name == name}


def sentences(table: Match) -> list[str]:
    """Return what has been told."""
    return [event.text for event in table.events(None)]


def payment(table: Match) -> dict[str, Any]:
    """Return the payment in the view."""
    return table.view(None)["payment"]
