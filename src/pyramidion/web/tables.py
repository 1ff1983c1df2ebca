"""The house: all tables, in memory while somebody is at them and rebuilt from the database when somebody comes back."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

import sqlalchemy as sa

from pyramidion import Game, Match
from pyramidion.bots import LEVELS
from pyramidion.engine import registry
from pyramidion.engine.seeds import Origin
from pyramidion.web.bots.advice import Advisor
from pyramidion.web.bots.analysis import Analyses
from pyramidion.web.bots.runner import Budget, Runner, bot_names
from pyramidion.web.bots.thinking import Searches, Thinking
from pyramidion.web.clock import AHEAD, Timekeeper, accept_clock
from pyramidion.web.errors import BadTable, CannotGoOn, NotSaved, NotStarted, Refused, UnknownGame, UnknownTable
from pyramidion.web.fanout import Claims, ClosedOnce, Followers, Listener
from pyramidion.web.host.absence import accept_absent
from pyramidion.web.orders import Ordering
from pyramidion.web.orders import read as read_orders
from pyramidion.web.people.invitations import invite
from pyramidion.web.rooms.origins import NOTHING_GIVEN, Given, new_origin
from pyramidion.web.rooms.origins import find as find_origin
from pyramidion.web.rooms.origins import insert as insert_origin
from pyramidion.web.rooms.room import Room, Rooms
from pyramidion.web.schema import MATCHES, SEATS
from pyramidion.web.seats import MOST_CARDS, clean_name
from pyramidion.web.snapshot import LegalAction, Seat, Snapshot
from pyramidion.web.store import ID_ALPHABET, ID_LENGTH, Listed, MatchRow, SeatRow, Store, hash_token, new_id, now
from pyramidion.web.table import Accepted, Table
from pyramidion.web.talk.chat import Rules
from pyramidion.web.writer import Change, WriteFailed, Writer
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
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """A seat of a table to be started: `me` (whoever starts it), `open` to whoever has the link, or a `bot`.

    `here` is another person at the screen of whoever starts it. `given` is what `me` contributes to the seed.
    """

    kind: str
    name: str | None = None
    bot: str | None = None
    given: Given = NOTHING_GIVEN


@dataclass(frozen=True, slots=True)
class Prepared:
    """A new table that has been checked: its rows, its match at the opening, where its seed comes from, its chat."""

    row: MatchRow
    rows: list[SeatRow]
    match: Match
    origin: Origin | None
    chat: Rules
    listed: bool

    def insertion(self) -> Change:
        """Return what stores it."""
        return _insert(self)


class Tables:
    """All tables of this server."""

    def __init__(
        self,
        store: Store,
        writer: Writer,
        *,
        keep: int,
        bot_pause: float,
        bot_threads: int,
        budget: Budget | None = None,
        analysis_iterations: int = 2_000,
        order_pause: tuple[float, float] = (0.0, 0.0),
        now: Callable[[], int] = now,
    ) -> None:
        self.store, self.writer, self._time = store, writer, now
        self.claims = Claims(store)
        self.followers = Followers()
        self.listener = Listener(store, lambda: writer.backend, self.heard)
        writer.others_wrote = lambda: self.heard(None)
        self.keeper = Timekeeper(self._to_close, self.now)
        self._watching: asyncio.Task[None] | None = None
        self.thinking, self.searches, budget = Thinking(bot_threads), Searches(), budget or Budget()
        self.runner = Runner(
            pause=bot_pause, thinking=self.thinking, searches=self.searches, budget=budget, claims=self.claims
        )
        self.advisor = Advisor(self.thinking, self.searches, budget)
        self.rooms = Rooms(self)
        self.ordering = Ordering(self, self.claims, order_pause)
        self.analyses = Analyses(store, writer, self.thinking, self.searches, analysis_iterations)
        self._keep = keep
        self.on_moved: Callable[[Table], None] = _nobody_cares
        # Whatever anybody holds is found in `_all`, so that a table never exists twice; `_recent` keeps the last alive.
        self._all: WeakValueDictionary[str, Table] = WeakValueDictionary()
        self._recent: OrderedDict[str, Table] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self._missed: set[str] = set()

    def now(self) -> int:
        """Return the time, milliseconds since 1970."""
        return self._time()

    async def start(self) -> None:
        """Keep time from now on; what was due while the server was down is closed at once."""
        self.keeper.start(await asyncio.to_thread(self.store.deadlines))
        self.ordering.start()
        if self.store.shared:
            self._watching = asyncio.create_task(self._watch())

    async def _watch(self) -> None:
        """Keep the time of tables that other servers have begun, too: these servers may be gone when it is up."""
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            try:
                for table, deadline in await asyncio.to_thread(self.store.deadlines, self.now() + AHEAD):
                    self.keeper.arm(table, deadline)
            except Refused as error:
                log.warning("Deadlines cannot be looked up: %s", error)

    async def _to_close(self, table_id: str) -> ClosedOnce:
        return ClosedOnce(self.known(table_id) or await self.get(table_id), self.claims)

    async def create(
        self,
        game_id: str,
        seats: Sequence[SeatPlan],
        options: Mapping[str, Any],
        *,
        title: str | None = None,
        seed: int | str | None = None,
        cards: str | None = None,
        clock: int | None = None,
        close_early: bool = True,
        hints: bool | None = None,
        listed: bool = False,
        chat: Rules | None = None,
        holder: str | None = None,
        host_token: str | None = None,
        absent: str | None = None,
    ) -> Table:
        """Start a table. Raises UnknownGame or BadTable (a ValueError) with a sentence.

        `cards` is the text of a card file to play with instead of the game's own. `clock` is the time for a decision in
        seconds, None for no limit; with `close_early` false a step in which all have submitted stays open until then.
        Open seats are shown in the lobby if `listed`, and otherwise found by whoever has the link or the code.
        People may ask for hints if `hints` is true; if it is None, where all other seats are bots. `chat` is what may
        be said at the table and by whom.
        The seat `me` is `holder`'s. Without a holder it is open, to be taken with `Table.sit`. `holder` is the host,
        and so is whoever has `host_token`. `absent` is what `absence.accept_absent` takes.
        """
        new = await self.prepare(
            game_id,
            seats,
            options,
            title=title,
            seed=seed,
            cards=cards,
            clock=clock,
            close_early=close_early,
            hints=hints,
            chat=chat,
            listed=listed,
            holder=holder,
            host_token=host_token,
            absent=absent,
        )
        try:
            await self.writer.write(new.insertion())
        except WriteFailed as error:
            said = _("The table could not be saved, so it was not started: {cause}.")
            raise NotSaved(said.format(cause=error)) from error
        table = Table(new.row, new.rows, new.match, self)
        table.origin = new.origin
        self._enter(table)
        self.keeper.arm(table.id, new.row.deadline)
        if any(seat.bot in LEVELS for seat in new.rows):
            self.searches.prepare(table.game)
        self.moved(table)
        return table

    async def prepare(
        self,
        game_id: str,
        seats: Sequence[SeatPlan],
        options: Mapping[str, Any],
        *,
        title: str | None,
        seed: int | str | None,
        cards: str | None,
        clock: int | None,
        close_early: bool,
        hints: bool | None,
        chat: Rules | None,
        listed: bool,
        holder: str | None,
        host_token: str | None,
        absent: str | None,
    ) -> Prepared:
        """Return what is to be stored of a new table that starts now, having checked all of it as `create` does."""
        game, table_id = find_game(game_id), new_id()
        rows = _seat_rows(game, seats, holder)
        if seed is not None and len(str(seed)) > MAX_SEED:
            raise BadTable(_("A seed has at most {limit} characters.").format(limit=MAX_SEED))
        tidy = " ".join((title or game.name).split())
        if len(tidy) > MAX_TITLE or not tidy.isprintable():
            said = _("A title has at most {limit} letters, digits, signs and spaces.")
            raise BadTable(said.format(limit=MAX_TITLE))
        if cards is not None:
            _check_cards(game, cards)
        clock = accept_clock(clock)
        if not close_early:
            _check_stays_open(game, clock)
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
        created = self.now()
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
            cards=cards,
            clock=clock,
            close_early=close_early,
            deadline=None if clock is None else created + clock * 1000,
            hints=sum(seat.kind != "bot" for seat in rows) == 1 if hints is None else hints,
            host=holder,
            host_token=hash_token(host_token) if host_token is not None else None,
            absent=accept_absent(absent, bot_names(game)),
            started=created,
        )
        return Prepared(row, rows, match, origin, chat or Rules(), listed)

    async def get(self, table_id: str) -> Table:
        """Return a table. Raises UnknownTable, or CannotGoOn where its game has changed since it was played."""
        table = self._all.get(table_id)
        if table is not None:
            self._enter(table)
            # Whoever has just acted through another server finds here what they did there.
            table.behind |= self.store.shared
            await table.refresh()
            return table
        loading = self._loading.get(table_id)
        if loading is None:
            loading = self._loading[table_id] = asyncio.create_task(self._load(table_id))
            loading.add_done_callback(lambda done: self._loading.pop(table_id, None))
        # Several may wait for the same table, and one of them going away must not take it from the others.
        return await asyncio.shield(loading)

    async def find(self, table_id: str) -> Table | Room:
        """Return a table, or the room where it waits. Raises as `get` does."""
        try:
            return await self.get(table_id)
        except NotStarted:
            return await self.rooms.get(table_id)

    def known(self, table_id: str) -> Table | None:
        """Return a table that is in memory and up to date, without waiting."""
        table = self._all.get(table_id)
        return table if table is not None and not table.behind else None

    def in_house(self) -> dict[str, Table]:
        """Return the tables that are in memory, by id."""
        return dict(self._all)

    def heard(self, table_id: str | None) -> None:
        """Take note that another server has changed a table, or, for None, perhaps any of them."""
        for table in list(self._all.values()) if table_id is None else filter(None, [self._all.get(table_id)]):
            self.followers.follow(table)
        # What is being read at this moment may have been read before the change.
        self._missed.update(self._loading if table_id is None else {table_id} & self._loading.keys())

    async def close(self) -> None:
        """Stop the clock, the bots and all that thinks, and hearing of others."""
        if self._watching is not None:
            self._watching.cancel()
        await self.listener.close()
        await self.followers.close()
        await self.keeper.close()
        await self.runner.close()
        await self.ordering.close()
        await self.analyses.close()
        self.thinking.close()
        await self.claims.close()

    async def held_by(self, holder: str) -> list[Listed]:
        """Return the newest tables at which a visitor sits."""
        return await asyncio.to_thread(self.store.held_by, holder)

    def moved(self, table: Table) -> None:
        """Let the bots whose decision is due at a table choose."""
        self.runner.look(table)
        self.ordering.look(table)
        self.on_moved(table)

    async def _load(self, table_id: str) -> Table:
        if len(table_id) != ID_LENGTH or not set(table_id) <= set(ID_ALPHABET):
            raise unknown(table_id)
        self._missed.discard(table_id)
        table = await asyncio.to_thread(self.rebuild, table_id)
        self._enter(table)
        if table_id in self._missed:
            self._missed.discard(table_id)
            table.behind = True
            await table.refresh()
        self.keeper.arm(table.id, table.standing.deadline)
        self.moved(table)
        return table

    def rebuild(self, table_id: str) -> Table:
        """Read and replay a match; blocks."""
        found = self.store.whole(table_id)
        if found is None:
            raise unknown(table_id)
        row, seats, plies = found
        if row.started is None:
            said = _("The table {id} has not begun: it waits in its room for those who will play.")
            raise NotStarted(said.format(id=table_id))
        try:
            game = registry.load(row.game)
        except KeyError:
            said = _("This table cannot go on: its game, {game}, is not installed here.")
            raise CannotGoOn(said.format(game=row.game)) from None
        if str(game.rules_version) != row.rules_version:
            said = _(
                "This table cannot go on: it was begun under version {then} of the rules of {game}, "
                "and this is version {now}. Everything played so far is kept."
            )
            raise CannotGoOn(said.format(then=row.rules_version, game=_(game.name), now=game.rules_version))
        try:
            match = opened(game, row.seat_count, row.seed, row.options, row.cards)
        except ValueError as error:
            raise CannotGoOn(_("This table cannot go on: {cause}").format(cause=error)) from error
        table = Table(row, seats, match, self)
        table.origin = self.store.read(lambda connection: find_origin(connection, table_id))
        if game.orders is not None:
            table.orders = read_orders(self.store, table_id)
        table.replay(plies)
        return table

    def _enter(self, table: Table) -> None:
        recent = self._recent
        recent[table.id] = self._all[table.id] = table
        recent.move_to_end(table.id)
        while len(recent) > self._keep:
            recent.popitem(last=False)

    @property
    def in_memory(self) -> int:
        """How many tables are in memory."""
        return len(self._all)


def _nobody_cares(_table: Table) -> None:
    pass


def find_game(game_id: str) -> Game:
    """Return a game. Raises UnknownGame with a sentence that names those there are."""
    try:
        return registry.load(game_id)
    except KeyError as error:
        raise UnknownGame(str(error), games=registry.ids()) from None


def card_file(game: Game) -> Path | None:
    """Return a game's own card file, or None for a game without one."""
    path = game.folder / "cards.toml"
    return path if path.is_file() else None


