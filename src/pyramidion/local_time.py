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
    """Return what the clocks in a zone show, without the zone."""
    return (EPOCH + at * MILLISECOND).astimezone(ZoneInfo(zone)).replace(tzinfo=None)


def instant(wall: datetime, zone: str) -> int:
    """Return when the clocks in a zone show a time."""
    return (wall.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC) - EPOCH) // MILLISECOND


def days_later(at: int, days: int, zone: str) -> int:
    """Return the same time of day some days later, or earlier, in a zone."""
    return instant((wall_time(at, zone) + timedelta(days=days)).replace(fold=0), zone) if days else at


def later(at: int, span: timedelta, zone: str) -> int:
    """Return the time after a span: whole days keep the time of day, any other span is as long as it says."""
    days, rest = divmod(span, timedelta(days=1))
    return at + span // MILLISECOND if rest else days_later(at, days, zone)
