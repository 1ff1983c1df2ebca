"""News beside the board: who has conversations there, and how open pages hear of them, and of a nudge."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from pyramidion.event_log import Entry
from pyramidion.seasons.conversations import AllianceJoined, AllianceLeft, Conversations, Said, is_member
from pyramidion.seasons.events import Confessed, Nudged
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
    """Return whether a viewer can have conversations or confessionals: hosts, and contestants with private access."""
    return viewer.role == "host" or (viewer.role == "contestant" and viewer.private)


def affected_readers(season: Season, conversations: Conversations, entry: Entry) -> set[str]:
    """Return the ids of the people who read a conversation that a new entry changes.

    `conversations` already include the entry.
    """
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
    """Return the ids of the hosts if they read all conversations, otherwise none."""
    return set(season.hosts) if season.settings.talk in ("hosts", "published") else set()


def listeners(season: Season, events: Iterable[object]) -> set[str]:
    """Return the ids of the people whose open table pages have something new to fetch after these events."""
    who: set[str] = set()
    for event in events:
        who |= set(season.hosts) if isinstance(event, Confessed) else set[str]()
        who |= {event.contestant} if isinstance(event, Nudged) else set[str]()
    return who


class ConversationAnnouncer:
    """Tells open table pages that there is something new to read in their viewers' conversations.

    `kind` is the key under which a table keeps the id of its season. `read` loads a season by its id. `spawn` runs a
    coroutine in the background.
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
        """Return the change that notifies the other servers of news for these people, as soon as it is stored."""

        def send_notification(connection: sa.Connection) -> None:
            if connection.dialect.name == "postgresql":
                connection.execute(sa.select(sa.func.pg_notify(CHANNEL, " ".join((season, *sorted(who))))))

        return send_notification

    def announce(self, loaded: LoadedSeason, who: Collection[str]) -> None:
        """Send an event to the pages that these people of a season have open at its tables on this server."""
        holders = {
            person.holder for person in loaded.people.values() if person.holder is not None and person.who in who
        }
        cached = self._tables.cached_tables()
        for table in (cached.get(table) for episode in loaded.season.episodes for table in episode.tables):
            if table is not None:
                table.viewers.whisper(holders, EVENT)

    def _heard(self, notification: str | None) -> None:
        """Pass on the notification `SEASON WHO...` of another server; None stands for everybody in any season."""
        season, *who = notification.split() if notification is not None else (None,)
        cached_tables = self._tables.cached_tables().values()
        watched: set[str | None] = {table.kept.get(self._kind) for table in cached_tables if table.viewers.channels}
        for watched_season in watched if season is None else watched & {season}:
            if watched_season is not None:
                self._spawn(self._pass_on(watched_season, who if season is not None else None))

    async def _pass_on(self, season: str, who: Collection[str] | None) -> None:
        """Load a season and announce news to these people at its tables, or to all its people if `who` is None."""
        with suppress(Refused):  # a page that hears nothing reads what is new when it is opened
            loaded = await self._read(season)
            self.announce(loaded, loaded.people if who is None else who)
