"""Phases without dates: when each starts after the first one, and its length."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from pyramidion.event_log import HOUR, LATEST, NotPossible, check_times
from pyramidion.local_time import days_later, later
from pyramidion.names import Title
from pyramidion.translation import _

LONGEST = 400 * 24 * HOUR
MINUTE = 60_000
DAY_MINUTES = 24 * 60


@dataclass(frozen=True, slots=True)
class Span:
    """A phase without dates, such as one of a template.

    `after` is when it starts, in minutes after the first phase, and `minutes` its length. Whole days keep the time of
    day.
    """

    name: Title
    after: int
    minutes: int

    def dated(self, starts: int, zone: str) -> tuple[int, int]:
        """Return when the phase starts and ends, in milliseconds since 1970, if the first one starts at `starts`.

        Raises NotPossible if no calendar has the phase.
        """
        self.check(starts)
        days, minutes = divmod(self.after, DAY_MINUTES)
        begin = days_later(starts, days, zone) + minutes * MINUTE
        if minutes or self.minutes % DAY_MINUTES:
            return begin, later(begin, timedelta(minutes=self.minutes), zone)
        # Counted from the first phase, whose time of day no change of clocks has moved.
        return begin, days_later(starts, days + self.minutes // DAY_MINUTES, zone)

    def check(self, starts: int = LATEST // 2) -> None:
        """Raise NotPossible if no calendar has the phase when the first one starts at `starts`."""
        check_times(starts, starts + self.after * MINUTE)
        if not 0 < self.minutes * MINUTE <= LONGEST:
            raise NotPossible(_("A phase ends after it starts, and within 400 days."))
