"""Seasons on the server: appends to their logs, seats their matches and takes the results."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa
from fastapi import Request

from pyramidion import bots, event_log
from pyramidion.event_log import NotPossible
from pyramidion.seasons.conversations import ConversationEvent, Conversations, check_conversation_event, with_log_ids
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
    Nudged,
    StoodIn,
)
from pyramidion.seasons.fold import check, fold
from pyramidion.seasons.redaction import redact, redact_episode, viewer_of, visible_season
from pyramidion.seasons.roles import may, runs
from pyramidion.seasons.season import Season, Step
from pyramidion.translation import _
from pyramidion.web.competitions.competition import Competition
from pyramidion.web.competitions.log_cache import LogCache
from pyramidion.web.competitions.request_keys import RequestKey
from pyramidion.web.contracts import ClubHomes, WaitingRooms
from pyramidion.web.db.bot_owners import owners_of
from pyramidion.web.db.changes import retrying, save, together
from pyramidion.web.db.group_webhooks import withdrawing
from pyramidion.web.db.schema import SEASON_PEOPLE, SEASONS
from pyramidion.web.db.store import Store
from pyramidion.web.db.writer import Change, Conflict
from pyramidion.web.errors import NoSuchToken, NotPossibleNow, NotYours, Refused
from pyramidion.web.features.seasons import matches, store
from pyramidion.web.features.seasons.chat_events import ConversationAnnouncer, affected_readers, takes_part
from pyramidion.web.features.seasons.links import Links
from pyramidion.web.features.seasons.loaded import (
    LoadedSeason,
    SeasonRequester,
    UnknownSeason,
    authors_of,
    season_requester_of,
    who_holds,
)
from pyramidion.web.features.seasons.notifications import conversation_notices, notices, reminders
from pyramidion.web.features.seasons.portraits import Portraits, address
from pyramidion.web.features.seasons.saved_templates import SavedTemplates
from pyramidion.web.features.seasons.store import Person
from pyramidion.web.features.seasons.texts import next_step
from pyramidion.web.features.seasons.webhook_reports import channel
from pyramidion.web.http.dependencies import Caller
from pyramidion.web.http.services import get_service
from pyramidion.web.names import player_name
from pyramidion.web.table.events import EventCard, Notice
from pyramidion.web.table.room import Room
from pyramidion.web.table.table import Table
from pyramidion.web.table.tables import Tables
from pyramidion.web.tokens import ID_LENGTH, new_id

SCOPES = ("events",)
"""What an API token must allow to act in seasons."""
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SeasonOfTable:
    """The season of a table, as a visitor may know it.

    Attributes:
        episode: the number of the table's episode, None if the visitor may not know of it yet.
        pictures: the paths of the pictures of those who sit there, by seat.
        reads_conversations: whether the visitor takes part in the season's conversations, or reads them as a host.
    """

    season: str
    episode: int | None
    pictures: Mapping[int, str]
    reads_conversations: bool


@dataclass(frozen=True, slots=True)
class KeyedRequest:
    """A request with an idempotency key; `authors`: who sends it, and who else the same person is."""

    database: Store
    season: str
    authors: Sequence[str]
    key: RequestKey

    def repeated(self) -> bool:
        """Return whether it has been stored before; blocks. Raises KeyReused."""
        return store.KEYS.used(self.database, self.season, self.authors, self.key)

    def insert(self, connection: sa.Connection) -> None:
        """Store that it has been sent."""
        store.KEYS.insert(self.season, self.authors[0], self.key)(connection)


class Seasons(Competition[Season, LoadedSeason]):
    """All seasons. `key` signs links."""

    KIND, HEADS, PEOPLE = "season", SEASONS, SEASON_PEOPLE

    def __init__(self, tables: Tables, rooms: WaitingRooms, homes: ClubHomes, key: str) -> None:
        super().__init__(tables, rooms, homes, LogCache(store.LOG, fold, check_new), store.TABLES)
        self._conversation_logs = LogCache(
            store.CONVERSATIONS, lambda entries: event_log.fold(Conversations(), entries)
        )
        self.links, self.portraits = Links(key), Portraits(tables.store, tables.writer)
        self.templates = SavedTemplates(tables.store, tables.writer, tables.now)
        self._announcer = ConversationAnnouncer(tables, self.KIND, self._read, self._spawn)

    # Reading

    async def get(self, season_id: str) -> LoadedSeason:
        """Return a season with the results of all tables that are over. Raises UnknownSeason.

        A result that the server on which its table ended could not store, because it was killed, is taken here.
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
        return await asyncio.to_thread(self._load, competition if len(competition) <= ID_LENGTH else "")

    def _load(self, season_id: str) -> LoadedSeason:
        database = self._tables.store
        head = store.read_head(database, season_id)
        if head is None:
            raise self._unknown_error()
        season = self._logs.read(database, season_id, head.entries)
        conversations = self._conversation_logs.read(database, season_id, head.lines)
        return LoadedSeason(season_id, season, head.people, conversations, head.private, head.marks)

    def _unknown_error(self) -> Refused:
        return UnknownSeason(_("There is no such season."))

    def visible_season(self, loaded: LoadedSeason, requester: SeasonRequester, episode: int | None = None) -> Season:
        """Return the season that somebody may know, as `redaction.visible_season` cuts it. Raises UnknownSeason."""
        try:
            return visible_season(loaded.season, viewer_of(loaded.season, requester.who), self._tables.now(), episode)
        except NotPossible as error:
            raise UnknownSeason(str(error)) from None

    def view(self, loaded: LoadedSeason, requester: SeasonRequester) -> dict[str, Any]:
        """Return the season as somebody may know it. Raises UnknownSeason where that is nothing."""
        viewer = viewer_of(loaded.season, requester.who, private=requester.private)
        try:
            view = redact(loaded.season, viewer, self._tables.now(), loaded.conversations)
        except NotPossible as error:
            raise UnknownSeason(str(error)) from None
        return {"id": loaded.id, **view}

    def episode_view(self, loaded: LoadedSeason, requester: SeasonRequester, number: int) -> dict[str, Any]:
        """Return the season at the end of an episode, as somebody may know it. Raises UnknownSeason."""
        viewer = viewer_of(loaded.season, requester.who, private=requester.private)
        try:
            view = redact_episode(loaded.season, viewer, self._tables.now(), loaded.conversations, number)
        except NotPossible as error:
            raise UnknownSeason(str(error)) from None
        return {"id": loaded.id, **view}

    async def mine(self, holder: str) -> list[dict[str, Any]]:
        """Return the seasons that a visitor has a part in."""
        season_ids = await asyncio.to_thread(self._ids_of_visitors, [holder])
        mine = [
            (loaded, season_requester_of(loaded, holder))
            for loaded in [await self._read(season) for season in season_ids]
        ]
        # A host who was removed has a row there, but no part any more.
        return [self.view(loaded, requester) for loaded, requester in mine if requester.who is not None]

    async def card(self, season_id: str, holder: str | None) -> EventCard | None:
        """Return a season for the list of its club, as a visitor may know it, or None where that is nothing."""
        loaded = await self._read(season_id)
        try:
            view = self.view(loaded, season_requester_of(loaded, holder))
        except UnknownSeason:
            return None
        left = [contestant for contestant in view["cast"] if contestant["out"] is None]
        lines = [(contestant["name"], "") for contestant in left if view["winner"] in (None, contestant["id"])]
        return EventCard(view["title"], next_step(view), view["winner"] is not None, tuple(lines))

    async def season_of_table(self, table: Table | Room, holder: str | None) -> SeasonOfTable | None:
        """Return what a visitor may know of the season of a table; None for other tables, and for hidden seasons."""
        season_id: str | None = (
            table.kept.get(self.KIND)
            if isinstance(table, Table)
            else await asyncio.to_thread(store.TABLES.owner_of, self._tables.store, table.id)
        )
        if season_id is None:
            return None
        loaded = await self._read(season_id)
        requester = season_requester_of(loaded, holder)
        viewer = viewer_of(loaded.season, requester.who)
        try:
            await self.require_known(loaded, holder)
            visible = self.visible_season(loaded, requester)
        except UnknownSeason:
            return None
        at = next((episode.tables[table.id] for episode in loaded.season.episodes if table.id in episode.tables), None)
        seats = zip(at.cast, at.players, strict=True) if at is not None else ()
        return SeasonOfTable(
            season_id,
            next((episode.number for episode in visible.episodes if table.id in episode.tables), None),
            {
                seat: address(season_id, who, loaded.marks[who, player])
                for seat, (who, player) in enumerate(seats)
                if (who, player) in loaded.marks and visible.had(who, player)
            },
            takes_part(viewer),
        )

    # Writing

    async def create(
        self, beginning: Sequence[Event], host: str, holder: str | None, club: str | None = None
    ) -> LoadedSeason:
        """Begin a season with its first host and these events, settings first; a club can be its home.

        Raises NotPossibleNow, UnknownClub, NotYours or NotSaved.
        """
        if club is not None and holder is None:
            raise NotYours(_("Only an officer of a club can host in it."))
        empty = LoadedSeason(new_id(), Season())
        first, *others = beginning
        season = self._extended(empty, [first, HostAdded(host), *others], "")
        home = (club, season.settings.title, holder) if club is not None and holder is not None else None
        mine = [store.claim_place(empty.id, Person("h1", None, 0), holder)] if holder is not None else []
        await self._create(empty, season, home, *mine)
        return await self._read(empty.id)

    async def do(
        self,
        season_id: str,
        requester: SeasonRequester,
        events: Sequence[Event],
        reason: str = "",
        key: RequestKey | None = None,
    ) -> LoadedSeason:
        """Append events of a host or contestant, once if the request has a key.

        Raises NotYours, NotPossibleNow, KeyReused, UnknownSeason or NotSaved.
        """
        who = requester.who

        def plan(loaded: LoadedSeason) -> Sequence[Event]:
            if who is None or not all(may(loaded.season, who, event) for event in events):
                raise NotYours(_("You cannot do that in this season."))
            check_bots(events)
            for event in events:
                if isinstance(event, Confessed) and not requester.private:
                    raise NotYours(_("Take your place with the link first."))
                if isinstance(event, EpisodeOpened):
                    matches.check_episode(event, len(loaded.season.remaining))
                if isinstance(event, Nudged):
                    _require_joined(loaded, event.contestant)
            return events

        keyed = await self._keyed(season_id, requester, key)
        repeated = keyed.repeated if keyed is not None else None
        storing = (keyed.insert,) if keyed is not None else ()
        after = await self._append(
            season_id, who or "", plan, reason[:1000], lambda _after: together(*storing), repeated
        )
        if any(isinstance(event, Confessed) for event in events):
            self._announcer.announce(after, after.season.hosts)
        return after

    async def say(
        self, season_id: str, requester: SeasonRequester, event: ConversationEvent, key: RequestKey | None = None
    ) -> LoadedSeason:
        """Do something in the conversations. Raises as `do` does."""
        keyed, after, readers = await self._keyed(season_id, requester, key), Conversations(), set[str]()
        loaded: LoadedSeason | None = None

        async def planned() -> Change | None:
            nonlocal loaded, after, readers
            if keyed is not None and await asyncio.to_thread(keyed.repeated):
                return None
            loaded = await self._read(season_id)
            if requester.who is None or requester.who not in loaded.season.cast or not requester.private:
                raise NotYours(_("Only contestants can write here, once they have taken their place with their link."))
            meant = with_log_ids(loaded.season, loaded.conversations, requester.who, event)
            try:
                check_conversation_event(loaded.season, loaded.conversations, requester.who, meant)
            except NotPossible as error:
                raise NotPossibleNow(str(error)) from None
            after = self._conversation_logs.extended(loaded.conversations, [meant], self._tables.now(), requester.who)
            new = after.log[len(loaded.conversations.log) :]
            notifying = await self._tables.events.notify(conversation_notices(loaded, new[0]))
            readers = affected_readers(loaded.season, after, new[0])
            stored = (keyed.insert,) if keyed is not None else ()
            whispers = self._announcer.notify_servers(season_id, readers)
            return together(store.CONVERSATIONS.insert(season_id, new), whispers, *stored, *notifying)

        if await retrying(self._tables.writer, planned) and loaded is not None:
            self._conversation_logs.keep(season_id, after)
            self._announcer.announce(loaded, readers)
        return await self._read(season_id)

    async def _keyed(self, season_id: str, requester: SeasonRequester, key: RequestKey | None) -> KeyedRequest | None:
        """Return a request with its key and its authors. Raises UnknownSeason."""
        if key is None or requester.who is None:
            return None
        authors = authors_of(await self._read(season_id), requester.who)
        return KeyedRequest(self._tables.store, season_id, authors, key)

    def _derived_changes(self, loaded: LoadedSeason, after: Season) -> Change:
        new = after.log[len(loaded.season.log) :]
        gone = {*store.replaced_people(new), *(loaded.season.hosts.keys() - after.hosts.keys())}
        hooks = [channel(loaded.id), channel(loaded.id, hosts=True)]
        following = together(
            store.derived_rows(loaded.id, loaded.season, after),
            *(withdrawing(hook, who) for hook in hooks for who in sorted(gone & loaded.season.hosts.keys())),
        )
        if any(isinstance(entry.event, Confessed) for entry in new):
            return together(following, self._announcer.notify_servers(loaded.id, after.hosts))
        return following

    def _notices(self, loaded: LoadedSeason, after: Season) -> Sequence[Notice]:
        return notices(loaded, after)

    def _takes_part(self, loaded: LoadedSeason, visitor: str) -> bool:
        return who_holds(loaded, visitor) is not None

    def _name(self, loaded: LoadedSeason, holder: str) -> str:
        return loaded.season.name(who_holds(loaded, holder) or "")

    # The next step

    async def step(
        self, season_id: str, requester: SeasonRequester, step: Step, opening: EpisodeOpened
    ) -> LoadedSeason:
        """Take the step that is next, which the host has seen to be `step`.

        It opens an episode and starts its match, starts the death match, or eliminates its loser and closes the
        episode. Raises as `do` does, and NotPossibleNow if the season has moved on or waits for somebody.
        """
        await self._check_people(season_id)
        loaded, who = await self._read(season_id), requester.who
        if who is None or not runs(loaded.season, who):
            raise NotYours(_("You cannot do that in this season."))
        if loaded.season.step != step:
            raise NotPossibleNow(_("The season has moved on. Reload the page."))
        if step == "open":
            loaded = await self.do(season_id, requester, [opening])
        elif step in ("elimination", "close"):
            loser = loaded.season.opened().loser
            last: list[Event] = [Eliminated(loser)] if step == "elimination" and loser is not None else []
            return await self.do(season_id, requester, [*last, EpisodeClosed()])
        elif step not in ("main", "duel"):
            raise NotPossibleNow(
                _("The next match cannot start yet: the season is waiting for a contestant, or for a result.")
            )
        while loaded.season.step in ("main", "duel"):
            loaded = await self._open_table(loaded, who)
        return loaded

    async def _open_table(self, loaded: LoadedSeason, who: str) -> LoadedSeason:
        """Open the next table of the match that is due, hosted by `who`; it and its log entries are stored together."""
        holders = {person.who: person.holder for person in loaded.people.values()}
        portraits = await self.portraits.of(loaded, loaded.season)
        chosen = {who: portrait.face for who, portrait in portraits.items() if portrait.face is not None}
        planned, events = matches.plan_match(loaded.season, holders, chosen)

        # Of a table whose result counts for somebody, they are not the host.
        holder = holders[who]
        playing = {
            person.holder
            for person in loaded.people.values()
            if person.who in loaded.season.remaining and person.holder
        }
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
        """Take the result of a finished table, once."""

        def plan(loaded: LoadedSeason) -> Sequence[Event]:
            if table.id not in loaded.season.awaited():
                return []
            return [matches.result_of(table, loaded.season.opened().tables[table.id])]

        try:
            await self._append(competition, "", plan)
        except Refused as error:
            log.warning("The result of %s could not be taken: %s", table.id, error)

    async def _check_people(self, competition: str) -> None:
        await self._append(competition, "", lambda loaded: [LinkRenewed(who) for who in loaded.vacant()])

    # Personal links

    async def join(self, season_id: str, code: str, holder: str) -> str:
        """Give a visitor the place of a personal link, which works once; return the id of the place.

        Raises NotYours with a sentence, or UnknownSeason where the season is hidden and the link does not open it.
        """
        loaded = await self._read(season_id)
        who = self.links.who_has(loaded, code)
        if who is None:
            await self.require_known(loaded, holder)
            raise NotYours(_("This link is no longer valid. Ask the host for a new one."))
        person, held = loaded.people[who], who_holds(loaded, holder)
        if held is not None and held != who:
            raise NotYours(_("You are already taking part as {name}.").format(name=loaded.season.name(held)))
        if person.holder not in (None, holder):
            raise NotYours(_("This link has been used in another browser. Ask the host for a new one."))
        if person.holder is None:
            hosts = [loaded.people[host].holder for host in loaded.season.hosts]
            if not all([await self._tables.events.welcomes(host, holder) for host in hosts if host is not None]):
                raise NotYours(_("A host of this season does not let you take part."))
            now = self._tables.now()
            notifying = await self._tables.events.notify(reminders(loaded, who, replace(person, holder=holder), now))
            try:
                await save(self._tables.writer, together(store.claim_place(loaded.id, person, holder), *notifying))
            except Conflict:
                raise NotYours(_("This link has been used in another browser. Ask the host for a new one.")) from None
        return who

    async def renew(self, season_id: str, requester: SeasonRequester, who: str) -> LoadedSeason:
        """Make a new personal link for somebody, who loses access until it is opened. Raises NotYours."""

        def plan(loaded: LoadedSeason) -> Sequence[Event]:
            by = requester.who
            if by is None or not runs(loaded.season, by) or (who in loaded.season.hosts and not _is_host(loaded, by)):
                raise NotYours(_("You cannot do that in this season."))
            if who not in loaded.people or who == by:
                raise NotPossibleNow(_("There is no such person."))
            return [LinkRenewed(who)]

        return await self._append(season_id, requester.who or "", plan)


