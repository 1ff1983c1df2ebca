"""Retries of what failed for a competition: after longer and longer pauses, and each reason is logged once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

SHORTEST = 5_000
LONGEST = 10 * 60_000
"""The pauses between retries double from the shortest to the longest, in milliseconds."""


@dataclass(frozen=True, slots=True)
class Failure:
    """The latest failure of a competition: why, the pause before the next try in milliseconds, and when that is."""

    reason: str
    pause: int
    until: int


class Retries:
    """Remembers what failed for which competition on this server, and when to try again.

    `now` returns the time, milliseconds since 1970.
    """

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._failures: dict[str, Failure] = {}

    def reason(self, competition: str) -> str | None:
        """Return why the latest attempt failed, or None if it did not."""
        failure = self._failures.get(competition)
        return failure.reason if failure is not None else None

    def waits(self, competition: str) -> bool:
        """Return whether it is too early to try again for a competition."""
        failure = self._failures.get(competition)
        return failure is not None and self._now() < failure.until

    def failed(self, competition: str, reason: str) -> bool:
        """Record a failure, which makes the pause longer; return whether its reason differs from the last one."""
        before = self._failures.get(competition)
        pause = SHORTEST if before is None else min(2 * before.pause, LONGEST)
        self._failures[competition] = Failure(reason, pause, self._now() + pause)
        return before is None or before.reason != reason

    def succeeded(self, competition: str) -> None:
        """Forget the failures of a competition."""
        self._failures.pop(competition, None)
