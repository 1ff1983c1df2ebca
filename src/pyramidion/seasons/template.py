"""Templates of seasons: settings, shop, planned episodes and the lengths of phases, without people."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from pyramidion.names import Title
from pyramidion.seasons.events import EpisodePlanned, Event, ItemSet, PhaseSet, SettingsChanged
from pyramidion.seasons.season import Season

MINUTE = 60_000


@dataclass(frozen=True, slots=True)
class Span:
    """A phase: minutes from the start of the first one, and its length in minutes."""

    name: Title
    after: int
    minutes: int


@dataclass(frozen=True, slots=True)
class Template:
    """What a season can begin with."""

    settings: SettingsChanged
    shop: tuple[ItemSet, ...] = ()
    episodes: tuple[EpisodePlanned, ...] = ()
    phases: tuple[Span, ...] = ()
    format: Literal["pyramidion.season/1"] = "pyramidion.season/1"

    def events(self, title: str, starts: int | None) -> list[Event]:
        """Return what begins a season; phases are laid out from `starts`, milliseconds since 1970, if it is given."""
        events: list[Event] = [replace(self.settings, title=title or self.settings.title)]
        events += [replace(one, item=None) for one in self.shop]
        events += self.episodes
        for one in self.phases if starts is not None else ():
            begin = (starts or 0) + one.after * MINUTE
            events.append(PhaseSet(one.name, begin, begin + one.minutes * MINUTE))
        return events


def template_of(season: Season) -> Template:
    """Return a template of a season: its plan, or where it has none the episodes that there have been."""
    assert isinstance(season.settings, SettingsChanged)
    phases = sorted(season.phases.values(), key=lambda one: (one.starts, one.id))
    first = phases[0].starts if phases else 0
    return Template(
        season.settings,
        tuple(
            ItemSet(one.name, one.price, one.priority, one.words, one.per_person, one.per_season)
            for one in season.items.values()
        ),
        tuple(EpisodePlanned(one.game, one.duel, one.clock, one.title) for one in (season.plan or season.episodes)),
        tuple(
            Span(one.name, (one.starts - first) // MINUTE, max(1, (one.ends - one.starts) // MINUTE)) for one in phases
        ),
    )
