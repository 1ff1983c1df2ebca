"""Tournaments on the server: sign-up, rounds that begin by themselves, matches and their results."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from weakref import WeakValueDictionary

from pyramidion.event_log import DATE_RANGE, LATEST, NotPossible, fold
from pyramidion.tournaments.events import (
    HOST,
    Announced,
    Ended,
    Event,
    HostEvent,
    Joined,
    Left,
    ResultTaken,
    RoundOpened,
    TableOpened,
)
from pyramidion.tournaments.pairing import next_round
from pyramidion.tournaments.standings import standings
from pyramidion.tournaments.state import Tournament, TournamentSettings
from pyramidion.translation import _, listed, marked
from pyramidion.web.competitions.competition import Competition
from pyramidion.web.competitions.log_cache import LogCache
from pyramidion.web.competitions.request_keys import RequestKey, id_for
from pyramidion.web.competitions.retries import Retries
from pyramidion.web.contracts import ClubHomes, CompetitionWebhooks, PersonRatings, WaitingRooms
from pyramidion.web.db.bot_owners import owners_of
from pyramidion.web.db.changes import save, together
from pyramidion.web.db.schema import TOURNAMENT_PEOPLE, TOURNAMENTS
from pyramidion.web.db.writer import Change, Conflict
from pyramidion.web.errors import NotPossibleNow, NotYours, Refused
from pyramidion.web.features.tournaments import store
from pyramidion.web.features.tournaments.loaded import LoadedTournament, UnknownTournament
from pyramidion.web.features.tournaments.matches import (
    check_settings,
    next_table,
    places_of,
    plan_match,
    starting_events,
)
from pyramidion.web.features.tournaments.notifications import channel, notices, stuck
from pyramidion.web.features.tournaments.permissions import newcomer_name, require_allowed, require_host, require_room
from pyramidion.web.features.tournaments.texts import STEPS
from pyramidion.web.http.pagination import ListPage
from pyramidion.web.names import player_name, tidy
from pyramidion.web.table.events import EventCard, Notice
from pyramidion.web.table.table import Table
from pyramidion.web.table.tables import Tables
from pyramidion.web.tokens import ID_LENGTH

MOST_BEST = 3
LOOK_SECONDS = 5.0
"""How often a server looks for what is due; of the end of its own tables it learns at once."""
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why a tournament cannot go on: the reason, and the names of the players whose table cannot be opened, if any."""

    names: tuple[str, ...]
    reason: str

    @property
    def listed(self) -> str:
        """The players' names as a list in a sentence."""
        return listed(list(self.names))


