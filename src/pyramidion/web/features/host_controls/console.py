"""The host's view of a table, for its page and for programs.

A host who plays sees what their seat sees and nothing else. A host who does not play also sees who has saved and who
has submitted in a phase, but never what.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import Any

from pyramidion.bots.labels import label
from pyramidion.web.durations import duration
from pyramidion.web.table.bots import USUAL_BOT, bots_at
from pyramidion.web.table.progress import SeatProgress, progress_of
from pyramidion.web.table.seats.host import Requester
from pyramidion.web.table.settings.time_controls import CHOICES, Timing
from pyramidion.web.table.snapshots.proposal_rules import must_agree
from pyramidion.web.table.snapshots.status import table_status
from pyramidion.web.table.table import Table

MOST_STEPS = 60
"""Number of recent steps that the page offers to rewind to; programs can go back further."""


@dataclass(frozen=True, slots=True)
class RewindStep:
    """A step that the host can rewind to: its number, and the text of the last public event before it."""

    step: int
    after: str


@dataclass(frozen=True, slots=True)
class Console:
    """What the host's page shows of a table: who has decided, the clock, and what can be commanded.

    Attributes:
        table: the table.
        plays: whether the host plays, and so sees no more than a player.
        seats: all seats.
        timing: the clock, or None.
        step: the number of the current step.
        steps: the recent steps that can be rewound to, newest first.
        single: the seats for which the host can apply the default move now.
        late: the seats that missed the end of the latest incomplete phase; empty for a host who plays.
    """

    table: Table
    plays: bool
    seats: list[SeatProgress]
    timing: Timing | None
    step: int
    steps: list[RewindStep]
    single: list[int]
    late: list[int]

    @property
    def late_names(self) -> list[str]:
        """The names of the players who had not decided when the time of a phase last ran out."""
        return [self.table.names[seat] for seat in self.late]


def console_of(table: Table, requester: Requester) -> Console:
    """Return what the host's page shows of a table.

    The caller has checked that the requester is the host.
    """
    plays = table.host.plays
    hidden = table.steps.simultaneous and not (table.visibility.submitted_shown and table.settings.close_early)
    return Console(
        table,
        plays,
        progress_of(table, requester),
        table.timing,
        table.steps.number,
        _rewind_steps(table),
        [] if hidden or table.clock.paused or table.match.over else list(table.visibility.due(None)),
        [] if plays else list(table.action_log.viewer_log.late),
    )


def _rewind_steps(table: Table) -> list[RewindStep]:
    """Return the latest steps that the host can rewind to, newest first; none once the game is over."""
    if table.match.over:
        return []
    entries = [entry for entry in table.log_entries(None) if entry[1] >= 0]
    versions, positions = [entry[0] for entry in entries], table.match.positions(None)
    current = table.steps.number
    steps: list[RewindStep] = []
    for step in range(current, max(-1, current - MOST_STEPS), -1):
        position = bisect_left(positions, table.action_log.starts[step] + 1) - 1
        place = bisect_left(versions, table.action_log.version_of(position) + 1)
        steps.append(
            RewindStep(step, table.action_log.viewer_log.event(entries[place - 1], table.names).text if place else "")
        )
    return steps


def context(table: Table, requester: Requester) -> dict[str, Any]:
    """Return the variables of the template of the host's page."""
    return {
        "console": console_of(table, requester),
        "paused": table.clock.paused,
        "opening": table.clock.state.opens is not None,
        "clocked": table.settings.clock is not None,
        "longer": [(seconds, duration(seconds)) for seconds in CHOICES],
        "bots": [(name, label(name)) for name in bots_at(table.game, table.match.seats, table.match.box)],
        "usual_bot": USUAL_BOT,
        # For a host who does not play, this is all that the page shows beyond a spectator's.
        "questions": [
            question
            for question in table_status(table, None).questions
            if must_agree(table, table.action_log.proposals.open[question.what]) == [None]
        ],
        "heirs": [
            seat.number
            for seat in table.seats
            if seat.kind == "person" and seat.number != table.host.seat and not table.host.impartial
        ],
    }
