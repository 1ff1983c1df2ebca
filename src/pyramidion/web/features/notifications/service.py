"""Notifications: what is sent to whom, when, and when it is no longer needed.

Events at tables are queued for the people who can be notified, and sent a little later if they still apply. Nobody is
notified of something they have seen or need not decide. Texts are made from what spectators may know; only the person
concerned learns whose decision is due.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from fastapi import Request

from pyramidion.web.db.schema import CHAT_LINES, CHAT_SEATS, MATCHES
from pyramidion.web.errors import BadRequest, NotSaved, Refused
from pyramidion.web.features.notifications.contacts import (
    THE_TABLE,
    AtTable,
    Contact,
    Contacts,
    end_of_quiet,
    in_zone,
)
from pyramidion.web.features.notifications.mail import Mailer, MailFailed
from pyramidion.web.features.notifications.notices import Notices
from pyramidion.web.features.notifications.outbox import MINUTE, Conflict, Outbox, QueuedNotification, WriteFailed
from pyramidion.web.features.notifications.push import Push
from pyramidion.web.features.notifications.webhooks import HookFailed, Webhooks, body_of
from pyramidion.web.pages.assets import assets
from pyramidion.web.table.chat_rules import has_seen, keep_marks
from pyramidion.web.table.table import Table
from pyramidion.words import _, listed, speaking

if TYPE_CHECKING:
    from pyramidion.web.db.store import Store
    from pyramidion.web.db.writer import Writer
    from pyramidion.web.settings import Settings
    from pyramidion.web.table.tables import Tables

LOOK_SECONDS = 1.0
SEND_SECONDS = 2.0
SWEEP_ROUNDS = 1800
POLLS = 3 * MINUTE
"""A browser that has polled within this time, in milliseconds, is considered reachable."""
BROWSER_DELAY = 5_000
LOOKING = 45_000
"""How long a player counts as looking at the table after a report, in milliseconds; pages report every 20 s."""
SHORTEST_CLOCK = 5 * 60
"""The shortest time per decision, in seconds, for which reminders are sent."""
LONGEST_LEAD = 12 * 3600
SWITCH = {"push": "browser"}
"""The way whose switch also turns another one on and off: browsers are reached by page or by push."""
JUST_OVER = 60 * MINUTE
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class NotificationText:
    """A notification in words: a subject, one sentence, and the table's address if known."""

    title: str
    text: str
    link: str | None


@dataclass(frozen=True, slots=True)
class _PrivateMessage:
    """A private message: its number, and its readers' seats."""

    number: int
    seats: Sequence[int]


