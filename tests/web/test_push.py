"""Web Push: what arrives at a push service of our own, when, and what a device that is gone or slow does to a game."""

import asyncio
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from contextlib import asynccontextmanager, closing

import jwt
import pytest
import sqlalchemy as sa
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from tests.web.helpers.accounts import Person
from tests.web.helpers.notifications import HOUR, START, open_site

from pyramidion.web.db.schema import PUSH_DEVICES
from pyramidion.web.features.notifications.transports.push import MOST_DEVICES, Device
from pyramidion.web.features.notifications.transports.webhooks import Webhooks


def text_of(data):
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def bytes_of(text):
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Phone:
    """A browser's side of a subscription: its keys, with which it reads messages as RFC 8291 says."""

    def __init__(self, endpoint):
        self.private, self.auth = ec.generate_private_key(ec.SECP256R1()), b"sixteen bytes it"
        self.public = self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.device = Device(endpoint, text_of(self.public), text_of(self.auth))

    def read(self, body):
        salt, sender, sealed = body[:16], body[21:86], body[86:]
        assert body[20] == len(sender) == 65
        theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        shared = self.private.exchange(ec.ECDH(), theirs)

        def derive(salt, secret, info, length):
            return HKDF(hashes.SHA256(), length, salt, info).derive(secret)

        secret = derive(self.auth, shared, b"WebPush: info\0" + self.public + sender, 32)
        key = derive(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
        nonce = derive(salt, secret, b"Content-Encoding: nonce\0", 12)
        return json.loads(AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\0").removesuffix(b"\2"))


class Service:
    """A push service; `status` is what it answers, None for never."""

    def __init__(self):
        self.status, self.got, self.asked = 201, [], asyncio.Event()

    async def answer(self, reader, writer):
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        first, *lines = head.strip().split("\r\n")
        headers = dict(line.lower().split(": ", 1) if "vapid" not in line else line.split(": ", 1) for line in lines)
        body = await reader.readexactly(int(headers["content-length"]))
        self.got.append((first.split()[1], headers, body))
        self.asked.set()
        if self.status is None:
            await reader.read()
        else:
            writer.write(f"HTTP/1.1 {self.status} Whatever\r\nContent-Length: 0\r\n\r\n".encode())
        writer.close()


@asynccontextmanager
async def open_site_with_phones(folder):
    """A server, a push service, and a way to subscribe; everything but the scheme goes as on the internet."""
    service = Service()
    server = await asyncio.start_server(service.answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]

    async def find(host, _port):
        assert host == "push.example"
        return ["127.0.0.1"]

    async with open_site(folder) as site:
        site.push = site.notifications.push
        site.push.hooks = Webhooks(insecure=True, ports=[port], find=find, reaches=lambda _address: True)

        async def subscribe(person, path):
            phone = Phone(f"http://push.example:{port}/{path}")
            await site.push.subscribe(person, phone.device, site.now)
            await site.contacts.keep(person, webhook=None)
            return phone

        site.subscribe = subscribe
        yield site, service
    server.close()
    await server.wait_closed()


@asynccontextmanager
async def phones_at_a_turn(folder):
    async with open_site_with_phones(folder) as (site, service):
        table = await site.table()
        name = ("ana", "bo", "chi")[table.match.acting[0]]
        # One message at a time: nothing but whose turn it is.
        await site.contacts.keep(name, off={"started.browser"})
        yield site, service, table, name


async def test_a_turn_is_pushed_to_each_device_once_and_only_the_device_can_read_it(tmp_path):
    async with phones_at_a_turn(tmp_path) as (site, service, table, name):
        phone, tablet = await site.subscribe(name, "phone"), await site.subscribe(name, "tablet")
        await site.pass_(60_000)
        await site.pass_(60_000)
        assert sorted(path for path, _headers, _body in service.got) == ["/phone", "/tablet"]
        for path, headers, body in service.got:
            told = (phone if path == "/phone" else tablet).read(body)
            assert told.pop("icon").endswith("/icon-192.png")
            assert told == {
                "title": "Friday",
                "text": "Friday (Ponzi Scheme): it is your turn.",
                "id": f"{table.id}.turn",
                "link": f"/t/{table.id}",
            }
            assert b"Friday" not in body
            assert headers["content-encoding"] == "aes128gcm"
            assert int(headers["ttl"]) > 0
            scheme, token, key = headers["authorization"].split()
            assert (scheme, key) == ("vapid", f"k={site.push.public_key}")
            server = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), bytes_of(site.push.public_key))
            said = jwt.decode(token[2:-1], server, algorithms=["ES256"], audience="http://push.example")
            assert said["sub"] == "mailto:postmaster@games.example.org"


async def test_the_key_stays_the_same(tmp_path):
    keys = []
    for _again in range(2):
        async with open_site(tmp_path) as site:
            keys.append(site.notifications.push.public_key)
    assert keys[0] == keys[1]


