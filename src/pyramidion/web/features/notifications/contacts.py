"""Contacts: how to notify a person (e-mail, webhook, browser), and what they have turned off.

A person is the id that holds their seats: a visitor id, or for a program an id made from its seat token.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

import sqlalchemy as sa
from itsdangerous import BadSignature, URLSafeTimedSerializer

from pyramidion.local_time import instant, wall_time
from pyramidion.translation import LANGUAGES, SOURCE, _
from pyramidion.web.db.schema import CONTACTS, MAIL_REFUSALS, TABLE_CONTACTS
from pyramidion.web.db.store import Store
from pyramidion.web.db.writer import Change, Conflict, WriteFailed, Writer
from pyramidion.web.errors import BadRequest, NotSaved, NotYourSeat
from pyramidion.web.features.notifications.transports.mail import hash_address
from pyramidion.web.features.notifications.transports.push import count_devices

KINDS = ("turn", "deadline", "started", "over", "line", "invited", "episode")
WAYS = ("browser", "mail", "webhook")
UTC = "UTC"
CONFIRM_SECONDS = 2 * 24 * 3600
REFUSED_MILLISECONDS = 30 * 24 * 3600 * 1000
"""How long an unsubscribed address is not even sent confirmation e-mails."""
NOTHING: dict[str, Any] = {
    "email": None,
    "confirmed": False,
    "webhook": None,
    "zone": UTC,
    "language": SOURCE,
    "off": "[]",
    "polled": 0,
    "author": None,
}
"""The columns of a new contact."""
THE_TABLE = ""
"""The person id that stands for a table itself, with its own webhook."""


@dataclass(frozen=True, slots=True)
class Contact:
    """How one person can be notified, and what they do not want.

    Attributes:
        confirmed: whether the person has confirmed `email`; until then only confirmation e-mails are sent there.
        off: notifications turned off everywhere, each `kind.way`.
        polled: when one of the person's pages last requested notifications, milliseconds since 1970.
        quiet_from, quiet_until: the hours of the day, in `zone`, between which nothing is pushed; or None.
        devices: how many devices have subscribed to Web Push.
    """

    person: str
    email: str | None = None
    confirmed: bool = False
    webhook: str | None = None
    zone: str = UTC
    language: str = SOURCE
    off: frozenset[str] = field(default_factory=frozenset[str])
    polled: int = 0
    quiet_from: int | None = None
    quiet_until: int | None = None
    devices: int = 0


@dataclass(frozen=True, slots=True)
class TableContact:
    """Settings for one table: what a person has turned off there, or the table's own webhook."""

    webhook: str | None = None
    off: frozenset[str] = field(default_factory=frozenset[str])


