"""Seasons on the server: appends to their logs, seats their matches and takes the results."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import sqlalchemy as sa
from fastapi import Request

from pyramidion import bots
from pyramidion.seasons.events import (
    CastAdded,
    CastChanged,
    Confessed,
    Eliminated,
    EpisodeClosed,
    EpisodeOpened,
    Event,
    HostAdded,
    LinkRenewed,
    StoodIn,
)
from pyramidion.seasons.ledger import NotPossible
from pyramidion.seasons.log import extended
from pyramidion.seasons.redaction import redact, viewer_of
from pyramidion.seasons.roles import may, runs
from pyramidion.seasons.season import Season, Step
from pyramidion.seasons.talk import TalkEntry, TalkEvent, check_talk
from pyramidion.web.db.saving import save, together
from pyramidion.web.db.schema import SEASON_TABLES, SEASONS
from pyramidion.web.db.writer import Change, Conflict
from pyramidion.web.errors import NotPossibleNow, NotSaved, NotYours, Refused
from pyramidion.web.features.seasons import matches, store
from pyramidion.web.features.seasons.links import Links
from pyramidion.web.features.seasons.loading import (
    Asker,
    Loaded,
    Loader,
    UnknownSeason,
    asker_of,
    who_holds,
)
from pyramidion.web.features.seasons.portraits import Portraits
from pyramidion.web.features.seasons.store import Person
from pyramidion.web.features.seasons.telling import notices, of_talk, reminders
from pyramidion.web.features.seasons.texts import STEPS
from pyramidion.web.table.events import EventCard
from pyramidion.web.table.room import Room
from pyramidion.web.table.seeds import NOTHING_GIVEN
from pyramidion.web.table.table import Table
from pyramidion.web.table.tables import Tables
from pyramidion.web.tokens import new_id
from pyramidion.words import _

KEPT = "season"
MOST_TRIES = 5
log = logging.getLogger(__name__)


class Seasons:
    """All seasons. `open_room`, `sit` and `find` are the waiting rooms', `home` is the clubs'; `key` signs links."""

    def __init__(
        self,
        tables: Tables,
        open_room: Callable[..., Awaitable[tuple[Table | Room, dict[int, str]]]],
        sit: Callable[..., Awaitable[Any]],
        find: Callable[[str], Awaitable[Table | Room]],
        home: Callable[[str, str, str, str, str], Awaitable[Change]],
        key: str,
    ) -> None:
        self._tables, self._open_room, self._sit, self._find, self._home = tables, open_room, sit, find, home
        self._loader, self.links = Loader(tables.store), Links(key)
        self.portraits = Portraits(tables.store, tables.writer)
        self._tasks: set[asyncio.Task[None]] = set()
        tables.events.kept[KEPT] = store.season_at
        tables.events.moved.append(self._look)

    def start(self) -> None:
        """Take up what an interrupted server has left: open tables, and results that are due."""
        self._spawn(self._resume())

    async def close(self) -> None:
        """Stop, with what is being written."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # Reading

    async def get(self, season_id: str) -> Loaded:
        """Return a season with the results of all tables that are over. Raises UnknownSeason.

        A result that the server on which its table ended could not store, because it was killed, is taken here.
        """
        loaded = await self._read(season_id)
        over = await asyncio.to_thread(store.finished, self._tables.store, loaded.season.awaited())
        for table_id in over:
            with suppress(Refused):
                await self._take(season_id, await self._tables.get(table_id))
        return await self._read(season_id) if over else loaded

    async def _read(self, season_id: str) -> Loaded:
        return await self._loader.read(season_id)

    def shown(self, loaded: Loaded, asker: Asker) -> dict[str, Any]:
        """Return the season as somebody may know it. Raises UnknownSeason where that is nothing."""
        viewer = viewer_of(loaded.season, asker.who, private=asker.private)
        try:
            seen = redact(loaded.season, viewer, self._tables.now(), loaded.talk)
        except NotPossible as error:
            raise UnknownSeason(str(error)) from None
        return {"id": loaded.id, **seen}

    async def mine(self, holder: str) -> list[dict[str, Any]]:
        """Return the seasons that a visitor has a part in."""
        found = await asyncio.to_thread(store.seasons_of, self._tables.store, holder)
        return [self.shown(one, asker_of(one, holder)) for one in [await self._read(season) for season in found]]

    async def card(self, season_id: str, holder: str | None) -> EventCard | None:
        """Return a season for the list of its club, as a visitor may know it, or None where that is nothing."""
        loaded = await self._read(season_id)
        try:
            shown = self.shown(loaded, asker_of(loaded, holder))
        except UnknownSeason:
            return None
        left = [one for one in shown["cast"] if one["out"] is None]
        lines = [(one["name"], "") for one in left if shown["winner"] in (None, one["id"])]
        return EventCard(shown["title"], STEPS[shown["step"]], shown["winner"] is not None, tuple(lines))

    # Writing

    async def create(
        self, beginning: Sequence[Event], host: str, holder: str | None, club: str | None = None
    ) -> Loaded:
        """Begin a season with its first host and these events, settings first; a club can be its home.

        Raises NotPossibleNow, UnknownClub, NotYours or NotSaved.
        """
        season_id = new_id()
        empty = Season()
        first, *others = beginning
        season = self._after(empty, [first, HostAdded(host), *others], "")
        store_it = store.inserting(season_id, empty, season, None)
        if club is not None:
            if holder is None:
                raise NotYours(_("Only an officer of a club can host in it."))
            home = await self._home("season", season_id, season.settings.title, club, holder)
            store_it = together(store_it, home)

        def change(connection: sa.Connection) -> None:
            connection.execute(sa.insert(SEASONS).values(id=season_id, created=self._tables.now()))
            store_it(connection)
            if holder is not None:
                store.claiming(season_id, Person("h1", None, 0), holder)(connection)

        await save(self._tables.writer, change)
        return await self._read(season_id)

    async def do(
        self, season_id: str, asker: Asker, events: Sequence[Event], reason: str = "", key: str | None = None
    ) -> Loaded:
        """Append events of a host or contestant; a `key` that has been sent before changes nothing.

        Raises NotYours, NotPossibleNow, UnknownSeason or NotSaved.
        """
        who = asker.who

        def plan(loaded: Loaded) -> Sequence[Event]:
            if who is None or not all(may(loaded.season, who, event) for event in events):
                raise NotYours(_("You cannot do that in this season."))
            for event in events:
                if isinstance(event, Confessed) and not asker.private:
                    raise NotYours(_("Take your place with the link first."))
                if isinstance(event, (CastAdded, CastChanged, StoodIn)) and event.bot not in (None, *bots.names()):
                    raise NotPossibleNow(_("There is no such bot."))
                if isinstance(event, EpisodeOpened):
                    matches.check_episode(event, len(loaded.season.left))
            return events

        return await self._append(season_id, who or "", plan, reason[:1000], key)

    async def _append(
        self,
        season_id: str,
        author: str,
        plan: Callable[[Loaded], Sequence[Event]],
        reason: str = "",
        key: str | None = None,
    ) -> Loaded:
        for _again in range(MOST_TRIES):
            if key is not None and await asyncio.to_thread(store.known_key, self._tables.store, season_id, key[:64]):
                break
            loaded = await self._read(season_id)
            events = plan(loaded)
            if not events:
                return loaded
            season = self._after(loaded.season, events, author, reason)
            told = await self._tables.events.notify(notices(loaded, season))
            try:
                await save(
                    self._tables.writer,
                    together(store.inserting(loaded.id, loaded.season, season, key and key[:64]), *told),
                )
            except Conflict:
                continue  # somebody else was quicker
            break
        else:
            raise NotSaved(_("The season keeps changing. Try again."))
        return await self._read(season_id)

    async def say(self, season_id: str, asker: Asker, event: TalkEvent, key: str | None = None) -> Loaded:
        """Do something in the conversations. Raises as `do` does."""
        for _again in range(MOST_TRIES):
            if key is not None and await asyncio.to_thread(store.known_key, self._tables.store, season_id, key[:64]):
                break
            loaded = await self._read(season_id)
            if asker.who is None or asker.who not in loaded.season.cast or not asker.private:
                raise NotYours(_("Only contestants can write here, once they have taken their place with their link."))
            try:
                check_talk(loaded.season, loaded.talk, asker.who, event)
            except NotPossible as error:
                raise NotPossibleNow(str(error)) from None
            entry = TalkEntry(loaded.talk.count + 1, self._tables.now(), asker.who, event)
            told = await self._tables.events.notify(of_talk(loaded, entry))
            try:
                await save(self._tables.writer, together(store.saying(loaded.id, entry, key and key[:64]), *told))
            except Conflict:
                continue  # somebody else was quicker
            break
        else:
            raise NotSaved(_("The season keeps changing. Try again."))
        return await self._read(season_id)

    # The next step

    async def step(
        self, season_id: str, asker: Asker, step: Step, opening: EpisodeOpened, holder: str | None = None
    ) -> Loaded:
        """Take the step that is next, which the host has seen to be `step`.

        It opens an episode and starts its match, starts the death match, or eliminates its loser and closes the
        episode. Raises as `do` does, and NotPossibleNow if the season has moved on or waits for somebody.
        """
        loaded, who = await self._read(season_id), asker.who
        if who is None or not runs(loaded.season, who):
            raise NotYours(_("You cannot do that in this season."))
        if loaded.season.step != step:
            raise NotPossibleNow(_("The season has moved on. Reload the page."))
        if step == "open":
            loaded = await self.do(season_id, asker, [opening])
        elif step in ("elimination", "close"):
            loser = loaded.season.opened().loser
            last: list[Event] = [Eliminated(loser)] if step == "elimination" and loser is not None else []
            return await self.do(season_id, asker, [*last, EpisodeClosed()])
        elif step not in ("main", "duel"):
            raise NotPossibleNow(
                _("The next match cannot start yet: the season is waiting for a contestant, or for a result.")
            )
        while loaded.season.step in ("main", "duel"):
            loaded = await self._open_table(loaded, who, holder)
        return loaded

    async def _open_table(self, loaded: Loaded, who: str, holder: str | None) -> Loaded:
        """Open the next table of the match that is due; it and its log entries are stored together."""
        planned = matches.plan(loaded.season, {one.who: one.holder for one in loaded.people.values()})

        def also(connection: sa.Connection, table: str) -> None:
            events: list[Event] = [*planned.before, planned.opened(table)]
            season = self._after(loaded.season, events, who)
            together(store.inserting(loaded.id, loaded.season, season, None), *told)(connection)
            row = {"match": table, "season": loaded.id, "settled": False}
            connection.execute(sa.insert(SEASON_TABLES).values(row))

        # What the log refuses is refused before anything is stored.
        told = await self._tables.events.notify(
            notices(loaded, self._after(loaded.season, [*planned.before, planned.opened("")], who))
        )
        try:
            made, _tokens = await self._open_room(
                planned.game,
                planned.seats,
                planned.options,
                planned.settings,
                reserved=planned.reserved,
                also=also,
                title=planned.title,
                holder=holder,
                host_name=loaded.season.name(who),
            )
        except Conflict:
            raise NotPossibleNow(_("The season has moved on. Reload the page.")) from None
        await self._seat(loaded, made)
        return await self._read(loaded.id)

    async def _seat(self, loaded: Loaded, made: Table | Room) -> None:
        """Let everybody for whom a seat is reserved sit down."""
        for row in made.seating.rows if isinstance(made, Room) and not made.begun else ():
            if row.reserved and row.holder is not None:
                who = who_holds(loaded, row.holder)
                with suppress(Refused):
                    await self._sit(made.id, row.seat, row.holder, loaded.season.name(who or ""), NOTHING_GIVEN)

    # Results

    def _look(self, table: Table) -> None:
        if table.match.over and (season_id := table.kept.get(KEPT)):
            self._spawn(self._take(season_id, table))

    async def _take(self, season_id: str, table: Table) -> None:
        """Take the result of a finished table, once."""

        def plan(loaded: Loaded) -> Sequence[Event]:
            if table.id not in loaded.season.awaited():
                return []
            return [matches.result(table, loaded.season.opened().tables[table.id])]

        try:
            await self._append(season_id, "", plan)
        except Refused as error:
            log.warning("The result of %s could not be taken: %s", table.id, error)

    async def _resume(self) -> None:
        for season_id, table_id in await asyncio.to_thread(store.unsettled, self._tables.store):
            try:
                await self._seat(await self._read(season_id), await self._find(table_id))
            except Refused as error:
                log.warning("Table %s of a season cannot be taken up: %s", table_id, error)

    # Personal links

    async def join(self, season_id: str, code: str, holder: str) -> str:
        """Give a visitor the place of a personal link, which works once; return the id of the place.

        Raises NotYours with a sentence.
        """
        loaded = await self._read(season_id)
        who = self.links.who_has(loaded, code)
        if who is None:
            raise NotYours(_("This link is no longer valid. Ask the host for a new one."))
        person, held = loaded.people[who], who_holds(loaded, holder)
        if held is not None and held != who:
            raise NotYours(_("You are already taking part as {name}.").format(name=loaded.season.name(held)))
        if person.holder not in (None, holder):
            raise NotYours(_("This link has been used in another browser. Ask the host for a new one."))
        if person.holder is None:
            now = self._tables.now()
            told = await self._tables.events.notify(reminders(loaded, who, replace(person, holder=holder), now))
            try:
                await save(self._tables.writer, together(store.claiming(loaded.id, person, holder), *told))
            except Conflict:
                raise NotYours(_("This link has been used in another browser. Ask the host for a new one.")) from None
        return who

    async def renew(self, season_id: str, asker: Asker, who: str) -> Loaded:
        """Make a new personal link for somebody, who loses access until it is opened. Raises NotYours."""

        def plan(loaded: Loaded) -> Sequence[Event]:
            by = asker.who
            if by is None or not runs(loaded.season, by) or (who in loaded.season.hosts and not _is_host(loaded, by)):
                raise NotYours(_("You cannot do that in this season."))
            if who not in loaded.people or who == by:
                raise NotPossibleNow(_("There is no such person."))
            return [LinkRenewed(who)]

        return await self._append(season_id, asker.who or "", plan)

    # Inside

    def _after(self, season: Season, events: Sequence[Event], author: str, reason: str = "") -> Season:
        try:
            return extended(season, events, self._tables.now(), author, reason)
        except NotPossible as error:
            raise NotPossibleNow(str(error)) from None

    def _spawn(self, work: Any) -> None:
        task: asyncio.Task[None] = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _is_host(loaded: Loaded, who: str) -> bool:
    return loaded.season.hosts[who].role == "host"


def seasons_of(request: Request) -> Seasons:
    """Return the application's seasons."""
    return request.app.state.seasons
