"""All tables of a server, cached in memory and rebuilt from the database on demand."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack
from weakref import WeakValueDictionary

import sqlalchemy as sa

from pyramidion import Game, Match
from pyramidion.bots import compiling
from pyramidion.engine import registry
from pyramidion.engine.rule import interprets_meanwhile
from pyramidion.engine.seeds import Origin
from pyramidion.names import looks
from pyramidion.web.db.claims import Claims
from pyramidion.web.db.fanout import Listener
from pyramidion.web.db.listings import Listed, held_by
from pyramidion.web.db.schema import MATCHES, SEATS
from pyramidion.web.db.store import MatchRow, SeatRow, Store, now
from pyramidion.web.db.writer import Change, WriteFailed, Writer
from pyramidion.web.errors import (
    BadTable,
    CannotGoOn,
    NotSaved,
    NotStarted,
    Refused,
    UnknownGame,
    UnknownTable,
)
from pyramidion.web.names import clean_name, player_name
from pyramidion.web.table.bots import LESSON_BOT, bot_names
from pyramidion.web.table.clock import AHEAD, Timekeeper
from pyramidion.web.table.events import Events
from pyramidion.web.table.following import ClosedOnce, Followers
from pyramidion.web.table.invitations import invite
from pyramidion.web.table.seat_plans import About, SeatPlan
from pyramidion.web.table.seeds import find as find_origin
from pyramidion.web.table.seeds import insert as insert_origin
from pyramidion.web.table.seeds import new_origin
from pyramidion.web.table.settings import TableSettings
from pyramidion.web.table.standing import Standing
from pyramidion.web.table.table import Table
from pyramidion.web.tokens import ID_ALPHABET, ID_LENGTH, hash_token, new_id
from pyramidion.words import _, whole

MAX_TITLE = 80
MAX_SEED = 200
WATCH_SECONDS = 1.0
BOT_NAMES = (
    "Ada",
    "Blaise",
    "Clara",
    "Daniel",
    "Emmy",
    "Felix",
    "Grace",
    "Hypatia",
    "Ines",
    "Jakob",
    "Karl",
    "Lena",
    "Maria",
    "Niels",
    "Olga",
    "Pierre",
    "Quentin",
    "Rosa",
)
DEFAULTS = TableSettings()
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A validated new table: its rows, its match at the opening, and the origin of its seed."""

    row: MatchRow
    rows: list[SeatRow]
    match: Match
    origin: Origin | None

    def insertion(self) -> Change:
        """Return the change that stores the table."""
        return _insert(self)