class Contacts:
    """Reads and stores contacts, and makes and checks the signed tokens for confirming and unsubscribing."""

    def __init__(self, store: Store, writer: Writer, key: str) -> None:
        self._store, self._writer = store, writer
        self._confirming = URLSafeTimedSerializer(key, salt="pyramidion.mail.confirm")
        self._stopping = URLSafeTimedSerializer(key, salt="pyramidion.mail.stop")

    async def of(self, person: str) -> Contact:
        """Return a person's contact, an empty one if none is stored."""
        return (await asyncio.to_thread(self.find, [person])).get(person, Contact(person))

    async def at(self, match: str, person: str) -> TableContact:
        """Return what a person has turned off at one table; for `THE_TABLE`, the table's own webhook."""
        stored = await asyncio.to_thread(self.find_at, [match], [person])
        return stored.get((match, person), TableContact())

    async def keep(self, person: str, **values: Any) -> Contact:
        """Set columns of a person's contact to `values` and return the contact. Raises NotSaved."""
        if "off" in values:
            values["off"] = json.dumps(sorted(values["off"]))

        def store_contact(connection: sa.Connection) -> None:
            update = sa.update(CONTACTS).where(CONTACTS.c.person == person).values(values)
            if connection.execute(update).rowcount == 0:
                connection.execute(sa.insert(CONTACTS).values(NOTHING | {"person": person} | values))

        await self._write(store_contact)
        return await self.of(person)

    async def guess_zone(self, person: str, guess: str) -> None:
        """Store `guess`, the time zone that a person's browser reports, unless they chose one. Raises NotSaved."""
        if guess != UTC and guess in zones() and (await self.of(person)).zone == UTC:
            await self.keep(person, zone=guess)

    async def keep_at(self, match: str, person: str, at: TableContact) -> None:
        """Store `at`, a person's settings for one table, in place of the earlier ones. Raises NotSaved."""
        c = TABLE_CONTACTS.c
        row = {"match": match, "person": person, "webhook": at.webhook, "off": json.dumps(sorted(at.off))}

        def store_settings(connection: sa.Connection) -> None:
            connection.execute(sa.delete(TABLE_CONTACTS).where(c.match == match, c.person == person))
            connection.execute(sa.insert(TABLE_CONTACTS).values(row))

        await self._write(store_settings)

    def find(self, persons: Collection[str]) -> dict[str, Contact]:
        """Return the stored contacts of some people by person id; those without one are left out. Blocks."""
        if not persons:
            return {}
        query = sa.select(CONTACTS).where(CONTACTS.c.person.in_(persons))
        with self._store.reading() as connection:
            rows = connection.execute(query).all()
            devices = count_devices(connection, persons)
        return {
            row.person: Contact(
                row.person,
                row.email,
                bool(row.confirmed),
                row.webhook,
                row.zone if row.zone in zones() else UTC,
                row.language if row.language in LANGUAGES else SOURCE,
                frozenset(json.loads(row.off)),
                row.polled,
                row.quiet_from,
                row.quiet_until,
                devices.get(row.person, 0),
            )
            for row in rows
        }

    def find_at(self, matches: Collection[str], persons: Collection[str]) -> dict[tuple[str, str], TableContact]:
        """Return the stored settings of some people for some tables, by (table, person); blocks."""
        c = TABLE_CONTACTS.c
        query = sa.select(TABLE_CONTACTS).where(c.match.in_(matches), c.person.in_(persons))
        with self._store.reading() as connection:
            rows = connection.execute(query).all()
        return {(row.match, row.person): TableContact(row.webhook, frozenset(json.loads(row.off))) for row in rows}

    # E-mail: owners confirm addresses, and recipients can unsubscribe.

    def confirming(self, person: str, email: str) -> str:
        """Return the token of the link by which a person confirms an e-mail address."""
        return str(self._confirming.dumps([person, email]))

    def stopping(self, person: str, email: str) -> str:
        """Return the token of the link that unsubscribes an e-mail address; it never expires."""
        return str(self._stopping.dumps([person, email]))

    async def confirm(self, token: str) -> str:
        """Record that the owner of the address in a token has confirmed it; return the address.

        Raises BadRequest with a sentence, also if the person has entered another address meanwhile.
        """
        person, email = _person_and_address(self._confirming, token, CONFIRM_SECONDS)
        contact = await self.of(person)
        if contact.email != email:
            raise BadRequest(_("This address has changed. Use the link in the latest e-mail."))
        await self.keep(person, confirmed=True)
        return email

    async def stop(self, token: str, now: int) -> str:
        """Unsubscribe the address in a token from all e-mail and return it. Raises BadRequest with a sentence.

        The recipient decides this, whichever persons use the address by now. If nobody had confirmed it, a stranger
        entered it; then it is not even sent confirmation e-mails for a while.
        """
        _person, email = _person_and_address(self._stopping, token, None)
        row = {"address": hash_address(email), "at": now}
        theirs = sa.func.lower(CONTACTS.c.email) == email.lower()

        def unsubscribe(connection: sa.Connection) -> None:
            confirmed = connection.execute(sa.select(CONTACTS.c.person).where(theirs, CONTACTS.c.confirmed)).first()
            connection.execute(sa.update(CONTACTS).where(theirs).values(email=None, confirmed=False))
            if confirmed is None:
                connection.execute(sa.delete(MAIL_REFUSALS).where(MAIL_REFUSALS.c.address == row["address"]))
                connection.execute(sa.insert(MAIL_REFUSALS).values(row))

        await self._write(unsubscribe)
        return email

    async def refuses_mail(self, email: str, now: int) -> bool:
        """Return whether the owner of an address unsubscribed it recently without ever having confirmed it.

        Such an address is not even sent confirmation e-mails.
        """
        m = MAIL_REFUSALS.c
        query = sa.select(m.at).where(m.address == hash_address(email), m.at > now - REFUSED_MILLISECONDS)

        def has_refused() -> bool:
            with self._store.reading() as connection:
                return connection.execute(query).first() is not None

        return await asyncio.to_thread(has_refused)

    async def _write(self, change: Change) -> None:
        """Apply a change to the database. Raises NotSaved."""
        try:
            await self._writer.write(change)
        except (Conflict, WriteFailed) as error:
            raise NotSaved(_("This could not be saved.")) from error


