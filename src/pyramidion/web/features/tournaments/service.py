"""Tournaments on the server: sign-up, rounds that begin by themselves, matches and their results."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from weakref import WeakValueDictionary

from fastapi import Request

from pyramidion.event_log import NotPossible, fold
from pyramidion.names import alike
from pyramidion.tournaments.events import (
    HOST,
    Announced,
    Ended,
    Event,
    HostEvent,
    Joined,
    Left,
    PlacesEntered,
    Replaced,
    ResultTaken,
    Returned,
    RoundOpened,
    TableOpened,
)
from pyramidion.tournaments.pairing import next_round
from pyramidion.tournaments.standings import standings
from pyramidion.tournaments.state import Part, Tournament, TournamentSettings
from pyramidion.translation import _, listed
from pyramidion.web.competitions.competition import Competition
from pyramidion.web.competitions.log_cache import LogCache
from pyramidion.web.competitions.retries import Retries
from pyramidion.web.competitions.rows import vacant
from pyramidion.web.contracts import ClubHomes, PersonRatings, WaitingRooms
from pyramidion.web.db.bot_owners import owners_of
from pyramidion.web.db.changes import save, together
from pyramidion.web.db.schema import TOURNAMENT_PEOPLE, TOURNAMENTS
from pyramidion.web.db.writer import Change, Conflict
from pyramidion.web.errors import NotPossibleNow, NotYours, Refused
from pyramidion.web.features.tournaments import store
from pyramidion.web.features.tournaments.matches import (
    check_bot,
    check_settings,
    next_table,
    places_of,
    plan_match,
    starting_events,
)
from pyramidion.web.features.tournaments.notifications import notices, stuck
from pyramidion.web.features.tournaments.texts import STEPS
from pyramidion.web.http.dependencies import Caller
from pyramidion.web.http.services import get_service
from pyramidion.web.names import clean_name, player_name, tidy
from pyramidion.web.table.events import EventCard, Notice
from pyramidion.web.table.table import Table
from pyramidion.web.table.tables import Tables
from pyramidion.web.tokens import ID_LENGTH, new_id

SCOPES = ("events", "play")
"""What an API token must allow to act in tournaments: one of these."""
MOST_BEST = 3
LATEST = 4_000_000_000_000
LOOK_SECONDS = 5.0
"""How often a server looks for what is due; of the end of its own tables it learns at once."""
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why a tournament does not go on: whose table cannot be opened, if it is that, and the reason."""

    names: tuple[str, ...]
    reason: str

    @property
    def listed(self) -> str:
        """The names in a sentence."""
        return listed(list(self.names))


class UnknownTournament(Refused, LookupError):
    """A tournament that is not here."""

    status = 404
    code = "unknown-tournament"


@dataclass(frozen=True, slots=True)
class LoadedTournament:
    """A tournament as it is stored, with its visitors by player id or `host`. It is not changed.

    `private`: whether it belongs to a private club. `owners`: the owners of visitors that are bots.
    """

    id: str
    state: Tournament
    people: Mapping[str, str] = field(default_factory=dict[str, str])
    private: bool = False
    owners: Mapping[str, str] = field(default_factory=dict[str, str])

    def who(self, holder: str | None) -> str | None:
        """Return which player a visitor is who has not withdrawn, or None."""
        mine = (who for who, visitor in self.people.items() if visitor == holder and who in self.state.players)
        return next((who for who in mine if self.state.players[who].out is None), None)

    def vacant(self) -> list[str]:
        """Return the players to withdraw: those of deleted accounts, and second entries of one visitor."""
        present = [who for who in self.state.signed_up if self.state.players[who].bot is None]
        return vacant({who: self.people[who] for who in present}) if self.state.step != "over" else []

    def hosted_by(self, holder: str | None) -> bool:
        """Return whether a visitor is the host."""
        return holder is not None and self.people.get("host") == holder

    @property
    def host_plays(self) -> bool:
        """Whether the host takes part, or a bot of the host's account, and so hosts none of the tables."""
        return any(self.belongs_to_host(who) for who in self.state.remaining)

    def belongs_to_host(self, who: str) -> bool:
        """Return whether a player is the host, or a bot of the host's account."""
        player, host = self.people.get(who), self.people.get("host")
        return player is not None and host is not None and host in (player, self.owners.get(player))

    def part(self, holder: str | None) -> Part | None:
        """Return what a visitor's part as a player is, or None."""
        mine = [who for who, visitor in self.people.items() if visitor == holder and who in self.state.players]
        return self.state.part(self.who(holder) or mine[-1]) if mine else None


