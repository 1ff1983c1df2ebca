"""Notifications: what is sent to whom, when, and when it is no longer needed.

Events at tables are queued for the people who can be notified, and sent a little later if they still apply. Nobody is
notified of something they have seen or need not decide. Texts are made from what spectators may know; only the person
concerned learns whose decision is due.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import sqlalchemy as sa

from pyramidion.translation import _
from pyramidion.web.db.schema import MATCHES
from pyramidion.web.errors import NotSaved, Refused
from pyramidion.web.features.notifications.contacts import (
    THE_TABLE,
    Contact,
    Contacts,
    TableContact,
)
from pyramidion.web.features.notifications.delivery import ways_to
from pyramidion.web.features.notifications.messages import Messages
from pyramidion.web.features.notifications.outbox import MINUTE, Conflict, Outbox, QueuedNotification, WriteFailed
from pyramidion.web.features.notifications.sender import Sender, Transports
from pyramidion.web.features.notifications.transports.mail import Mailer
from pyramidion.web.features.notifications.transports.push import Push
from pyramidion.web.features.notifications.transports.webhooks import Webhooks
from pyramidion.web.features.notifications.triggers import for_seat, for_webhook, step_of
from pyramidion.web.table.seats.chat_rules import keep_marks
from pyramidion.web.table.table import Table

if TYPE_CHECKING:
    from pyramidion.web.db.store import Store
    from pyramidion.web.db.writer import Writer
    from pyramidion.web.settings import Settings
    from pyramidion.web.table.tables import Tables

LOOK_SECONDS = 1.0
SEND_SECONDS = 2.0
SWEEP_ROUNDS = 1800
BROWSER_DELAY = 5_000
JUST_OVER = 60 * MINUTE
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _ChangedTable:
    """A table whose notifications are still to be queued, with the step and the time of its last change.

    `step` is the id of the step and whether the game is over; `at` is when it began, in milliseconds since 1970.
    """

    table: Table
    step: tuple[str, bool]
    at: int


@dataclass(frozen=True, slots=True)
class _PrivateMessage:
    """A private message whose readers are still to be notified: its number, their seats, and when it was written."""

    number: int
    seats: Sequence[int]
    at: int


class Notifications:
    """Watches tables, private messages and invitations, and queues and sends notifications about them.

    `icon` returns the path of the picture beside pushed notifications.
    """

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
        icon: Callable[[], str],
    ) -> None:
        self._store, self._writer, self._tables = store, writer, tables
        self.contacts, self.mailer, self.webhooks, self.push = contacts, mailer, webhooks, push
        self.now, self.outbox = tables.now, Outbox(store, writer)
        self._delay = round(settings.notice_delay * 1000)
        self.messages = Messages(store, writer, contacts, self._ways_now, tables.now, self._delay)
        self._moved: dict[str, _ChangedTable] = {}
        self._private_messages: list[tuple[Table, _PrivateMessage]] = []
        self._changed = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._queueing = asyncio.Lock()
        self._invited: list[tuple[str, str, int]] = []
        transports = Transports(mailer, push, webhooks)
        self.sender = Sender(store, tables, contacts, self.outbox, self.messages, transports, settings.public_url, icon)
        tables.events.notifying.append(self.messages.prepare)

    def start(self) -> None:
        """Start to queue and send notifications in the background.

        Until then no changed table is kept in memory.
        """
        self._tables.events.moved.append(self.moved)
        self._tables.events.invited.append(self.invited)
        self._tasks = [asyncio.create_task(self._keep_queueing()), asyncio.create_task(self._keep_sending())]

    async def close(self) -> None:
        """Stop queueing and sending; notifications that wait stay in the database."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def moved(self, table: Table) -> None:
        """Take note that a table has changed, so that the people concerned are notified soon."""
        if not table.seating.has_persons:
            return
        step, before = (step_of(table), table.match.over), self._moved.get(table.id)
        at = before.at if before is not None and before.step == step else self._tables.now()
        self._moved[table.id] = _ChangedTable(table, step, at)
        self._changed.set()

    def wrote(self, table: Table, number: int, seats: Sequence[int]) -> None:
        """Take note of a private message, so that the players of `seats`, its readers, are notified soon."""
        self._private_messages.append((table, _PrivateMessage(number, seats, self._tables.now())))
        self._changed.set()

    def invited(self, match: str, person: str) -> None:
        """Take note that a person has been invited to a table's waiting room, so that they are notified soon."""
        self._invited.append((match, person, self._tables.now()))
        self._changed.set()

    async def _keep_queueing(self) -> None:
        """Queue the notifications of changed tables whenever there are any, until cancelled."""
        while True:
            await self._changed.wait()
            await asyncio.sleep(LOOK_SECONDS)
            self._changed.clear()
            try:
                await self.look()
            except (Refused, WriteFailed) as error:
                log.warning("Notifications could not be queued: %s", error)
            except Exception:
                log.exception("Notifications could not be queued")

    async def _keep_sending(self) -> None:
        """Send what is due every few seconds, and delete what is old now and then, until cancelled."""
        rounds = 0
        while True:
            await asyncio.sleep(SEND_SECONDS)
            rounds += 1
            try:
                while await self.sender.send():
                    pass
                if rounds % SWEEP_ROUNDS == 0:
                    await self.outbox.sweep(self._tables.now())
                    await self.messages.sweep()
            except (Refused, Conflict, WriteFailed) as error:
                log.warning("Notifications cannot be sent: %s", error)
            except Exception:
                log.exception("Notifications cannot be sent")

    @property
    def push_key(self) -> str:
        """The public key with which a browser subscribes to push notifications, in base64url."""
        return self.push.public_key

    async def reachable(self, person: str | None) -> bool:
        """Return whether a person can be notified at all, whatever they have turned off."""
        if person is None:
            return False
        return bool(ways_to(await self.contacts.of(person), None, "turn", self._tables.now(), all_kinds=True))

    async def looked(self, table: Table, seat: int, version: int | None = None) -> None:
        """Record that the player of a seat sees the table now. Raises NotSaved.

        A page whose stream is broken shows an old `version`: its player does not see what has happened since.
        """
        if version is not None and version < table.version(seat):
            return
        at = self._tables.now()
        try:
            await self._writer.write(lambda connection: keep_marks(connection, table.id, seat, looked=at))
        except (Conflict, WriteFailed) as error:
            raise NotSaved(_("This could not be saved.")) from error

    # Queueing

    async def look(self) -> None:
        """Queue the notifications about everything noted since the last call. Raises Unreadable or WriteFailed."""
        async with self._queueing:
            moved, self._moved = self._moved, {}
            lines, self._private_messages = self._private_messages, []
            invited, self._invited = self._invited, []
            about = {table.id: table for table, _line in lines} | {
                change.table.id: change.table for change in moved.values()
            }
            if not about and not invited:
                return
            persons = {person for table in about.values() for person in table.seating.persons().values()}
            persons |= {person for _match, person, _at in invited}
            contacts, at, finished = await asyncio.to_thread(self._read_settings, list(about), [*persons, THE_TABLE])
            now = self._tables.now()
            messages: list[QueuedNotification] = []
            for table, made in ((change.table, change.at) for change in moved.values()):
                # Loading a game that ended long ago must not notify anybody.
                if table.match.over and now - finished.get(table.id, now) > JUST_OVER:
                    continue
                for seat, person in table.seating.persons().items():
                    # It takes a while to compute what is due, and most people cannot be notified anyway.
                    contact = contacts.get(person)
                    for kind, mark, due in for_seat(table, seat) if contact is not None else ():
                        ways = ways_to(contact, at.get((table.id, person)), kind, now)
                        messages += [self._queued(table.id, person, kind, way, mark, made, due) for way in ways]
                webhook = at.get((table.id, THE_TABLE))
                for kind, mark, due in for_webhook(table) if webhook is not None and webhook.webhook else ():
                    if webhook is not None and f"{kind}.webhook" not in webhook.off:
                        messages.append(self._queued(table.id, THE_TABLE, kind, "webhook", mark, made, due))
            for table, line in lines:
                for seat in line.seats:
                    person = table.seating.persons().get(seat)
                    if person is not None:
                        ways = ways_to(contacts.get(person), at.get((table.id, person)), "line", now)
                        mark = f"{seat}.{line.number}"
                        messages += [self._queued(table.id, person, "line", way, mark, line.at, None) for way in ways]
            for match, person, made in invited:
                for way in ways_to(contacts.get(person), None, "invited", now):
                    messages.append(self._queued(match, person, "invited", way, "invited", made, None))
            for tries in (1, 0):
                try:
                    await self.outbox.queue(messages)
                    return
                except Conflict:
                    # Another server has queued the same at this moment.
                    if not tries:
                        raise WriteFailed("Another server was quicker.") from None

    def _ways_now(self, contact: Contact, kind: str) -> list[str]:
        """Return the ways in which a person can be notified now of a kind and wants to be."""
        return ways_to(contact, None, kind, self._tables.now())

    def _queued(
        self, match: str, person: str, kind: str, way: str, mark: str, made: int, due: int | None
    ) -> QueuedNotification:
        """Return a notification to queue, to be sent a little after `made`, but not before `due`."""
        soon = made + (min(self._delay, BROWSER_DELAY) if way == "browser" else self._delay)
        return QueuedNotification(match, person, kind, way, mark, made, max(soon, due or 0))

    def _read_settings(
        self, matches: Sequence[str], persons: Sequence[str]
    ) -> tuple[dict[str, Contact], dict[tuple[str, str], TableContact], dict[str, int]]:
        """Return contacts by person, settings for tables by (table, person), and the ends of finished matches (ms).

        The ends are in milliseconds since 1970, by match. Blocks.
        """
        contacts, at = self.contacts.find(persons), self.contacts.find_at(matches, persons)
        m = MATCHES.c
        query = sa.select(m.id, m.finished).where(m.id.in_(matches), m.finished.is_not(None))
        with self._store.reading() as connection:
            finished: dict[str, int] = {row.id: row.finished for row in connection.execute(query)}
        return contacts, at, finished