class Notifications:
    """Queues and sends notifications."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        writer: Writer,
        tables: Tables,
        contacts: Contacts,
        mailer: Mailer,
        webhooks: Webhooks,
        push: Push,
    ) -> None:
        self._settings, self._store, self._writer, self._tables = settings, store, writer, tables
        self.contacts, self.mailer, self.webhooks, self.push = contacts, mailer, webhooks, push
        self.outbox = Outbox(store, writer)
        self._delay = round(settings.notice_delay * 1000)
        self.notices = Notices(store, writer, contacts, self._ways_now, tables.now, self._delay)
        self._moved: dict[str, Table] = {}
        self._lines: list[tuple[Table, _PrivateMessage]] = []
        self._news = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._one = asyncio.Lock()
        self._invited: list[tuple[str, str]] = []
        tables.events.moved.append(self.moved)
        tables.events.invited.append(self.invited)
        tables.events.notifying.append(self.notices.prepare)

    def start(self) -> None:
        """Start queueing and sending."""
        self._tasks = [asyncio.create_task(self._looking()), asyncio.create_task(self._sending())]

    async def close(self) -> None:
        """Stop; waiting notifications remain in the database."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def moved(self, table: Table) -> None:
        """Record that a table's position has changed."""
        if table.seating.has_persons:
            self._moved[table.id] = table
            self._news.set()

    def wrote(self, table: Table, number: int, seats: Sequence[int]) -> None:
        """Record a private message to some seats."""
        self._lines.append((table, _PrivateMessage(number, seats)))
        self._news.set()

    def invited(self, match: str, person: str) -> None:
        """Take note of an invitation to a waiting room."""
        self._invited.append((match, person))
        self._news.set()

    async def _looking(self) -> None:
        while True:
            await self._news.wait()
            await asyncio.sleep(LOOK_SECONDS)
            self._news.clear()
            try:
                await self.look()
            except (Refused, WriteFailed) as error:
                log.warning("Notifications could not be queued: %s", error)
            except Exception:
                log.exception("Notifications could not be queued")

    async def _sending(self) -> None:
        rounds = 0
        while True:
            await asyncio.sleep(SEND_SECONDS)
            rounds += 1
            try:
                while await self.send():
                    pass
                if rounds % SWEEP_ROUNDS == 0:
                    await self.outbox.sweep(self._tables.now())
                    await self.notices.sweep()
            except (Refused, Conflict, WriteFailed) as error:
                log.warning("Notifications cannot be sent: %s", error)
            except Exception:
                log.exception("Notifications cannot be sent")

    async def reachable(self, person: str | None) -> bool:
        """Return whether a person has any way of being notified."""
        if person is None:
            return False
        return bool(_ways(await self.contacts.of(person), None, "turn", self._tables.now(), all_kinds=True))

    async def looked(self, table: Table, seat: int) -> None:
        """Record that a seat's player has the table open. Raises NotSaved."""
        at = self._tables.now()
        try:
            await self._writer.write(lambda connection: keep_marks(connection, table.id, seat, looked=at))
        except (Conflict, WriteFailed) as error:
            raise NotSaved(_("This could not be saved.")) from error

    # Queueing

    async def look(self) -> None:
        """Queue the notifications of all tables that have changed. Raises Unreadable or WriteFailed."""
        async with self._one:
            moved, self._moved = self._moved, {}
            lines, self._lines = self._lines, []
            invited, self._invited = self._invited, []
            about = {table.id: table for table, _line in lines} | moved
            if not about and not invited:
                return
            persons = {person for table in about.values() for person in table.seating.persons().values()}
            persons |= {person for _match, person in invited}
            contacts, at, finished = await asyncio.to_thread(self._read, list(about), [*persons, THE_TABLE])
            now = self._tables.now()
            messages: list[QueuedNotification] = []
            for table in moved.values():
                # Loading a game that ended long ago must not notify anybody.
                if table.match.over and now - finished.get(table.id, now) > JUST_OVER:
                    continue
                for seat, person in table.seating.persons().items():
                    # It takes a while to compute what is due, and most people cannot be notified anyway.
                    contact = contacts.get(person)
                    for kind, mark, due in self._of_seat(table, seat) if contact is not None else ():
                        ways = _ways(contact, at.get((table.id, person)), kind, now)
                        messages += [self._message(table.id, person, kind, way, mark, now, due) for way in ways]
                webhook = at.get((table.id, THE_TABLE))
                for kind, mark, due in self._of_table(table) if webhook is not None and webhook.webhook else ():
                    if webhook is not None and f"{kind}.webhook" not in webhook.off:
                        messages.append(self._message(table.id, THE_TABLE, kind, "webhook", mark, now, due))
            for table, line in lines:
                for seat in line.seats:
                    person = table.seating.persons().get(seat)
                    if person is not None:
                        ways = _ways(contacts.get(person), at.get((table.id, person)), "line", now)
                        mark = f"{seat}.{line.number}"
                        messages += [self._message(table.id, person, "line", way, mark, now, None) for way in ways]
            for match, person in invited:
                for way in _ways(contacts.get(person), None, "invited", now):
                    messages.append(self._message(match, person, "invited", way, "invited", now, None))
            for tries in (1, 0):
                try:
                    await self.outbox.queue(messages)
                    return
                except Conflict:
                    # Another server has queued the same at this moment.
                    if not tries:
                        raise WriteFailed("Another server was quicker.") from None

    def _message(
        self, match: str, person: str, kind: str, way: str, mark: str, now: int, due: int | None
    ) -> QueuedNotification:
        soon = now + (min(self._delay, BROWSER_DELAY) if way == "browser" else self._delay)
        return QueuedNotification(match, person, kind, way, mark, now, max(soon, due or 0))

    def _of_seat(self, table: Table, seat: int) -> list[tuple[str, str, int | None]]:
        """Return the notifications for a seat's player, each (kind, mark, earliest time)."""
        if table.match.over:
            return [("over", "over", None)]
        found: list[tuple[str, str, int | None]] = []
        if _begins(table):
            found.append(("started", "started", None))
        if seat in _asked(table):
            found.append(("turn", _step(table), None))
            if (remind := _reminding(table)) is not None:
                found.append(("deadline", _step(table), remind))
        return found

    def _of_table(self, table: Table) -> list[tuple[str, str, int | None]]:
        """Return the notifications for a table's webhook, which contain only what spectators may know."""
        if table.match.over:
            return [("over", "over", None)]
        found: list[tuple[str, str, int | None]] = []
        if _begins(table):
            found.append(("started", "started", None))
        if _people_due(table):
            found.append(("turn", _step(table), None))
            if (remind := _reminding(table)) is not None:
                found.append(("deadline", _step(table), remind))
        return found

    def _read(
        self, matches: Sequence[str], persons: Sequence[str]
    ) -> tuple[dict[str, Contact], dict[tuple[str, str], AtTable], dict[str, int]]:
        contacts, at = self.contacts.find(persons), self.contacts.find_at(matches, persons)
        m = MATCHES.c
        query = sa.select(m.id, m.finished).where(m.id.in_(matches), m.finished.is_not(None))
        with self._store.reading() as connection:
            finished: dict[str, int] = {row.id: row.finished for row in connection.execute(query)}
        return contacts, at, finished

    # Sending

    async def send(self) -> bool:
        """Send what is due; return whether there was anything. Raises Unreadable, Conflict or WriteFailed."""
        now = self._tables.now()
        noticed = await self.notices.take()
        await asyncio.gather(*(self._tell_notice(row) for row in noticed))
        if not await self.outbox.due(now):
            return bool(noticed)
        taken = await self.outbox.take(now)
        await asyncio.gather(*(self._tell(message) for message in taken))
        return bool(taken)

    async def for_browser(self, person: str, language: str) -> list[tuple[QueuedNotification, NotificationText]]:
        """Return the notifications for a person's browser, each only once."""
        now = self._tables.now()
        contact = await self.contacts.of(person)
        if now - contact.polled > MINUTE or contact.language != language:
            contact = await self.contacts.keep(person, polled=now, language=language)
        shown: list[tuple[QueuedNotification, NotificationText]] = []
        for row in await self.notices.waiting(person):
            shown.append((_of_notice(row), NotificationText(row["title"], row["text"], row["link"])))
        for message in await self.outbox.waiting(person, now):
            said = await self._still(message, contact)
            if said is not None:
                shown.append((message, said))
                with suppress(Conflict, WriteFailed):
                    await self.outbox.settle(message, now)
        return shown

    async def _tell(self, message: QueuedNotification) -> None:
        now = self._tables.now()
        try:
            contact = await self._reader(message)
            said = await self._still(message, contact)
            if said is None:
                return
            await self._deliver(message, contact, said)
        except (HookFailed, MailFailed, BadRequest) as error:
            log.info("A message of table %s was not taken (%s): %s", message.match, message.way, error)
            await self.outbox.failed(message, now)
        except Refused as error:
            log.warning("A message of table %s cannot be sent: %s", message.match, error)
            await self.outbox.failed(message, now)
        except Exception:
            log.exception("A message of table %s cannot be sent", message.match)
            await self.outbox.failed(message, now)
        else:
            await self.outbox.settle(message, now)

    async def _tell_notice(self, row: Mapping[str, Any]) -> None:
        contact = await self.contacts.of(row["person"])
        if row["way"] == "push" and (quiet := end_of_quiet(contact, self._tables.now())) is not None:
            await self.notices.later(row, quiet)
            return
        try:
            if row["way"] in self._ways_now(contact, row["kind"]):
                link = self.address(row["link"]) if self._settings.public_url else None
                await self._deliver(_of_notice(row), contact, NotificationText(row["title"], row["text"], link))
        except (HookFailed, MailFailed, BadRequest) as error:
            log.info("A notice was not taken (%s): %s", row["way"], error)
            await self.notices.failed(row)
        except Exception:
            log.exception("A notice cannot be sent")
            await self.notices.failed(row)
        else:
            await self.notices.settle(row)

    def _ways_now(self, contact: Contact | None, kind: str) -> list[str]:
        return _ways(contact, None, kind, self._tables.now())

    async def _deliver(self, message: QueuedNotification, contact: Contact, said: NotificationText) -> None:
        if message.way == "mail" and contact.email and contact.confirmed:
            stop = self.address(f"/alerts/stop?token={self.contacts.stopping(contact.person, contact.email)}")
            with speaking(contact.language):
                mail = self.mailer.compose(contact.email, said.title, f"{said.text}\n\n{said.link}", stop)
            await self.mailer.send(mail)
        elif message.way == "push":
            what = {"id": f"{message.match}.{message.kind}", "link": message.path}
            what["icon"] = f"{assets().base}/icon-192.png"
            await self.push.send(message.person, {"title": said.title, "text": said.text, **what})
        elif message.way == "webhook":
            url = contact.webhook
            if message.person == THE_TABLE:
                url = (await self.contacts.at(message.match, THE_TABLE)).webhook
            if url:
                await self.webhooks.post(url, body_of(said.text, said.link))

    async def _reader(self, message: QueuedNotification) -> Contact:
        """Return a notification's recipient; a table's webhook uses the host's time zone and language."""
        if message.person != THE_TABLE:
            return await self.contacts.of(message.person)
        table = await self._tables.get(message.match)
        host = table.host.holder
        return await self.contacts.of(host) if host is not None else Contact(THE_TABLE)

    async def _still(self, message: QueuedNotification, contact: Contact) -> NotificationText | None:
        """Return the text of a notification if it still applies; otherwise settle or postpone it."""
        now = self._tables.now()
        if message.way == "push" and (quiet := end_of_quiet(contact, now)) is not None:
            await self.outbox.later(message, quiet)
            return None
        if message.kind == "invited":
            return await self._still_invited(message, contact, now)
        table = await self._tables.get(message.match)
        at = await self.contacts.at(table.id, message.person)
        off = at.off if message.person == THE_TABLE else contact.off | at.off
        names = [seat for seat, person in table.seating.persons().items() if person == message.person]
        due = _reminding(table)
        wanted = switch_of(message.kind, message.way) not in off and (bool(names) or message.person == THE_TABLE)
        if wanted and message.kind in ("turn", "deadline"):
            if table.clock.paused:
                await self.outbox.later(message, now + 10 * MINUTE)
                return None
            if message.kind == "deadline" and due is not None and due > now:
                await self.outbox.later(message, due)
                return None
            wanted = message.mark == _step(table) and not table.match.over
            wanted = wanted and (message.kind == "turn" or due is not None)
            asked = _people_due(table) if message.person == THE_TABLE else set(names) & _asked(table)
            wanted = wanted and bool(asked)
        elif message.kind == "started":
            wanted = wanted and not table.match.over
        if wanted and message.person != THE_TABLE:
            wanted = not await asyncio.to_thread(self._knows, message, names, now)
        if not wanted:
            await self.outbox.settle(message, now)
            return None
        with speaking(contact.language):
            return self._said(message, table, contact)

    async def _still_invited(self, message: QueuedNotification, contact: Contact, now: int) -> NotificationText | None:
        """Return an invitation in words while its seat is reserved; otherwise it is settled."""
        found = await asyncio.to_thread(self._store.match, message.match)
        rows = found[1] if found is not None and switch_of("invited", message.way) not in contact.off else []
        if found is None or not any(row.reserved and row.holder == message.person for row in rows):
            await self.outbox.settle(message, now)
            return None
        match = found[0]
        host = next((row.name for row in rows if row.kind == "person" and row.holder == match.host), match.host_name)
        with speaking(contact.language):
            what = {"title": match.title, "name": host or _("Somebody")}
            text = _("{name} invites you to a game: {title}.").format(**what)
            link = self.address(f"/t/{match.id}") if self._settings.public_url else None
            return NotificationText(match.title, text, link)

    def _knows(self, message: QueuedNotification, seats: Sequence[int], now: int) -> bool:
        """Return whether a person has already seen what a notification is about; blocks."""
        s, c = CHAT_SEATS.c, CHAT_LINES.c
        with self._store.reading() as connection:
            mine = sa.select(s.looked).where(s.match == message.match, s.seat.in_(seats))
            looked = max(connection.execute(mine).scalars(), default=0)
            here = now - looked < LOOKING
            # Reminders are also for players who saw the decision long ago.
            if looked >= message.made if message.kind != "deadline" else here:
                return True
            if message.kind != "line":
                return here and message.way in ("browser", "push")
            seat, _dot, number = message.mark.partition(".")
            line = sa.select(c.removed).where(c.match == message.match, c.number == int(number))
            removed = connection.execute(line).scalar_one_or_none()
            return removed is not False or has_seen(connection, message.match, int(seat), int(number))

    def _said(self, message: QueuedNotification, table: Table, contact: Contact) -> NotificationText:
        what = {"title": table.title, "game": table.game.name}
        ends = in_zone(table.clock.state.deadline or 0, contact.zone, contact.language)
        everybody = message.person == THE_TABLE
        names = listed([table.names[seat] for seat in sorted(_people_due(table))])
        match message.kind:
            case "turn" if everybody:
                text = _("{title} ({game}) is waiting for {names}.").format(names=names, **what)
            case "turn":
                text = _("{title} ({game}): it is your turn.").format(**what)
            case "deadline" if everybody:
                text = _("{title} ({game}): time for {names} runs out on {time}.").format(
                    names=names, time=ends, **what
                )
            case "deadline":
                text = _("{title} ({game}): your time runs out on {time}.").format(time=ends, **what)
            case "started":
                text = _("{title} ({game}) has started.").format(**what)
            case "over":
                text = _("{title} ({game}) is over.").format(**what)
            case _kind:
                text = _("{title} ({game}): you have a private message.").format(**what)
        return NotificationText(
            table.title, text, self.address(f"/t/{table.id}") if self._settings.public_url else None
        )

    def address(self, path: str) -> str:
        """Return the full URL of a page of this server."""
        return f"{(self._settings.public_url or '').rstrip('/')}{path}"

    async def ask(self, contact: Contact, email: str) -> None:
        """Send a confirmation e-mail for an address. Raises MailFailed."""
        ours = {"server": self.address("/")}
        link = self.address(f"/alerts/confirm?token={self.contacts.confirming(contact.person, email)}")
        stop = self.address(f"/alerts/stop?token={self.contacts.stopping(contact.person, email)}")
        with speaking(contact.language):
            text = _(
                "Someone asked {server} to send notifications to this address. "
                "If it was you, open this link within two days:"
            ).format(**ours)
            mail = self.mailer.compose(email, _("Is this your address?"), f"{text}\n\n{link}", stop)
        await self.mailer.send(mail)


