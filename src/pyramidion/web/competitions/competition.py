"""A kind of competition on the server: appends to their logs, opens their tables, and hears when those are over."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol, TypeVar

import sqlalchemy as sa

from pyramidion.event_log import LogState
from pyramidion.names import fit_title
from pyramidion.web.competitions.log_cache import LogCache
from pyramidion.web.competitions.request_keys import RequestKey
from pyramidion.web.competitions.rows import TableRows, competitions_of
from pyramidion.web.contracts import ClubHomes, WaitingRooms
from pyramidion.web.db.changes import executing, retrying, save, together
from pyramidion.web.db.club_access import is_member_of_home
from pyramidion.web.db.restrictions import is_hidden
from pyramidion.web.db.writer import Change, Conflict
from pyramidion.web.errors import Refused
from pyramidion.web.http.pagination import PAGE, ListPage, numbered_page
from pyramidion.web.table.events import Notice
from pyramidion.web.table.room import Room
from pyramidion.web.table.seats.given_names import apart
from pyramidion.web.table.seats.plans import SeatPlan, TableProperties
from pyramidion.web.table.seats.protocols import TableOrRoom
from pyramidion.web.table.settings.declarations import WHEN_FULL, TableSettings
from pyramidion.web.table.table import Table
from pyramidion.web.table.tables import Tables

LOG = logging.getLogger(__name__)


class State(LogState, Protocol):
    """What the server needs of a competition's state, which follows from its log."""

    def awaited(self) -> set[str]:
        """Return the ids of the tables whose results are still to be entered in the log."""
        ...


class LoadedCompetition(Protocol):
    """A competition as read from the database: its id, its state, and whether it belongs to a private club."""

    @property
    def id(self) -> str:
        """The competition's id."""
        ...

    @property
    def state(self) -> Any:
        """The state that follows from the competition's log."""
        ...

    @property
    def private(self) -> bool:
        """Whether the competition belongs to a private club."""
        ...


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """A match that a competition is to open: the game and its options, who sits where, the clock and the title."""

    game: str
    seats: Sequence[SeatPlan]
    options: Mapping[str, Any]
    clock: int | None
    title: str


S = TypeVar("S", bound=State)
L = TypeVar("L", bound=LoadedCompetition)


