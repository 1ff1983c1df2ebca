"""Times of day in a time zone: whole days keep them across a change of clocks.

Times are milliseconds since 1970. A time of day that a change of clocks leaves out becomes as much later as the clocks
are set forward, so 02:30 becomes 03:30; of one that comes twice, the first counts (RFC 5545 says the same).
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

DAY_HOURS = 24
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)


def wall_time(at: int, zone: str) -> datetime:
    """Return the date and time that clocks in a time zone show at the time `at`, as a datetime without a zone."""
    return (EPOCH + at * MILLISECOND).astimezone(ZoneInfo(zone)).replace(tzinfo=None)


def instant(wall: datetime, zone: str) -> int:
    """Return the time, in milliseconds since 1970, at which clocks in a time zone show the date and time `wall`."""
    return (wall.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC) - EPOCH) // MILLISECOND


def days_later(at: int, days: int, zone: str) -> int:
    """Return the time `days` days after `at` (before it if negative), at the same time of day in a time zone."""
    return instant((wall_time(at, zone) + timedelta(days=days)).replace(fold=0), zone) if days else at


def later(at: int, span: timedelta, zone: str) -> int:
    """Return the time `span` after `at`: whole days keep the time of day in a time zone, other spans are exact."""
    days, rest = divmod(span, timedelta(days=1))
    return at + span // MILLISECOND if rest else days_later(at, days, zone)
