"""The timeline of a season: its phases with their conflicts in words, and when people are reminded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from pyramidion.local_time import wall_time
from pyramidion.seasons.conflicts import Conflict, conflicts
from pyramidion.seasons.season import Phase, Season
from pyramidion.seasons.spans import Span
from pyramidion.translation import _
from pyramidion.web.durations import duration
from pyramidion.web.features.seasons.console.now import RunningTable
from pyramidion.web.features.seasons.matches import current_phase
from pyramidion.web.features.seasons.notifications import reminded


@dataclass(frozen=True, slots=True)
class PhaseRow:
    """A phase of the timeline.

    Attributes:
        state: past, current or planned.
        starts_text, ends_text: times in the season's zone, as a field `datetime-local` has them.
        reminded: when people are reminded of its end, milliseconds since 1970.
        share: how much of it is over, in percent.
        conflicts: sentences.
    """

    phase: Phase
    state: str
    starts_text: str
    ends_text: str
    reminded: int
    share: int
    conflicts: list[str]


def phase_rows(season: Season, now: int) -> list[PhaseRow]:
    """Return the phases in order, as they are at the time `now` (milliseconds since 1970)."""
    by_phase, zone = conflicts(season), season.settings.zone

    def row(phase: Phase) -> PhaseRow:
        """Return a phase as the template shows it."""
        state = "past" if phase.ends <= now else "current" if phase.starts <= now else "planned"
        share = (now - phase.starts) * 100 // (phase.ends - phase.starts)
        return PhaseRow(
            phase,
            state,
            field_text(phase.starts, zone),
            field_text(phase.ends, zone),
            reminded(phase),
            min(100, max(0, share)),
            [_sentence(conflict) for conflict in by_phase.get(phase.id, ()) if state != "past"],
        )

    return [row(phase) for phase in sorted(season.phases.values(), key=lambda phase: (phase.starts, phase.id))]


@dataclass(frozen=True, slots=True)
class Clash:
    """A deadline that disagrees with the phase in progress: a sentence, and the deadline in milliseconds since 1970.

    `match` is the id of the match of the host's own that has it and could end with the phase; empty for a table.
    """

    sentence: str
    deadline: int | None
    match: str = ""


def clashes(season: Season, tables: Iterable[RunningTable], now: int) -> tuple[str, list[Clash]]:
    """Return the id of the phase in progress, empty without one, and the deadlines of matches that disagree with it."""
    phase, match, listed = current_phase(season, now), season.own_match, list[Clash]()
    if phase is None:
        return "", listed
    if match is not None and not match.round.sealed and match.round.deadline != phase.ends:
        deadline, name = match.round.deadline, match.form.name
        pattern = _("{match} has no deadline.") if deadline is None else _("{match} has another deadline:")
        listed.append(Clash(pattern.format(match=name), deadline, match.id))
    for table in tables:
        due = table.timing.deadline if table.timing is not None else None
        if due is not None and due > phase.ends:
            listed.append(Clash(_("{game}: this decision is due after the phase ends:").format(game=table.game), due))
    return phase.id, listed


def spans_in_words(spans: Iterable[Span]) -> list[tuple[str, str]]:
    """Return the names of phases without dates with their lengths in words."""
    return [(span.name, duration(span.minutes * 60)) for span in spans]


def holidays_text(holidays: list[Mapping[str, Any]]) -> str:
    """Return holidays, from a host's view of a season, as the text of their form."""

    def line(holiday: Mapping[str, Any]) -> str:
        """Return a holiday as a host types it: its days and its name."""
        days = holiday["first"] if holiday["first"] == holiday["last"] else f"{holiday['first']} to {holiday['last']}"
        return f"{days}, {holiday['name']}" if holiday["name"] else days

    return "\n".join(map(line, holidays))


def field_text(at: int, zone: str) -> str:
    """Return a time as the value of a form's field for local times."""
    wall = wall_time(at, zone)
    return (wall - timedelta(seconds=wall.second, microseconds=wall.microsecond)).isoformat(timespec="minutes")


def _sentence(conflict: Conflict) -> str:
    """Return what a phase conflicts with, as a sentence."""
    match conflict.kind:
        case "weekend":
            return _("It runs over a weekend.")
        case "holiday":
            return _("It meets a holiday: {name}.").format(name=conflict.name)
        case "overlap":
            return _("It overlaps with {name}.").format(name=conflict.name)
        case "clock":
            message = _("It is shorter than the time for one decision ({time}).")
            return message.format(time=duration(conflict.seconds))
