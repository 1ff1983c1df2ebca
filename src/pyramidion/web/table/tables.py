"""All tables of a server, cached in memory and rebuilt from the database on demand."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Unpack
from weakref import WeakValueDictionary

import sqlalchemy as sa

from pyramidion.engine import registry
from pyramidion.translation import _, marked
from pyramidion.web.db.changes import save
from pyramidion.web.db.claims import Claims
from pyramidion.web.db.fanout import Listener
from pyramidion.web.db.own_tables import OwnTable, own_tables
from pyramidion.web.db.store import Store, now
from pyramidion.web.db.writer import Writer
from pyramidion.web.errors import (
    CannotGoOn,
    NotStarted,
    Refused,
    UnknownTable,
)
from pyramidion.web.table.clock.timekeeper import AHEAD, Timekeeper
from pyramidion.web.table.events import EventBus
from pyramidion.web.table.new_table import PreparedTable, opened, prepare
from pyramidion.web.table.replication import ClaimedTimeout, Replication
from pyramidion.web.table.seats.plans import SeatPlan, TableProperties
from pyramidion.web.table.seeds import find as find_origin
from pyramidion.web.table.settings.declarations import TableSettings
from pyramidion.web.table.table import Table
from pyramidion.web.tokens import ID_ALPHABET, ID_LENGTH

WATCH_SECONDS = 1.0
DEFAULTS = TableSettings()
log = logging.getLogger(__name__)


class Tables:
    """Creates a server's tables, loads them from the database, and keeps those in use in memory."""

    def __init__(
        self,
        store: Store,
        writer: Writer,
        *,
        keep: int,
        lease: float = 10.0,
        now: Callable[[], int] = now,
    ) -> None:
        self.store, self.writer, self._time = store, writer, now
        self.claims = Claims(store, lease)
        self.replication = Replication()
        self.listener = Listener(store, lambda: writer.backend, self.heard)
        writer.others_wrote.append(lambda: self.heard(None))
        self.keeper = Timekeeper(self._to_close, self.now)
        self._watching: asyncio.Task[None] | None = None
        self._arming: set[asyncio.Task[None]] = set()
        self.events = EventBus()
        self._keep = keep
        # `_all` finds every table that is still referenced, so that none exists twice; `_recent` keeps the latest
        # alive.
        self._all: WeakValueDictionary[str, Table] = WeakValueDictionary()
        self._recent: OrderedDict[str, Table] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self._missed: set[str] = set()

    def now(self) -> int:
        """Return the time, milliseconds since 1970."""
        return self._time()

    async def start(self) -> None:
        """Start the clocks; steps that became overdue while the server was down are closed at once."""
        self.keeper.start(await asyncio.to_thread(self.store.deadlines))
        if self.store.shared:
            self._watching = asyncio.create_task(self._watch())

    async def _watch(self) -> None:
        """Take over from servers that may have died: watch their deadlines and adopt their claims."""
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            await self._arm(self.now() + AHEAD)
            async with self.claims.left_behind() as tables:
                for table_id in tables:
                    with suppress(Refused):
                        table = await self.get(table_id)
                        self.moved(table)

    async def _arm(self, before: int | None = None) -> None:
        """Set the clocks of all tables, or of those whose deadline is before a time, as the database has them."""
        try:
            for table, deadline in await asyncio.to_thread(self.store.deadlines, before):
                self.keeper.arm(table, deadline)
        except Refused as error:
            log.warning("Deadlines cannot be looked up: %s", error)

    async def _to_close(self, table_id: str) -> ClaimedTimeout:
        """Return a table for the timekeeper, wrapped so that only one server handles its deadline."""
        return ClaimedTimeout(self.cached(table_id) or await self.get(table_id), self.claims)

    async def create(
        self,
        game_id: str,
        seats: Sequence[SeatPlan],
        options: Mapping[str, Any],
        settings: TableSettings = DEFAULTS,
        *,
        also: Callable[[sa.Connection, str], None] | None = None,
        **about: Unpack[TableProperties],
    ) -> Table:
        """Create a table. Raises UnknownGame, BadTable (a ValueError) or NotSaved with a sentence.

        The seat `me` belongs to `holder`. Without a holder it stays open, to be taken with `Table.sit`. `also` is
        called with the table's id in the same transaction; Conflict from it is raised, too.
        """
        new = await self.prepare(game_id, seats, options, settings, **about)
        store = new.insertion()

        def insert_table(connection: sa.Connection) -> None:
            store(connection)
            if also is not None:
                also(connection, new.row.id)

        await save(self.writer, insert_table, marked("The table could not be created: {cause}."))
        kept = {} if also is None else await asyncio.to_thread(self.events.read_kept, self.store, new.row.id)
        table = Table(new.row, new.rows, new.match, self, origin=new.origin, kept=kept)
        self._enter(table)
        self.keeper.arm(table.id, new.row.deadline)
        self.events.publish_created(table)
        self.moved(table)
        return table

    async def prepare(
        self,
        game_id: str,
        seats: Sequence[SeatPlan],
        options: Mapping[str, Any],
        settings: TableSettings = DEFAULTS,
        **about: Unpack[TableProperties],
    ) -> PreparedTable:
        """Validate a new table that starts at once, and return what to store. Raises like `create`."""
        return await prepare(self.events, self.now(), game_id, seats, options, settings, **about)

    async def get(self, table_id: str) -> Table:
        """Return a table, loading it if needed. Raises UnknownTable, or CannotGoOn if its game's rules have changed."""
        table = self._all.get(table_id)
        if table is not None:
            self._enter(table)
            # The requester may have just acted through another server, and must see that here.
            if self.store.shared:
                table.fall_behind()
            await table.refresh()
            return table
        loading = self._loading.get(table_id)
        if loading is None:
            loading = self._loading[table_id] = asyncio.create_task(self._load(table_id))
            loading.add_done_callback(lambda done: self._loading.pop(table_id, None))
        # Several requests may wait for the same table; cancelling one must not cancel the others.
        return await asyncio.shield(loading)

    def cached(self, table_id: str) -> Table | None:
        """Return a table if it is in memory and up to date, else None, without waiting."""
        table = self._all.get(table_id)
        return table if table is not None and not table.behind else None

    def cached_tables(self) -> dict[str, Table]:
        """Return the tables in memory, by id."""
        return dict(self._all)

    def heard(self, table_id: str | None) -> None:
        """Mark a table as changed by another server; None stands for all tables.

        With None, clocks are set anew: operators may have shown a table again whose clock has stopped.
        """
        for table in list(self._all.values()) if table_id is None else filter(None, [self._all.get(table_id)]):
            self.replication.follow(table)
        # Tables that are being loaded right now may have been read before the change.
        self._missed.update(self._loading if table_id is None else {table_id} & self._loading.keys())
        if table_id is None:
            task = asyncio.create_task(self._arm())
            self._arming.add(task)
            task.add_done_callback(self._arming.discard)

    async def close(self) -> None:
        """Stop the clocks, and stop listening to other servers."""
        tasks = [*self._arming, *([self._watching] if self._watching is not None else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.listener.close()
        await self.replication.close()
        await self.keeper.close()
        await self.claims.close()

    async def own_tables(self, holder: str, limit: int | None = None, after: int = 0) -> list[OwnTable]:
        """Return the tables at which a visitor plays or that they host (see `db.own_tables`)."""
        return await asyncio.to_thread(own_tables, self.store, holder, limit, after)

    def moved(self, table: Table) -> None:
        """Tell the subscribers that a table has a new position, or has been loaded."""
        self.events.publish_moved(table)

    async def _load(self, table_id: str) -> Table:
        """Load a table into memory, set its deadline, and let features resume their work at it."""
        if len(table_id) != ID_LENGTH or not set(table_id) <= set(ID_ALPHABET):
            raise unknown(table_id)
        self._missed.discard(table_id)
        table = await asyncio.to_thread(self.rebuild, table_id)
        self._enter(table)
        if table_id in self._missed:
            self._missed.discard(table_id)
            table.fall_behind()
            await table.refresh()
        self.keeper.arm(table.id, table.clock.state.deadline)
        table.note_end()
        self.moved(table)
        return table

    def rebuild(self, table_id: str) -> Table:
        """Return a table that is rebuilt by replaying its match from the database; blocks."""
        stored = self.store.whole(table_id)
        if stored is None:
            raise unknown(table_id)
        row, seats, plies = stored
        if row.started is None:
            sentence = _("Table {id} has not started. It is still in the waiting room.")
            raise NotStarted(sentence.format(id=table_id))
        try:
            game = registry.load(row.game)
        except KeyError:
            sentence = _("This table cannot continue: {game} is not installed on this server.")
            raise CannotGoOn(sentence.format(game=row.game)) from None
        version = next((number for number in game.versions if str(number) == row.rules_version), None)
        if version is None:
            sentence = _(
                "This table cannot continue: it was started with version {then} of the rules of {game}, "
                "and this server has version {now}. All moves so far are kept."
            )
            raise CannotGoOn(sentence.format(then=row.rules_version, game=_(game.name), now=game.rules_version))
        try:
            match = opened(game, row.seat_count, row.seed, row.options, row.cards, version)
        except ValueError as error:
            raise CannotGoOn(_("This table cannot continue: {cause}").format(cause=error)) from error
        origin = self.store.read(lambda connection: find_origin(connection, table_id))
        table = Table(row, seats, match, self, origin=origin, kept=self.events.read_kept(self.store, table_id))
        table.action_log.replay(plies)
        return table

    def _enter(self, table: Table) -> None:
        """Keep a table in memory, and let go of the one that has been unused for longest."""
        recent = self._recent
        recent[table.id] = self._all[table.id] = table
        recent.move_to_end(table.id)
        while len(recent) > self._keep:
            recent.popitem(last=False)

    @property
    def in_memory(self) -> int:
        """The number of tables in memory."""
        return len(self._all)


def unknown(table_id: str) -> UnknownTable:
    """Return the exception for an unknown table."""
    sentence = _("There is no table {id!r} on this server. Check the address, or create a table at /.")
    return UnknownTable(sentence.format(id=table_id[:40]))
