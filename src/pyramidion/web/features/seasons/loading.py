"""Seasons as the server reads them, and who asks."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, field

from fastapi import Request

from pyramidion.seasons.log import fold
from pyramidion.seasons.season import Season
from pyramidion.seasons.talk import Talk, fold_talk
from pyramidion.web.db.store import Store
from pyramidion.web.errors import Refused
from pyramidion.web.features.seasons import store
from pyramidion.web.features.seasons.store import Person
from pyramidion.web.http.dependencies import hidden_in_club, reader_of
from pyramidion.web.http.responses import token_of
from pyramidion.web.tokens import API_PREFIX, ID_LENGTH
from pyramidion.words import _

MOST_KEPT = 200


class UnknownSeason(Refused, LookupError):
    """A season that is not here, or not open to whoever asks."""

    status = 404
    code = "unknown-season"


@dataclass(frozen=True, slots=True)
class Loaded:
    """A season as it is stored, with its people and their conversations. Seasons and conversations are not changed."""

    id: str
    season: Season
    people: dict[str, Person] = field(default_factory=dict[str, Person])
    talk: Talk = field(default_factory=Talk)


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks: a host or contestant by id, or None.

    `private`: whether it is the person, and not just somebody with the link, which hosts know, too.
    """

    who: str | None
    private: bool


async def require_visible(request: Request) -> None:
    """Raise UnknownSeason where the season of a path is hidden from its visitor.

    Personal links and the calendar's address open it: their secrets are checked by those who read them.
    """
    path, token = request.path_params, token_of(request.scope)
    if "code" in path or "secret" in path or request.url.path.endswith("/join"):
        return
    if "season_id" in path and (token is None or token.startswith(API_PREFIX)):
        await require_seen(request, path["season_id"], await reader_of(request, "events"))


async def require_seen(request: Request, season_id: str, holder: str | None) -> None:
    """Raise UnknownSeason if a private club hides a season from a visitor."""
    if await hidden_in_club(request, "season", season_id, holder):
        raise UnknownSeason(_("There is no such season."))


class Loader:
    """Reads seasons; a log that has not grown is not folded again."""

    def __init__(self, database: Store) -> None:
        self._store = database
        self._kept: OrderedDict[str, tuple[Season, Talk]] = OrderedDict()

    async def read(self, season_id: str) -> Loaded:
        """Return a season. Raises UnknownSeason."""
        return await asyncio.to_thread(self._read, season_id if len(season_id) <= ID_LENGTH else "")

    def _read(self, season_id: str) -> Loaded:
        entries, lines = store.lengths(self._store, season_id)
        if not entries:
            raise UnknownSeason(_("There is no such season."))
        season, talk = self._kept.get(season_id, (Season(), Talk()))
        if len(season.log) != entries:
            season = fold(store.read_log(self._store, season_id))
        if talk.count != lines:
            talk = fold_talk(store.read_talk(self._store, season_id))
        self._kept[season_id] = season, talk
        self._kept.move_to_end(season_id)
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return Loaded(season_id, season, store.read_people(self._store, season_id), talk)


def who_holds(loaded: Loaded, holder: str | None) -> str | None:
    """Return whom of a season's people a visitor is, hosts first, or None."""
    mine = [one.who for one in loaded.people.values() if holder is not None and one.holder == holder]
    there = [who for who in mine if who in loaded.season.hosts or who in loaded.season.cast]
    return min(there, key=lambda who: who not in loaded.season.hosts, default=None)


def asker_of(loaded: Loaded, holder: str | None) -> Asker:
    """Return who a visitor is."""
    return Asker(who_holds(loaded, holder), True)
