"""Clubs on the server: founding, joining, roles, announcements, and what belongs to a club."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from pyramidion import names
from pyramidion.translation import _, marked
from pyramidion.web.contracts import CompetitionWebhooks
from pyramidion.web.db.changes import retrying, save, together
from pyramidion.web.db.group_webhooks import club_channel, withdraw_of_club
from pyramidion.web.db.writer import Change, Conflict
from pyramidion.web.errors import BadRequest, BadTable, NotPossibleNow, NotSaved, NotYours
from pyramidion.web.features.clubs import store
from pyramidion.web.features.clubs.club import (
    MOST_MEMBERS,
    MOST_TEXT,
    Club,
    ClubSettings,
    Member,
    Post,
    Role,
    UnknownClub,
)
from pyramidion.web.features.clubs.store import ClubTable, ListedClub
from pyramidion.web.http.pagination import ListPage, numbered_page
from pyramidion.web.names import clean_text, player_name
from pyramidion.web.table.events import EventCard, Notice
from pyramidion.web.table.seats.protocols import TableOrRoom
from pyramidion.web.table.settings.declarations import TableSettings
from pyramidion.web.table.tables import Tables
from pyramidion.web.tokens import ID_LENGTH, new_id, same, signature

MEMBERS_ONLY = marked("Only members of the club can take a seat at this table.")
Cards = Callable[[str, str | None], Awaitable[EventCard | None]]


class Clubs:
    """All clubs. `key` signs invitation links; `cards` tell of a club's events as a visitor may know them, by kind."""

    def __init__(self, tables: Tables, webhooks: CompetitionWebhooks, key: str) -> None:
        self._tables, self._webhooks, self._key = tables, webhooks, key
        self.cards: dict[str, Cards] = {}
        tables.events.arriving.append(self._arriving)

    # Reading

    async def get(self, club: str, visitor: str | None, code: str = "") -> Club:
        """Return a club as a visitor meets it; the code of its link opens a private one. Raises UnknownClub."""
        club_id = club if len(club) <= ID_LENGTH else ""
        stored = await asyncio.to_thread(store.read_club, self._tables.store, club_id)
        if stored is not None and visitor is not None:
            stored = replace(stored, me=next((member for member in stored.members if member.holder == visitor), None))
        if stored is None or not (stored.settings.door != "private" or stored.belongs or self.opens(stored, code)):
            raise UnknownClub(_("There is no such club."))
        return stored

    async def listed(self, holder: str | None, after: int = 0) -> ListPage[ListedClub]:
        """Return a page of the clubs that a visitor may see, their own first."""
        return numbered_page(await asyncio.to_thread(store.listed, self._tables.store, holder, after), after)

    async def posts(self, club: Club, after: int = 0) -> ListPage[Post]:
        """Return a page of a club's announcements, the newest first."""
        return numbered_page(await asyncio.to_thread(store.posts_of, self._tables.store, club.id, after), after)

    async def events(self, club: Club, after: int = 0) -> ListPage[tuple[str, str, int, EventCard]]:
        """Return a page of a club's events with kind, id and time, the newest first, as the visitor may know them.

        A page has fewer entries if the visitor may not know of some.
        """
        holder = club.me.holder if club.me is not None else None
        cards: list[tuple[str, str, int, EventCard]] = []
        events = numbered_page(await asyncio.to_thread(store.events_of, self._tables.store, club.id, after), after)
        for kind, event, at in events.entries:
            card = await self.cards[kind](event, holder)
            if card is not None:
                cards.append((kind, event, at, card))
        return ListPage(cards, events.following)

    async def tables(self, club: Club, after: int = 0) -> ListPage[ClubTable]:
        """Return a page of the tables in a club's lobby, unfinished ones first."""
        return numbered_page(await asyncio.to_thread(store.tables_of, self._tables.store, club.id, after), after)

    def code(self, club: Club) -> str:
        """Return the secret of the invitation link."""
        return signature(self._key, "pyramidion.clubs", f"{club.id} {club.turn}")

    def opens(self, club: Club, code: str) -> bool:
        """Return whether `code` is the secret of the club's invitation link."""
        return bool(code) and same(self.code(club), code)

    # Membership

    async def create(self, settings: ClubSettings, name: str, holder: str) -> Club:
        """Found a club with its owner. Raises BadRequest or NotSaved."""
        club, at = new_id(), self._tables.now()
        owner = Member(new_id(), holder, _name(name, ()), "owner", at)
        await save(self._tables.writer, store.founding(club, settings.checked(), owner, at))
        return await self.get(club, holder)

    async def join(self, club_id: str, holder: str, name: str, code: str = "") -> Club:
        """Let a visitor join, or ask to join. Raises UnknownClub, NotYours, NotPossibleNow, BadRequest or NotSaved."""

        async def plan(club: Club) -> Sequence[Change]:
            asked = club.me if club.me is not None and club.me.role == "asked" else None
            if club.belongs:
                raise NotPossibleNow(_("You are already a member of this club."))
            free = self.opens(club, code) or club.settings.door == "open"
            if code and not free:
                raise stale_link()
            if not free and club.settings.door == "link":
                raise NotYours(_("You need an invitation link to join this club."))
            if len(club.members) >= MOST_MEMBERS:
                raise NotPossibleNow(_("A club can have at most {limit} members.").format(limit=MOST_MEMBERS))
            role: Role = "member" if free else "asked"
            if asked is not None and role == "asked":
                raise NotPossibleNow(_("You have already asked to join."))
            taken = [member.name for member in club.members if member is not asked]
            newcomer = Member(new_id(), holder, _name(name, taken), role, self._tables.now())
            text = lambda: _("{club}: {name} asks to join.").format(club=club.settings.name, name=newcomer.name)  # noqa: E731
            officers = [officer for officer in club.members if officer.role in ("owner", "officer")]
            notifying = await self._tell(club, officers, f"ask.{newcomer.id}", text) if role == "asked" else []
            return [store.unchanged(club), store.joining(club.id, newcomer), *notifying]

        return await self._change(club_id, holder, plan, code)

    async def leave(self, club_id: str, holder: str) -> None:
        """Let a member leave, or withdraw a request; with the last member the club is closed. Raises NotPossibleNow."""
        club = await self._asked_or_member(club_id, holder)
        me = club.me
        assert me is not None
        if club.owns and len(club.joined) > 1:
            raise NotPossibleNow(_("Make somebody else the owner before you leave."))
        change = store.dissolving(club.id) if club.owns else store.ranking(club.id, [(me, None)])
        await self._save(together(change, _without_officer(club)) if club.runs else change)

    async def _asked_or_member(self, club_id: str, holder: str) -> Club:
        club = await self.get(club_id, holder)
        if club.me is None:
            raise NotYours(_("You are not a member of this club."))
        return club

    async def rank(self, club_id: str, holder: str, member: str, role: Role | None) -> Club:
        """Give a member a role, accept a request (`role` is "member"), or remove somebody (`role` is None).

        Officers accept requests and remove members; the owner gives roles, and can hand over the club. Somebody who has
        been removed cannot come back by the invitation link, which is renewed, and the webhook of somebody who is no
        officer any more is removed.
        """

        async def plan(club: Club) -> Sequence[Change]:
            club.require(club.runs)
            target = club.member(member)
            if target.role == "owner" or role == "asked":
                raise NotPossibleNow(_("To change the owner, make another member the owner."))
            by_officer = target.role == "asked" or (target.role == "member" and role is None)
            club.require(club.owns or (by_officer and role in ("member", None)))
            changes: list[tuple[Member, Role | None]] = [(target, role)]
            if role == "owner":
                if target.role == "asked":
                    raise NotPossibleNow(_("Accept the request first."))
                assert club.me is not None
                changes.insert(0, (club.me, "officer"))
            welcome = lambda: _("{club}: you are a member now.").format(club=club.settings.name)  # noqa: E731
            accepted = target.role == "asked" and role is not None
            notifying = await self._tell(club, [target], f"in.{target.id}", welcome) if accepted else []
            consequences: list[Change] = []
            if role is None and target.role != "asked":
                consequences.append(store.renewing(club.id))
            if target.role == "officer" and role in ("member", None):
                consequences.append(_without_officer(club))
            return [store.ranking(club.id, changes), *consequences, *notifying]

        return await self._change(club_id, holder, plan)

    # What officers and the owner do

    async def change(self, club_id: str, holder: str, settings: ClubSettings) -> Club:
        """Change the settings, as the owner. Raises NotYours, BadRequest or NotSaved.

        Nobody can ask to join a private club, or look at their request, so open requests end when it becomes private.
        """

        async def plan(club: Club) -> Sequence[Change]:
            club.require(club.owns)
            changes = [store.setting(club.id, settings.checked())]
            if settings.door == "private":
                asking = [member for member in club.members if member.role == "asked"]
                text = lambda: _("{club} is private now. Your request to join has ended.").format(  # noqa: E731
                    club=club.settings.name
                )
                changes += [store.declining(club.id), *await self._tell(club, asking, "private", text, "/clubs")]
            return changes

        return await self._change(club_id, holder, plan)

    async def renew(self, club_id: str, holder: str) -> Club:
        """Make a new invitation link, as an officer; the old one does not work any more. Raises NotYours."""

        async def plan(club: Club) -> Sequence[Change]:
            club.require(club.runs)
            return [store.renewing(club.id)]

        return await self._change(club_id, holder, plan)

    async def post(self, club_id: str, holder: str, text: str) -> Club:
        """Post an announcement, as an officer; all members are notified. Raises NotYours, BadRequest or NotSaved."""

        async def plan(club: Club) -> Sequence[Change]:
            club.require(club.runs)
            assert club.me is not None
            post = Post(club.announced + 1, self._tables.now(), club.me.name, clean_text(text, MOST_TEXT, least=1))
            sentence = lambda: _("{club}: {name} has posted.").format(club=club.settings.name, name=post.by)  # noqa: E731
            others = [member for member in club.joined if member is not club.me]
            notifying = await self._tell(club, others, f"post.{post.at}", sentence, report=True)
            return [store.posting(club.id, post), *notifying]

        return await self._change(club_id, holder, plan)

    async def unpost(self, club_id: str, holder: str, number: int) -> Club:
        """Delete an announcement, as an officer. Raises NotYours or NotSaved."""

        async def plan(club: Club) -> Sequence[Change]:
            club.require(club.runs)
            return [store.unposting(club.id, number)]

        return await self._change(club_id, holder, plan)

    async def webhook(self, club: Club) -> str:
        """Return the URL of a club's webhook, empty for none and for anybody but officers."""
        return await self._webhooks.of(club_channel(club.id)) if club.runs else ""

    async def set_webhook(self, club_id: str, holder: str, url: str) -> None:
        """Store a club's webhook, as an officer; an empty URL removes it. Raises NotYours, BadRequest or NotSaved."""
        club = await self.get(club_id, holder)
        club.require(club.runs)
        assert club.me is not None
        await self._webhooks.keep(club_channel(club_id), url, club.me.id)

    # What belongs to a club

    async def run_by(self, holder: str) -> Sequence[tuple[str, str]]:
        """Return the id and the name of each club in which a visitor can host seasons and tournaments."""
        return await asyncio.to_thread(store.run_by, self._tables.store, holder)

    async def home(self, kind: str, event: str, title: str, club_id: str, holder: str) -> Change:
        """Return what makes a club the home of a new season or tournament. Raises UnknownClub or NotYours."""
        club = await self.get(club_id, holder)
        club.require(club.runs)
        sentence = lambda: _("{club}: {event} is open.").format(club=club.settings.name, event=title)  # noqa: E731
        others = [member for member in club.joined if member is not club.me]
        notifying = await self._tell(club, others, f"new.{event}", sentence, f"/{kind}s/{event}", report=True)
        return together(store.housing(kind, event, club.id, self._tables.now()), *notifying)

    async def home_of(self, kind: str, event: str, holder: str | None) -> tuple[str, str] | None:
        """Return the id and the name of the club of a season or tournament, if a visitor may see it."""
        club_id = await asyncio.to_thread(store.home_of, self._tables.store, kind, event)
        if club_id is None:
            return None
        try:
            club = await self.get(club_id, holder)
        except UnknownClub:
            return None
        return club.id, club.settings.name

    async def require_host(self, club_id: str, holder: str, settings: TableSettings) -> None:
        """Raise UnknownClub or NotYours for anybody but a member, BadTable for a table that the club cannot have."""
        club = await self.get(club_id, holder)
        club.require(club.belongs)
        if club.settings.door == "private" and (settings.rated or settings.listed):
            sentence = _("Everyone sees ratings and the lobby, so a table of a private club cannot be rated or public.")
            raise BadTable(sentence)

    async def admits(self, table: TableOrRoom, visitor: str | None) -> bool:
        """Return whether somebody whom the host has not invited can sit down at a table, perhaps of a club.

        In clubs that are not open to everybody these are the members, except at a table that the host has listed for
        everybody, which no private club has.
        """
        club_door = await asyncio.to_thread(store.door_of_table, self._tables.store, table.id, visitor)
        if club_door is None:
            return True
        door, member = club_door
        return member or door == "open" or (table.settings.listed and door != "private")

    async def _arriving(self, table: TableOrRoom, holder: str | None, invited: bool) -> None:
        if not invited and not await self.admits(table, holder):
            raise NotYours(_(MEMBERS_ONLY))

    async def add_table(self, club_id: str, table: str) -> None:
        """Put a table into the lobby of a club."""
        await self._save(store.tabling(club_id, table))

    # Inside

    async def _change(
        self,
        club_id: str,
        holder: str,
        plan: Callable[[Club], Awaitable[Sequence[Change]]],
        code: str = "",
    ) -> Club:
        async def planned() -> Change | None:
            changes = await plan(await self.get(club_id, holder, code))
            return together(*changes) if changes else None

        await retrying(self._tables.writer, planned)
        return await self.get(club_id, holder, code)

    async def _save(self, change: Change) -> None:
        try:
            await save(self._tables.writer, change)
        except Conflict:
            raise NotSaved(_("Somebody else keeps changing this. Try again.")) from None

    async def _tell(
        self,
        club: Club,
        members: Sequence[Member],
        mark: str,
        text: Callable[[], str],
        link: str | None = None,
        *,
        report: bool = False,
    ) -> list[Change]:
        """Return what notifies members, and with `report` the club's webhook."""
        people = [*(member.holder for member in members), *([club_channel(club.id)] if report else [])]
        address = link or f"/clubs/{club.id}"
        return await self._tables.events.notify(
            [Notice(f"{club.id}.{mark}", who, "line", club.settings.name, text, address) for who in people]
        )


def _without_officer(club: Club) -> Change:
    """Return what follows once an officer has gone."""
    return lambda connection: withdraw_of_club(connection, club.id)


def stale_link() -> NotYours:
    """Return what is raised for an invitation link that has been replaced."""
    return NotYours(_("This invitation link is no longer valid. Ask for a new one."))


def _name(name: str, taken: Sequence[str]) -> str:
    """Return a tidy name that looks like nobody else's. Raises BadRequest."""
    tidy = player_name(name)
    if tidy is None:
        raise BadRequest(_("Enter a name."))
    if names.lookalike(tidy, taken) is not None:
        raise BadRequest(_("The name {name} is taken.").format(name=tidy))
    return tidy