class Tables:
    """All tables of this server."""

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
        self.followers = Followers()
        self.listener = Listener(store, lambda: writer.backend, self.heard)
        writer.others_wrote = lambda: self.heard(None)
        self.keeper = Timekeeper(self._to_close, self.now)
        self._watching: asyncio.Task[None] | None = None
        self.events = Events()
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
            try:
                for table, deadline in await asyncio.to_thread(self.store.deadlines, self.now() + AHEAD):
                    self.keeper.arm(table, deadline)
            except Refused as error:
                log.warning("Deadlines cannot be looked up: %s", error)
            async with self.claims.left_behind() as tables:
                for table_id in tables:
                    with suppress(Refused):
                        table = await self.get(table_id)
                        self.moved(table)

    async def _to_close(self, table_id: str) -> ClosedOnce:
        return ClosedOnce(self.known(table_id) or await self.get(table_id), self.claims)

    async def create(
        self,
        game_id: str,
        seats: Sequence[SeatPlan],
        options: Mapping[str, Any],
        settings: TableSettings = DEFAULTS,
        **about: Unpack[About],
    ) -> Table:
        """Create a table. Raises UnknownGame, BadTable (a ValueError) or NotSaved with a sentence.

        The seat `me` belongs to `holder`. Without a holder it stays open, to be taken with `Table.sit`.
        """
        new = await self.prepare(game_id, seats, options, settings, **about)
        try:
            await self.writer.write(new.insertion())
        except WriteFailed as error:
            said = _("The table could not be created: {cause}.")
            raise NotSaved(said.format(cause=error)) from error
        table = Table(new.row, new.rows, new.match, self, origin=new.origin, kept={})
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
        **about: Unpack[About],
    ) -> Prepared:
        """Validate a new table that starts at once, and return what to store. Raises like `create`."""
        game, table_id = find_game(game_id), new_id()
        seed, cards, holder = about.get("seed"), about.get("cards"), about.get("holder")
        rows = _seat_rows(game, seats, holder)
        if seed is not None and len(str(seed)) > MAX_SEED:
            raise BadTable(_("A seed can have at most {limit} characters.").format(limit=MAX_SEED))
        tidy = " ".join((about.get("title") or game.name).split())
        if len(tidy) > MAX_TITLE or not tidy.isprintable():
            said = _("A title can have at most {limit} letters, digits, symbols and spaces.")
            raise BadTable(said.format(limit=MAX_TITLE))
        if cards is not None:
            _check_cards(game, cards)
        settings = settings.settled(game, sum(seat.kind != "bot" for seat in rows))
        for check in self.events.opening:
            await check(settings, seats, about)
        origin = None
        if seed is None:
            given = {number: plan.given for number, plan in enumerate(seats) if plan.kind in ("me", "here")}
            origin = new_origin(game.id, table_id, given)
        chosen = origin.seed(game.id, table_id, len(rows)) if origin is not None else seed or 0
        try:
            accepted = game.accept_options(options)
            match = await asyncio.to_thread(opened, game, len(rows), chosen, accepted, cards)
        except ValueError as error:
            raise BadTable(str(error)) from error
        host_token, created = about.get("host_token"), self.now()
        standing = Standing.first(settings.clock, settings.pregame, created)
        row = MatchRow(
            id=table_id,
            game=game.id,
            rules_version=str(game.rules_version),
            seat_count=len(rows),
            options=accepted,
            seed=match.seed,
            seed_chosen=seed is not None,
            title=tidy,
            created=created,
            settings=settings.model_dump(),
            cards=cards,
            **standing.values(),
            host=holder,
            host_token=hash_token(host_token) if host_token is not None else None,
            started=created,
            host_name=clean_name(about.get("host_name")),
        )
        return Prepared(row, rows, match, origin)

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

    def known(self, table_id: str) -> Table | None:
        """Return a table if it is in memory and up to date, else None, without waiting."""
        table = self._all.get(table_id)
        return table if table is not None and not table.behind else None

    def in_house(self) -> dict[str, Table]:
        """Return the tables in memory, by id."""
        return dict(self._all)

    def heard(self, table_id: str | None) -> None:
        """Record that another server has changed a table; None stands for any table."""
        for table in list(self._all.values()) if table_id is None else filter(None, [self._all.get(table_id)]):
            self.followers.follow(table)
        # Tables that are being loaded right now may have been read before the change.
        self._missed.update(self._loading if table_id is None else {table_id} & self._loading.keys())

    async def close(self) -> None:
        """Stop the clocks, and stop listening to other servers."""
        if self._watching is not None:
            self._watching.cancel()
            await asyncio.gather(self._watching, return_exceptions=True)
        await self.listener.close()
        await self.followers.close()
        await self.keeper.close()
        await self.claims.close()

    async def held_by(self, holder: str) -> list[Listed]:
        """Return the tables that a visitor plays at or hosts, unfinished ones first."""
        return await asyncio.to_thread(held_by, self.store, holder)

    def moved(self, table: Table) -> None:
        """Publish that a table has a new position."""
        self.events.publish_moved(table)

    async def _load(self, table_id: str) -> Table:
        if len(table_id) != ID_LENGTH or not set(table_id) <= set(ID_ALPHABET):
            raise unknown(table_id)
        self._missed.discard(table_id)
        table = await asyncio.to_thread(self.rebuild, table_id)
        self._enter(table)
        if table_id in self._missed:
            self._missed.discard(table_id)
            table.fall_behind()
            await table.refresh()
        self.keeper.arm(table.id, table.clock.standing.deadline)
        self.moved(table)
        return table

    def rebuild(self, table_id: str) -> Table:
        """Read a match from the database and replay it; blocks."""
        found = self.store.whole(table_id)
        if found is None:
            raise unknown(table_id)
        row, seats, plies = found
        if row.started is None:
            said = _("Table {id} has not started. It is still in the waiting room.")
            raise NotStarted(said.format(id=table_id))
        try:
            game = registry.load(row.game)
        except KeyError:
            said = _("This table cannot continue: {game} is not installed on this server.")
            raise CannotGoOn(said.format(game=row.game)) from None
        version = next((known for known in game.versions if str(known) == row.rules_version), None)
        if version is None:
            said = _(
                "This table cannot continue: it was started with version {then} of the rules of {game}, "
                "and this server has version {now}. All moves so far are kept."
            )
            raise CannotGoOn(said.format(then=row.rules_version, game=_(game.name), now=game.rules_version))
        try:
            match = opened(game, row.seat_count, row.seed, row.options, row.cards, version)
        except ValueError as error:
            raise CannotGoOn(_("This table cannot continue: {cause}").format(cause=error)) from error
        origin = self.store.read(lambda connection: find_origin(connection, table_id))
        table = Table(row, seats, match, self, origin=origin, kept=self.events.read_kept(self.store, table_id))
        table.journal.replay(plies)
        return table

    def _enter(self, table: Table) -> None:
        recent = self._recent
        recent[table.id] = self._all[table.id] = table
        recent.move_to_end(table.id)
        while len(recent) > self._keep:
            recent.popitem(last=False)

    @property
    def in_memory(self) -> int:
        """The number of tables in memory."""
        return len(self._all)


