"""What the host's console shows of a table, for its page and for programs.

A host who plays is shown what their seat is shown, and nothing else. One who only watches may also know who has saved
and who has submitted in a phase, and never what.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import Any

from pyramidion.bots.labels import label
from pyramidion.web.bots.runner import USUAL_BOT, bot_names
from pyramidion.web.clock import CHOICES, Timing, duration
from pyramidion.web.host.around import around
from pyramidion.web.host.asks import must_agree
from pyramidion.web.host.hosting import Asker
from pyramidion.web.table import Table
from pyramidion.words import _, marked

DUE, SAVED, DONE, WAITING = "due", "saved", "done", "waiting"
STATES = {
    DUE: marked("has to decide"),
    SAVED: marked("has saved something, and not confirmed"),
    DONE: marked("has decided"),
    WAITING: marked("waits"),
}
MOST_STEPS = 60
"""Steps that can be gone back to from the page; a program can go back further."""


@dataclass(frozen=True, slots=True)
class SeatShown:
    """A player, as the host may see them; `state` is one of `STATES`."""

    seat: int
    name: str
    kind: str
    present: bool
    stand_in: str | None
    state: str

    @property
    def told(self) -> str:
        """The state in words."""
        return _(STATES[self.state])


@dataclass(frozen=True, slots=True)
class StepShown:
    """Where the table can go back to: the step's number, and the last thing that everybody had been told by then."""

    step: int
    after: str


@dataclass(frozen=True, slots=True)
class Console:
    """What the host sees.

    Attributes:
        table: the table.
        plays: whether the host plays, and is therefore shown no more than a player.
        seats: everybody at the table.
        timing: the clock, or None.
        step: the number of the current step; `steps` the last ones that can be gone back to, the newest first.
        single: the seats for which the rules may decide now.
    """

    table: Table
    plays: bool
    seats: list[SeatShown]
    timing: Timing | None
    step: int
    steps: list[StepShown]
    single: list[int]


def host_plays(table: Table) -> bool:
    """Whether the host holds a seat. Of a host who is known by a token alone, it may be any that a token holds."""
    by_token = table.host is None and any(row.kind == "person" and row.holder is None for row in table.rows)
    return by_token or table.host_seat is not None


def console_of(table: Table, asker: Asker) -> Console:
    """Return the console of a table for its host, who has been checked."""
    plays = host_plays(table)
    due = table.due(asker.seat) if plays else tuple(table.waited_for)
    asked = table.shown.acting_for(None)
    confirmed = table.confirmed(None) or ()
    shown: list[SeatShown] = []
    for seat, name in zip(table.seats, table.names, strict=True):
        number = seat.number
        state = WAITING
        if not table.match.over and number in due:
            state = SAVED if not plays and table.steps.saved.get(number) else DUE
        elif number in confirmed or (number in asked and (not plays or number == asker.seat)):
            state = DONE
        shown.append(SeatShown(number, name, seat.kind, seat.present, seat.stand_in, state))
    hidden = table.steps.together and not (table.submitted_shown and table.close_early)
    return Console(
        table,
        plays,
        shown,
        table.timing,
        table.steps.number,
        _steps(table),
        [] if hidden or table.paused or table.match.over else list(table.due(None)),
    )


def _steps(table: Table) -> list[StepShown]:
    """Return the last steps, each with what everybody knew last when it began."""
    if table.match.over:
        return []
    told = [entry for entry in table.told(None) if entry[1] >= 0]
    versions, positions = [entry[0] for entry in told], table.match.positions(None)
    current = table.steps.number
    shown: list[StepShown] = []
    for step in range(current, max(-1, current - MOST_STEPS), -1):
        position = bisect_left(positions, table.starts[step] + 1) - 1
        place = bisect_left(versions, table.version_of(position) + 1)
        shown.append(StepShown(step, table.event(told[place - 1]).text if place else ""))
    return shown


def context(table: Table, asker: Asker) -> dict[str, Any]:
    """Return what the console's template shows its host."""
    return {
        "console": console_of(table, asker),
        "paused": table.paused,
        "clocked": table.clock is not None,
        "longer": [(seconds, duration(seconds)) for seconds in CHOICES],
        "bots": [(name, label(name)) for name in bot_names(table.game)],
        "usual_bot": USUAL_BOT,
        # Of a host who only watches nothing is on the page but this that other spectators do not see.
        "questions": [
            one for one in around(table, None).questions if must_agree(table, table.asks.open[one.what]) == [None]
        ],
        "heirs": [seat.number for seat in table.seats if seat.kind == "person" and seat.number != table.host_seat],
    }