class Competition(ABC, Generic[S, L]):
    """Runs all competitions of a kind, such as all seasons: appends to their logs, opens their tables, takes results.

    Attributes:
        KIND: what they are called: the name of what is kept with a table, and of a club's row.
        HEADS: the table with a row for each of them.
        PEOPLE: the table of their visitors.
    """

    KIND: str
    HEADS: sa.Table
    PEOPLE: sa.Table

    def __init__(
        self, tables: Tables, rooms: WaitingRooms, homes: ClubHomes, logs: LogCache[S], rows: TableRows
    ) -> None:
        self._tables, self._rooms, self._homes, self._logs, self._rows = tables, rooms, homes, logs, rows
        self._tasks: set[asyncio.Task[None]] = set()
        tables.events.kept[self.KIND] = rows.owner_of
        tables.events.held.append(lambda holders: self._spawn(self._check_people_of(holders)))
        tables.events.impartial.add(self.KIND)
        tables.events.naming.append(self._seat_name)
        tables.events.moved.append(self._on_move)

    # What a kind of competition is

    @abstractmethod
    async def _read(self, competition: str) -> L:
        """Read a competition. Raises the error of `_unknown_error`."""

    @abstractmethod
    def _unknown_error(self) -> Refused:
        """Return the exception to raise if a competition does not exist, or must seem so to the requester."""

    @abstractmethod
    def _derived_changes(self, loaded: L, after: S) -> Change:
        """Return the change that stores what follows from the new entries, those that only `after` has."""

    @abstractmethod
    async def _notices(self, loaded: L, after: S) -> Sequence[Notice]:
        """Return the notices to send about the new entries, those that only `after` has."""

    @abstractmethod
    def _name(self, loaded: L, holder: str) -> str:
        """Return the name of a visitor in a competition."""

    @abstractmethod
    def _takes_part(self, loaded: L, visitor: str) -> bool:
        """Return whether a visitor hosts or takes part in a competition now."""

    @abstractmethod
    async def _settle(self, competition: str, table: Table) -> None:
        """Enter the result of a table that is over, and do what else follows from its end."""

    @abstractmethod
    async def _check_people(self, competition: str) -> None:
        """Remove players whose account has been deleted, and further players of one person."""

    # The names of its seats

    async def _seat_name(self, table: TableOrRoom, seat: int) -> str | None:
        """Return what the player of a seat is called at a competition's table, None at any other table or room."""
        competition = table.kept.get(self.KIND) if isinstance(table, Table) else None
        if competition is None:
            return None
        others = [name for number, name in enumerate(table.names) if number != seat]
        return apart([*others, await self._player_name(competition, table, seat)])[-1] or table.names[seat]

    async def _player_name(self, competition: str, table: TableOrRoom, seat: int) -> str:
        """Return the name that the competition has for the player of a seat, by default the one at the table.

        It is empty where the competition knows no such table.
        """
        return table.names[seat]

    # Who may see one

    async def require_known(self, loaded: L, visitor: str | None) -> None:
        """Raise the error of `_unknown_error` if a competition is hidden from a visitor (None: unknown).

        A private club hides it from all but its members and those who take part in it, operators from everybody.
        """
        if not await self.is_known(loaded, visitor):
            raise self._unknown_error()

    async def is_known(self, loaded: L, visitor: str | None) -> bool:
        """Return whether a visitor may know that a competition exists (see `require_known`)."""
        if await asyncio.to_thread(is_hidden, self._tables.store, self.KIND, loaded.id):
            return False
        if not loaded.private or (visitor is not None and self._takes_part(loaded, visitor)):
            return True
        if visitor is None:
            return False
        return await asyncio.to_thread(is_member_of_home, self._tables.store, self.KIND, loaded.id, visitor)

    # Writing

    def _extended(self, loaded: L, events: Sequence[Any], by: str, reason: str = "") -> S:
        """Return the state after more events; nothing is stored. Raises NotPossibleNow with a sentence."""
        return self._logs.extended(loaded.state, events, self._tables.now(), by, reason)

    def _insert_entries(self, loaded: L, after: S) -> Change:
        """Return the change that stores the new entries, those that only `after` has, and what follows from them."""
        new = after.log[len(loaded.state.log) :]
        settled = self._rows.settle(loaded.state.awaited() - after.awaited())
        return together(self._logs.rows.insert(loaded.id, new), self._derived_changes(loaded, after), settled)

    async def _created(self, competition: str, key: RequestKey | None) -> L | None:
        """Return the competition that a request with this key has created before (`id_for`), or None."""
        if key is None:
            return None
        with suppress(LookupError):
            return await self._read(competition)
        return None

    async def _create(
        self, empty: L, after: S, club: tuple[str, str, str] | None, key: RequestKey | None, *further: Change
    ) -> None:
        """Store a new competition, unless the same request, with the same `key`, has stored it meanwhile.

        `club` is (id of its club, the competition's title, visitor who asks), or None.
        """
        changes = [self._insert_entries(empty, after), *further]
        if club is not None:
            home, title, holder = club
            changes.append(await self._homes.home(self.KIND, empty.id, title, home, holder))
        head = sa.insert(self.HEADS).values(id=empty.id, created=self._tables.now())
        try:
            await save(self._tables.writer, together(executing(head), *changes))
        except Conflict:
            if await self._created(empty.id, key) is None:
                raise
            return
        self._logs.keep(empty.id, after)

    async def _append(
        self,
        competition: str,
        by: str,
        plan: Callable[[L], Sequence[Any]],
        reason: str = "",
        also: Callable[[S], Change] | None = None,
        repeated: Callable[[], bool] | None = None,
    ) -> L:
        """Append the events that `plan` returns to a log, and plan again if the competition has changed meanwhile.

        `also` returns what else is stored with the state that follows. `repeated` reads whether the request has been
        stored before, and nothing is left to do. Raises what these raise, NotPossibleNow, or NotSaved.
        """
        loaded: L | None = None
        after: S | None = None

        async def planned() -> Change | None:
            """Return the change that appends the events to the log as it is now; None if there is nothing to append."""
            nonlocal loaded, after
            if repeated is not None and await asyncio.to_thread(repeated):
                return None
            loaded = await self._read(competition)
            if not (events := plan(loaded)):
                return None
            after = self._extended(loaded, events, by, reason)
            notifying = await self._tables.events.notify(await self._notices(loaded, after))
            return together(
                self._insert_entries(loaded, after), *([also(after)] if also is not None else []), *notifying
            )

        stored = await retrying(self._tables.writer, planned)
        if stored and after is not None:
            self._logs.keep(competition, after)
        return await self._read(competition) if stored or loaded is None else loaded

    # Tables

    async def _open_match(
        self,
        loaded: L,
        planned: MatchPlan,
        events: Callable[[str], Sequence[Any]],
        by: str,
        holder: str | None,
        host_name: str | None,
    ) -> None:
        """Begin a match with everybody seated; store its table together with the `events` made from the table's id.

        Nothing about its people can be refused. Raises Conflict where the competition has changed meanwhile,
        NotPossibleNow, BadTable where the game cannot be played, or NotSaved.
        """
        # What the log refuses is refused before anything is stored.
        after_first = self._extended(loaded, events(""), by)
        notifying = await self._tables.events.notify(await self._notices(loaded, after_first))

        def also(connection: sa.Connection, table: str) -> None:
            """Append the events about the new table to the log, in the transaction that stores the table."""
            after = self._extended(loaded, events(table), by)
            together(self._insert_entries(loaded, after), self._rows.insert(loaded.id, table), *notifying)(connection)

        order = _table_order(planned, holder, host_name)
        await self._tables.create(order.game, order.seats, order.options, order.settings, also=also, **order.about)

    async def _check_match(self, planned: MatchPlan) -> None:
        """Raise what `_open_match` would raise about a match, and open no table."""
        order = _table_order(planned, None, None)
        await self._tables.prepare(order.game, order.seats, order.options, order.settings, **order.about)

    # In the background

    def start(self) -> None:
        """Begin to watch the tables, so that what an interrupted server has left is done."""
        self._spawn(self._watch_tables())

    async def close(self) -> None:
        """Stop; the next server does what is left."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _watch_tables(self) -> None:
        """Resume the tables whose results are awaited: all at the start, and later those that stand still.

        A table is looked at once in every position, and again while it is over and its result has not been taken. The
        server that made the last move may have died before it noted that the match was over, seated everybody, or
        moved the next bot.
        """
        before: dict[str, tuple[str, int | None]] = {}
        last_seen: dict[str, tuple[str, int | None]] = {}
        first = True
        while True:
            try:
                unsettled = await asyncio.to_thread(self._rows.unsettled, self._tables.store)
                for table, position in unsettled.items():
                    stands_still = first or (before.get(table) == position != last_seen.get(table))
                    if stands_still and not await self._resume_table(position[0], table):
                        last_seen[table] = position
                before, first = unsettled, False
                last_seen = {table: position for table, position in last_seen.items() if table in unsettled}
            except Refused as error:
                LOG.warning("The tables of every %s cannot be looked up: %s", self.KIND, error)
            except Exception:
                LOG.exception("The tables of every %s cannot be looked after", self.KIND)
            await asyncio.sleep(self._tables.claims.lease)

    async def _resume_table(self, competition: str, table_id: str) -> bool:
        """Load a table, so that its game goes on, and take its result if it is over; return whether it is.

        Earlier versions opened waiting rooms with reserved seats. In one that was left behind, everybody is seated.
        """
        try:
            table_or_room = await self._rooms.find(table_id)
            if isinstance(table_or_room, Room):
                loaded = await self._read(competition)
                holders = {row.holder for row in table_or_room.seating.rows if row.reserved and row.holder is not None}
                await self._rooms.seat_reserved(table_id, {holder: self._name(loaded, holder) for holder in holders})
                table_or_room = await self._rooms.find(table_id)
            if isinstance(table_or_room, Table) and table_or_room.match.over:
                await self._settle(competition, table_or_room)
                return True
        except Refused as error:
            LOG.warning("Table %s of a %s cannot be taken up: %s", table_id, self.KIND, error)
        return False

    async def _check_people_of(self, holders: Sequence[str]) -> None:
        """Check the people of every competition that these visitors host or take part in."""
        try:
            for competition in await asyncio.to_thread(self._ids_of_visitors, holders):
                await self._check_people(competition)
        except Refused as error:
            LOG.warning("The people of a %s cannot be checked: %s", self.KIND, error)
        except Exception:
            LOG.exception("The people of a %s cannot be checked", self.KIND)

    def _ids_of_visitors(self, holders: Sequence[str]) -> list[str]:
        """Return the ids of the competitions that these visitors host or take part in."""
        return [
            competition
            for holder in holders
            for competition in competitions_of(self._tables.store, self.HEADS, self.PEOPLE, self.KIND, holder)
        ]

    async def _page_of(self, holder: str, after: int) -> ListPage[str]:
        """Return a page of the ids of the competitions that a visitor hosts or takes part in, the newest first."""
        query = (self._tables.store, self.HEADS, self.PEOPLE, self.KIND, holder, after, PAGE + 1)
        return numbered_page(await asyncio.to_thread(competitions_of, *query), after)

    def _on_move(self, table: Table) -> None:
        """Take the result of a table that is over, if it belongs to a competition of this kind."""
        if table.match.over and (competition := table.kept.get(self.KIND)):
            self._spawn(self._settle(competition, table))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Start a task in the background, and hold it until it is done."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


@dataclass(frozen=True, slots=True)
class TableOrder:
    """The arguments for creating the table of a planned match."""

    game: str
    seats: Sequence[SeatPlan]
    options: Mapping[str, Any]
    settings: TableSettings
    about: TableProperties


def _table_order(planned: MatchPlan, holder: str | None, host_name: str | None) -> TableOrder:
    """Return the arguments for creating a match's table, with names and a title that no check refuses."""
    *names, hosting = apart([*(seat.name for seat in planned.seats), host_name])
    seats = [replace(seat, name=name) for seat, name in zip(planned.seats, names, strict=True)]
    about = TableProperties(title=fit_title(planned.title) or None, holder=holder, host_name=hosting)
    # A result that counts is not played with hints, whoever else sits there.
    settings = TableSettings(clock=planned.clock, start=WHEN_FULL, hints=False)
    return TableOrder(planned.game, seats, planned.options, settings, about)