def require_host(host: bool) -> None:
    """Raise NotYourSeat if `host` is false: only a table's host sets its webhook."""
    if not host:
        raise NotYourSeat(_("Only the host can set the table's webhook."))


def accept_zone(name: str) -> str:
    """Return the IANA name of a time zone if it exists. Raises BadRequest with a sentence otherwise."""
    if name not in zones():
        raise BadRequest(_("Unknown time zone {name!r}. Use a name such as Europe/Paris.").format(name=name[:40]))
    return name


@lru_cache(maxsize=1)
def zones() -> Mapping[str, None]:
    """Return the names of all time zones that can be chosen, sorted, as the keys of a mapping."""
    return dict.fromkeys(
        [UTC, *sorted(name for name in available_timezones() if "/" in name and not name.startswith("Etc"))]
    )


def in_zone(milliseconds: int, zone: str, tag: str) -> str:
    """Format a time in a time zone, which is named: `Sat 21 Nov, 14:30 (Europe/Paris)`."""
    from babel.dates import format_datetime

    from pyramidion.web.table.settings.time_controls import moment

    at = moment(milliseconds).astimezone(ZoneInfo(zone))
    return f"{format_datetime(at, 'EEE d MMM, HH:mm', locale=tag.replace('-', '_'))} ({zone})"


def end_of_quiet(contact: Contact, now: int) -> int | None:
    """Return when a person's present quiet hours end (milliseconds since 1970), or None if there are none now."""
    begin, end = contact.quiet_from, contact.quiet_until
    if begin is None or end is None or begin == end:
        return None
    local = wall_time(now, contact.zone)
    if not (begin <= local.hour < end if begin < end else local.hour >= begin or local.hour < end):
        return None
    until = local.replace(hour=end, minute=0, second=0, microsecond=0, fold=0)
    return instant(until if until > local else until + timedelta(days=1), contact.zone)


def accept_off(named: Iterable[str]) -> frozenset[str]:
    """Return as a set which notifications to turn off, each as in `turn.mail`. Raises BadRequest for unknown ones."""
    every = {f"{kind}.{way}" for kind in KINDS for way in WAYS}
    off = frozenset(named)
    if not off <= every:
        raise BadRequest(
            _(
                "Turn off notifications by kind and channel, such as turn.mail. Kinds: {kinds}. Channels: {ways}."
            ).format(kinds=", ".join(KINDS), ways=", ".join(WAYS))
        )
    return off


def _person_and_address(serializer: URLSafeTimedSerializer, token: str, max_age: int | None) -> tuple[str, str]:
    """Return the person and the e-mail address in a signed token.

    Raises BadRequest if it is invalid, or older than `max_age` seconds.
    """
    try:
        person, email = serializer.loads(token, max_age=max_age)
    except (BadSignature, ValueError, TypeError):
        raise BadRequest(_("This link is invalid or has expired.")) from None
    return str(person), str(email)
