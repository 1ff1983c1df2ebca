"""The template variables of the host's console: a few for the frame, and those of the tab that is shown."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from starlette.datastructures import URL

from pyramidion import Game, bots
from pyramidion.bots.labels import label
from pyramidion.engine import registry
from pyramidion.seasons.episode import EpisodePart
from pyramidion.seasons.events import OwnRoundSealed
from pyramidion.seasons.events.undo import LASTING
from pyramidion.seasons.roles import runs
from pyramidion.seasons.story import standing
from pyramidion.web.durations import duration
from pyramidion.web.errors import Refused
from pyramidion.web.features.seasons import store
from pyramidion.web.features.seasons.console.contestants import contestant_rows
from pyramidion.web.features.seasons.console.log_lines import log_lines
from pyramidion.web.features.seasons.console.now import Now, now_of, nudgeable, nudged, passing, waiting
from pyramidion.web.features.seasons.console.result import result_form
from pyramidion.web.features.seasons.console.tabs import (
    BY_ID,
    CAST,
    IN_BAR,
    MORE,
    NOW,
    contestant_of_form,
    offered,
    tab_of_form,
)
from pyramidion.web.features.seasons.console.timeline import (
    clashes,
    field_text,
    holidays_text,
    phase_rows,
    spans_in_words,
)
from pyramidion.web.features.seasons.loaded import LoadedSeason, SeasonRequester
from pyramidion.web.features.seasons.log_texts import entry_sentence
from pyramidion.web.features.seasons.matches import current_phase, games_for, unplayable_games
from pyramidion.web.features.seasons.pages.latest import latest, name_of
from pyramidion.web.features.seasons.pages.result_text import result_texts
from pyramidion.web.features.seasons.service import Seasons
from pyramidion.web.features.seasons.texts import AUDIENCES, read_by_viewers
from pyramidion.web.features.seasons.view_models import personal_links
from pyramidion.web.pages.page import version_of
from pyramidion.web.table.bots import USUAL_BOT
from pyramidion.web.table.tables import Tables

CLOCKS = (60, 300, 3600, 24 * 3600, 48 * 3600)
MOST_LINES = 12
"""How many posts, confessionals, transfers or log entries a page shows."""


@dataclass(frozen=True, slots=True)
class Console:
    """The host's console of a season, as the host `requester`, the visitor `holder`, may know it.

    `reaches` tells whether a notification reaches a visitor.
    """

    loaded: LoadedSeason
    requester: SeasonRequester
    holder: str
    seasons: Seasons
    tables: Tables
    url: URL
    reaches: Callable[[str | None], Awaitable[bool]]

    async def version(self) -> str:
        """Return the version of the console, which changes with the season and with the tables being played."""
        now = await now_of(self.loaded, self.tables, self.holder)
        return self._version(self.seasons.view(self.loaded, self.requester), now)

    def _version(self, view: Mapping[str, Any], now: Now) -> str:
        """Return a text that changes whenever anything on the console changes."""
        return version_of({**view, "now": now.version(), "passing": passing(self.loaded, self.tables.now())})

    async def context(self, query: Mapping[str, str]) -> dict[str, Any]:
        """Return the variables of the console for the tab in `query`, the page's query or a form that was refused."""
        view = self.seasons.view(self.loaded, self.requester)
        now = await now_of(self.loaded, self.tables, self.holder)
        tabs = offered(view["may"], talks=bool(view["conversations"] or view["confessions"]))
        tab = tab_of_form(query, CAST if query.get("portrait") else NOW)
        if query.get("tab") == MORE or tab not in {offered_tab.id for offered_tab in tabs}:
            tab = MORE if query.get("tab") == MORE else NOW
        by_tab: dict[str, Callable[[Mapping[str, str]], Awaitable[dict[str, Any]]]] = {
            NOW: self._now,
            CAST: self._contestants,
            "timeline": self._timeline,
            "episodes": self._episodes,
            "settings": self._settings,
            "hosts": self._hosts,
            "webhooks": self._webhooks,
            "log": self._log,
            "templates": self._templates,
        }
        items = waiting(view, self.loaded, now, self.tables.now())
        own = await by_tab[tab](query) if tab in by_tab else {}
        return {
            "tab": tab,
            "tab_words": BY_ID[tab].words if tab in BY_ID else None,
            "tabs": tabs,
            "in_bar": IN_BAR,
            "version": self._version(view, now),
            "running": now,
            "waiting": items,
            "joined": {who for who in self.loaded.season.cast if self.loaded.joined(who)},
            "nudged": await self._nudged(),
            "post_help": read_by_viewers(view),
            "missing": nudgeable(view, self.loaded, now, self.tables.now()),
            "usual_bot": USUAL_BOT,
            "lasting": LASTING,
            "most": MOST_LINES,
            "skip": _skipped(query),
            "beside": "",
            **own,
        }

    async def _nudged(self) -> dict[str, bool]:
        """Return the contestants who have just been nudged, and whether a notification reaches them."""
        just = nudged(self.loaded, self.tables.now())
        return {who: await self.reaches(self.loaded.people[who].holder) for who in just}

    async def _now(self, query: Mapping[str, str]) -> dict[str, Any]:
        """Return the template variables of the tab *Now*."""
        season, view = self.loaded.season, self.seasons.view(self.loaded, self.requester)
        happened = await latest(season, view, self.seasons.moments, self.tables.now())
        return {
            **self._step(),
            "main_asked": query.get("main", ""),
            "recovery": self._recovery() if not season.begun else None,
            "latest": happened,
            "ended": standing(view) if season.over else "",
            "seal": self._seal(),
            **self._coming_phases(),
        }

    def _coming_phases(self) -> dict[str, Any]:
        """Return the phases with which a round of submissions can end, and the id of the one in progress."""
        season, now = self.loaded.season, self.tables.now()
        coming = sorted((phase for phase in season.phases.values() if phase.ends > now), key=lambda phase: phase.ends)
        current, match = current_phase(season, now), season.own_match
        deadline = match.round.deadline if match is not None else None
        return {
            "coming_phases": coming,
            "current_phase": current.id if current is not None else "",
            "deadline_text": field_text(deadline, season.settings.zone) if deadline is not None else "",
        }

    async def _log(self, query: Mapping[str, str]) -> dict[str, Any]:
        """Return the template variables of the log."""
        season, view = self.loaded.season, self.seasons.view(self.loaded, self.requester)
        commands = await asyncio.to_thread(store.host_commands, self.tables.store, self.loaded.id)
        lines = log_lines(season, view, commands)
        newest = lines[_skipped(query) :][:MOST_LINES]
        numbers = {line.entry["number"] for line in newest if line.entry is not None}
        entries = [entry for entry in season.log if entry.number in numbers]
        sentences = {entry.number: entry_sentence(season, entry, name_of(view, entry)) for entry in entries}
        return {"sentences": sentences, "lines": newest, "log_length": len(lines)}

    def _seal(self) -> int | None:
        """Return the entry that has sealed the latest round of the match of the host's own, None if none has."""
        season = self.loaded.season
        seals = [entry.number for entry in season.log if isinstance(entry.event, OwnRoundSealed)]
        standing = [number for number in seals if number not in season.revoked]
        sealed = season.own_match is not None and season.own_match.round.sealed
        return standing[-1] if sealed and standing else None

    def _step(self) -> dict[str, Any]:
        """Return the variables of the form that takes the next step."""
        season, plan = self.loaded.season, self.loaded.season.plan
        count, opened = len(season.remaining), len(season.episodes)
        part: EpisodePart = "main" if season.step in ("main", "result") else "duel"
        planned = plan[opened] if len(plan) > opened else None
        now = self.tables.now()
        phase = current_phase(season, now)
        return {
            "matches": games_for(count) if count > 2 else [],
            "unplayable": unplayable_games(count) if count > 2 else [],
            "duels": games_for(2),
            "waits": {
                "main": _waits(games_for(count) if count > 2 else []),
                "duel": _waits(games_for(2)),
            },
            "phase_left": (phase.ends - now) // 1000 if phase is not None else 0,
            "minutes": {game.id: game.minutes for game in registry.all_games().values()},
            "result": result_form(season, part) if season.episode is not None else None,
            "planned": planned,
            "last": planned or (season.episodes[-1] if season.episodes else None),
            "clocks": _clocks(),
        }

    async def _contestants(self, query: Mapping[str, str]) -> dict[str, Any]:
        """Return the template variables of the table of contestants, and of the one that is open."""
        # `portrait` is what addresses from before had.
        who = contestant_of_form(query) or query.get("portrait", "")
        return {
            "rows": contestant_rows(self.loaded, self.seasons.sightings),
            "open": who if who in self.loaded.season.cast else "",
            "choosing": query.get("portrait") == who or query.get("kind") == "portrait",
            "links": self._links(),
            "bots": [(name, label(name)) for name in bots.names()],
            "plan": None,
            "csv": "",
        }

    async def _timeline(self, query: Mapping[str, str]) -> dict[str, Any]:
        """Return the template variables of the timeline."""
        season = self.loaded.season
        view = self.seasons.view(self.loaded, self.requester)
        running = await now_of(self.loaded, self.tables, self.holder)
        phase, disagreeing = clashes(season, running.tables, self.tables.now())
        return {
            "phases": phase_rows(season, self.tables.now()),
            "clashes": {phase: disagreeing},
            "undated": spans_in_words(season.undated),
            "open": query.get("phase", ""),
            "holidays": holidays_text(view["holidays"]),
        }

    async def _episodes(self, _query: Mapping[str, str]) -> dict[str, Any]:
        """Return the template variables of the episodes, with their results as viewers know them."""
        texts: dict[int, str] = {}
        with suppress(Refused):  # viewers may see nothing of the season
            view = self.seasons.view(self.loaded, SeasonRequester(None, True))
            url = str(self.url.replace(path=f"/seasons/{self.loaded.id}", query=""))
            texts = await result_texts(view, self.seasons.moments, url)
        return {**self._step(), "texts": texts}

    async def _settings(self, _query: Mapping[str, str]) -> dict[str, Any]:
        """Return the template variables of the settings."""
        return {"audiences": AUDIENCES}

    async def _hosts(self, _query: Mapping[str, str]) -> dict[str, Any]:
        """Return the template variables of the list of hosts."""
        links = {who: link for who, link in self._links().items() if who in self.loaded.season.hosts}
        return {"links": links, "recovery": self._recovery()}

    def _recovery(self) -> str:
        """Return the address of the host's own recovery link."""
        code = self.seasons.links.recovery(self.loaded, self.requester.who or "")
        return str(self.url.replace(path=f"/seasons/{self.loaded.id}/join/{code}", query=""))

    def _links(self) -> dict[str, Any]:
        """Return the personal links that the host may hand out, by person; none if the role does not allow it."""
        if not runs(self.loaded.season, self.requester.who or ""):
            return {}
        invitation = str(self.url.replace(path=f"/seasons/{self.loaded.id}/join/", query=""))
        links = personal_links(self.loaded, self.requester, self.seasons.links, invitation)
        return {link["who"]: link for link in links}

    async def _webhooks(self, _query: Mapping[str, str]) -> dict[str, Any]:
        """Return the template variables of the webhooks."""
        return {"hooks": await self.seasons.webhooks.of(self.loaded, self.requester)}

    async def _templates(self, _query: Mapping[str, str]) -> dict[str, Any]:
        """Return the template variables of the templates."""
        templates = self.seasons.templates
        return {
            "templates": [saved for saved in await templates.of(self.holder) if saved.template.episodes],
            "clubs": await templates.clubs_of(self.holder),
        }


def _skipped(query: Mapping[str, str]) -> int:
    """Return how many of the newest lines of a long list the page leaves out."""
    text = query.get("skip", "")
    return int(text) if text.isdecimal() and len(text) < 10 else 0


def _waits(playable: Sequence[tuple[Game, Sequence[int]]]) -> dict[str, int | None]:
    """Return how many decisions players wait for at the slowest of a game's tables of these sizes, None if unknown."""
    return {
        game.id: max((game.waits[size] for size in sizes if size in game.waits), default=None)
        for game, sizes in playable
    }


def _clocks() -> list[tuple[int, str]]:
    return [(seconds, duration(seconds)) for seconds in CLOCKS]