def _check_cards(game: Game, cards: str) -> None:
    """Raise BadTable for what cannot be a card file of this game, whatever is in it."""
    if card_file(game) is None:
        said = _("{game} has no card file, so it cannot be played with other cards.")
        raise BadTable(said.format(game=_(game.name)))
    if len(cards) > MOST_CARDS:
        said = _("A card file has at most {limit} characters; this one has {count}.")
        raise BadTable(said.format(limit=whole(MOST_CARDS), count=whole(len(cards))))
    try:
        cards.encode()
    except UnicodeEncodeError as error:
        said = _("The card file is not text: character {number} is half a pair.")
        raise BadTable(said.format(number=error.start + 1)) from None


def plays_in_parts(game: Game) -> bool:
    """Whether submissions of a game have parts that can be saved before they are confirmed."""
    return any(family.is_part for family in game.actions.families.values())


def _check_stays_open(game: Game, clock: int | None) -> None:
    """Raise BadTable for a table whose phases cannot stay open until time is up."""
    if not plays_in_parts(game):
        said = _("In {game} nothing can be changed once it is submitted, so every step closes early.")
        raise BadTable(said.format(game=_(game.name)))
    if clock is None:
        raise BadTable(_("Phases that stay open until time is up need a time per decision."))


def opened(game: Game, seats: int, seed: int | str, options: Mapping[str, Any], cards: str | None) -> Match:
    """Return a new match of a game that is compiled, which takes a while the first time; for a thread of its own.

    The event loop calls rules only after this, so that it never waits for the compiler.
    """
    match = game.new(seats, seed, cards=cards, **options)
    game.warm()
    return match


