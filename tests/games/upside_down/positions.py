"""Positions of Upside Down, set up directly for tests of single rules.

    table = position("claim", priority=[10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
    submit(table, {0: "ask 4", 9: "ask 1, challenge 7"})    # the others confirm without having saved anything

Unless told otherwise seat n stands on the n-th space, so that seats 0 to 3 are at the top and seat 9 is on J.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

import pyramidion
from pyramidion import Match
from pyramidion.engine.layout import record

GAME = pyramidion.load("upside-down")
PHASES = {"pregame": 1, "claim": 2, "battle": 3}
EVERYBODY = (1 << 10) - 1


def position(
    phase: str = "claim",
    *,
    at: Sequence[int] = range(10),
    priority: Sequence[int] = range(20, 10, -1),
    tickets: Mapping[int, int] | None = None,
    garnets: Mapping[int, int] | None = None,
    gained: Mapping[int, int] | None = None,
    rank: Sequence[int] = range(10),
    protected: Iterable[int] = (),
    round_number: int = 1,
    confirmed: bool = False,
    seed: int | str = 1,
    **options: Any,
) -> Match:
    """Return a match in which a phase has just opened; with `confirmed`, everybody who is asked has confirmed then."""
    match = GAME.new(10, seed, **options)
    opening = match.state_copy()
    s = record(opening)
    s.phase, s.acting, s.round_number = PHASES[phase], EVERYBODY, 0 if phase == "pregame" else round_number
    s.priority[:], s.rank[:] = priority, rank
    if phase != "pregame":
        for space, seat in enumerate(at):
            s.at[space], s.space[seat], s.placed[seat] = seat, space, space
    for field, given in (("tickets", tickets), ("garnets", garnets), ("gained", gained)):
        for seat, number in (given or {}).items():
            s[field][seat] = number
    s.protected = sum(1 << seat for seat in protected)
    if confirmed:
        confirm_all(match.box, opening)
    return Match.from_state(GAME, opening, options=match.options, seed=seed)


def confirm_all(box: Any, opening: Any) -> None:
    """Let everybody who is asked confirm in a state, shape (1,), that need not keep the invariants until then."""
    buffer = np.empty(len(GAME.actions), np.int32)
    for seat in range(10):
        if int(opening["acting"][0]) >> seat & 1:
            assert not GAME.compiled.step(box, opening, seat, GAME.actions.confirm, buffer)


def submit(table: Match, parts: Mapping[int, str] | None = None, order: Iterable[int] | None = None) -> Match:
    """Save parts ("ask 3, challenge 1") and let everybody who is asked confirm; check what is accounted for."""
    for seat, texts in (parts or {}).items():
        for text in texts.split(", "):
            table.play(seat, text)
    for seat in table.acting if order is None else order:
        table.play(seat, "confirm")
    wrong = GAME.invariants(record(table.box), state(table))
    assert wrong is None, wrong
    return table


def fight(against: Mapping[int, int], used: Mapping[int, int], **how: Any) -> Match:
    """Play a claim phase with these challenges and nothing asked for, and a battle phase with these tickets."""
    return battles(claimed(against, **how), used)


def claimed(against: Mapping[int, int], **how: Any) -> Match:
    """Play a claim phase with these challenges, chance drawing the others, and nothing asked for."""
    return submit(position(**how), {seat: f"challenge {other}" for seat, other in against.items()})


def battles(table: Match, used: Mapping[int, int]) -> Match:
    """Play a battle phase."""
    return submit(table, {seat: f"tickets {number}" for seat, number in used.items()})


# Reading a position


def state(table: Match) -> Any:
    """Return the whole state as a record."""
    return record(table.state_copy())


def places(table: Match) -> str:
    """Return the seats on A to J."""
    return "".join(str(seat) for seat in state(table).at)


def events_named(table: Match, name: str, viewer: int | None = None) -> list[dict[str, int]]:
    """Return the data of all events of a name that a viewer knows."""
    return [event.data for event in table.events(viewer) if event.name == name]


def rules_told(table: Match, name: str, viewer: int | None = None) -> set[str]:
    """Return the rules that events of a name cite."""
    return {event.rule for event in table.events(viewer) if event.name == name}


def texts(table: Match, seat: int) -> set[str]:
    """Return what a seat may do."""
    return {str(action) for action in table.legal(seat)}


def why(table: Match, seat: int, text: str) -> tuple[str, str]:
    """Return the rule and the sentence with which an action is refused."""
    refusal = table.refusal(seat, text)
    assert refusal is not None, text
    return refusal.rule, refusal.reason
