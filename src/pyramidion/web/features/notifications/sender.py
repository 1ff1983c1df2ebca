"""Sends notifications that are due and still apply."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from pyramidion.translation import _, in_language
from pyramidion.web.db.schema import CHAT_LINES, CHAT_SEATS
from pyramidion.web.errors import BadRequest, Refused
from pyramidion.web.features.notifications.contacts import THE_TABLE, Contact, Contacts, end_of_quiet
from pyramidion.web.features.notifications.delivery import switch_of, ways_to
from pyramidion.web.features.notifications.messages import Messages
from pyramidion.web.features.notifications.outbox import MINUTE, Conflict, Outbox, QueuedNotification, WriteFailed
from pyramidion.web.features.notifications.texts import NotificationText, text_of
from pyramidion.web.features.notifications.transports.mail import Mailer, MailFailed
from pyramidion.web.features.notifications.transports.push import Push
from pyramidion.web.features.notifications.transports.webhooks import HookFailed, Webhooks, body_of
from pyramidion.web.features.notifications.triggers import people_due, reminder_time, step_of, still_to_decide
from pyramidion.web.table.seats.chat_rules import has_seen

if TYPE_CHECKING:
    from pyramidion.web.db.store import Store
    from pyramidion.web.table.table import Table
    from pyramidion.web.table.tables import Tables

REPORTED = 25_000
"""Milliseconds within which a visible page of a table reports again; pages do every 20 s."""
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Transports:
    """The services by which notifications leave the server."""

    mailer: Mailer
    push: Push
    webhooks: Webhooks


class Sender:
    """Sends the notifications that are due, after checking that each still tells its recipient something new.

    `public_url` is the server's address, for links. `icon` returns the path of the picture beside pushed notifications.
    """

    def __init__(
        self,
        store: Store,
        tables: Tables,
        contacts: Contacts,
        outbox: Outbox,
        messages: Messages,
        transports: Transports,
        public_url: str | None,
        icon: Callable[[], str],
    ) -> None:
        self._store, self._tables, self._contacts = store, tables, contacts
        self._outbox, self._messages, self._public_url = outbox, messages, public_url
        self._icon = icon
        self._mailer, self._push, self._webhooks = transports.mailer, transports.push, transports.webhooks

    async def send(self) -> bool:
        """Send the notifications that are due; return whether there were any, as there may be more.

        Raises Unreadable, Conflict or WriteFailed.
        """
        now = self._tables.now()
        messages = await self._messages.take()
        await asyncio.gather(*(self._send_notice(row) for row in messages))
        if not await self._outbox.due(now):
            return bool(messages)
        taken = await self._outbox.take(now)
        await asyncio.gather(*(self._send_queued(message) for message in taken))
        return bool(taken)

    async def for_browser(self, person: str, language: str) -> list[tuple[QueuedNotification, NotificationText]]:
        """Return the notifications that a person's browser is to show, with texts, and record them as sent.

        `language` is that of the browser's page, and becomes the person's.
        """
        now = self._tables.now()
        contact = await self._contacts.of(person)
        if now - contact.polled > MINUTE or contact.language != language:
            contact = await self._contacts.keep(person, polled=now, language=language)
        waiting: list[tuple[QueuedNotification, NotificationText]] = []
        for row in await self._messages.waiting(person):
            if switch_of(row["kind"], "browser") in contact.off:
                continue
            waiting.append((_as_queued(row), NotificationText(row["title"], row["text"], row["link"])))
        for message in await self._outbox.waiting(person, now):
            text = await self._text_if_wanted(message, contact)
            if text is not None:
                waiting.append((message, text))
                with suppress(Conflict, WriteFailed):
                    await self._outbox.settle(message, now)
        return waiting

    async def _send_queued(self, message: QueuedNotification) -> None:
        """Send a notification about a table if it still applies, and record what became of it."""
        now = self._tables.now()
        try:
            contact = await self._recipient(message)
            text = await self._text_if_wanted(message, contact)
            if text is None:
                return
            await self._deliver(message, contact, text)
        except (HookFailed, MailFailed, BadRequest) as error:
            log.info("A message of table %s was not taken (%s): %s", message.match, message.way, error)
            await self._outbox.failed(message, now)
        except Refused as error:
            log.warning("A message of table %s cannot be sent: %s", message.match, error)
            await self._outbox.failed(message, now)
        except Exception:
            log.exception("A message of table %s cannot be sent", message.match)
            await self._outbox.failed(message, now)
        else:
            await self._outbox.settle(message, now)

    async def _send_notice(self, row: Mapping[str, Any]) -> None:
        """Send a notice (a row of `NOTICES`) if its recipient still wants it, and record what became of it."""
        contact = await self._contacts.of(row["person"])
        if row["way"] == "push" and (quiet := end_of_quiet(contact, self._tables.now())) is not None:
            await self._messages.later(row, quiet)
            return
        try:
            if row["way"] in ways_to(contact, None, row["kind"], self._tables.now()):
                link = self._link(row["link"])
                await self._deliver(_as_queued(row), contact, NotificationText(row["title"], row["text"], link))
        except (HookFailed, MailFailed, BadRequest) as error:
            log.info("A notice was not taken (%s): %s", row["way"], error)
            await self._messages.failed(row)
        except Exception:
            log.exception("A notice cannot be sent")
            await self._messages.failed(row)
        else:
            await self._messages.settle(row)

    async def _deliver(self, message: QueuedNotification, contact: Contact, text: NotificationText) -> None:
        """Hand a notification over to the mail server, the push services or the webhook, as `message.way` says."""
        if message.way == "mail" and contact.email and contact.confirmed:
            stop = self.address(f"/alerts/stop?token={self._contacts.stopping(contact.person, contact.email)}")
            with in_language(contact.language):
                mail = self._mailer.compose(contact.email, text.subject, f"{text.text}\n\n{text.link}", stop)
            await self._mailer.send(mail)
        elif message.way == "push":
            what = {"id": f"{message.match}.{message.kind}", "link": message.path}
            what["icon"] = self._icon()
            await self._push.send(message.person, {"title": text.title, "text": text.text, **what})
        elif message.way == "webhook":
            url = contact.webhook
            if message.person == THE_TABLE:
                url = (await self._contacts.at(message.match, THE_TABLE)).webhook
            if url:
                await self._webhooks.post(url, body_of(text.text, text.link))

    async def _recipient(self, message: QueuedNotification) -> Contact:
        """Return the contact that a notification goes to.

        For a table's webhook it is the host's, whose time zone and language are used.
        """
        if message.person != THE_TABLE:
            return await self._contacts.of(message.person)
        table = await self._tables.get(message.match)
        host = table.host.holder
        return await self._contacts.of(host) if host is not None else Contact(THE_TABLE)

    async def _text_if_wanted(self, message: QueuedNotification, contact: Contact) -> NotificationText | None:
        """Return the text of a notification if it is to be sent now.

        Otherwise returns None, after recording it as no longer needed or postponing it.
        """
        now = self._tables.now()
        if message.way == "push" and (quiet := end_of_quiet(contact, now)) is not None:
            await self._outbox.later(message, quiet)
            return None
        if message.kind == "invited":
            return await self._invitation_text(message, contact, now)
        table = await self._tables.get(message.match)
        at = await self._contacts.at(table.id, message.person)
        off = at.off if message.person == THE_TABLE else contact.off | at.off
        names = [seat for seat, person in table.seating.persons().items() if person == message.person]
        due = reminder_time(table)
        wanted = switch_of(message.kind, message.way) not in off and (bool(names) or message.person == THE_TABLE)
        if wanted and message.kind in ("turn", "deadline"):
            if table.clock.paused:
                await self._outbox.later(message, now + 10 * MINUTE)
                return None
            if message.kind == "deadline" and due is not None and due > now:
                await self._outbox.later(message, due)
                return None
            wanted = message.mark == step_of(table) and not table.match.over
            wanted = wanted and (message.kind == "turn" or due is not None)
            asked = people_due(table) if message.person == THE_TABLE else set(names) & still_to_decide(table)
            wanted = wanted and bool(asked)
        elif message.kind == "started":
            wanted = wanted and not table.match.over
        if wanted and message.person != THE_TABLE:
            # Reminders are also for players who saw the decision long ago.
            happened = due if message.kind == "deadline" and due is not None else message.made
            looked = await asyncio.to_thread(self._last_seen, message.match, names)
            if looked < happened and now < looked + REPORTED and _has_open_page(table, names):
                # A page that is still open reports what its player sees now.
                await self._outbox.later(message, looked + REPORTED)
                return None
            wanted = looked < happened
            if wanted and message.kind == "line":
                wanted = not await asyncio.to_thread(self._has_read, message)
        if not wanted:
            await self._outbox.settle(message, now)
            return None
        with in_language(contact.language):
            return text_of(message, table, contact, self._link(f"/t/{table.id}"))

    async def _invitation_text(
        self, message: QueuedNotification, contact: Contact, now: int
    ) -> NotificationText | None:
        """Return the text of an invitation to a waiting room if its seat is still reserved for the person.

        Otherwise returns None, after recording it as no longer needed.
        """
        room = await asyncio.to_thread(self._store.match, message.match)
        rows = room[1] if room is not None and switch_of("invited", message.way) not in contact.off else []
        if room is None or not any(row.reserved and row.holder == message.person for row in rows):
            await self._outbox.settle(message, now)
            return None
        match = room[0]
        host = next((row.name for row in rows if row.kind == "person" and row.holder == match.host), match.host_name)
        with in_language(contact.language):
            what = {"title": match.title, "name": host or _("Somebody")}
            text = _("{name} invites you to a game: {title}.").format(**what)
            link = self._link(f"/t/{match.id}")
            return NotificationText(match.title, text, link)

    def _last_seen(self, match: str, seats: Sequence[int]) -> int:
        """Return when the player of any of some seats last saw a table (milliseconds since 1970), or 0; blocks."""
        s = CHAT_SEATS.c
        rows = self._store.query(sa.select(s.looked).where(s.match == match, s.seat.in_(seats)))
        return max((row.looked for row in rows), default=0)

    def _has_read(self, message: QueuedNotification) -> bool:
        """Return whether the private message of a notification has been read, or removed; blocks."""
        c, (seat, _dot, number) = CHAT_LINES.c, message.mark.partition(".")
        line = sa.select(c.removed).where(c.match == message.match, c.number == int(number))
        with self._store.reading() as connection:
            removed = connection.execute(line).scalar_one_or_none()
            return removed is not False or has_seen(connection, message.match, int(seat), int(number))

    async def confirm(self, contact: Contact, email: str) -> None:
        """Send to an address the e-mail that asks its owner to confirm it. Raises MailFailed."""
        ours = {"server": self.address("/")}
        link = self.address(f"/alerts/confirm?token={self._contacts.confirming(contact.person, email)}")
        stop = self.address(f"/alerts/stop?token={self._contacts.stopping(contact.person, email)}")
        with in_language(contact.language):
            text = _(
                "Someone asked {server} to send notifications to this address. "
                "If it was you, open this link within two days:"
            ).format(**ours)
            mail = self._mailer.compose(email, _("Is this your address?"), f"{text}\n\n{link}", stop)
        await self._mailer.send(mail)

    def address(self, path: str) -> str:
        """Return the full URL of a page of this server, given its path."""
        return f"{(self._public_url or '').rstrip('/')}{path}"

    def _link(self, path: str) -> str | None:
        """Return the full URL of a page, or None if the address of this server is not set."""
        return self.address(path) if self._public_url else None


def _has_open_page(table: Table, seats: Sequence[int]) -> bool:
    """Return whether an event stream of a page at one of these seats is open on this server."""
    channels = table.viewers.channels
    return any(seat in channels and channels[seat].streams for seat in seats)


def _as_queued(row: Mapping[str, Any]) -> QueuedNotification:
    """Return a row of `NOTICES` as a queued notification, with the path of its page in place of a table."""
    return QueuedNotification(row["link"], row["person"], row["kind"], row["way"], row["mark"], row["made"], row["due"])
