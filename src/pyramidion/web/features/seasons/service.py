"""Seasons on the server: appends to their logs, seats their matches and takes the results."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from pyramidion.event_log import NotPossible
from pyramidion.seasons.cast_file import Planned, read_cast
from pyramidion.seasons.conversations import ConversationEvent
from pyramidion.seasons.events import (
    Eliminated,
    EpisodeClosed,
    EpisodeOpened,
    Event,
    HostAdded,
    LinkRenewed,
)
from pyramidion.seasons.fold import extended, fold
from pyramidion.seasons.season import Season
from pyramidion.translation import _
from pyramidion.web.competitions.competition import Competition
from pyramidion.web.competitions.log_cache import LogCache
from pyramidion.web.competitions.request_keys import KeyedRequest, RequestKey, id_for
from pyramidion.web.contracts import ClubHomes, CompetitionWebhooks, WaitingRooms
from pyramidion.web.db.bot_owners import owners_of
from pyramidion.web.db.changes import save, together
from pyramidion.web.db.group_webhooks import withdrawing
from pyramidion.web.db.schema import SEASON_PEOPLE, SEASONS
from pyramidion.web.db.writer import Change, Conflict
from pyramidion.web.errors import NotPossibleNow, NotYours, Refused
from pyramidion.web.features.seasons import matches, store, view_models
from pyramidion.web.features.seasons.chat_events import listeners
from pyramidion.web.features.seasons.console.sightings import Sightings
from pyramidion.web.features.seasons.conversations import SeasonConversations
from pyramidion.web.features.seasons.followers import Followers, episode_notices, watchable
from pyramidion.web.features.seasons.limits import require_room
from pyramidion.web.features.seasons.links import Links
from pyramidion.web.features.seasons.loaded import (
    LoadedSeason,
    SeasonRequester,
    UnknownSeason,
    authors_of,
    season_requester_of,
    who_holds,
)
from pyramidion.web.features.seasons.match_moments import MatchMoments
from pyramidion.web.features.seasons.notifications import notices, reminders
from pyramidion.web.features.seasons.permissions import (
    bot_labels,
    check_new,
    require_allowed,
    require_renewable,
    require_running,
)
from pyramidion.web.features.seasons.portraits import Portraits
from pyramidion.web.features.seasons.saved_templates import SavedTemplates
from pyramidion.web.features.seasons.season_lists import SeasonLists
from pyramidion.web.features.seasons.stand_in_seats import StandInSeats
from pyramidion.web.features.seasons.store import Person
from pyramidion.web.features.seasons.submissions import Submissions
from pyramidion.web.features.seasons.view_models import SeasonOfTable
from pyramidion.web.features.seasons.webhook_reports import channel
from pyramidion.web.features.seasons.webhooks import SeasonWebhooks
from pyramidion.web.table.bots import USUAL_BOT
from pyramidion.web.table.events import EventCard, Notice
from pyramidion.web.table.room import Room
from pyramidion.web.table.seats.protocols import TableOrRoom
from pyramidion.web.table.table import Table
from pyramidion.web.table.tables import Tables
from pyramidion.web.tokens import ID_LENGTH

log = logging.getLogger(__name__)


class Seasons(Competition[Season, LoadedSeason]):
    """Runs all seasons: reads and extends their logs, opens their tables, takes results and admits people.

    `key` is the server's key that signs personal links.
    """

    KIND, HEADS, PEOPLE = "season", SEASONS, SEASON_PEOPLE

    def __init__(
        self, tables: Tables, rooms: WaitingRooms, homes: ClubHomes, webhooks: CompetitionWebhooks, key: str
    ) -> None:
        super().__init__(tables, rooms, homes, LogCache(store.LOG, fold, check_new), store.TABLES)
        self.links, self.portraits = Links(key), Portraits(tables.store, tables.writer)
        self.sightings, self.seats = Sightings(), StandInSeats(tables)
        self.templates = SavedTemplates(tables.store, tables.writer, tables.now)
        self.webhooks = SeasonWebhooks(webhooks)
        self.moments = MatchMoments(tables)
        self.followers = Followers(tables.store, tables.writer)
        self.lists = SeasonLists(tables, self.followers, self._page_of, self._read, self.is_known)
        self._conversations = SeasonConversations(tables, self.KIND, self._read, self._spawn)
        self.submissions = Submissions(tables, self._conversations.logs, self._read, self._append, self._keyed)

    # Reading

    async def get(self, season_id: str) -> LoadedSeason:
        """Return a season after taking the results of its finished tables. Raises UnknownSeason.

        Such a result is normally taken when the table ends, unless the server that held the table was killed.
        """
        loaded = await self._read(season_id)
        awaited = [self._tables.cached(table_id) for table_id in loaded.season.awaited()]
        if all(table is not None and not table.match.over for table in awaited):
            return loaded
        over = await asyncio.to_thread(store.TABLES.finished_in, self._tables.store, season_id)
        for table_id in over:
            with suppress(Refused):
                await self._settle(season_id, await self._tables.get(table_id))
        return await self._read(season_id) if over else loaded

    async def _read(self, competition: str) -> LoadedSeason:
        """Read a season. Raises UnknownSeason."""
        return await asyncio.to_thread(self._load, competition if len(competition) <= ID_LENGTH else "")

    def _load(self, season_id: str) -> LoadedSeason:
        """Read a season from the database; blocks. Raises UnknownSeason."""
        database = self._tables.store
        head = store.read_head(database, season_id)
        if head is None:
            raise self._unknown_error()
        season = self._logs.read(database, season_id, head.entries)
        conversations = self._conversations.read(season_id, head.lines)
        return LoadedSeason(season_id, season, head.people, conversations, head.private, head.marks)

    def _unknown_error(self) -> Refused:
        """Return the error for a season that does not exist, or is hidden."""
        return UnknownSeason(_("There is no such season."))

    def visible_season(self, loaded: LoadedSeason, requester: SeasonRequester, episode: int | None = None) -> Season:
        """Return a season as the requester may know it, now or at the end of an `episode`. Raises UnknownSeason."""
        return view_models.visible_season(loaded, requester, self._tables.now(), episode)

    def view(self, loaded: LoadedSeason, requester: SeasonRequester, episode: int | None = None) -> dict[str, Any]:
        """Return a season as the requester may know it as JSON-ready data, see `season_view`. Raises UnknownSeason."""
        return view_models.season_view(loaded, requester, self._tables.now(), episode)

    def saw(self, loaded: LoadedSeason, holder: str | None) -> None:
        """Note that a visitor is looking at a season now, if the visitor is a contestant."""
        if holder is not None and who_holds(loaded, holder) in loaded.season.cast:
            self.sightings.note(loaded.id, holder, self._tables.now())

    async def card(self, season_id: str, holder: str | None) -> EventCard | None:
        """Return the entry for a season in its club's list, as a visitor may know it, or None if it is hidden."""
        loaded = await self._read(season_id)
        try:
            return view_models.event_card(self.view(loaded, season_requester_of(loaded, holder)), self._tables.now())
        except UnknownSeason:
            return None

    async def season_of_table(self, table: Table | Room, holder: str | None) -> SeasonOfTable | None:
        """Return what a visitor may know of the season to which a table belongs.

        None if the table belongs to no season, or the season is hidden from the visitor.
        """
        season_id: str | None = (
            table.kept.get(self.KIND)
            if isinstance(table, Table)
            else await asyncio.to_thread(store.TABLES.owner_of, self._tables.store, table.id)
        )
        if season_id is None:
            return None
        loaded = await self._read(season_id)
        try:
            await self.require_known(loaded, holder)
            self.saw(loaded, holder)
            requester = season_requester_of(loaded, holder)
            return view_models.season_of_table(loaded, table.id, requester, self._tables.now())
        except UnknownSeason:
            return None

    async def title(self, season_id: str, visitor: str) -> str:
        """Return the title of a season as a visitor is shown it. Raises UnknownSeason."""
        loaded = await self._read(season_id)
        return self.visible_season(loaded, season_requester_of(loaded, visitor)).settings.title

    async def pictures(self, season_id: str, visitor: str) -> dict[str, str]:
        """Return the paths of the uploaded portraits that a visitor is shown, by person. Raises UnknownSeason."""
        loaded = await self._read(season_id)
        return await self.portraits.paths(loaded, self.visible_season(loaded, season_requester_of(loaded, visitor)))

    # Writing

    async def create(
        self,
        beginning: Sequence[Event],
        host: str,
        holder: str | None,
        club: str | None = None,
        key: RequestKey | None = None,
    ) -> LoadedSeason:
        """Begin a season with its first host and the events `beginning`, the settings first.

        `holder` is the visitor who is the host, None for a program. `club` is the id of the season's home, or None. A
        request that the host repeats with its idempotency `key` returns the same season.
        Raises NotPossibleNow, UnknownClub, NotYours or NotSaved.
        """
        if club is not None and holder is None:
            raise NotYours(_("Only an officer of a club can host in it."))
        new = id_for(self.KIND, holder, key)
        if (created := await self._created(new, key)) is not None:
            return created
        empty = LoadedSeason(new, Season())
        first, *others = beginning
        season = self._extended(empty, [first, HostAdded(host), *others], "")
        home = (club, season.settings.title, holder) if club is not None and holder is not None else None
        mine = [store.claim_place(empty.id, Person("h1", None, 0), holder)] if holder is not None else []
        await self._create(empty, season, home, key, *mine)
        return await self._read(empty.id)

    async def do(
        self,
        season_id: str,
        requester: SeasonRequester,
        events: Sequence[Event],
        reason: str = "",
        key: RequestKey | None = None,
        episode: int | None = None,
    ) -> LoadedSeason:
        """Append events to a season's log for a host or contestant; a keyed request that is repeated does nothing.

        With `episode`, only while the latest episode has this number.

        Raises NotYours, NotPossibleNow, KeyReused, UnknownSeason or NotSaved.
        """

        def plan_events(loaded: LoadedSeason) -> Sequence[Event]:
            """Return the events, if the requester may append them now. Raises NotYours or NotPossibleNow."""
            require_allowed(loaded, requester, events)
            require_room(loaded, requester.who or "")
            if episode not in (None, len(loaded.season.episodes)):
                raise NotPossibleNow(_("The season has moved on. Reload the page."))
            return [matches.with_deadline(loaded.season, event, self._tables.now()) for event in events]

        keyed = await self._keyed(season_id, requester, key)
        repeated = keyed.repeated if keyed is not None else None
        storing = (keyed.insert,) if keyed is not None else ()
        after = await self._append(
            season_id, requester.who or "", plan_events, reason[:1000], lambda _after: together(*storing), repeated
        )
        if heard := listeners(after.season, events):
            self._conversations.announce(after, heard)
        return after

    async def say(
        self, season_id: str, requester: SeasonRequester, event: ConversationEvent, key: RequestKey | None = None
    ) -> LoadedSeason:
        """Append a contestant's message or change of an alliance to the conversations. Raises as `do` does."""
        keyed = await self._keyed(season_id, requester, key)
        await self._conversations.say(season_id, requester, event, keyed)
        return await self._read(season_id)

    async def paste_cast(
        self, loaded: LoadedSeason, requester: SeasonRequester, text: str, reason: str, *, apply: bool
    ) -> Sequence[Planned]:
        """Return the changes that a pasted cast asks for, and make them if `apply` is true.

        Raises NotYours or NotPossibleNow, also where the changes are not made.
        """
        who = require_running(loaded, requester)
        try:
            events, plan = read_cast(loaded.season, text, bot_labels(), USUAL_BOT)
            # A preview refuses what could not be done.
            extended(loaded.season, events, 0, who, reason)
        except NotPossible as error:
            raise NotPossibleNow(str(error)) from None
        if apply and events:
            await self.do(loaded.id, requester, events, reason)
        return plan

    async def _keyed(self, season_id: str, requester: SeasonRequester, key: RequestKey | None) -> KeyedRequest | None:
        """Return a requester's idempotency key with its possible authors, or None without one. Raises UnknownSeason."""
        if key is None or requester.who is None:
            return None
        authors = authors_of(await self._read(season_id), requester.who)
        return KeyedRequest(store.KEYS, self._tables.store, season_id, authors, key)

    def _derived_changes(self, loaded: LoadedSeason, after: Season) -> Change:
        """Return the changes of rows that follow from the new events."""
        new = after.log[len(loaded.season.log) :]
        gone = {*store.replaced_people(new), *(loaded.season.hosts.keys() - after.hosts.keys())}
        hooks = [channel(loaded.id), channel(loaded.id, hosts=True)]
        following = together(
            store.derived_rows(loaded.id, loaded.season, after),
            *(withdrawing(hook, who) for hook in hooks for who in sorted(gone & loaded.season.hosts.keys())),
        )
        if heard := listeners(after, [entry.event for entry in new]):
            return together(following, self._conversations.notify_servers(loaded.id, heard))
        return following

    async def _notices(self, loaded: LoadedSeason, after: Season) -> Sequence[Notice]:
        """Return the notices about the new events, also for followers of the season."""
        news = notices(loaded, after)
        if watchable(loaded.season) == watchable(after):
            return news
        followers = await self.followers.of(loaded.id)
        if loaded.private:
            followers = [who for who in followers if await self.is_known(loaded, who)]
        elif not await self.is_known(loaded, None):
            return news
        return [*news, *episode_notices(loaded.id, loaded.season, after, followers)]

    def _takes_part(self, loaded: LoadedSeason, visitor: str) -> bool:
        """Return whether a visitor is a contestant or host."""
        return who_holds(loaded, visitor) is not None

    def _name(self, loaded: LoadedSeason, holder: str) -> str:
        """Return the name of a visitor in the season."""
        return loaded.season.name(who_holds(loaded, holder) or "")

    async def _player_name(self, competition: str, table: TableOrRoom, seat: int) -> str:
        """Return the name that the season gives to a seat of one of its tables."""
        return (await self._read(competition)).season.seat_name(table.id, seat)

    # The next step

    async def step(
        self, season_id: str, requester: SeasonRequester, step: str, opening: EpisodeOpened, *, bots: bool = False
    ) -> LoadedSeason:
        """Take the season's next step, unless it is no longer the `step` that the host saw.

        With `bots`, bots play for contestants who have not opened their invitations. Without, a match does not start
        until all have, nor does an episode that begins with it.

        It opens an episode (`opening`) and starts its match, starts the death match, or eliminates its loser and closes
        the episode. Raises as `do` does, and NotPossibleNow if the season has moved on or waits for somebody.
        """
        await self._check_people(season_id)
        loaded = await self._read(season_id)
        who = require_running(loaded, requester)
        if loaded.season.step != step:
            raise NotPossibleNow(_("The season has moved on. Reload the page."))
        if step == "open":
            events = [opening, *matches.own_opening(loaded.season, opening, self._tables.now())]
            if not bots:  # an episode whose match cannot start does not begin either
                require_allowed(loaded, requester, events)
                matches.require_joined(self._extended(loaded, events, who), loaded.holders)
            loaded = await self.do(season_id, requester, events)
        elif step in ("elimination", "close"):
            season = loaded.season
            last = [Eliminated(who) for who in season.opened().leaving if season.cast[who].out is None]
            return await self.do(season_id, requester, [*last, EpisodeClosed()])
        elif step not in ("main", "duel"):
            raise NotPossibleNow(
                _("The next match cannot start yet: the season is waiting for a contestant, or for a result.")
            )
        while loaded.season.step in ("main", "duel"):
            loaded = await self._open_table(loaded, who, bots=bots)
        return loaded

    async def _open_table(self, loaded: LoadedSeason, who: str, *, bots: bool) -> LoadedSeason:
        """Open the next table of the match that is due, in the name of the host `who` of the season.

        The table and its log entries are stored together.
        """
        holders = loaded.holders
        portraits = await self.portraits.of(loaded, loaded.season)
        chosen = {who: portrait.face for who, portrait in portraits.items() if portrait.face is not None}
        planned, events = matches.plan_match(loaded.season, holders, chosen, bots=bots)

        # Of a table whose result counts for somebody, they are not the host.
        holder = holders[who]
        playing = {player for who in loaded.season.remaining if (player := holders[who])}
        owners = await asyncio.to_thread(owners_of, self._tables.store, playing)
        plays = holder is not None and (holder in playing or holder in owners.values())
        host, name = (None, None) if plays else (holder, loaded.season.name(who))
        try:
            await self._open_match(loaded, planned, events, who, host, name)
        except Conflict:
            raise NotPossibleNow(_("The season has moved on. Reload the page.")) from None
        return await self._read(loaded.id)

    # Results

    async def _settle(self, competition: str, table: Table) -> None:
        """Append the result of a finished table to the season's log, unless it is there already."""

        def plan_result(loaded: LoadedSeason) -> Sequence[Event]:
            """Return the event with the table's result, or none if it is no longer awaited."""
            if table.id not in loaded.season.awaited():
                return []
            return [matches.result_of(table, loaded.season.opened())]

        try:
            await self._append(competition, "", plan_result)
        except Refused as error:
            log.warning("The result of %s could not be taken: %s", table.id, error)

    async def _check_people(self, competition: str) -> None:
        """Replace the personal links of people whose accounts are gone. Raises UnknownSeason."""
        await self._append(competition, "", lambda loaded: [LinkRenewed(who) for who in loaded.vacant()])

    # Personal links

    async def join(self, season_id: str, code: str, holder: str) -> str:
        """Give a visitor the place to which a personal link leads; return the id of the host or contestant.

        A link works once. Raises NotYours with a sentence, or UnknownSeason if the season is hidden and the link does
        not open it.
        """
        loaded = await self._read(season_id)
        who, recovering = self.links.opens(loaded, code), self.links.recovers(loaded, code) is not None
        if who is None:
            await self.require_known(loaded, holder)
            raise NotYours(_("This link is no longer valid. Ask the host for a new one."))
        person, held = loaded.people[who], who_holds(loaded, holder)
        if held is not None and held != who:
            raise NotYours(_("You are already taking part as {name}.").format(name=loaded.season.name(held)))
        if person.holder not in (None, holder) and not recovering:
            raise NotYours(_("This link has been used in another browser. Ask the host for a new one."))
        if person.holder is None or (recovering and person.holder != holder):
            hosts = [loaded.people[host].holder for host in loaded.season.hosts]
            if not all([await self._tables.events.welcomes(host, holder) for host in hosts if host is not None]):
                raise NotYours(_("A host of this season does not let you take part."))
            now = self._tables.now()
            notifying = await self._tables.events.notify(reminders(loaded, who, replace(person, holder=holder), now))
            try:
                claiming = store.claim_place(loaded.id, person, holder, recovering=recovering)
                await save(self._tables.writer, together(claiming, *notifying))
            except Conflict:
                raise NotYours(_("This link has been used in another browser. Ask the host for a new one.")) from None
            with suppress(Refused):  # the table's host can give the seat later
                await self.seats.take(await self._read(season_id), who)
        return who

    async def renew(self, season_id: str, requester: SeasonRequester, who: str) -> LoadedSeason:
        """Replace a person's personal link; the person has no access until the new one is opened. Raises NotYours."""

        def plan_new_link(loaded: LoadedSeason) -> Sequence[Event]:
            """Return the event that replaces the personal link. Raises NotYours."""
            require_renewable(loaded, requester, who)
            require_room(loaded, requester.who or "")
            return [LinkRenewed(who)]

        return await self._append(season_id, requester.who or "", plan_new_link)