class Tournaments(Competition[Tournament, LoadedTournament]):
    """All tournaments."""

    KIND, HEADS, PEOPLE = "tournament", TOURNAMENTS, TOURNAMENT_PEOPLE

    def __init__(
        self,
        tables: Tables,
        rooms: WaitingRooms,
        homes: ClubHomes,
        ratings: PersonRatings,
    ) -> None:
        super().__init__(
            tables, rooms, homes, LogCache(store.LOG, lambda entries: fold(Tournament(), entries)), store.TABLES
        )
        self._player_ratings = ratings
        self._retries = Retries(tables.now)
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def start(self) -> None:
        """Take up what an interrupted server has left, and look for what is due from time to time."""
        super().start()
        self._spawn(self._watch_due())

    # Reading

    async def get(self, tournament: str) -> LoadedTournament:
        """Return a tournament. Raises UnknownTournament."""
        return await asyncio.to_thread(self._load, tournament if len(tournament) <= ID_LENGTH else "")

    async def _read(self, competition: str) -> LoadedTournament:
        return await self.get(competition)

    def _load(self, tournament: str) -> LoadedTournament:
        database = self._tables.store
        length, private = store.read_head(database, tournament)
        if not length:
            raise self._unknown_error()
        state = self._logs.read(database, tournament, length)
        people = store.read_people(database, tournament)
        return LoadedTournament(tournament, state, people, private, owners_of(database, set(people.values())))

    def _unknown_error(self) -> Refused:
        return UnknownTournament(_("There is no such tournament."))

    async def mine(self, holder: str) -> list[LoadedTournament]:
        """Return the tournaments that a visitor hosts or has signed up for, as far as they may know them now."""
        loaded = [await self.get(tournament) for tournament in await asyncio.to_thread(self._ids_of_visitors, [holder])]
        return [tournament for tournament in loaded if await self.is_known(tournament, holder)]

    async def card(self, tournament: str, holder: str | None) -> EventCard | None:
        """Return a tournament for the list of its club."""
        state = (await self.get(tournament)).state
        best = standings(state)[:MOST_BEST] if state.rounds else []
        lines = [(state.name(line.player), f"{float(line.points):g}") for line in best]
        return EventCard(state.settings.title, STEPS[state.step], state.step == "over", tuple(lines))

    async def welcomes(self, loaded: LoadedTournament, holder: str) -> bool:
        """Return whether the host lets a visitor sign up."""
        host = loaded.people.get("host")
        return host is None or await self._tables.events.welcomes(host, holder)

    # Writing

    async def create(
        self, settings: TournamentSettings, host: str, holder: str, club: str | None = None
    ) -> LoadedTournament:
        """Announce a tournament; a club can be its home.

        Raises BadRequest, NotPossibleNow, BadTable, UnknownGame, UnknownClub, NotYours or NotSaved.
        """
        host = player_name(host) or ""
        settings = tidy(replace(settings, scale="share"))
        check_settings(settings)
        if settings.starts is not None and not self._tables.now() < settings.starts < LATEST:
            raise NotPossibleNow(_("Enter a start date in the future."))
        empty = LoadedTournament(new_id(), Tournament())
        state = self._extended(empty, [Announced(host, asdict(settings))], "host")
        home = (club, settings.title, holder) if club is not None else None
        await self._create(empty, state, home, store.insert_people(empty.id, {"host": holder}))
        return await self.get(empty.id)

    async def join(self, tournament: str, holder: str, name: str, *, bot: bool = False) -> LoadedTournament:
        """Sign a visitor up; nothing about them is refused later. Only a declared `bot` can have a bot's name.

        Raises BadRequest for a name, NotPossibleNow or NotSaved.
        """
        if not await self.welcomes(await self.get(tournament), holder):
            raise NotPossibleNow(_("The host of this tournament does not let you sign up."))

        def plan(loaded: LoadedTournament) -> Sequence[Event]:
            if loaded.who(holder) is not None:
                raise NotPossibleNow(_("You have already signed up."))
            return [Joined(newcomer_name(loaded, holder, name, bot=bot))]

        def insert_people(after: Tournament) -> Change:
            return store.insert_people(tournament, {list(after.players)[-1]: holder})

        return await self._append(tournament, "", plan, also=insert_people)

    async def leave(self, tournament: str, holder: str) -> LoadedTournament:
        """Let a visitor withdraw. Raises NotYours, NotPossibleNow or NotSaved."""

        def plan(loaded: LoadedTournament) -> Sequence[Event]:
            who = loaded.who(holder)
            if who is None:
                raise NotYours(_("You are not taking part in this tournament."))
            return [Left(who)]

        return await self._append(tournament, "", plan)

    async def do(self, tournament: str, holder: str, event: HostEvent) -> LoadedTournament:
        """Do something as the host. Raises like `leave`, and BadTable or BadRequest."""

        def plan(loaded: LoadedTournament) -> Sequence[Event]:
            require_host(loaded, holder)
            require_allowed(loaded, event)
            if isinstance(event, Joined):
                return [replace(event, name=newcomer_name(loaded, None, event.name))]
            return [event]

        loaded = await self._append(tournament, HOST, plan)
        self._spawn(self._catch_up(tournament))
        return loaded

    async def begin(self, tournament: str, holder: str) -> LoadedTournament:
        """Start the tournament with its first round, or the next round, as the host. Raises like `leave`."""
        loaded = await self.get(tournament)
        require_host(loaded, holder)
        if loaded.vacant():
            await self._withdraw(tournament)
            loaded = await self.get(tournament)
        if loaded.state.step not in ("signup", "round"):
            raise NotPossibleNow(_("The next round cannot begin yet."))
        if loaded.state.step == "signup":
            try:
                loaded.state.require_startable()
            except NotPossible as error:
                raise NotPossibleNow(str(error)) from None
        await self._start_or_open_round(loaded)
        loaded = await self.get(tournament)
        if not loaded.state.rounds and loaded.state.step == "round":
            await self._start_or_open_round(loaded)
        await self._catch_up(tournament)
        return await self.get(tournament)

    def _derived_changes(self, loaded: LoadedTournament, after: Tournament) -> Change:
        return store.set_due(loaded.id, after.due())

    def _notices(self, loaded: LoadedTournament, after: Tournament) -> Sequence[Notice]:
        return notices(loaded.id, loaded.people, loaded.state, after)

    def _takes_part(self, loaded: LoadedTournament, visitor: str) -> bool:
        return loaded.hosted_by(visitor) or loaded.who(visitor) is not None

    def _name(self, loaded: LoadedTournament, holder: str) -> str:
        mine = [who for who, visitor in loaded.people.items() if visitor == holder and who != "host"]
        return loaded.state.name(mine[-1]) if mine else ""

    # What happens by itself

    async def _settle(self, competition: str, table: Table) -> None:
        # That the match is over may not be noted in the database yet, where `_do_next` would look for it.
        await self._catch_up(competition, table)

    async def _watch_due(self) -> None:
        while True:
            try:
                for tournament in await asyncio.to_thread(store.due, self._tables.store, self._tables.now()):
                    if not self._retries.waits(tournament):
                        await self._catch_up(tournament)
            except Exception:
                log.exception("What is due in tournaments could not be done")
            await asyncio.sleep(LOOK_SECONDS)

    async def _catch_up(self, tournament: str, *over: Table) -> None:
        """Do all that is due: take results, those of the tables `over` first, and open rounds and their tables."""
        async with self._locks.setdefault(tournament, asyncio.Lock()):
            try:
                for table in over:
                    await self._take_result(tournament, table)
                while await self._do_next(tournament):
                    pass
                self._retries.succeeded(tournament)
            except Refused as error:
                if self._retries.failed(tournament, error.sentence):
                    log.warning("Tournament %s cannot go on: %s", tournament, error)
                    await self._notify_host(tournament)
            except Exception as error:
                # Others wait for their turn behind it.
                if self._retries.failed(tournament, _("There is an error in the server. Its log says more.")):
                    log.exception("Tournament %s cannot go on", tournament, exc_info=error)
                    await self._notify_host(tournament)

    async def _notify_host(self, tournament: str) -> None:
        """Notify the host that a tournament cannot go on, once in each position."""
        with suppress(Refused):
            loaded = await self.get(tournament)
            notifying = await self._tables.events.notify(stuck(loaded.id, loaded.people, loaded.state))
            await save(self._tables.writer, together(*notifying))

    async def trouble(self, loaded: LoadedTournament) -> Trouble | None:
        """Return why a tournament does not go on, for its host, or None if nothing is known to be wrong."""
        if loaded.state.step == "seating":
            _number, _index, group = next_table(loaded.state)
            try:
                await self._check_match(plan_match(loaded.state, loaded.people))
            except Refused as error:
                return Trouble(tuple(map(loaded.state.name, group.players)), error.sentence)
        reason = self._retries.reason(loaded.id)
        return Trouble((), reason) if reason is not None else None

    async def _do_next(self, tournament: str) -> bool:
        """Do the next thing that is due; return whether there was one."""
        for table in await asyncio.to_thread(store.TABLES.finished_in, self._tables.store, tournament):
            await self._take_result(tournament, await self._tables.get(table))
            return True
        loaded = await self.get(tournament)
        if loaded.vacant():
            await self._withdraw(tournament)
            return True
        due = loaded.state.due()
        if due is None or due > self._tables.now():
            return False
        if loaded.state.step == "seating":
            with suppress(Conflict):  # another server has opened the table
                await self._open_table(loaded)
        else:
            await self._start_or_open_round(loaded)
        return True

    async def _check_people(self, competition: str) -> None:
        if (await self.get(competition)).vacant():
            await self._withdraw(competition)
            await self._catch_up(competition)

    async def _withdraw(self, tournament: str) -> None:
        """Withdraw the players whom nobody plays any more."""
        await self._append(tournament, "", lambda now: [Left(who) for who in now.vacant()])

    async def _start_or_open_round(self, loaded: LoadedTournament) -> None:
        """Start a tournament or open its next round, unless something else has happened meanwhile."""
        if loaded.state.step == "signup":
            events = starting_events(loaded.state, await self._ratings(loaded))
        else:
            tables, byes = await asyncio.to_thread(next_round, loaded.state, secrets.SystemRandom())
            events = [RoundOpened(tuple(map(tuple, tables)), tuple(byes)) if tables else Ended()]
        length = len(loaded.state.log)
        await self._append(loaded.id, "", lambda now: events if len(now.state.log) == length else [])

    async def _ratings(self, loaded: LoadedTournament) -> dict[str, int]:
        """Return the ratings of the players, and of the bots that may fill tables; none where the lot decides."""
        state, settings = loaded.state, loaded.state.settings
        if settings.seeding == "lot":
            return {}
        players = {
            who: f"bot:{bot}" if (bot := state.players[who].bot) else loaded.people[who] for who in state.entrants
        }
        players |= {f"bot:{settings.bot}": f"bot:{settings.bot}"}
        points = await self._player_ratings.points(settings.game, set(players.values()))
        return {who: points[player] for who, player in players.items()}

    async def _take_result(self, tournament: str, table: Table) -> None:
        """Take the result of a finished table, once; one that the host has entered stands."""
        places = places_of(table)
        await self._append(
            tournament, "", lambda now: [ResultTaken(table.id, places)] if table.id in now.state.awaited() else []
        )
        await save(self._tables.writer, store.TABLES.settle([table.id]))

    async def _open_table(self, loaded: LoadedTournament) -> None:
        """Open the next table of the round; it and its log entry are stored together. Raises Conflict.

        A host who takes part hosts none of the tables, since all their results count against the host's own.
        """
        number, index, _group = next_table(loaded.state)

        def opened(table: str) -> Sequence[Event]:
            return [TableOpened(number, index, table)]

        host = None if loaded.host_plays else loaded.people.get("host")
        name = loaded.state.host if host is not None else None
        await self._open_match(loaded, plan_match(loaded.state, loaded.people), opened, "", host, name)