class Tournaments(Competition[Tournament, LoadedTournament]):
    """Runs all tournaments: sign-up, rounds that begin by themselves, tables and results."""

    KIND, HEADS, PEOPLE = "tournament", TOURNAMENTS, TOURNAMENT_PEOPLE

    def __init__(
        self,
        tables: Tables,
        rooms: WaitingRooms,
        homes: ClubHomes,
        ratings: PersonRatings,
        webhooks: CompetitionWebhooks,
    ) -> None:
        super().__init__(
            tables, rooms, homes, LogCache(store.LOG, lambda entries: fold(Tournament(), entries)), store.TABLES
        )
        self._player_ratings, self._webhooks = ratings, webhooks
        self._retries = Retries(tables.now)
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def start(self) -> None:
        """Resume what an interrupted server has left, and begin to look for due tournaments from time to time."""
        super().start()
        self._spawn(self._watch_due())

    # Reading

    async def get(self, tournament: str) -> LoadedTournament:
        """Return a tournament. Raises UnknownTournament."""
        return await asyncio.to_thread(self._load, tournament if len(tournament) <= ID_LENGTH else "")

    async def title(self, tournament: str) -> str:
        """Return the title of a tournament. Raises UnknownTournament."""
        return (await self.get(tournament)).state.settings.title

    async def _read(self, competition: str) -> LoadedTournament:
        """Read a tournament. Raises UnknownTournament."""
        return await self.get(competition)

    def _load(self, tournament: str) -> LoadedTournament:
        """Read a tournament from the database; blocks. Raises UnknownTournament."""
        database = self._tables.store
        length, private = store.read_head(database, tournament)
        if not length:
            raise self._unknown_error()
        state = self._logs.read(database, tournament, length)
        people = store.read_people(database, tournament)
        return LoadedTournament(tournament, state, people, private, owners_of(database, set(people.values())))

    def _unknown_error(self) -> Refused:
        """Return the error for a tournament that does not exist, or is hidden."""
        return UnknownTournament(_("There is no such tournament."))

    async def mine(self, holder: str, after: int = 0) -> ListPage[LoadedTournament]:
        """Return a page of the tournaments that a visitor hosts or has signed up for, without hidden ones."""
        ids = await self._page_of(holder, after)
        visible = [loaded for cup in ids.entries if await self.is_known(loaded := await self.get(cup), holder)]
        return ListPage(visible, ids.following)

    async def card(self, tournament: str, holder: str | None) -> EventCard | None:
        """Return the entry for a tournament in its club's list."""
        state = (await self.get(tournament)).state
        best = standings(state)[:MOST_BEST] if state.rounds else []
        lines = [(state.name(line.player), f"{float(line.points):g}") for line in best]
        starts = state.settings.starts if state.step == "signup" else None
        dates = ((starts, marked("The tournament starts."), ""),) if starts is not None else ()
        return EventCard(state.settings.title, STEPS[state.step], state.step == "over", tuple(lines), dates)

    async def welcomes(self, loaded: LoadedTournament, holder: str) -> bool:
        """Return whether the host of a tournament lets a visitor sign up."""
        host = loaded.people.get("host")
        return host is None or await self._tables.events.welcomes(host, holder)

    # Writing

    async def create(
        self,
        settings: TournamentSettings,
        host: str,
        holder: str,
        club: str | None = None,
        key: RequestKey | None = None,
    ) -> LoadedTournament:
        """Announce a tournament whose host is the visitor `holder` under the name `host`; `club` is its home, or None.

        A request that the host repeats with its idempotency `key` returns the same one.

        Raises BadRequest, NotPossibleNow, BadTable, UnknownGame, UnknownClub, NotYours or NotSaved.
        """
        new = id_for(self.KIND, holder, key)
        if (created := await self._created(new, key)) is not None:
            return created
        host = player_name(host) or ""
        settings = tidy(replace(settings, scale="share"))
        check_settings(settings)
        if settings.starts is not None:
            if settings.starts <= self._tables.now():
                raise NotPossibleNow(_("Enter a start date in the future."))
            if settings.starts >= LATEST:
                raise NotPossibleNow(_(DATE_RANGE))
        empty = LoadedTournament(new, Tournament())
        state = self._extended(empty, [Announced(host, asdict(settings))], "host")
        home = (club, settings.title, holder) if club is not None else None
        await self._create(empty, state, home, key, store.insert_people(empty.id, {"host": holder}))
        return await self.get(empty.id)

    async def join(self, tournament: str, holder: str, name: str, *, bot: bool = False) -> LoadedTournament:
        """Sign a visitor up under a name. Only a visitor that is itself a `bot` can have a bot's name.

        Everything about the visitor is checked now, and nothing when tables open. Raises BadRequest for a name,
        NotPossibleNow or NotSaved.
        """
        if not await self.welcomes(await self.get(tournament), holder):
            raise NotPossibleNow(_("The host of this tournament does not let you sign up."))

        def plan_sign_up(loaded: LoadedTournament) -> Sequence[Event]:
            """Return the event that signs the visitor up. Raises NotPossibleNow."""
            if loaded.who(holder) is not None:
                raise NotPossibleNow(_("You have already signed up."))
            require_room(loaded, holder)
            return [Joined(newcomer_name(loaded, holder, name, bot=bot))]

        def insert_people(after: Tournament) -> Change:
            """Return the change that makes the visitor the player who has just joined."""
            return store.insert_people(tournament, {list(after.players)[-1]: holder})

        return await self._append(tournament, "", plan_sign_up, also=insert_people)

    async def leave(self, tournament: str, holder: str) -> LoadedTournament:
        """Withdraw a visitor from a tournament. Raises NotYours, NotPossibleNow or NotSaved."""

        def plan_withdrawal(loaded: LoadedTournament) -> Sequence[Event]:
            """Return the event that withdraws the visitor. Raises NotYours."""
            who = loaded.who(holder)
            if who is None:
                raise NotYours(_("You are not taking part in this tournament."))
            return [Left(who)]

        return await self._append(tournament, "", plan_withdrawal)

    async def do(self, tournament: str, holder: str, event: HostEvent) -> LoadedTournament:
        """Append an event of the host `holder` to a tournament's log. Raises as `leave` does, BadTable, BadRequest."""

        def plan_event(loaded: LoadedTournament) -> Sequence[Event]:
            """Return the host's event, once it is checked, as it goes into the log. Raises NotYours."""
            require_host(loaded, holder)
            require_allowed(loaded, event)
            require_room(loaded)
            if isinstance(event, Joined):
                return [replace(event, name=newcomer_name(loaded, None, event.name))]
            return [event]

        loaded = await self._append(tournament, HOST, plan_event)
        self._spawn(self._catch_up(tournament))
        return loaded

    async def begin(self, tournament: str, holder: str) -> LoadedTournament:
        """Start a tournament with its first round, or its next round, for the host `holder`. Raises like `leave`."""
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

    async def set_webhook(self, tournament: str, holder: str, url: str) -> LoadedTournament:
        """Store the webhook to which rounds and the winner are reported, for the host; an empty URL removes it.

        Raises NotYours, BadRequest with a sentence, or NotSaved.
        """
        loaded = await self.get(tournament)
        require_host(loaded, holder)
        await self._webhooks.keep(channel(tournament), url, "host")
        return loaded

    async def webhook(self, loaded: LoadedTournament) -> str:
        """Return the URL of a tournament's webhook, empty for none. Only the host may see it."""
        return await self._webhooks.of(channel(loaded.id))

    def _derived_changes(self, loaded: LoadedTournament, after: Tournament) -> Change:
        """Return the change that stores when the tournament is due next."""
        return store.set_due(loaded.id, after.due())

    async def _notices(self, loaded: LoadedTournament, after: Tournament) -> Sequence[Notice]:
        """Return the notices about the new events."""
        return notices(loaded.id, loaded.people, loaded.state, after)

    def _takes_part(self, loaded: LoadedTournament, visitor: str) -> bool:
        """Return whether a visitor is, or was, a player or the host."""
        return loaded.hosted_by(visitor) or loaded.who(visitor) is not None

    def _name(self, loaded: LoadedTournament, holder: str) -> str:
        """Return the name of a visitor in the tournament."""
        mine = [who for who, visitor in loaded.people.items() if visitor == holder and who != "host"]
        return loaded.state.name(mine[-1]) if mine else ""

    # What happens by itself

    async def _settle(self, competition: str, table: Table) -> None:
        """Enter the result of a finished table, and do what follows from it."""
        # That the match is over may not be noted in the database yet, where `_do_next` would look for it.
        await self._catch_up(competition, table)

    async def _watch_due(self) -> None:
        """Do whatever is due in any tournament, again and again."""
        while True:
            try:
                for tournament in await asyncio.to_thread(store.due, self._tables.store, self._tables.now()):
                    if not self._retries.waits(tournament):
                        await self._catch_up(tournament)
            except Exception:
                log.exception("What is due in tournaments could not be done")
            await asyncio.sleep(LOOK_SECONDS)

    async def _catch_up(self, tournament: str, *over: Table) -> None:
        """Do all that is due in a tournament: take results, and open rounds and their tables.

        The results of the finished tables `over` are taken first. A failure is noted, and the host is notified.
        """
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
        """Notify the host that a tournament cannot go on, once for each state of the tournament."""
        with suppress(Refused):
            loaded = await self.get(tournament)
            notifying = await self._tables.events.notify(stuck(loaded.id, loaded.people, loaded.state))
            await save(self._tables.writer, together(*notifying))

    async def trouble(self, loaded: LoadedTournament) -> Trouble | None:
        """Return why a tournament cannot go on, for its host, or None if nothing is known to be wrong."""
        if loaded.state.step == "seating":
            _number, _index, group = next_table(loaded.state)
            try:
                await self._check_match(plan_match(loaded.state, loaded.people))
            except Refused as error:
                return Trouble(tuple(map(loaded.state.name, group.players)), error.sentence)
        reason = self._retries.reason(loaded.id)
        return Trouble((), reason) if reason is not None else None

    async def _do_next(self, tournament: str) -> bool:
        """Do the next thing that is due in a tournament; return whether there was anything."""
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
        """Withdraw players whose accounts are gone, and do what follows. Raises UnknownTournament."""
        if (await self.get(competition)).vacant():
            await self._withdraw(competition)
            await self._catch_up(competition)

    async def _withdraw(self, tournament: str) -> None:
        """Withdraw the players of deleted accounts and visitors' second entries."""
        await self._append(tournament, "", lambda now: [Left(who) for who in now.vacant()])

    async def _start_or_open_round(self, loaded: LoadedTournament) -> None:
        """Start a tournament or open its next round, unless its log has grown meanwhile."""
        if loaded.state.step == "signup":
            events = starting_events(loaded.state, await self._ratings(loaded))
        else:
            tables, byes = await asyncio.to_thread(next_round, loaded.state, secrets.SystemRandom())
            events = [RoundOpened(tuple(map(tuple, tables)), tuple(byes)) if tables else Ended()]
        length = len(loaded.state.log)
        await self._append(loaded.id, "", lambda now: events if len(now.state.log) == length else [])

    async def _ratings(self, loaded: LoadedTournament) -> dict[str, int]:
        """Return the ratings of players, by id, and of the bots that fill tables; empty if the draw is by lot."""
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
        """Append the result of a finished table to the log, unless it or one entered by the host is there."""
        places = places_of(table)
        await self._append(
            tournament, "", lambda now: [ResultTaken(table.id, places)] if table.id in now.state.awaited() else []
        )
        await save(self._tables.writer, store.TABLES.settle([table.id]))

    async def _open_table(self, loaded: LoadedTournament) -> None:
        """Open the next table of the round; it and its log entry are stored together. Raises Conflict.

        If the host takes part, the table has no host: every result affects the host's own standing.
        """
        number, index, _group = next_table(loaded.state)

        def opened(table: str) -> Sequence[Event]:
            """Return the event that opens the match at its table."""
            return [TableOpened(number, index, table)]

        host = None if loaded.host_plays else loaded.people.get("host")
        name = loaded.state.host if host is not None else None
        await self._open_match(loaded, plan_match(loaded.state, loaded.people), opened, "", host, name)
