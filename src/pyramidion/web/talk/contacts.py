"""How a person is reached: e-mail, a webhook, the browser; what they have switched off; their time zone and language.

A person is whatever holds their seats: the visitor of a browser or an account, or for a program's seat its token.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

import sqlalchemy as sa
from itsdangerous import BadSignature, URLSafeTimedSerializer

from pyramidion.web.errors import BadRequest, NotSaved
from pyramidion.web.schema import CONTACTS, MAIL_REFUSALS, TABLE_CONTACTS
from pyramidion.web.store import Store
from pyramidion.web.talk.mail import hash_address
from pyramidion.web.writer import Change, Conflict, WriteFailed, Writer
from pyramidion.words import LANGUAGES, SOURCE, _

KINDS = ("turn", "deadline", "started", "over", "line")
WAYS = ("browser", "mail", "hook")
UTC = "UTC"
CONFIRM_SECONDS = 2 * 24 * 3600
REFUSED_MILLISECONDS = 30 * 24 * 3600 * 1000
"""How long an address that wants no mail is sent not even a question."""
NOTHING: dict[str, Any] = {
    "email": None,
    "confirmed": False,
    "hook": None,
    "zone": UTC,
    "language": SOURCE,
    "off": "[]",
    "polled": 0,
}
"""The columns of somebody of whom nothing is known."""
THE_TABLE = ""
"""The person that stands for a table itself, with its own webhook."""


@dataclass(frozen=True, slots=True)
class Contact:
    """How one person is reached.

    Attributes:
        confirmed: whether `email` is theirs; nothing but the question whether it is goes there before.
        off: what is switched off everywhere, `kind.way` each.
        polled: when a page of theirs last asked for messages, milliseconds since 1970.
    """

    person: str
    email: str | None = None
    confirmed: bool = False
    hook: str | None = None
    zone: str = UTC
    language: str = SOURCE
    off: frozenset[str] = field(default_factory=frozenset[str])
    polled: int = 0


@dataclass(frozen=True, slots=True)
class AtTable:
    """What is different at one table: what a person has switched off there, or the table's own webhook."""

    hook: str | None = None
    off: frozenset[str] = field(default_factory=frozenset[str])


