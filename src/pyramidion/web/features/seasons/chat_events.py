"""Conversations and confessionals beside the board: who has them there, and how open pages hear of something new."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Coroutine
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from pyramidion.event_log import Entry
from pyramidion.seasons.conversations import AllianceJoined, AllianceLeft, Conversations, Said, is_member
from pyramidion.seasons.redaction import Viewer
from pyramidion.seasons.season import Season
from pyramidion.web.errors import Refused
from pyramidion.web.features.seasons.loaded import LoadedSeason
from pyramidion.web.table.tables import Tables

if TYPE_CHECKING:
    from pyramidion.web.db.writer import Change

CHANNEL = "pyramidion_season_talk"
EVENT = "talk"
"""What a table's stream sends to a reader when there is something new."""


def takes_part(viewer: Viewer) -> bool:
    """Return whether somebody may have conversations or confessionals to read or to write."""
    return viewer.role == "host" or (viewer.role == "contestant" and viewer.private)


def affected_readers(season: Season, conversations: Conversations, entry: Entry) -> set[str]:
    """Return the ids of those whose conversations an entry changes; `talk` includes the entry."""
    match entry.event:
        case Said(to) if to in season.cast:
            return {entry.by, to} | _reading_hosts(season)
        case Said(to=alliance) | AllianceJoined(alliance) | AllianceLeft(alliance):
            pass
        case _formed:
            alliance = f"a{len(conversations.alliances)}"
    joined = conversations.alliance(alliance)
    return {entry.by, *(who for who in joined.members if is_member(season, joined, who))} | _reading_hosts(season)


def _reading_hosts(season: Season) -> set[str]:
    return set(season.hosts) if season.settings.talk in ("hosts", "published") else set()


class ConversationAnnouncer:
    """Sends the open table pages of some of a season's people an event when they have something new to read.

    `read` returns a season; `spawn` runs something in the background.
    """

    def __init__(
        self,
        tables: Tables,
        kind: str,
        read: Callable[[str], Awaitable[LoadedSeason]],
        spawn: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        self._tables, self._kind, self._read, self._spawn = tables, kind, read, spawn
        tables.listener.others[CHANNEL] = self._heard
        tables.writer.others_wrote.append(lambda: self._heard(None))

    def notify_servers(self, season: str, who: Collection[str]) -> Change:
        """Return what tells the other servers, once it is stored."""

        def change(connection: sa.Connection) -> None:
            if connection.dialect.name == "postgresql":
                connection.execute(sa.select(sa.func.pg_notify(CHANNEL, " ".join((season, *sorted(who))))))

        return change

    def announce(self, loaded: LoadedSeason, who: Collection[str]) -> None:
        """Tell the open pages of some of a season's people, at its tables on this server."""
        holders = {
            person.holder for person in loaded.people.values() if person.holder is not None and person.who in who
        }
        cached = self._tables.cached_tables()
        for table in (cached.get(table) for episode in loaded.season.episodes for table in episode.tables):
            if table is not None:
                table.viewers.whisper(holders, EVENT)

    def _heard(self, what: str | None) -> None:
        """Handle another server's notification, `SEASON WHO...`; None stands for any season and all its people."""
        season, *who = what.split() if what is not None else (None,)
        cached_tables = self._tables.cached_tables().values()
        watched: set[str | None] = {table.kept.get(self._kind) for table in cached_tables if table.viewers.channels}
        for watched_season in watched if season is None else watched & {season}:
            if watched_season is not None:
                self._spawn(self._pass_on(watched_season, who if season is not None else None))

    async def _pass_on(self, season: str, who: Collection[str] | None) -> None:
        with suppress(Refused):  # a page that hears nothing reads what is new when it is opened
            loaded = await self._read(season)
            self.announce(loaded, loaded.people if who is None else who)
