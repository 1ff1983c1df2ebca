"""Positions of Downside Up, set up directly for tests of single rules.

    table = position("claim", priority=range(10))
    submit(table, {0: "claim 4", 9: "claim 2, challenge h"})    # the others confirm without having saved anything

Unless told otherwise seat n stands on the n-th space, so that seats 0 to 3 are at the top and seat 9 is on J.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyramidion
from pyramidion import Match
from pyramidion.engine.layout import record

GAME = pyramidion.load("downside-up")
PHASES = {"bid": 1, "claim": 2}
EVERYBODY = (1 << 10) - 1


def position(
    phase: str = "claim",
    *,
    at: Sequence[int] = range(10),
    priority: Sequence[int] = range(10, 0, -1),
    tickets: Mapping[int, int] | None = None,
    garnets: Mapping[int, int] | None = None,
    round_number: int = 1,
    seed: int | str = 1,
    **options: Any,
) -> Match:
    """Return a match in which a phase has just opened."""
    match = GAME.new(10, seed, **options)
    opening = match.state_copy()
    s = record(opening)
    s.phase, s.acting, s.round_number = PHASES[phase], EVERYBODY, 0 if phase == "bid" else round_number
    s.priority[:] = priority
    if phase != "bid":
        for space, seat in enumerate(at):
            s.at[space], s.space[seat], s.placed[seat] = seat, space, space
    for field, given in (("tickets", tickets), ("garnets", garnets)):
        for seat, number in (given or {}).items():
            s[field][seat] = number
    return Match.from_state(GAME, opening, options=match.options, seed=seed)


def submit(table: Match, parts: Mapping[int, str] | None = None, order: Iterable[int] | None = None) -> Match:
    """Save parts ("claim 3, challenge b") and let everybody who is asked confirm; check what is accounted for."""
    for seat, texts in (parts or {}).items():
        for text in texts.split(", "):
            table.play(seat, text)
    for seat in table.acting if order is None else order:
        table.play(seat, "confirm")
    wrong = GAME.invariants(record(table.box), state(table))
    assert wrong is None, wrong
    return table


def claimed(challenges: str, **how: Any) -> Match:
    """Play a claim phase in which E to J challenge these spaces ("abdefh"), and everybody claims one ticket."""
    table = position(**how)
    at = state(table).at.tolist()
    return submit(table, {at[4 + n]: f"challenge {space}" for n, space in enumerate(challenges)})


def fight(challenges: str, used: Mapping[int, str], **how: Any) -> Match:
    """Play a claim phase with these challenges, and a battle phase with these parts."""
    return submit(claimed(challenges, **how), used)


# Reading a position


def state(table: Match) -> Any:
    """Return the whole state as a record."""
    return record(table.state_copy())


def places(table: Match) -> str:
    """Return the seats on A to J."""
    return "".join(str(seat) for seat in state(table).at)


def events_named(table: Match, name: str, viewer: int | None = None) -> list[dict[str, int]]:
    """Return the data of all events with a name that a viewer knows."""
    return [event.data for event in table.events(viewer) if event.name == name]


def rules_told(table: Match, name: str, viewer: int | None = None) -> set[str]:
    """Return the rules cited by events with a name."""
    return {event.rule for event in table.events(viewer) if event.name == name}


def texts(table: Match, seat: int) -> set[str]:
    """Return the notations of a seat's legal actions."""
    return {str(action) for action in table.legal(seat)}


def why(table: Match, seat: int, text: str) -> tuple[str, str]:
    """Return the rule and the message with which an action is refused."""
    refusal = table.refusal(seat, text)
    assert refusal is not None, text
    return refusal.rule, refusal.reason