async def test_a_device_that_is_gone_is_forgotten_and_the_others_are_still_reached(tmp_path):
    async with phones_at_a_turn(tmp_path) as (site, service, _table, name):
        await site.subscribe(name, "phone")
        service.status = 410
        await site.pass_(60_000)
        assert await site.push.devices_of(name) == []
        assert not await site.notifications.reachable(name)
        await site.pass_(2 * HOUR)
        assert len(service.got) == 1


async def test_a_service_that_fails_is_tried_again(tmp_path):
    async with phones_at_a_turn(tmp_path) as (site, service, _table, name):
        await site.subscribe(name, "phone")
        service.status = 503
        await site.pass_(60_000)
        service.status = 201
        await site.pass_(60_000)
        await site.pass_(HOUR)
        assert len(service.got) == 2


async def test_a_service_that_never_answers_delays_no_action(tmp_path):
    async with phones_at_a_turn(tmp_path) as (site, service, table, name):
        await site.subscribe(name, "phone")
        service.status = None
        await site.notifications.look()
        site.now += 60_000
        sending = asyncio.create_task(site.notifications.sender.send())
        await service.asked.wait()
        ply = table.match.ply
        await site.act(table, table.match.acting[0])
        assert table.match.ply == ply + 1
        assert not sending.done()
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)


async def test_quiet_hours_wait_in_the_persons_own_zone(tmp_path):
    async with phones_at_a_turn(tmp_path) as (site, service, _table, name):
        await site.subscribe(name, "phone")
        # It is 08:00 in UTC at the start, and 09:00 in Paris.
        assert site.now == START
        await site.contacts.keep(name, zone="Europe/Paris", quiet_from=22, quiet_until=10)
        await site.pass_(59 * 60_000)
        assert service.got == []
        await site.pass_(2 * 60_000)
        assert len(service.got) == 1


async def test_a_reminder_comes_once_and_what_is_seen_or_switched_off_never(tmp_path):
    async with phones_at_a_turn(tmp_path) as (site, service, _table, name):
        phone = await site.subscribe(name, "phone")
        slow = await site.table(clock=24 * 3600)
        who = ("ana", "bo", "chi")[slow.match.acting[0]]
        phone = phone if who == name else await site.subscribe(who, "other")
        await site.contacts.keep(who, off={"started.browser"})
        for _hour in range(23):
            await site.pass_(HOUR)
        path = phone.device.endpoint[-5:]
        told = [phone.read(body)["id"] for got, _headers, body in service.got if got.endswith(path)]
        assert [one for one in told if one.startswith(slow.id)] == [f"{slow.id}.turn", f"{slow.id}.deadline"]
        service.got.clear()
        await site.table()
        for person in ("ana", "bo", "chi"):
            await site.contacts.keep(person, off={"started.browser", "turn.browser", "deadline.browser"})
        await site.pass_(HOUR)
        assert service.got == []


async def test_a_person_keeps_the_newest_devices(tmp_path):
    async with phones_at_a_turn(tmp_path) as (site, _service, _table, name):
        for number in range(MOST_DEVICES + 1):
            site.now += 1
            await site.subscribe(name, number)
        kept = {one.endpoint.rpartition("/")[2] for one in await site.push.devices_of(name)}
        assert kept == {str(number) for number in range(1, MOST_DEVICES + 1)}


@pytest.fixture
def ana(server):
    with closing(Person(server)) as person:
        yield person


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"endpoint": "https://127.0.0.1/push"}, "cannot reach your browser"),
        ({"endpoint": "http://93.184.216.34/push"}, "cannot reach your browser"),
        ({"endpoint": "https://93.184.216.34:8443/push"}, "cannot reach your browser"),
        ({"p256dh": "AAAA"}, "keys cannot be read"),
        ({"auth": "AAAA"}, "keys cannot be read"),
        ({"auth": "A" * 50}, "keys cannot be read"),
    ],
)
def test_a_subscription_is_checked(ana, change, said):
    device = Phone("https://93.184.216.34/push").device
    fields = {"endpoint": device.endpoint, "p256dh": device.p256dh, "auth": device.auth, **change}
    answer = ana.form("/alerts/push", **fields)
    assert answer.status_code == 400, answer.text
    assert said in answer.text


def test_who_signs_out_is_not_reached_here_any_more(server):
    with closing(Person(server, "Push Pia")) as pia:
        assert f'data-key="{server.app.server.notifications.push.public_key}"' in pia.get("/alerts").text
        phone = Phone("https://93.184.216.34/pia")
        fields = {"endpoint": phone.device.endpoint, "p256dh": phone.device.p256dh, "auth": phone.device.auth}
        assert pia.form("/alerts/push", **fields).status_code == 200

        def devices():
            return [row.endpoint for row in server.app.server.store.query(sa.select(PUSH_DEVICES.c.endpoint))]

        assert devices() == [phone.device.endpoint]
        pia.say("/account/sign-out", device=phone.device.endpoint)
        assert devices() == []
