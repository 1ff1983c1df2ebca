"""Conflicts in a schedule: phases that meet a weekend, a holiday or each other, or are shorter than a clock."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from pyramidion.local_time import wall_time
from pyramidion.seasons.season import Holiday, Phase, Season

SATURDAY = 5
ONE_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Conflict:
    """A conflict of a phase.

    `name` is that of the holiday or of the overlapping phase, empty for other kinds. `seconds` is the clock that is
    longer than the phase, 0 for other kinds.
    """

    kind: Literal["weekend", "holiday", "overlap", "clock"]
    name: str = ""
    seconds: int = 0


def conflicts(season: Season) -> dict[str, list[Conflict]]:
    """Return the conflicts of each phase of the schedule, by the phase's id; phases without one are left out."""
    by_phase = {phase.id: _conflicts(season, phase, clock_of(season)) for phase in season.phases.values()}
    return {phase: of_phase for phase, of_phase in by_phase.items() if of_phase}


def clock_of(season: Season) -> int | None:
    """Return the seconds per decision in the open episode, else in the next planned one, else in the last one."""
    if season.episode is None and len(season.plan) > len(season.episodes):
        return season.plan[len(season.episodes)].clock
    return season.episodes[-1].clock if season.episodes else None


def _conflicts(season: Season, phase: Phase, clock: int | None) -> list[Conflict]:
    """Return what a phase conflicts with; `clock` is the game's time per decision in seconds, None without."""
    first = wall_time(phase.starts, season.settings.zone).date()
    last = wall_time(phase.ends - 1, season.settings.zone).date()
    listed = [
        Conflict("holiday", holiday.name or holiday.first)
        for holiday in season.holidays
        if _meets(holiday, first, last)
    ]
    if _has_weekend(first, last):
        listed.append(Conflict("weekend"))
    if clock is not None and phase.ends - phase.starts < clock * 1000:
        listed.append(Conflict("clock", seconds=clock))
    return listed + [
        Conflict("overlap", other.name)
        for other in season.phases.values()
        if other.id != phase.id and other.starts < phase.ends and phase.starts < other.ends
    ]


def _meets(holiday: Holiday, first: date, last: date) -> bool:
    """Return whether a holiday has a day in common with the days `first` to `last`."""
    return date.fromisoformat(holiday.first) <= last and first <= date.fromisoformat(holiday.last)


def _has_weekend(first: date, last: date) -> bool:
    """Return whether a Saturday or Sunday is among the days `first` to `last`."""
    days = min((last - first).days, 6)
    return any((first + nth * ONE_DAY).weekday() >= SATURDAY for nth in range(days + 1))
