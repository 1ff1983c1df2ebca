"""Sends notifications that are due and still apply."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from pyramidion.translation import _, in_language
from pyramidion.web.db.schema import CHAT_LINES, CHAT_SEATS
from pyramidion.web.errors import BadRequest, Refused
from pyramidion.web.features.notifications.contacts import THE_TABLE, Contact, Contacts, end_of_quiet
from pyramidion.web.features.notifications.delivery import switch_of, ways_to
from pyramidion.web.features.notifications.messages import Notices
from pyramidion.web.features.notifications.outbox import MINUTE, Conflict, Outbox, QueuedNotification, WriteFailed
from pyramidion.web.features.notifications.texts import NotificationText, text_of
from pyramidion.web.features.notifications.transports.mail import Mailer, MailFailed
from pyramidion.web.features.notifications.transports.push import Push
from pyramidion.web.features.notifications.transports.webhooks import HookFailed, Webhooks, body_of
from pyramidion.web.features.notifications.triggers import people_due, reminder_time, step_of, still_to_decide
from pyramidion.web.pages.assets import assets
from pyramidion.web.table.seats.chat_rules import has_seen

if TYPE_CHECKING:
    from pyramidion.web.db.store import Store
    from pyramidion.web.table.table import Table
    from pyramidion.web.table.tables import Tables

REPORTED = 25_000
"""Milliseconds within which a visible page of a table reports again; pages do every 20 s."""
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Services:
    """The services that deliver notifications."""

    mailer: Mailer
    push: Push
    webhooks: Webhooks


class Sender:
    """Sends queued notifications, each unless it has become pointless. `public_url` is the server's address."""

    def __init__(
        self,
        store: Store,
        tables: Tables,
        contacts: Contacts,
        outbox: Outbox,
        notices: Notices,
        services: Services,
        public_url: str | None,
    ) -> None:
        self._store, self._tables, self._contacts = store, tables, contacts
        self._outbox, self._notices, self._public_url = outbox, notices, public_url
        self._mailer, self._push, self._webhooks = services.mailer, services.push, services.webhooks

    async def send(self) -> bool:
        """Send what is due; return whether there was anything. Raises Unreadable, Conflict or WriteFailed."""
        now = self._tables.now()
        noticed = await self._notices.take()
        await asyncio.gather(*(self._tell_notice(row) for row in noticed))
        if not await self._outbox.due(now):
            return bool(noticed)
        taken = await self._outbox.take(now)
        await asyncio.gather(*(self._tell(message) for message in taken))
        return bool(taken)

    async def for_browser(self, person: str, language: str) -> list[tuple[QueuedNotification, NotificationText]]:
        """Return the notifications for a person's browser, each only once."""
        now = self._tables.now()
        contact = await self._contacts.of(person)
        if now - contact.polled > MINUTE or contact.language != language:
            contact = await self._contacts.keep(person, polled=now, language=language)
        shown: list[tuple[QueuedNotification, NotificationText]] = []
        for row in await self._notices.waiting(person):
            if switch_of(row["kind"], "browser") in contact.off:
                continue
            shown.append((_of_notice(row), NotificationText(row["title"], row["text"], row["link"])))
        for message in await self._outbox.waiting(person, now):
            said = await self._still(message, contact)
            if said is not None:
                shown.append((message, said))
                with suppress(Conflict, WriteFailed):
                    await self._outbox.settle(message, now)
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
            await self._outbox.failed(message, now)
        except Refused as error:
            log.warning("A message of table %s cannot be sent: %s", message.match, error)
            await self._outbox.failed(message, now)
        except Exception:
            log.exception("A message of table %s cannot be sent", message.match)
            await self._outbox.failed(message, now)
        else:
            await self._outbox.settle(message, now)

    async def _tell_notice(self, row: Mapping[str, Any]) -> None:
        contact = await self._contacts.of(row["person"])
        if row["way"] == "push" and (quiet := end_of_quiet(contact, self._tables.now())) is not None:
            await self._notices.later(row, quiet)
            return
        try:
            if row["way"] in ways_to(contact, None, row["kind"], self._tables.now()):
                link = self._link(row["link"])
                await self._deliver(_of_notice(row), contact, NotificationText(row["title"], row["text"], link))
        except (HookFailed, MailFailed, BadRequest) as error:
            log.info("A notice was not taken (%s): %s", row["way"], error)
            await self._notices.failed(row)
        except Exception:
            log.exception("A notice cannot be sent")
            await self._notices.failed(row)
        else:
            await self._notices.settle(row)

    async def _deliver(self, message: QueuedNotification, contact: Contact, said: NotificationText) -> None:
        if message.way == "mail" and contact.email and contact.confirmed:
            stop = self.address(f"/alerts/stop?token={self._contacts.stopping(contact.person, contact.email)}")
            with in_language(contact.language):
                mail = self._mailer.compose(contact.email, said.title, f"{said.text}\n\n{said.link}", stop)
            await self._mailer.send(mail)
        elif message.way == "push":
            what = {"id": f"{message.match}.{message.kind}", "link": message.path}
            what["icon"] = f"{assets().base}/icon-192.png"
            await self._push.send(message.person, {"title": said.title, "text": said.text, **what})
        elif message.way == "webhook":
            url = contact.webhook
            if message.person == THE_TABLE:
                url = (await self._contacts.at(message.match, THE_TABLE)).webhook
            if url:
                await self._webhooks.post(url, body_of(said.text, said.link))

    async def _reader(self, message: QueuedNotification) -> Contact:
        """Return a notification's recipient; a table's webhook uses the host's time zone and language."""
        if message.person != THE_TABLE:
            return await self._contacts.of(message.person)
        table = await self._tables.get(message.match)
        host = table.host.holder
        return await self._contacts.of(host) if host is not None else Contact(THE_TABLE)

    async def _still(self, message: QueuedNotification, contact: Contact) -> NotificationText | None:
        """Return the text of a notification if it still applies; otherwise settle or postpone it."""
        now = self._tables.now()
        if message.way == "push" and (quiet := end_of_quiet(contact, now)) is not None:
            await self._outbox.later(message, quiet)
            return None
        if message.kind == "invited":
            return await self._still_invited(message, contact, now)
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
            looked = await asyncio.to_thread(self._looked, message.match, names)
            if looked < happened and now < looked + REPORTED and _streaming(table, names):
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

    async def _still_invited(self, message: QueuedNotification, contact: Contact, now: int) -> NotificationText | None:
        """Return an invitation in words while its seat is reserved; otherwise it is settled."""
        found = await asyncio.to_thread(self._store.match, message.match)
        rows = found[1] if found is not None and switch_of("invited", message.way) not in contact.off else []
        if found is None or not any(row.reserved and row.holder == message.person for row in rows):
            await self._outbox.settle(message, now)
            return None
        match = found[0]
        host = next((row.name for row in rows if row.kind == "person" and row.holder == match.host), match.host_name)
        with in_language(contact.language):
            what = {"title": match.title, "name": host or _("Somebody")}
            text = _("{name} invites you to a game: {title}.").format(**what)
            link = self._link(f"/t/{match.id}")
            return NotificationText(match.title, text, link)

    def _looked(self, match: str, seats: Sequence[int]) -> int:
        """Return when a person last saw a table, at any of some seats; blocks."""
        s = CHAT_SEATS.c
        rows = self._store.query(sa.select(s.looked).where(s.match == match, s.seat.in_(seats)))
        return max((row.looked for row in rows), default=0)

    def _has_read(self, message: QueuedNotification) -> bool:
        """Return whether a private message has been read or removed; blocks."""
        c, (seat, _dot, number) = CHAT_LINES.c, message.mark.partition(".")
        line = sa.select(c.removed).where(c.match == message.match, c.number == int(number))
        with self._store.reading() as connection:
            removed = connection.execute(line).scalar_one_or_none()
            return removed is not False or has_seen(connection, message.match, int(seat), int(number))

    async def confirm(self, contact: Contact, email: str) -> None:
        """Send a confirmation e-mail for an address. Raises MailFailed."""
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
        """Return the full URL of a page of this server."""
        return f"{(self._public_url or '').rstrip('/')}{path}"

    def _link(self, path: str) -> str | None:
        return self.address(path) if self._public_url else None


def _streaming(table: Table, seats: Sequence[int]) -> bool:
    """Return whether a page of one of these seats is open on this server, as far as its connection tells."""
    channels = table.viewers.channels
    return any(seat in channels and channels[seat].streams for seat in seats)


def _of_notice(row: Mapping[str, Any]) -> QueuedNotification:
    """Return a notice as a message, with its path instead of a table."""
    return QueuedNotification(row["link"], row["person"], row["kind"], row["way"], row["mark"], row["made"], row["due"])
