"""A table's broadcast: which viewers have to be sent something after a change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pyramidion.web.table.clock.clock_state import Clock, ClockState
from pyramidion.web.table.clock.countdown import Reveal, reveal_of
from pyramidion.web.table.log import versions
from pyramidion.web.table.log.action_log import ActionLog
from pyramidion.web.table.views.viewers import Viewers
from pyramidion.web.table.views.visibility import Visibility


class Broadcast:
    """Wakes the streams of those viewers who have something new to see, and keeps the latest countdown."""

    def __init__(
        self,
        viewers: Viewers,
        action_log: ActionLog,
        visibility: Visibility,
        clock: Clock,
        seconds: int | None,
        now: Callable[[], int],
    ) -> None:
        """`seconds` is the time per decision."""
        self._viewers, self._action_log, self._visibility, self._clock = viewers, action_log, visibility, clock
        self._seconds, self._now = seconds, now
        self._counts = action_log.match.game.countdown is not None
        self._reveal: Reveal | None = None

    @property
    def counting(self) -> dict[str, int] | None:
        """The running countdown: its end `at`, the milliseconds `left`, the number of `beats`; None if none runs."""
        left = self._reveal.at - self._now() if self._reveal is not None else 0
        if self._reveal is None or left <= 0:
            return None
        return {"at": self._reveal.at, "left": left, "beats": len(self._reveal.beats)}

    def public_entries(self) -> int:
        """Return the number of public log entries; 0 if the game has no countdown, which alone needs the number."""
        return len(self._visibility.log_entries(None)) if self._counts else 0

    def moved(self, before: ClockState, public: int) -> None:
        """Wake the viewers whose view has changed since the clock state `before` and `public` public log entries."""
        match, state = self._action_log.match, self._clock.state
        if self._counts:
            codes = (entry[1] for entry in self._visibility.log_entries(None, public))
            self._reveal = reveal_of(match, self._seconds, codes, self._now()) or self._reveal
        first = versions.version(self._action_log.era, 0)
        held, everybody = set[int](), False
        if state is not before:
            # Only its own seat knows of a held submission, unless the table shows who has submitted.
            if before.held != state.held:
                held.update(submission.seat for submission in (before.held, state.held) if submission is not None)
            everybody = replace(before, held=None) != replace(state, held=None)
            everybody |= before.released != state.released
            everybody |= bool(held and self._visibility.submitted_shown)
        for viewer, channel in self._viewers.channels.items():
            version = first + match.version(viewer)
            if version != channel.version:
                channel.version = version
                channel.wake()
            elif everybody or viewer in held:
                channel.resend_status()

    def queued(self, place: int | None) -> None:
        """Announce where the bot that is to act stands in the queue for a search; None if it is not waiting."""
        if self._visibility.queue(place) and self._visibility.queued == place:
            for channel in self._viewers.channels.values():
                channel.resend_status()