def check_new(season: Season, events: Sequence[Event]) -> None:
    """Raise NotPossible for new events that cannot be, and BadRequest for a name that is kept for bots and seats."""
    check(season, events)
    for event in events:
        if isinstance(event, (HostAdded, CastAdded, CastChanged, StoodIn)) and event.name not in season.names:
            player_name(event.name)


def check_bots(events: Sequence[Event]) -> None:
    """Raise NotPossibleNow for contestants for whom a bot is to play that does not exist."""
    for event in events:
        if isinstance(event, (CastAdded, CastChanged, StoodIn)) and event.bot not in (None, *bots.names()):
            raise NotPossibleNow(_("There is no such bot."))


def _require_joined(loaded: LoadedSeason, who: str) -> None:
    """Raise NotPossibleNow for a contestant whom nothing reaches."""
    if who in loaded.season.cast and not loaded.joined(who):
        message = _("{name} has not opened the invitation yet. Send it again.")
        raise NotPossibleNow(message.format(name=loaded.season.name(who)))


def _is_host(loaded: LoadedSeason, who: str) -> bool:
    return loaded.season.hosts[who].role == "host"


def seasons_of(request: Request) -> Seasons:
    """Return the application's seasons."""
    return get_service(request, Seasons)


async def admit(request: Request, season_id: str, caller: Caller) -> None:
    """Read a season for `season_at` and `season_requester_at`. Raises UnknownSeason where it is hidden from the caller.

    Personal links and the calendar's address open it. Raises NoSuchToken for a token that is not valid in a season
    that is for everybody to know.
    """
    seasons, path = seasons_of(request), request.path_params
    loaded = request.state.season = await seasons.get(season_id)
    requester = (
        seasons.links.requester(loaded, caller.token)
        if caller.token is not None
        else season_requester_of(loaded, caller.visitor)
    )
    opened = (
        (caller.token is not None and requester is not None)
        or ("code" in path and seasons.links.who_has(loaded, path["code"]) is not None)
        or ("secret" in path and seasons.links.opens_calendar(loaded, path["secret"]))
    )
    if not opened:
        await seasons.require_known(loaded, caller.visitor)
    if requester is None:
        raise NoSuchToken(_("This token is not valid in this season."))
    request.state.requester = requester


def season_at(request: Request) -> LoadedSeason:
    """Return the season of a path, as it was when the request came."""
    return request.state.season


def season_requester_at(request: Request) -> SeasonRequester:
    """Return who asks for the season of a path."""
    return request.state.requester
