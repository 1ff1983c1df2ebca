"""Templates of seasons: settings, shop, planned episodes and the lengths of phases, without people."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from datetime import timedelta
from typing import Literal

from pyramidion.local_time import days_later, wall_time
from pyramidion.seasons.events import (
    EpisodePlanned,
    Event,
    FormatSet,
    ItemSet,
    OwnMatchSet,
    PhaseSet,
    PhasesPlanned,
    SettingsChanged,
)
from pyramidion.seasons.events.checks import check_zone
from pyramidion.seasons.events.episodes import planned
from pyramidion.seasons.season import Season
from pyramidion.seasons.spans import DAY_MINUTES, MINUTE, Span


@dataclass(frozen=True, slots=True)
class Template:
    """Settings, a shop, formats, planned episodes and phases with which a new season can begin.

    `format` is the version of the template itself, `formats` are those of its episodes, and `own_matches` the
    matches of the host's own.
    """

    settings: SettingsChanged
    shop: tuple[ItemSet, ...] = ()
    episodes: tuple[EpisodePlanned, ...] = ()
    phases: tuple[Span, ...] = ()
    format: Literal["pyramidion.season/1"] = "pyramidion.season/1"
    formats: tuple[FormatSet, ...] = ()
    own_matches: tuple[OwnMatchSet, ...] = ()

    def in_zone(self, zone: str) -> Template:
        """Return the template with another time zone."""
        return replace(self, settings=replace(self.settings, zone=zone))

    def events(self, title: str, starts: int | None) -> list[Event]:
        """Return the events that begin a season with this title, or else that of the template.

        Phases are laid out from `starts`, milliseconds since 1970, or else kept without dates.

        Raises NotPossible for phases that no calendar has.
        """
        events: list[Event] = [replace(self.settings, title=title or self.settings.title)]
        events += [replace(item, item=None) for item in self.shop]
        events += (*self.formats, *self.own_matches, *self.episodes)
        if starts is None and self.phases:
            events.append(PhasesPlanned(self.phases))
        elif starts is not None and self.phases:
            check_zone(self.settings.zone)
            events += [PhaseSet(span.name, *span.dated(starts, self.settings.zone)) for span in self.phases]
        return events


def template_of(season: Season) -> Template:
    """Return a template with the settings, shop, schedule and plan of a season; without a plan, with its episodes so
    far.
    """
    assert isinstance(season.settings, SettingsChanged)
    phases = sorted(season.phases.values(), key=lambda phase: (phase.starts, phase.id))
    first, zone = phases[0].starts if phases else 0, season.settings.zone
    return Template(
        season.settings,
        tuple(
            ItemSet(item.name, item.price, item.priority, item.words, item.per_person, item.per_season)
            for item in season.items.values()
        ),
        tuple(map(planned, season.plan or season.episodes)),
        tuple(
            Span(phase.name, _span(first, phase.starts, zone), _length(phase.starts, phase.ends, zone))
            for phase in phases
        )
        or season.undated,
        formats=tuple(FormatSet(**asdict(declared)) for declared in season.formats.values()),
        own_matches=tuple(
            OwnMatchSet(**{part.name: getattr(form, part.name) for part in fields(form)})
            for form in season.own_forms.values()
        ),
    )


def _span(starts: int, ends: int, zone: str) -> int:
    """Return the minutes between two times: the days on the calendar, and the minutes left of the last one."""
    days = (wall_time(ends, zone) - wall_time(starts, zone)).days
    return days * DAY_MINUTES + (ends - days_later(starts, days, zone)) // MINUTE


def _length(starts: int, ends: int, zone: str) -> int:
    """Return the length of a phase in minutes: whole days on the calendar, or as long as it lasts."""
    days, rest = divmod(wall_time(ends, zone) - wall_time(starts, zone), timedelta(days=1))
    return max(1, (ends - starts) // MINUTE) if rest or not days else days * DAY_MINUTES
