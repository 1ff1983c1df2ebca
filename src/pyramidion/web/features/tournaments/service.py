"""Tournaments on the server: sign-up, rounds that begin by themselves, matches and their results."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any
from weakref import WeakValueDictionary

import sqlalchemy as sa
from fastapi import Request

from pyramidion.seasons.ledger import NotPossible
from pyramidion.tournaments.events import (
    Announced,
    Event,
    Joined,
    Left,
    ResultEntered,
    ResultTaken,
    RoundOpened,
    TableOpened,
)
from pyramidion.tournaments.log import extended, fold
from pyramidion.tournaments.pairing import next_round
from pyramidion.tournaments.standings import standings
from pyramidion.tournaments.state import Settings, Tournament
from pyramidion.web.db.saving import save, together
from pyramidion.web.db.schema import TOURNAMENT_TABLES, TOURNAMENTS
from pyramidion.web.db.writer import Change, Conflict
from pyramidion.web.errors import NotPossibleNow, NotSaved, NotYours, Refused
from pyramidion.web.features.tournaments import store
from pyramidion.web.features.tournaments.matches import check_bot, check_settings, places_of, seats_of, started
from pyramidion.web.features.tournaments.telling import notices
from pyramidion.web.features.tournaments.texts import STEPS
from pyramidion.web.http.dependencies import hidden_in_club, reader_of
from pyramidion.web.table.events import EventCard
from pyramidion.web.table.new_table import MAX_TITLE
from pyramidion.web.table.room import Room
from pyramidion.web.table.seeds import NOTHING_GIVEN
from pyramidion.web.table.settings import WHEN_FULL, TableSettings
from pyramidion.web.table.table import Table
from pyramidion.web.table.tables import Tables
from pyramidion.web.tokens import ID_LENGTH, new_id
from pyramidion.words import _

KEPT = "tournament"
SCOPES = ("events", "play")
"""What an API token must allow to act in tournaments: one of these."""
MOST_TRIES = 5
MOST_KEPT = 200
MOST_BEST = 3
LATEST = 4_000_000_000_000
LOOK_SECONDS = 5.0
"""How often a server looks for what is due; of the end of its own tables it learns at once."""
log = logging.getLogger(__name__)


class UnknownTournament(Refused, LookupError):
    """A tournament that is not here."""

    status = 404
    code = "unknown-tournament"


@dataclass(frozen=True, slots=True)
class Loaded:
    """A tournament as it is stored, with its visitors by player id or `host`. It is not changed."""

    id: str
    state: Tournament
    people: Mapping[str, str]

    def who(self, holder: str | None) -> str | None:
        """Return which player a visitor is, or None."""
        mine = (who for who, one in self.people.items() if one == holder and who in self.state.players)
        return next((who for who in mine if self.state.players[who].out is None), None)

    def hosted_by(self, holder: str | None) -> bool:
        """Return whether a visitor is the host."""
        return holder is not None and self.people.get("host") == holder


class Tournaments:
    """All tournaments.

    `open_room`, `sit` and `find` are the waiting rooms', `home` is the clubs', `rate` returns the ratings in a game.
    """

    def __init__(
        self,
        tables: Tables,
        open_room: Callable[..., Awaitable[tuple[Table | Room, dict[int, str]]]],
        sit: Callable[..., Awaitable[Any]],
        find: Callable[[str], Awaitable[Table | Room]],
        home: Callable[[str, str, str, str, str], Awaitable[Change]],
        rate: Callable[[str, Collection[str]], Awaitable[Mapping[str, int]]],
    ) -> None:
        self._tables, self._open_room, self._sit, self._find = tables, open_room, sit, find
        self._home, self._rate = home, rate
        self._kept: OrderedDict[str, Tournament] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        tables.events.kept[KEPT] = store.tournament_at
        tables.events.moved.append(self._look)

    def start(self) -> None:
        """Look for what is due, now and from time to time."""
        self._spawn(self._watch())

    async def close(self) -> None:
        """Stop; what is left undone is taken up by the next server."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # Reading

    async def get(self, tournament: str) -> Loaded:
        """Return a tournament. Raises UnknownTournament."""
        return await asyncio.to_thread(self._read, tournament if len(tournament) <= ID_LENGTH else "")

    def _read(self, tournament: str) -> Loaded:
        count = store.length(self._tables.store, tournament)
        if not count:
            raise UnknownTournament(_("There is no such tournament."))
        state = self._kept.get(tournament)
        if state is None or len(state.log) != count:
            state = fold(store.read_log(self._tables.store, tournament))
        self._kept[tournament] = state
        self._kept.move_to_end(tournament)
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return Loaded(tournament, state, store.read_people(self._tables.store, tournament))

    async def mine(self, holder: str) -> list[Loaded]:
        """Return the tournaments that a visitor hosts or has signed up for."""
        found = await asyncio.to_thread(store.tournaments_of, self._tables.store, holder)
        return [await self.get(one) for one in found]

    async def card(self, tournament: str, holder: str | None) -> EventCard | None:
        """Return a tournament for the list of its club."""
        state = (await self.get(tournament)).state
        best = standings(state)[:MOST_BEST] if state.rounds else []
        lines = [(state.name(line.player), f"{float(line.points):g}") for line in best]
        return EventCard(state.settings.title, STEPS[state.step], state.step == "over", tuple(lines))

    # Writing

    async def create(self, settings: Settings, host: str, holder: str, club: str | None = None) -> Loaded:
        """Announce a tournament; a club can be its home.

        Raises NotPossibleNow, BadTable, UnknownGame, UnknownClub, NotYours or NotSaved.
        """
        check_settings(settings)
        if settings.starts is not None and not self._tables.now() < settings.starts < LATEST:
            raise NotPossibleNow(_("Enter a start date in the future."))
        tournament, empty = new_id(), Tournament()
        state = self._after(empty, [Announced(host, asdict(settings))], "host")
        insert = store.inserting(tournament, empty, state, {"host": holder})
        if club is not None:
            insert = together(insert, await self._home("tournament", tournament, settings.title, club, holder))

        def change(connection: sa.Connection) -> None:
            connection.execute(sa.insert(TOURNAMENTS).values(id=tournament, created=self._tables.now()))
            insert(connection)

        await save(self._tables.writer, change)
        return await self.get(tournament)

    async def join(self, tournament: str, holder: str, name: str) -> Loaded:
        """Sign a visitor up. Raises NotPossibleNow or NotSaved."""

        def plan(loaded: Loaded) -> Sequence[Event]:
            if loaded.who(holder) is not None:
                raise NotPossibleNow(_("You have already signed up."))
            return [Joined(name)]

        return await self._append(tournament, "", plan, holder)

    async def leave(self, tournament: str, holder: str) -> Loaded:
        """Let a visitor withdraw. Raises NotYours, NotPossibleNow or NotSaved."""

        def plan(loaded: Loaded) -> Sequence[Event]:
            who = loaded.who(holder)
            if who is None:
                raise NotYours(_("You are not taking part in this tournament."))
            return [Left(who)]

        return await self._append(tournament, "", plan)

    async def do(self, tournament: str, holder: str, event: Joined | Left | ResultEntered) -> Loaded:
        """Add a bot, remove a player or enter a result, as the host. Raises like `leave`, and BadTable."""

        def plan(loaded: Loaded) -> Sequence[Event]:
            require_host(loaded, holder)
            if isinstance(event, Joined):
                check_bot(event.bot)
            return [event]

        loaded = await self._append(tournament, "host", plan)
        self._spawn(self._work(tournament))
        return loaded

    async def begin(self, tournament: str, holder: str) -> Loaded:
        """Start the tournament with its first round, or the next round, as the host. Raises like `leave`."""
        loaded = await self.get(tournament)
        require_host(loaded, holder)
        if loaded.state.step not in ("signup", "round"):
            raise NotPossibleNow(_("The next round cannot begin yet."))
        await self._advance(loaded)
        loaded = await self.get(tournament)
        if not loaded.state.rounds and loaded.state.step == "round":
            await self._advance(loaded)
        await self._work(tournament)
        return await self.get(tournament)

    async def _append(
        self,
        tournament: str,
        author: str,
        plan: Callable[[Loaded], Sequence[Event]],
        joining: str | None = None,
    ) -> Loaded:
        for _again in range(MOST_TRIES):
            loaded = await self.get(tournament)
            events = plan(loaded)
            if not events:
                return loaded
            state = self._after(loaded.state, events, author)
            new = [who for who in state.players if who not in loaded.state.players]
            people = dict.fromkeys(new, joining) if joining is not None else {}
            told = await self._tables.events.notify(notices(tournament, loaded.people, loaded.state, state))
            with suppress(Conflict):  # where somebody else was quicker
                await save(
                    self._tables.writer, together(store.inserting(tournament, loaded.state, state, people), *told)
                )
                return await self.get(tournament)
        raise NotSaved(_("The tournament keeps changing. Try again."))

    # What happens by itself

    def _look(self, table: Table) -> None:
        if table.match.over and (tournament := table.kept.get(KEPT)):
            self._spawn(self._work(tournament))

    async def _watch(self) -> None:
        for tournament, table in await asyncio.to_thread(store.unsettled, self._tables.store):
            try:  # a server may have been killed before everybody sat down
                await self._seat(await self.get(tournament), await self._find(table))
            except Refused as error:
                log.warning("Table %s of a tournament cannot be taken up: %s", table, error)
        while True:
            try:
                for one in await asyncio.to_thread(store.due, self._tables.store, self._tables.now()):
                    await self._work(one)
            except Exception:
                log.exception("What is due in tournaments could not be done")
            await asyncio.sleep(LOOK_SECONDS)

    async def _work(self, tournament: str) -> None:
        """Take results, and open rounds and tables, until the tournament waits for somebody."""
        async with self._locks.setdefault(tournament, asyncio.Lock()):
            try:
                while await self._step(tournament):
                    pass
            except Refused as error:
                log.warning("Tournament %s cannot go on: %s", tournament, error)
            except Exception:
                # Others wait for their turn behind it.
                log.exception("Tournament %s cannot go on", tournament)

    async def _step(self, tournament: str) -> bool:
        """Do the next thing that is due; return whether there was one."""
        for table in await asyncio.to_thread(store.finished, self._tables.store, tournament):
            await self._take(tournament, await self._tables.get(table))
            return True
        loaded = await self.get(tournament)
        due = loaded.state.due()
        if due is None or due > self._tables.now():
            return False
        if loaded.state.step == "seating":
            with suppress(Conflict):  # another server has opened the table
                await self._open_table(loaded)
        else:
            await self._advance(loaded)
        return True

    async def _advance(self, loaded: Loaded) -> None:
        """Start a tournament or open its next round, unless something else has happened meanwhile."""
        if loaded.state.step == "signup":
            events = started(loaded.state, await self._ratings(loaded))
        else:
            tables, byes = await asyncio.to_thread(next_round, loaded.state, secrets.SystemRandom())
            events = [RoundOpened(tuple(map(tuple, tables)), tuple(byes))]
        known = len(loaded.state.log)
        await self._append(loaded.id, "", lambda now: events if len(now.state.log) == known else [])

    async def _ratings(self, loaded: Loaded) -> dict[str, int]:
        """Return the ratings of the players, and of the bots that may fill tables; none where the lot decides."""
        state, settings = loaded.state, loaded.state.settings
        if settings.seeding == "lot":
            return {}
        players = {
            who: f"bot:{bot}" if (bot := state.players[who].bot) else loaded.people[who] for who in state.entrants
        }
        players |= {f"bot:{settings.bot}": f"bot:{settings.bot}"}
        points = await self._rate(settings.game, set(players.values()))
        return {who: points[player] for who, player in players.items()}

    async def _take(self, tournament: str, table: Table) -> None:
        """Take the result of a finished table, once; one that the host has entered stands."""
        places = places_of(table)
        await self._append(
            tournament, "", lambda now: [ResultTaken(table.id, places)] if table.id in now.state.awaited() else []
        )
        await save(self._tables.writer, store.settling(table.id))

    async def _open_table(self, loaded: Loaded) -> None:
        """Open the next table of the round; it and its log entry are stored together. Raises Conflict."""
        state, settings, played = loaded.state, loaded.state.settings, loaded.state.rounds[-1]
        waiting = ((n, one) for n, one in enumerate(played.groups) if one.table is None and one.places is None)
        index, group = next(waiting)
        seats, reserved = seats_of(state, group, loaded.people)

        opened = self._after(state, [TableOpened(played.number, index, "")], "")
        told = await self._tables.events.notify(notices(loaded.id, loaded.people, state, opened))

        def also(connection: sa.Connection, table: str) -> None:
            after = self._after(state, [TableOpened(played.number, index, table)], "")
            together(store.inserting(loaded.id, state, after, {}), *told)(connection)
            row = {"match": table, "tournament": loaded.id, "settled": False}
            connection.execute(sa.insert(TOURNAMENT_TABLES).values(row))

        title = _("{tournament}, round {number}").format(tournament=settings.title, number=played.number)
        made, _tokens = await self._open_room(
            settings.game,
            seats,
            {},
            TableSettings(clock=settings.clock, start=WHEN_FULL),
            reserved=reserved,
            also=also,
            title=title if len(title) <= MAX_TITLE else title[: MAX_TITLE - 1] + "…",
            holder=loaded.people["host"],
            host_name=state.host,
        )
        await self._seat(loaded, made)

    async def _seat(self, loaded: Loaded, made: Table | Room) -> None:
        """Let everybody for whom a seat is reserved sit down."""
        for row in made.seating.rows if isinstance(made, Room) and not made.begun else ():
            if row.reserved and row.holder is not None:
                mine = [who for who, one in loaded.people.items() if one == row.holder and who != "host"]
                name = loaded.state.name(mine[-1]) if mine else ""
                with suppress(Refused):
                    await self._sit(made.id, row.seat, row.holder, name, NOTHING_GIVEN)

    # Inside

    def _after(self, state: Tournament, events: Sequence[Event], author: str) -> Tournament:
        try:
            return extended(state, events, self._tables.now(), author)
        except NotPossible as error:
            raise NotPossibleNow(str(error)) from None

    def _spawn(self, work: Any) -> None:
        task: asyncio.Task[None] = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def require_host(loaded: Loaded, holder: str | None) -> None:
    """Raise NotYours for anybody but the host."""
    if not loaded.hosted_by(holder):
        raise NotYours(_("Only the host can do that."))


async def require_visible(request: Request) -> None:
    """Raise UnknownTournament where that of a path is in a private club that its visitor does not belong to."""
    tournament = request.path_params.get("tournament_id", "")
    if tournament and await hidden_in_club(request, "tournament", tournament, await reader_of(request, *SCOPES)):
        raise UnknownTournament(_("There is no such tournament."))


def tournaments_of(request: Request) -> Tournaments:
    """Return the application's tournaments."""
    return request.app.state.tournaments
