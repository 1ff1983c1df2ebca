"""The state of a table's clock, and of a pause."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pyramidion.engine.seals import Seal
from pyramidion.translation import _, date_and_time
from pyramidion.web.db.store import MatchRow
from pyramidion.web.errors import TableIsPaused, TimeIsUp
from pyramidion.web.table.settings.declarations import TableSettings
from pyramidion.web.table.settings.time_controls import Timing, moment, release_limit


@dataclass(frozen=True, slots=True)
class HeldSubmission:
    """The last submission, or default move, of a step: stored but not yet played, since playing it would end the step.

    It is held until the time of a step that stays open is up, or until the host has released the results.

    Attributes:
        at: when it was made, milliseconds since 1970.
        by_clock: whether it is a default move.
        released: how many steps of the results the host has released; None if the step is still open.
    """

    seat: int
    action: str
    at: int
    seal: Seal | None = None
    by_clock: bool = False
    released: int | None = None

    def as_text(self) -> str:
        """Return the submission as JSON, as the database keeps it."""
        kept = self.seal and [self.seal.step, self.seal.actions, self.seal.commitment, self.seal.nonce]
        return json.dumps([self.seat, self.action, self.at, kept, self.by_clock, self.released])

    @staticmethod
    def parse(text: str | None) -> HeldSubmission | None:
        """Return the submission that the database keeps as JSON, or None if there is none."""
        if text is None:
            return None
        seat, action, at, kept, *more = json.loads(text)
        return HeldSubmission(seat, action, at, Seal(seat, kept[0], tuple(kept[1]), *kept[2:]) if kept else None, *more)


@dataclass(frozen=True, slots=True)
class ClockState:
    """The state of a table's clock: the deadline, and the submission held until then.

    Attributes:
        deadline: the end of the time, milliseconds since 1970. While the host reveals results, the time at which the
            rest is revealed without the host.
        paused: the start of the current pause, milliseconds since 1970, or None. `left` is then the remaining time in
            milliseconds, and there is no deadline, except before the first phase, where it is the opening of that
            phase.
    """

    deadline: int | None = None
    held: HeldSubmission | None = None
    paused: int | None = None
    left: int | None = None

    def values(self) -> dict[str, Any]:
        """Return the state as values of columns of `MATCHES`, by column name."""
        held = self.held.as_text() if self.held else None
        return {"deadline": self.deadline, "held": held, "paused": self.paused, "time_left": self.left}

    @property
    def opens(self) -> int | None:
        """When the first phase opens, milliseconds since 1970; None once it is open."""
        return self.deadline if self.paused is not None else None

    @property
    def released(self) -> int | None:
        """How many steps of the results the host has released; None if none are held back."""
        return self.held.released if self.held is not None else None

    def resumed(self, at: int) -> ClockState:
        """Return the state in which the clock goes on at the time `at`, after a pause or before the first phase."""
        return ClockState(None if self.left is None else at + self.left, self.held)

    @staticmethod
    def first(clock: int | None, pregame: int | None, at: int) -> ClockState:
        """Return the state at a new match: `clock` seconds per decision, `pregame` seconds before the first phase."""
        left = None if clock is None else clock * 1000
        waits = ClockState(None if pregame is None else at + pregame * 1000, paused=at, left=left)
        return waits if pregame is not None else waits.resumed(at)

    @staticmethod
    def of(row: MatchRow) -> ClockState:
        """Return the clock state in a match's row."""
        held, deadline = HeldSubmission.parse(row.held), row.deadline
        if held is not None and held.released is not None and deadline is None and row.paused is None:
            # Stored by an earlier version, in which a host could take any time to reveal results.
            deadline = held.at + release_limit(row.settings.get("clock")) * 1000
        return ClockState(deadline, held, row.paused, row.time_left)


class Clock:
    """Tells whether a table's game goes on, whether a decision is in time, and what viewers see of the clock.

    Attributes:
        state: the state of the clock as stored, with the submission held until the deadline.
    """

    def __init__(self, settings: TableSettings, state: ClockState, now: Callable[[], int]) -> None:
        self._settings, self._now = settings, now
        self.state = state

    def set(self, state: ClockState) -> None:
        """Replace the state, once the new one has been stored."""
        self.state = state

    @property
    def paused(self) -> bool:
        """Whether the game is paused."""
        return self.state.paused is not None

    @property
    def releasing(self) -> bool:
        """Whether a step has ended and the host is releasing its results."""
        held = self.state.held
        return held is not None and held.released is not None

    def require_going_on(self) -> None:
        """Raise TableIsPaused if the game is paused, or the host is releasing results."""
        if (opens := self.state.opens) is not None:
            sentence = _("The first phase opens on {time} UTC. Nobody can move until then.")
            raise TableIsPaused(sentence.format(time=date_and_time(moment(opens))))
        if self.paused:
            raise TableIsPaused(_("The game is paused."))
        if self.releasing:
            raise TableIsPaused(_("The host is revealing the results. The game continues afterwards."))

    def require_time_left(self, at: int, version: int) -> None:
        """Raise TimeIsUp, with the seat's `version`, if a decision at the time `at` is too late."""
        deadline = self.state.deadline
        if deadline is not None and at >= deadline and not (self.paused or self.releasing):
            sentence = _("Time ran out at {time} UTC. Your last saved choice counts.")
            raise TimeIsUp(sentence.format(time=f"{moment(deadline):%H:%M:%S}"), version=version)

    def timing(self, given: int) -> Timing | None:
        """Return what viewers are shown of the clock now; None at a table without a clock.

        `given` is the number of seconds that the host has added to the current step.
        """
        clock_state, now, clock = self.state, self._now(), self._settings.clock
        if clock is None and clock_state.deadline is None:
            return None
        if self.releasing:
            return Timing(clock, clock_state.deadline, now, release_limit(clock) * 1000, releasing=True)
        whole = self._settings.pregame if self.paused else clock
        most = None if whole is None else (whole + given) * 1000
        return Timing(clock, clock_state.deadline, now, most, opening=clock_state.opens is not None)