def newcomer_name(loaded: LoadedTournament, holder: str | None, name: str, *, bot: bool = False) -> str:
    """Return the name of somebody who signs up, None for a bot of the host's. Raises BadRequest or NotPossibleNow."""
    called = (clean_name if bot else player_name)(name) or ""
    if alike(called, loaded.state.host) and not loaded.hosted_by(holder):
        raise NotPossibleNow(_("The name {name} is taken.").format(name=loaded.state.host))
    return called


def require_allowed(loaded: LoadedTournament, event: HostEvent) -> None:
    """Raise NotPossibleNow or BadTable for what the host cannot do, beside what the event itself refuses."""
    if isinstance(event, Joined | Replaced):
        check_bot(event.bot)
    if isinstance(event, Replaced) and loaded.host_plays:
        raise NotPossibleNow(_("You take part, so you cannot let bots play for others."))
    if isinstance(event, Returned) and loaded.who(loaded.people.get(event.player)) is not None:
        raise NotPossibleNow(_("This player has signed up again."))
    if isinstance(event, Returned) and loaded.belongs_to_host(event.player) and loaded.state.draw:
        raise NotPossibleNow(_("You have hosted the tables since you withdrew, so you cannot take part again."))
    if isinstance(event, PlacesEntered):
        rounds = loaded.state.rounds[event.round - 1 : event.round] if event.round > 0 else []
        players = [group.players for group in (rounds[0].groups if rounds else [])][event.group : event.group + 1]
        present = [who for seats in players for who in seats if loaded.state.players[who].out is None]
        if any(loaded.belongs_to_host(who) for seats in players for who in seats) and len(present) > 1:
            message = _(
                "You play at this table, so you cannot decide its result while others who play there take part."
            )
            raise NotPossibleNow(message)


def require_host(loaded: LoadedTournament, holder: str | None) -> None:
    """Raise NotYours for anybody but the host."""
    if not loaded.hosted_by(holder):
        raise NotYours(_("Only the host can do that."))


async def admit(request: Request, tournament_id: str, caller: Caller) -> None:
    """Read a tournament for `tournament_at`. Raises UnknownTournament where it is hidden from the caller."""
    tournaments = tournaments_of(request)
    loaded = request.state.tournament = await tournaments.get(tournament_id)
    await tournaments.require_known(loaded, caller.visitor)


def tournament_at(request: Request) -> LoadedTournament:
    """Return the tournament of a path, as it was when the request came."""
    return request.state.tournament


def tournaments_of(request: Request) -> Tournaments:
    """Return the application's tournaments."""
    return get_service(request, Tournaments)
