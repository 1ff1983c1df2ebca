"""A kind of competition on the server: appends to their logs, opens their tables, and hears when those are over."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol, TypeVar

import sqlalchemy as sa

from pyramidion.event_log import LogState
from pyramidion.names import fit_title
from pyramidion.web.competitions.log_cache import LogCache
from pyramidion.web.competitions.rows import TableRows, competitions_of
from pyramidion.web.contracts import ClubHomes, WaitingRooms
from pyramidion.web.db.changes import executing, retrying, save, together
from pyramidion.web.db.club_access import is_member_of_home
from pyramidion.web.db.writer import Change
from pyramidion.web.errors import Refused
from pyramidion.web.table.events import Notice
from pyramidion.web.table.room import Room
from pyramidion.web.table.seats.given_names import apart
from pyramidion.web.table.seats.plans import SeatPlan, TableProperties
from pyramidion.web.table.settings.declarations import WHEN_FULL, TableSettings
from pyramidion.web.table.table import Table
from pyramidion.web.table.tables import Tables

LOG = logging.getLogger(__name__)


class State(LogState, Protocol):
    """The state of a competition."""

    def awaited(self) -> set[str]:
        """Return the tables whose results are still to be taken."""
        ...


class LoadedCompetition(Protocol):
    """A competition as it is stored; `private`: whether it belongs to a private club."""

    @property
    def id(self) -> str:
        """Its id."""
        ...

    @property
    def state(self) -> Any:
        """What its log leads to."""
        ...

    @property
    def private(self) -> bool:
        """Whether a private club is its home."""
        ...


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """A match to open: its table, and who sits there."""

    game: str
    seats: Sequence[SeatPlan]
    options: Mapping[str, Any]
    clock: int | None
    title: str


S = TypeVar("S", bound=State)
L = TypeVar("L", bound=LoadedCompetition)


class Competition(ABC, Generic[S, L]):
    """All competitions of a kind, such as all seasons.

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
        tables.events.moved.append(self._on_move)

    # What a kind of competition is

    @abstractmethod
    async def _read(self, competition: str) -> L:
        """Return a competition. Raises the error of `_unknown_error`."""

    @abstractmethod
    def _unknown_error(self) -> Refused:
        """Return what is raised where there is no such competition."""

    @abstractmethod
    def _derived_changes(self, loaded: L, after: S) -> Change:
        """Return what else is stored with the entries that `after` has more."""

    @abstractmethod
    def _notices(self, loaded: L, after: S) -> Sequence[Notice]:
        """Return the notices of the entries that `after` has more."""

    @abstractmethod
    def _name(self, loaded: L, holder: str) -> str:
        """Return what a visitor is called in a competition."""

    @abstractmethod
    def _takes_part(self, loaded: L, visitor: str) -> bool:
        """Return whether a visitor hosts or takes part in a competition now."""

    @abstractmethod
    async def _settle(self, competition: str, table: Table) -> None:
        """Do what follows from the end of a table."""

    @abstractmethod
    async def _check_people(self, competition: str) -> None:
        """Let go of players whom nobody plays any more, and of second places of one person."""

    # Who may see one

    async def require_known(self, loaded: L, visitor: str | None) -> None:
        """Raise the error of `_unknown_error` if a private club hides a competition from a visitor; None is nobody.

        Its members know it, and those who take part in it.
        """
        if not await self.is_known(loaded, visitor):
            raise self._unknown_error()

    async def is_known(self, loaded: L, visitor: str | None) -> bool:
        """Return whether a visitor may know a competition, as `require_known` says."""
        if not loaded.private or (visitor is not None and self._takes_part(loaded, visitor)):
            return True
        if visitor is None:
            return False
        return await asyncio.to_thread(is_member_of_home, self._tables.store, self.KIND, loaded.id, visitor)

    # Writing

    def _extended(self, loaded: L, events: Sequence[Any], by: str, reason: str = "") -> S:
        """Return the state after more events. Raises NotPossibleNow with a sentence."""
        return self._logs.extended(loaded.state, events, self._tables.now(), by, reason)

    def _insert_entries(self, loaded: L, after: S) -> Change:
        """Return what stores the entries that `after` has more, and what follows from them."""
        new = after.log[len(loaded.state.log) :]
        settled = self._rows.settle(loaded.state.awaited() - after.awaited())
        return together(self._logs.rows.insert(loaded.id, new), self._derived_changes(loaded, after), settled)

    async def _create(self, empty: L, after: S, club: tuple[str, str, str] | None, *further: Change) -> None:
        """Store a new competition; `club` is its home, with the competition's title and the visitor who asks for it."""
        changes = [self._insert_entries(empty, after), *further]
        if club is not None:
            home, title, holder = club
            changes.append(await self._homes.home(self.KIND, empty.id, title, home, holder))
        head = sa.insert(self.HEADS).values(id=empty.id, created=self._tables.now())
        await save(self._tables.writer, together(executing(head), *changes))
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
        """Append events, planned anew where the competition has changed meanwhile.

        `also` returns what else is stored with the state that follows. `repeated` reads whether the request has been
        stored before, and nothing is left to do. Raises what these raise, NotPossibleNow, or NotSaved.
        """
        loaded: L | None = None
        after: S | None = None

        async def planned() -> Change | None:
            nonlocal loaded, after
            if repeated is not None and await asyncio.to_thread(repeated):
                return None
            loaded = await self._read(competition)
            if not (events := plan(loaded)):
                return None
            after = self._extended(loaded, events, by, reason)
            notifying = await self._tables.events.notify(self._notices(loaded, after))
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
        """Begin a match with everybody seated; its table and the `events` made of its id are stored together.

        Nothing about its people can be refused. Raises Conflict where the competition has changed meanwhile,
        NotPossibleNow, BadTable where the game cannot be played, or NotSaved.
        """
        # What the log refuses is refused before anything is stored.
        notifying = await self._tables.events.notify(self._notices(loaded, self._extended(loaded, events(""), by)))

        def also(connection: sa.Connection, table: str) -> None:
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
        """Take up what an interrupted server has left, now and from time to time."""
        self._spawn(self._watch_tables())

    async def close(self) -> None:
        """Stop; what is left undone is taken up by the next server."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _watch_tables(self) -> None:
        """Look at all tables whose results are awaited, and later at those that stand still, in case nobody else does.

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
        """Load a table, so that it goes on; return whether it is over. If it is, its result is taken.

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
        """Check the people of every competition in which some visitors have a part."""
        try:
            for competition in await asyncio.to_thread(self._ids_of_visitors, holders):
                await self._check_people(competition)
        except Refused as error:
            LOG.warning("The people of a %s cannot be checked: %s", self.KIND, error)
        except Exception:
            LOG.exception("The people of a %s cannot be checked", self.KIND)

    def _ids_of_visitors(self, holders: Sequence[str]) -> list[str]:
        return [
            competition
            for holder in holders
            for competition in competitions_of(self._tables.store, self.HEADS, self.PEOPLE, self.KIND, holder)
        ]

    def _on_move(self, table: Table) -> None:
        if table.match.over and (competition := table.kept.get(self.KIND)):
            self._spawn(self._settle(competition, table))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


@dataclass(frozen=True, slots=True)
class TableOrder:
    """What a table is made from."""

    game: str
    seats: Sequence[SeatPlan]
    options: Mapping[str, Any]
    settings: TableSettings
    about: TableProperties


def _table_order(planned: MatchPlan, holder: str | None, host_name: str | None) -> TableOrder:
    """Return the table of a match, with its host. Names and the title are changed where they would be refused."""
    *names, hosting = apart([*(seat.name for seat in planned.seats), host_name])
    seats = [replace(seat, name=name) for seat, name in zip(planned.seats, names, strict=True)]
    about = TableProperties(title=fit_title(planned.title) or None, holder=holder, host_name=hosting)
    return TableOrder(planned.game, seats, planned.options, TableSettings(clock=planned.clock, start=WHEN_FULL), about)