def unknown(table_id: str) -> UnknownTable:
    """Return what is raised for a table that is not there."""
    said = _("There is no table {id!r} here; its address may be incomplete. Start one at /.")
    return UnknownTable(said.format(id=table_id[:40]))


def _seat_rows(game: Game, seats: Sequence[SeatPlan], holder: str | None) -> list[SeatRow]:
    """Return the rows of a new table's seats. Raises BadTable with a sentence."""
    try:
        game.accept_seats(len(seats))
    except ValueError as error:
        raise BadTable(str(error)) from error
    if holder is not None and sum(plan.kind == "me" for plan in seats) > 1:
        raise BadTable(_("You can sit on one seat only."))
    rows: list[SeatRow] = []
    names: list[str] = []
    fresh = fresh_names([clean_name(plan.name) for plan in seats])
    for number, plan in enumerate(seats):
        name = clean_name(plan.name)
        if plan.kind in ("me", "here"):
            names.append(name or _("Player {number}").format(number=number + 1))
        if plan.kind == "bot":
            there = bot_names(game)
            if plan.bot not in there:
                said = _("Seat {seat} has no bot {name!r}; there are {known}.")
                raise BadTable(said.format(seat=number, name=str(plan.bot)[:40], known=", ".join(there)))
            names.append(name or next(fresh))
            rows.append(SeatRow(number, "bot", names[-1], plan.bot))
        elif plan.kind in ("me", "here") and holder is not None:
            rows.append(SeatRow(number, "person", names[-1], None, holder))
        elif plan.kind in ("me", "open"):
            rows.append(SeatRow(number, "open"))
        else:
            said = _("Seat {seat} cannot be {kind!r}; it can be me, bot or open.")
            raise BadTable(said.format(seat=number, kind=plan.kind[:40]))
    if len({name.casefold() for name in names}) != len(names):
        raise BadTable(_("Two seats have the same name."))
    return rows


def fresh_names(given: Sequence[str | None]) -> Iterator[str]:
    """Return names for bots that nobody has yet, in the order of the alphabet, beginning anywhere."""
    first = secrets.randbelow(len(BOT_NAMES))
    return (f"Bot {name}" for name in BOT_NAMES[first:] + BOT_NAMES[:first] if f"Bot {name}" not in given)


def _insert(new: Prepared) -> Change:
    def change(connection: sa.Connection) -> None:
        connection.execute(sa.insert(MATCHES), new.row.values())
        connection.execute(sa.insert(SEATS), [seat.values(new.row.id) for seat in new.rows])
        if any(seat.kind == "open" for seat in new.rows):
            invite(connection, new.row.id, listed=new.listed)
        new.chat.stored(new.row.id)(connection)
        if new.origin is not None:
            insert_origin(connection, new.row.id, new.origin)

    return change


__all__ = ["Accepted", "LegalAction", "Seat", "SeatPlan", "Snapshot", "Table", "Tables", "card_file", "find_game"]