def _ways(contact: Contact | None, at: AtTable | None, kind: str, now: int, *, all_kinds: bool = False) -> list[str]:
    """Return the ways in which a person can and wants to be notified of something."""
    if contact is None:
        return []
    can: Mapping[str, bool] = {
        "browser": now - contact.polled < POLLS,
        "push": contact.devices > 0,
        "mail": bool(contact.email) and contact.confirmed,
        "webhook": bool(contact.webhook),
    }
    off = contact.off | (at.off if at is not None else frozenset[str]())
    return [way for way, possible in can.items() if possible and (all_kinds or switch_of(kind, way) not in off)]


def switch_of(kind: str, way: str) -> str:
    """Return the name under which people turn off a kind of notification by one way."""
    return f"{kind}.{SWITCH.get(way, way)}"


def _of_notice(row: Mapping[str, Any]) -> QueuedNotification:
    """Return a notice as a message, with its path instead of a table."""
    return QueuedNotification(row["link"], row["person"], row["kind"], row["way"], row["mark"], row["made"], row["due"])


def _step(table: Table) -> str:
    """Return an id of the current step that is the same for everybody and does not reveal who has decided."""
    return f"{table.journal.era}.{table.steps.number}"


def _begins(table: Table) -> bool:
    """Return whether the game is about to start, with more than one person to notify."""
    return table.match.ply == 0 and not table.open_seats and len(set(table.seating.persons().values())) > 1


def _people_due(table: Table) -> set[int]:
    """Return the seats of the people who have a decision to make, as far as spectators know."""
    persons = table.seating.persons()
    return {seat for seat in table.sight.due(None) if seat in persons and table.seating.rows[seat].stand_in is None}


def _asked(table: Table) -> set[int]:
    """Return the seats whose players still have to decide themselves; for the referee only.

    Seats played by a stand-in bot, or by an answer in advance, are left out.
    """
    return {
        seat
        for seat in table.sight.waited_for
        if table.seating.rows[seat].stand_in is None and not table.answered_ahead(seat)
    }


def _reminding(table: Table) -> int | None:
    """Return when to send the reminder of the deadline, or None if there is none or time is too short."""
    deadline, clock = table.clock.state.deadline, table.settings.clock
    if deadline is None or clock is None or clock < SHORTEST_CLOCK or table.match.over or table.clock.releasing:
        return None
    return deadline - min(clock // 4, LONGEST_LEAD) * 1000


__all__ = ["NotificationText", "Notifications"]


def notices_of(request: Request) -> Notifications:
    """Return the application's notifications."""
    return request.app.state.notifications


def contacts_of(request: Request) -> Contacts:
    """Return the application's contacts."""
    return notices_of(request).contacts