def find_game(game_id: str) -> Game:
    """Return a game. Raises UnknownGame with a sentence that lists the available games."""
    try:
        return registry.load(game_id)
    except KeyError as error:
        raise UnknownGame(str(error), games=registry.ids()) from None


def card_file(game: Game) -> Path | None:
    """Return the path of a game's card file, or None if it has none."""
    path = game.folder / "cards.toml"
    return path if path.is_file() else None


def _check_cards(game: Game, cards: str) -> None:
    """Raise BadTable if a text cannot be a card file of this game."""
    if card_file(game) is None:
        said = _("{game} has no card file, so it cannot be played with other cards.")
        raise BadTable(said.format(game=_(game.name)))
    if len(cards) > MOST_CARDS:
        said = _("A card file can have at most {limit} characters; this one has {count}.")
        raise BadTable(said.format(limit=whole(MOST_CARDS), count=whole(len(cards))))


def opened(
    game: Game,
    seats: int,
    seed: int | str,
    options: Mapping[str, Any],
    cards: str | None,
    rules_version: int | None = None,
) -> Match:
    """Return a new match whose rules can be called without waiting for the compiler; call it in a thread.

    The rules are loaded from the cache, or run interpreted until they are compiled. The event loop calls rules only
    after this.
    """
    if interprets_meanwhile():
        compiling.start(game)
    else:
        game.warm()
    return game.new(seats, seed, cards=cards, rules_version=rules_version, **options)


def unknown(table_id: str) -> UnknownTable:
    """Return the exception for an unknown table."""
    said = _("There is no table {id!r} on this server. Check the address, or create a table at /.")
    return UnknownTable(said.format(id=table_id[:40]))


def _seat_rows(game: Game, seats: Sequence[SeatPlan], holder: str | None) -> list[SeatRow]:
    """Return the rows of a new table's seats. Raises BadTable with a sentence."""
    try:
        game.accept_seats(len(seats))
    except ValueError as error:
        raise BadTable(str(error)) from error
    if holder is not None and sum(plan.kind == "me" for plan in seats) > 1:
        raise BadTable(_("You can take only one seat."))
    rows: list[SeatRow] = []
    names: list[str] = []
    fresh = fresh_names([clean_name(plan.name) for plan in seats])
    for number, plan in enumerate(seats):
        name = clean_name(plan.name) if plan.kind == "bot" else player_name(plan.name)
        if plan.kind in ("me", "here"):
            names.append(name or "")
        if plan.kind == "bot":
            there = bot_names(game)
            if plan.bot not in (*there, LESSON_BOT):
                said = _("Seat {seat}: unknown bot {name!r}. Available: {known}.")
                raise BadTable(said.format(seat=number, name=str(plan.bot)[:40], known=", ".join(there)))
            names.append(name or next(fresh))
            rows.append(SeatRow(number, "bot", names[-1], plan.bot))
        elif plan.kind in ("me", "here") and holder is not None:
            rows.append(SeatRow(number, "person", name, None, holder))
        elif plan.kind in ("me", "open"):
            rows.append(SeatRow(number, "open"))
        else:
            said = _("Seat {seat} must be me, bot or open, not {kind!r}.")
            raise BadTable(said.format(seat=number, kind=plan.kind[:40]))
    given = [looks(name) for name in names if name]
    if len(set(given)) != len(given):
        raise BadTable(_("Two seats have the same name, or names that look the same."))
    return rows


def fresh_names(given: Sequence[str | None]) -> Iterator[str]:
    """Return unused names for bots, in alphabetical order from a random start."""
    first = secrets.randbelow(len(BOT_NAMES))
    taken = {looks(name) for name in given if name}
    return (name for name in BOT_NAMES[first:] + BOT_NAMES[:first] if looks(name) not in taken)


def _insert(new: Prepared) -> Change:
    def change(connection: sa.Connection) -> None:
        connection.execute(sa.insert(MATCHES), new.row.values())
        connection.execute(sa.insert(SEATS), [seat.values(new.row.id) for seat in new.rows])
        if any(seat.kind == "open" for seat in new.rows):
            invite(connection, new.row.id)
        if new.origin is not None:
            insert_origin(connection, new.row.id, new.origin)

    return change


MOST_CARDS = 100_000
"""Maximum number of characters in a card file."""
