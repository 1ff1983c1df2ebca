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
    """Founds and shows clubs, and does in them what visitors, members and officers request.

    `key` signs the invitation links. `cards` has, by kind of event, a function that describes a season or tournament as
    a visitor may know it.
    """

    def __init__(self, tables: Tables, webhooks: CompetitionWebhooks, key: str) -> None:
        self._tables, self._webhooks, self._key = tables, webhooks, key
        self.cards: dict[str, Cards] = {}
        tables.events.arriving.append(self._arriving)

    # Reading

    async def get(self, club: str, visitor: str | None, code: str = "") -> Club:
        """Return a club as a visitor sees it. Raises UnknownClub if it does not exist, or is hidden from the visitor.

        `code` is the secret of the club's invitation link, which opens a private club.
        """
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

    def now(self) -> int:
        """Return the time in milliseconds since 1970."""
        return self._tables.now()

    async def events(self, club: Club, after: int = 0) -> ListPage[tuple[str, str, int, EventCard]]:
        """Return a page of a club's seasons and tournaments, the newest first, as (kind, id, time, description).

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
        """Return a page of the tables in a club's lobby, with the unfinished ones first."""
        return numbered_page(await asyncio.to_thread(store.tables_of, self._tables.store, club.id, after), after)

    def code(self, club: Club) -> str:
        """Return the secret code in the club's current invitation link."""
        return signature(self._key, "pyramidion.clubs", f"{club.id} {club.turn}")

    def opens(self, club: Club, code: str) -> bool:
        """Return whether `code` is the secret of the club's invitation link."""
        return bool(code) and same(self.code(club), code)

    # Membership

    async def create(self, settings: ClubSettings, name: str, holder: str) -> Club:
        """Found a club with the visitor as its owner, called `name`, and return it. Raises BadRequest or NotSaved."""
        club, at = new_id(), self._tables.now()
        owner = Member(new_id(), holder, _name(name, ()), "owner", at)
        await save(self._tables.writer, store.founding(club, settings.checked(), owner, at))
        return await self.get(club, holder)

    async def join(self, club_id: str, holder: str, name: str, code: str = "") -> Club:
        """Let a visitor join a club, or ask to join, under a name; return the club as the visitor then sees it.

        Raises UnknownClub, NotYours, NotPossibleNow, BadRequest or NotSaved.
        """

        async def plan_joining(club: Club) -> Sequence[Change]:
            """Return the changes by which the visitor joins, or asks to. Raises NotPossibleNow."""
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
            notifying = await self._notifying(club, officers, f"ask.{newcomer.id}", text) if role == "asked" else []
            return [store.unchanged(club), store.joining(club.id, newcomer), *notifying]

        return await self._change(club_id, holder, plan_joining, code)

    async def leave(self, club_id: str, holder: str) -> None:
        """Let a member leave, or withdraw a request to join; without members the club is deleted.

        Raises NotYours, or NotPossibleNow for an owner who is not the last member.
        """
        club = await self._asked_or_member(club_id, holder)
        me = club.me
        assert me is not None
        if club.owns and len(club.joined) > 1:
            raise NotPossibleNow(_("Make somebody else the owner before you leave."))
        change = store.dissolving(club.id) if club.owns else store.ranking(club.id, [(me, None)])
        await self._save(together(change, _without_officer(club)) if club.runs else change)

    async def _asked_or_member(self, club_id: str, holder: str) -> Club:
        """Return the club for somebody who is a member or has asked to join. Raises NotYours for anybody else."""
        club = await self.get(club_id, holder)
        if club.me is None:
            raise NotYours(_("You are not a member of this club."))
        return club

    async def rank(self, club_id: str, holder: str, member: str, role: Role | None) -> Club:
        """Give a member another role, accept a request to join (`role` "member"), or remove somebody (`role` None).

        Officers accept requests and remove members; the owner gives roles, and can hand over the club. Somebody who has
        been removed cannot come back by the invitation link, which is renewed, and the webhook of somebody who is no
        officer any more is removed.
        """

        async def plan_roles(club: Club) -> Sequence[Change]:
            """Return the changes that give the member the role. Raises NotYours or NotPossibleNow."""
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
            notifying = await self._notifying(club, [target], f"in.{target.id}", welcome) if accepted else []
            consequences: list[Change] = []
            if role is None and target.role != "asked":
                consequences.append(store.renewing(club.id))
            if target.role == "officer" and role in ("member", None):
                consequences.append(_without_officer(club))
            return [store.ranking(club.id, changes), *consequences, *notifying]

        return await self._change(club_id, holder, plan_roles)

    # What officers and the owner do

    async def change(self, club_id: str, holder: str, settings: ClubSettings) -> Club:
        """Change the club's settings, as the owner. Raises NotYours, BadRequest or NotSaved.

        Nobody can ask to join a private club, or look at their request, so open requests end when it becomes private.
        """

        async def plan_settings(club: Club) -> Sequence[Change]:
            """Return the changes that store the settings and end open requests where a club becomes private."""
            club.require(club.owns)
            changes = [store.setting(club.id, settings.checked())]
            if settings.door == "private":
                asking = [member for member in club.members if member.role == "asked"]
                text = lambda: _("{club} is private now. Your request to join has ended.").format(  # noqa: E731
                    club=club.settings.name
                )
                changes += [store.declining(club.id), *await self._notifying(club, asking, "private", text, "/clubs")]
            return changes

        return await self._change(club_id, holder, plan_settings)

    async def renew(self, club_id: str, holder: str) -> Club:
        """Replace the invitation link, as an officer, so that the old one does not work any more. Raises NotYours."""

        async def plan_new_link(club: Club) -> Sequence[Change]:
            """Return the change that replaces the invitation link. Raises NotYours."""
            club.require(club.runs)
            return [store.renewing(club.id)]

        return await self._change(club_id, holder, plan_new_link)

    async def post(self, club_id: str, holder: str, text: str) -> Club:
        """Publish an announcement, as an officer, and notify all members. Raises NotYours, BadRequest or NotSaved."""

        async def plan_post(club: Club) -> Sequence[Change]:
            """Return the changes that publish the announcement and notify the others. Raises NotYours."""
            club.require(club.runs)
            assert club.me is not None
            post = Post(club.announced + 1, self._tables.now(), club.me.name, clean_text(text, MOST_TEXT, least=1))
            sentence = lambda: _("{club}: {name} has posted.").format(club=club.settings.name, name=post.by)  # noqa: E731
            others = [member for member in club.joined if member is not club.me]
            notifying = await self._notifying(club, others, f"post.{post.at}", sentence, report=True)
            return [store.posting(club.id, post), *notifying]

        return await self._change(club_id, holder, plan_post)

    async def unpost(self, club_id: str, holder: str, number: int) -> Club:
        """Delete the announcement with a number, as an officer. Raises NotYours or NotSaved."""

        async def plan_deletion(club: Club) -> Sequence[Change]:
            """Return the change that deletes the announcement. Raises NotYours."""
            club.require(club.runs)
            return [store.unposting(club.id, number)] if 1 <= number <= club.announced else []

        return await self._change(club_id, holder, plan_deletion)

    async def webhook(self, club: Club) -> str:
        """Return the URL of a club's webhook to an officer; empty if there is none, and for anybody else."""
        return await self._webhooks.of(club_channel(club.id)) if club.runs else ""

    async def set_webhook(self, club_id: str, holder: str, url: str) -> None:
        """Store the URL of a club's webhook, as an officer; an empty one removes it.

        Raises NotYours, BadRequest or NotSaved.
        """
        club = await self.get(club_id, holder)
        club.require(club.runs)
        assert club.me is not None
        await self._webhooks.keep(club_channel(club_id), url, club.me.id)

    # What belongs to a club

    async def run_by(self, holder: str) -> Sequence[tuple[str, str]]:
        """Return the id and the name of each club in which a visitor can host seasons and tournaments."""
        return await asyncio.to_thread(store.run_by, self._tables.store, holder)

    async def home(self, kind: str, event: str, title: str, club_id: str, holder: str) -> Change:
        """Return the change that makes a season or tournament belong to a club, and notifies the club's members.

        Raises UnknownClub, or NotYours if `holder` is no officer of the club.
        """
        club = await self.get(club_id, holder)
        club.require(club.runs)
        sentence = lambda: _("{club}: {event} is open.").format(club=club.settings.name, event=title)  # noqa: E731
        others = [member for member in club.joined if member is not club.me]
        notifying = await self._notifying(club, others, f"new.{event}", sentence, f"/{kind}s/{event}", report=True)
        return together(store.housing(kind, event, club.id, self._tables.now()), *notifying)

    async def home_of(self, kind: str, event: str, holder: str | None) -> tuple[str, str] | None:
        """Return the id and name of the club that a season or tournament belongs to, if a visitor may see that club."""
        club_id = await asyncio.to_thread(store.home_of, self._tables.store, kind, event)
        if club_id is None:
            return None
        try:
            club = await self.get(club_id, holder)
        except UnknownClub:
            return None
        return club.id, club.settings.name

    async def require_host(self, club_id: str, holder: str, settings: TableSettings) -> None:
        """Check that a visitor may open a table with these settings in a club's lobby.

        Raises UnknownClub or NotYours for anybody but a member, and BadTable for a table that the club cannot have.
        """
        club = await self.get(club_id, holder)
        club.require(club.belongs)
        if club.settings.door == "private" and (settings.rated or settings.listed):
            sentence = _("Everyone sees ratings and the lobby, so a table of a private club cannot be rated or public.")
            raise BadTable(sentence)

    async def admits(self, table: TableOrRoom, visitor: str | None) -> bool:
        """Return whether a visitor whom the host has not invited may sit down at a table, which may be a club's.

        In clubs that are not open to everybody these are the members, except at a table that the host has listed for
        everybody, which no private club has.
        """
        club_door = await asyncio.to_thread(store.door_of_table, self._tables.store, table.id, visitor)
        if club_door is None:
            return True
        door, member = club_door
        return member or door == "open" or (table.settings.listed and door != "private")

    async def _arriving(self, table: TableOrRoom, holder: str | None, invited: bool) -> None:
        """Raise NotYours if a visitor who is about to sit down is neither invited nor admitted by the table's club."""
        if not invited and not await self.admits(table, holder):
            raise NotYours(_(MEMBERS_ONLY))

    async def add_table(self, club_id: str, table: str) -> None:
        """Put a table into a club's lobby."""
        await self._save(store.tabling(club_id, table))

    # Inside

    async def _change(
        self,
        club_id: str,
        holder: str,
        plan: Callable[[Club], Awaitable[Sequence[Change]]],
        code: str = "",
    ) -> Club:
        """Make the changes that `plan` returns for a club; plan again if somebody else changes it. Return the club."""

        async def planned() -> Change | None:
            """Return the planned changes of the club as it is now as one, or None if nothing changes."""
            changes = await plan(await self.get(club_id, holder, code))
            return together(*changes) if changes else None

        await retrying(self._tables.writer, planned)
        return await self.get(club_id, holder, code)

    async def _save(self, change: Change) -> None:
        """Write a change to the database. Raises NotSaved."""
        try:
            await save(self._tables.writer, change)
        except Conflict:
            raise NotSaved(_("Somebody else keeps changing this. Try again.")) from None

    async def _notifying(
        self,
        club: Club,
        members: Sequence[Member],
        mark: str,
        text: Callable[[], str],
        link: str | None = None,
        *,
        report: bool = False,
    ) -> list[Change]:
        """Return the changes that notify members, and with `report` also the club's webhook.

        `mark` identifies the notification in the club, and `text` gives its sentence in a reader's language.
        """
        people = [*(member.holder for member in members), *([club_channel(club.id)] if report else [])]
        address = link or f"/clubs/{club.id}"
        return await self._tables.events.notify(
            [Notice(f"{club.id}.{mark}", who, "line", club.settings.name, text, address) for who in people]
        )


def _without_officer(club: Club) -> Change:
    """Return the change that removes a club's webhook if the officer who set it has gone."""
    return lambda connection: withdraw_of_club(connection, club.id)


def stale_link() -> NotYours:
    """Return the error for an invitation link that has been replaced by a newer one."""
    return NotYours(_("This invitation link is no longer valid. Ask for a new one."))


def _name(name: str, taken: Sequence[str]) -> str:
    """Check and tidy a member's name, which must not look like a `taken` one; return it. Raises BadRequest."""
    tidy = player_name(name)
    if tidy is None:
        raise BadRequest(_("Enter a name."))
    if names.lookalike(tidy, taken) is not None:
        raise BadRequest(_("The name {name} is taken.").format(name=tidy))
    return tidy
