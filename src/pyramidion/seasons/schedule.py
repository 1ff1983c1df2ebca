"""The schedule of a season: phases laid out one after the other, and the schedule as an iCalendar feed (RFC 5545)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

from pyramidion.event_log import HOUR, NotPossible, check_times
from pyramidion.local_time import DAY_HOURS, instant, wall_time
from pyramidion.seasons.events.schedule import LONGEST, MOST_PHASES, PhaseSet
from pyramidion.seasons.season import Phase
from pyramidion.translation import _

LONGEST_LINE = 74
"""Bytes of a line of a calendar, without the space that continues it."""
SATURDAY = 5
ONE_DAY = timedelta(days=1)


def laid_out(starts: int, lengths: Sequence[tuple[str, int]], zone: str, *, skip_weekends: bool) -> list[PhaseSet]:
    """Return the events for phases that follow one another; each phase has a name and a length in hours.

    `starts` is milliseconds since 1970. Phases of whole days keep the time of day in the time zone when the clocks
    change, all those that follow each other; other phases last as many hours as they say. With `skip_weekends`,
    Saturdays and Sundays in the time zone do not count: no phase starts there, and one that would run into a weekend
    goes on after it. Raises NotPossible where the calendar ends.
    """
    check_times(starts)
    if len(lengths) > MOST_PHASES or any(not 0 < hours * HOUR <= LONGEST for _name, hours in lengths):
        raise NotPossible(_("A phase ends after it starts, and within 400 days."))
    # `wall` is the time of day to keep, which a change of clocks may leave out on the day of `at`.
    at, wall, phases = starts, wall_time(starts, zone), list[PhaseSet]()
    for name, hours in lengths:
        if skip_weekends and wall.weekday() >= SATURDAY:
            wall = _monday(wall)
            at = instant(wall, zone)
        begin = at
        days, rest = divmod(hours, DAY_HOURS)
        if rest:
            at = _hours_later(at, hours, zone, skip_weekends=skip_weekends)
            wall = wall_time(at, zone)
        else:
            for _day in range(days):
                wall = (_monday(wall) if skip_weekends and wall.weekday() >= SATURDAY else wall) + ONE_DAY
                if skip_weekends and wall > _saturday(wall - ONE_DAY):
                    wall += 2 * ONE_DAY
            at = instant(wall, zone)
        phases.append(PhaseSet(name, begin, at))
    return phases


def read_lengths(text: str) -> list[tuple[str, int]]:
    """Parse lines such as `Main match, 48` into names of phases and their hours. Raises NotPossible."""
    lengths: list[tuple[str, int]] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        name, _comma, hours = line.rpartition(",")
        number = hours.strip()
        if not name.strip() or not number.isdecimal() or len(number) > 4 or not 1 <= int(number) <= 24 * 60:
            raise NotPossible(_("Write each phase as a name, a comma and its hours: Main match, 48"))
        lengths.append((name.strip(), int(hours)))
    return lengths


def calendar(season: str, title: str, phases: Iterable[Phase], link: str) -> str:
    """Return a season's schedule as an iCalendar file. Times are in UTC, which calendars show in their own zone."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Pyramidion//Seasons//EN", f"X-WR-CALNAME:{_escaped(title)}"]
    for phase in phases:
        stamp = _stamp(phase.starts)
        lines += ["BEGIN:VEVENT", f"UID:{season}-{phase.id}@pyramidion", f"DTSTAMP:{stamp}", f"DTSTART:{stamp}"]
        lines += [f"DTEND:{_stamp(phase.ends)}", f"SUMMARY:{_escaped(f'{title}: {phase.name}')}", f"URL:{link}"]
        lines.append("END:VEVENT")
    lines.append("END:VCALENDAR")
    return "".join(f"{_folded(line)}\r\n" for line in lines)


def _hours_later(starts: int, hours: int, zone: str, *, skip_weekends: bool) -> int:
    """Return the time that is a number of hours later, in milliseconds since 1970.

    With `skip_weekends`, hours of weekends do not count.
    """
    time, left = starts, hours * HOUR
    while skip_weekends and left > (room := instant(_saturday(wall_time(time, zone)), zone) - time):
        left -= room
        time = instant(_monday(wall_time(time + room, zone)), zone)
    return time + left


def _saturday(wall: datetime) -> datetime:
    """Return when the weekend of a time's week begins: on Saturday at midnight."""
    return wall.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=SATURDAY - wall.weekday())


def _monday(wall: datetime) -> datetime:
    """Return when the weekend of a time's week ends: on Monday at midnight."""
    return _saturday(wall) + 2 * ONE_DAY


def _stamp(milliseconds: int) -> str:
    """Return a time as iCalendar writes it, in UTC."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y%m%dT%H%M%SZ")


def _escaped(text: str) -> str:
    """Return a text on one line, with the signs escaped that mean something in iCalendar."""
    plain = " ".join(text.split())
    return plain.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")


def _folded(line: str) -> str:
    """Return a line of a calendar in pieces of at most 75 bytes, never split within a character."""
    pieces, piece = list[str](), ""
    for character in line:
        if len((piece + character).encode()) > LONGEST_LINE:
            pieces.append(piece)
            piece = ""
        piece += character
    return "\r\n ".join([*pieces, piece])
