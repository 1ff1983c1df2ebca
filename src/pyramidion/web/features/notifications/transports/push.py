"""Web Push (RFC 8030, 8291, 8292): messages to devices on which no page of ours is open.

A device's endpoint belongs to its browser's vendor, who passes messages on and cannot read them. They go through the
same checks as webhooks, but only over HTTPS and to the usual port.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from base64 import urlsafe_b64decode
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import sqlalchemy as sa
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key
from pydantic import AnyHttpUrl
from webpush import VAPID, WebPush, WebPushSubscription
from webpush.types import WebPushKeys

from pyramidion.translation import _
from pyramidion.web.db.schema import PUSH_DEVICES
from pyramidion.web.db.writer import Change, Conflict, WriteFailed
from pyramidion.web.errors import BadRequest, NotSaved
from pyramidion.web.features.notifications.transports.webhooks import GOOD, HookFailed, Webhooks
from pyramidion.web.http.forms import parse_number

if TYPE_CHECKING:
    from pyramidion.web.db.store import Store
    from pyramidion.web.db.writer import Writer
    from pyramidion.web.settings import Settings

GONE = (404, 410)
"""The statuses of an endpoint that no longer exists."""
MOST_DEVICES = 10
LONGEST_ENDPOINT = 1000
KEPT_SECONDS = 12 * 3600
"""How long a push service keeps a message for a device that is switched off."""
AUTH_BYTES = 16
LONGEST_KEY, LONGEST_AUTH = 100, 40
HOURS = 24


@dataclass(frozen=True, slots=True)
class Device:
    """A browser that has subscribed to Web Push: where to send its messages, and the keys to encrypt them for it.

    `endpoint` is the URL at the browser vendor's push service, `p256dh` and `auth` are keys in base64url.
    """

    endpoint: str
    p256dh: str
    auth: str

    @property
    def id(self) -> str:
        """The primary key of the device's row: the SHA-256 of its endpoint."""
        return hashlib.sha256(self.endpoint.encode()).hexdigest()