class Contacts:
    """The contacts in the database, and the signed addresses that confirm and end mail."""

    def __init__(self, store: Store, writer: Writer, key: str) -> None:
        self._store, self._writer = store, writer
        self._confirming = URLSafeTimedSerializer(key, salt="pyramidion.mail.confirm")
        self._stopping = URLSafeTimedSerializer(key, salt="pyramidion.mail.stop")

    async def of(self, person: str) -> Contact:
        """Return a person's contact; one without anything for whom there is none."""
        return (await asyncio.to_thread(self.find, [person])).get(person, Contact(person))

    async def at(self, match: str, person: str) -> AtTable:
        """Return what is different for a person at a table."""
        found = await asyncio.to_thread(self.find_at, [match], [person])
        return found.get((match, person), AtTable())

    async def keep(self, person: str, **values: Any) -> Contact:
        """Change fields of a person's contact and return it. Raises NotSaved."""
        if "off" in values:
            values["off"] = json.dumps(sorted(values["off"]))

        def change(connection: sa.Connection) -> None:
            update = sa.update(CONTACTS).where(CONTACTS.c.person == person).values(values)
            if connection.execute(update).rowcount == 0:
                connection.execute(sa.insert(CONTACTS).values(NOTHING | {"person": person} | values))

        await self._write(change)
        return await self.of(person)

    async def keep_at(self, match: str, person: str, at: AtTable) -> None:
        """Store what is different for a person at a table. Raises NotSaved."""
        c = TABLE_CONTACTS.c
        row = {"match": match, "person": person, "hook": at.hook, "off": json.dumps(sorted(at.off))}

        def change(connection: sa.Connection) -> None:
            connection.execute(sa.delete(TABLE_CONTACTS).where(c.match == match, c.person == person))
            connection.execute(sa.insert(TABLE_CONTACTS).values(row))

        await self._write(change)

    def find(self, persons: Collection[str]) -> dict[str, Contact]:
        """Return the contacts of those persons that have one; blocks."""
        if not persons:
            return {}
        query = sa.select(CONTACTS).where(CONTACTS.c.person.in_(persons))
        with self._store.reading() as connection:
            rows = connection.execute(query).all()
        return {
            row.person: Contact(
                row.person,
                row.email,
                bool(row.confirmed),
                row.hook,
                row.zone if row.zone in zones() else UTC,
                row.language if row.language in LANGUAGES else SOURCE,
                frozenset(json.loads(row.off)),
                row.polled,
            )
            for row in rows
        }

    def find_at(self, matches: Collection[str], persons: Collection[str]) -> dict[tuple[str, str], AtTable]:
        """Return by match and person what is different there; blocks."""
        c = TABLE_CONTACTS.c
        query = sa.select(TABLE_CONTACTS).where(c.match.in_(matches), c.person.in_(persons))
        with self._store.reading() as connection:
            rows = connection.execute(query).all()
        return {(row.match, row.person): AtTable(row.hook, frozenset(json.loads(row.off))) for row in rows}

    # Mail: addresses are confirmed, and can be turned off by whoever reads what goes there.

    def confirming(self, person: str, email: str) -> str:
        """Return the token that says that an address is a person's."""
        return str(self._confirming.dumps([person, email]))

    def stopping(self, person: str, email: str) -> str:
        """Return the token that turns mail to an address off; it is good for ever."""
        return str(self._stopping.dumps([person, email]))

    async def confirm(self, token: str) -> str:
        """Confirm the address that a token is for, and return it. Raises BadRequest with a sentence."""
        person, email = _read(self._confirming, token, CONFIRM_SECONDS)
        contact = await self.of(person)
        if contact.email != email:
            raise BadRequest(_("This address has been changed since; the newest mail has the link that counts."))
        await self.keep(person, confirmed=True)
        return email

    async def stop(self, token: str, now: int) -> str:
        """Turn all mail to the address off that a token is for, and return it. Raises BadRequest with a sentence.

        Whoever reads mail there decides that, whichever persons it belongs to by now. If it was nobody's yet, somebody
        else has named it, and for a while it is not even asked again.
        """
        _person, email = _read(self._stopping, token, None)
        row = {"address": hash_address(email), "at": now}
        theirs = sa.func.lower(CONTACTS.c.email) == email.lower()

        def change(connection: sa.Connection) -> None:
            confirmed = connection.execute(sa.select(CONTACTS.c.person).where(theirs, CONTACTS.c.confirmed)).first()
            connection.execute(sa.update(CONTACTS).where(theirs).values(email=None, confirmed=False))
            if confirmed is None:
                connection.execute(sa.delete(MAIL_REFUSALS).where(MAIL_REFUSALS.c.address == row["address"]))
                connection.execute(sa.insert(MAIL_REFUSALS).values(row))

        await self._write(change)
        return email

    async def refuses_mail(self, email: str, now: int) -> bool:
        """Whether the owner of an address wants no mail from here."""
        m = MAIL_REFUSALS.c
        query = sa.select(m.at).where(m.address == hash_address(email), m.at > now - REFUSED_MILLISECONDS)

        def read() -> bool:
            with self._store.reading() as connection:
                return connection.execute(query).first() is not None

        return await asyncio.to_thread(read)

    async def _write(self, change: Change) -> None:
        try:
            await self._writer.write(change)
        except (Conflict, WriteFailed) as error:
            raise NotSaved(_("This could not be saved, so it was not done.")) from error


def accept_zone(name: str) -> str:
    """Return a time zone by its IANA name. Raises BadRequest with a sentence."""
    if name not in zones():
        raise BadRequest(_("There is no time zone {name!r}; one reads like Europe/Paris.").format(name=name[:40]))
    return name


@lru_cache(maxsize=1)
def zones() -> Mapping[str, None]:
    """Return the names of all time zones, sorted."""
    return dict.fromkeys(
        [UTC, *sorted(one for one in available_timezones() if "/" in one and not one.startswith("Etc"))]
    )


def in_zone(milliseconds: int, zone: str, tag: str) -> str:
    """Return a time in words of a language, in a time zone that is named: `Sat 21 Nov, 14:30 (Europe/Paris)`."""
    from babel.dates import format_datetime

    from pyramidion.web.clock import moment

    at = moment(milliseconds).astimezone(ZoneInfo(zone))
    return f"{format_datetime(at, 'EEE d MMM, HH:mm', locale=tag.replace('-', '_'))} ({zone})"


def accept_off(named: Iterable[str]) -> frozenset[str]:
    """Return what is switched off. Raises BadRequest for what there is not."""
    every = {f"{kind}.{way}" for kind in KINDS for way in WAYS}
    off = frozenset(named)
    if not off <= every:
        raise BadRequest(
            _("Messages are switched off by kind and way, such as turn.mail: {kinds}; {ways}.").format(
                kinds=", ".join(KINDS), ways=", ".join(WAYS)
            )
        )
    return off


def _read(serializer: URLSafeTimedSerializer, token: str, most: int | None) -> tuple[str, str]:
    try:
        person, email = serializer.loads(token, max_age=most)
    except (BadSignature, ValueError, TypeError):
        raise BadRequest(_("This link is incomplete or too old.")) from None
    return str(person), str(email)