class Push:
    """Stores people's devices, and sends them encrypted messages that are signed with the server's key.

    Attributes:
        public_key: what browsers need in order to subscribe, in base64url.
        hooks: posts to checked addresses.
    """

    def __init__(self, settings: Settings, store: Store, writer: Writer, hooks: Webhooks | None = None) -> None:
        self._store, self._writer = store, writer
        self.hooks = hooks or Webhooks(longest=LONGEST_ENDPOINT)
        private = settings.push_key(store, _new_key).encode()
        public = load_pem_private_key(private, None).public_key()
        pem = public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        self.public_key = VAPID.get_application_server_key(public)
        # The address under which the push services would complain.
        host = urlsplit(settings.public_url or "").hostname or "pyramidion.invalid"
        self._messages = WebPush(private, pem, subscriber=f"postmaster@{host}", ttl=KEPT_SECONDS)

    async def subscribe(self, person: str, device: Device, at: int) -> None:
        """Store a person's device, in place of the oldest one if there are too many. Raises BadRequest or NotSaved."""
        _require_keys(device)
        try:
            await self.hooks.accept(device.endpoint)
        except BadRequest:
            raise BadRequest(_("This server cannot reach your browser's push service.")) from None
        d = PUSH_DEVICES.c
        row = {"id": device.id, "person": person, "made": at}
        row |= {"endpoint": device.endpoint, "p256dh": device.p256dh, "auth": device.auth}

        def store_device(connection: sa.Connection) -> None:
            connection.execute(sa.delete(PUSH_DEVICES).where(d.id == device.id))
            newest = sa.select(d.id).where(d.person == person).order_by(d.made.desc(), d.id).offset(MOST_DEVICES - 1)
            old = connection.execute(newest).scalars().all()
            connection.execute(sa.delete(PUSH_DEVICES).where(d.id.in_(old)))
            connection.execute(sa.insert(PUSH_DEVICES).values(row))

        await self._write(store_device)

    async def forget(self, endpoint: str) -> None:
        """Delete the device with an endpoint. Raises NotSaved."""
        gone = sa.delete(PUSH_DEVICES).where(PUSH_DEVICES.c.id == Device(endpoint, "", "").id)

        def delete_device(connection: sa.Connection) -> None:
            connection.execute(gone)

        await self._write(delete_device)

    async def devices_of(self, person: str) -> Sequence[Device]:
        """Return the devices that a person has subscribed."""
        d = PUSH_DEVICES.c
        query = sa.select(d.endpoint, d.p256dh, d.auth).where(d.person == person).order_by(d.id)
        rows = await asyncio.to_thread(self._store.query, query)
        return [Device(*row) for row in rows]

    async def send(self, person: str, payload: dict[str, Any]) -> None:
        """Send a message to all devices of a person, and delete those that no longer exist.

        `payload` is sent as JSON. Raises HookFailed if there are devices left and none of them accepts it.
        """
        devices = await self.devices_of(person)
        text = json.dumps(payload, ensure_ascii=False).encode()
        reached = await asyncio.gather(*(self._reach(device, text) for device in devices))
        if False in reached and True not in reached:
            raise HookFailed(_("The push service did not accept the message."))

    async def _reach(self, device: Device, text: bytes) -> bool | None:
        """Send a message to a device; return whether its push service accepted it, or None if the device no longer
        exists.
        """
        keys = WebPushKeys(auth=device.auth, p256dh=device.p256dh)
        made = self._messages.get(text, WebPushSubscription(endpoint=AnyHttpUrl(device.endpoint), keys=keys))
        headers = {**{name: str(value) for name, value in made.headers.items()}, "urgency": "high"}
        headers["content-type"] = "application/octet-stream"
        try:
            status = await self.hooks.send(device.endpoint, made.encrypted, headers)
        except (HookFailed, BadRequest):
            return False
        if status in GONE:
            await self.forget(device.endpoint)
            return None
        return status in GOOD

    async def _write(self, change: Change) -> None:
        """Apply a change to the database. Raises NotSaved."""
        try:
            await self._writer.write(change)
        except (Conflict, WriteFailed) as error:
            raise NotSaved(_("This could not be saved.")) from error


def count_devices(connection: sa.Connection, persons: Collection[str]) -> dict[str, int]:
    """Return how many devices people have subscribed, by person; those without any are left out."""
    person = PUSH_DEVICES.c.person
    query = sa.select(person, sa.func.count().label("devices")).where(person.in_(persons)).group_by(person)
    return {row.person: row.devices for row in connection.execute(query)}


def _new_key() -> str:
    """Return a new private key for signing messages, as PEM."""
    private, _public, _for_browsers = VAPID.generate_keys()
    return private.decode()


def accept_hour(text: str) -> int | None:
    """Return the hour of the day (0 to 23) that a text names, or None for an empty text. Raises BadRequest."""
    if not text:
        return None
    hour = parse_number(text, 2)
    if hour is None or hour >= HOURS:
        raise BadRequest(_("An hour is a number from 0 to 23."))
    return hour


def _require_keys(device: Device) -> None:
    """Raise BadRequest unless the keys of a device allow messages to be encrypted for it."""
    wrong = BadRequest(_("The browser's keys cannot be read."))
    if len(device.p256dh) > LONGEST_KEY or len(device.auth) > LONGEST_AUTH:
        raise wrong
    try:
        AnyHttpUrl(device.endpoint)
        key = urlsafe_b64decode(device.p256dh + "=" * (-len(device.p256dh) % 4))
        auth = urlsafe_b64decode(device.auth + "=" * (-len(device.auth) % 4))
        EllipticCurvePublicKey.from_encoded_point(SECP256R1(), key)
    except ValueError:
        raise wrong from None
    if len(auth) != AUTH_BYTES:
        raise wrong
