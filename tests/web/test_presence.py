"""Presence is a fact about a moment: whatever happens after somebody was last there is told, in every way.

All kinds and ways are those of the code; time is injected, and the gap between the last sign of presence and what
happens goes from 0 to 120 seconds.
"""

from contextlib import asynccontextmanager
from itertools import count

import httpx
import pytest
import sqlalchemy as sa
from tests.web.helpers.databases import url_at
from tests.web.helpers.notifications import open_site

from pyramidion.web.db.schema import CHAT_SEATS
from pyramidion.web.features.notifications.contacts import KINDS
from pyramidion.web.features.notifications.delivery import EVERY_WAY
from pyramidion.web.features.notifications.triggers import reminder_time
from pyramidion.web.table.events import Notice
from pyramidion.web.table.seats.host import Requester
from pyramidion.web.table.seats.plans import SeatPlan
from pyramidion.web.table.settings.declarations import ChatSettings, TableSettings

SECOND = 1_000
GAPS = [*range(16), 20, 25, 30, 44, 45, 46, 60, 90, 120]


class Receivers:
    """Everything that one person is sent, by way: kind and text."""

    def __init__(self, site):
        self.site, self.got = site, []
        notifications = site.notifications
        notifications.webhooks.post = self._hook
        notifications.push.send = self._push
        notifications.mailer.send = self._mail

    async def _hook(self, url, _body):
        self.got.append(("webhook", url.removeprefix("https://").rstrip("/")))

    async def _push(self, person, _payload):
        self.got.append(("push", person))

    async def _mail(self, mail):
        self.got.append(("mail", mail["To"].partition("@")[0]))

    async def reach(self, person, kind):
        """Let a person be reached in every way, but about nothing of another kind."""
        others = frozenset(
            f"{other}.{way}" for other in KINDS if other != kind for way in ("browser", "mail", "webhook")
        )
        await self.site.contacts.keep(
            person, email=f"{person}@example.org", confirmed=True, webhook=f"https://{person}/", off=others
        )

    async def send(self, person, wait=60 * SECOND):
        """Send what is due after a while; return the ways in which the person was reached, each once."""
        await self.site.notifications.look()
        self.site.now += wait
        while await self.site.notifications.sender.send():
            pass
        for _message, _text in await self.site.notifications.sender.for_browser(person, "en"):
            self.got.append(("browser", person))
        ways = sorted(way for way, who in self.got if who == person)
        self.got.clear()
        return ways


@asynccontextmanager
async def receiving(folder, monkeypatch, **settings):
    async with open_site(folder, **settings) as site:
        # Each person has a device, and a page of ours that asks for news.
        monkeypatch.setattr(
            "pyramidion.web.features.notifications.contacts.count_devices", lambda _c, who: dict.fromkeys(who, 1)
        )
        monkeypatch.setattr("pyramidion.web.db.changes.now", lambda: site.now)
        yield Receivers(site)


class Stream:
    """An open event stream, as far as the table knows it."""

    allowed = staticmethod(lambda: True)
    holder = None

    def wake(self):
        """Send nothing."""

    announce = beat = close = wake


class Turn:
    """Somebody's decision is due. Each occasion has people of its own, at a table of two."""

    seat: int
    number = count()

    def __init__(self, site):
        self.site, number = site, next(self.number)
        self.names = f"ana{number}", f"bo{number}"

    @property
    def person(self):
        return self.names[self.seat]

    async def open(self, options=None, **settings):
        plans = [SeatPlan("me", self.names[0]), SeatPlan("open")]
        settings = TableSettings(**settings)
        self.table = await self.site.tables.create(
            "pyramid-shambo", plans, options or {}, settings, title="Friday", holder=self.names[0]
        )

    async def sit(self):
        await self.table.sit(1, self.names[1], self.names[1])

    async def prepare(self):
        await self.open()
        await self.sit()
        self.seat = 1 - self.table.match.acting[0]

    def at(self):
        return self.site.now + 200 * SECOND

    async def happen(self):
        while self.seat not in self.table.match.acting:
            await self.site.act(self.table, self.table.match.acting[0])


class Deadline(Turn):
    """The time to decide runs out."""

    async def prepare(self):
        await self.open(clock=24 * 3600)
        await self.sit()
        self.seat = self.table.match.acting[0]

    def at(self):
        return reminder_time(self.table)

    async def happen(self):
        pass


class Started(Turn):
    """The last player sits down."""

    seat = 0

    async def prepare(self):
        await self.open()

    async def happen(self):
        await self.sit()


class Over(Turn):
    """The game ends."""

    seat = 1

    async def prepare(self):
        await self.open({"turn_limit": 1, "tie_limit": 1})
        await self.sit()

    async def happen(self):
        while not self.table.match.over:
            await self.site.act(self.table, self.table.match.acting[0])


class Line(Turn):
    """Somebody writes."""

    seat = 1

    async def prepare(self):
        await self.open(chat=ChatSettings(private="groups"))
        await self.sit()

    async def happen(self):
        await self.site.chats.say(self.table, Requester(0, host=False), "hello", [1], None)


class Invited(Turn):
    """A seat is reserved."""

    seat = 1

    async def prepare(self):
        await self.open()
        await self.sit()

    async def happen(self):
        rooms, plans = self.site.app.server.rooms, [SeatPlan("me", self.names[0]), SeatPlan("open")]
        settings = TableSettings(start="when-ready")
        room, _tokens = await rooms.open("pyramid-shambo", plans, {}, settings, title="Friday", holder=self.names[0])
        await rooms.reserve(room.id, self.person)
        self.site.tables.events.publish_invited(room.id, self.person)


OCCASIONS = {"turn": Turn, "deadline": Deadline, "started": Started, "over": Over, "line": Line, "invited": Invited}
SEEN_AT_THE_TABLE = OCCASIONS.keys() - {"invited"}
"""What a page of the table shows; an invitation leads to a table at which the person does not sit yet."""


async def prepared(receivers, kind):
    """Return an occasion that is about to happen, with nothing else to be told; and who is concerned."""
    site, occasion = receivers.site, OCCASIONS[kind](receivers.site)
    await occasion.prepare()
    person = occasion.person
    await receivers.reach(person, kind)
    await site.notifications.sender.for_browser(person, "en")
    site.tables.moved(occasion.table)
    await site.notifications.look()
    site.now += SECOND
    await site.notifications.looked(occasion.table, occasion.seat)
    await receivers.send(person, 0)
    occasion.happens = occasion.at()
    return occasion, person


async def left_before(receivers, occasion, person, gap):
    """Let something happen, `gap` milliseconds after the last sign of presence."""
    site = receivers.site
    site.now = occasion.happens - gap
    await site.notifications.sender.for_browser(person, "en")
    await site.notifications.looked(occasion.table, occasion.seat)
    site.now = occasion.happens
    await occasion.happen()


def test_every_kind_is_tried():
    assert OCCASIONS.keys() == set(KINDS) - {"episode"}, "an episode is none of a table"


@pytest.mark.parametrize("kind", OCCASIONS)
async def test_what_happens_after_somebody_was_last_there_is_told_in_every_way(tmp_path, monkeypatch, kind):
    async with receiving(tmp_path, monkeypatch) as receivers:
        wrong = {}
        for gap in GAPS:
            occasion, person = await prepared(receivers, kind)
            await left_before(receivers, occasion, person, gap * SECOND)
            ways = await receivers.send(person)
            expected = sorted(EVERY_WAY) if gap or kind not in SEEN_AT_THE_TABLE else []
            if ways != expected:
                wrong[gap] = ways
        assert wrong == {}


@pytest.mark.parametrize("kind", sorted(SEEN_AT_THE_TABLE))
async def test_who_comes_back_before_it_is_sent_has_seen_it(tmp_path, monkeypatch, kind):
    async with receiving(tmp_path, monkeypatch) as receivers:
        for gap in (1, 14, 44, 46, 120):
            occasion, person = await prepared(receivers, kind)
            await left_before(receivers, occasion, person, gap * SECOND)
            await receivers.site.notifications.look()
            receivers.site.now += 1
            await receivers.site.notifications.looked(occasion.table, occasion.seat)
            assert await receivers.send(person) == []


@pytest.mark.parametrize("kind", sorted(SEEN_AT_THE_TABLE))
@pytest.mark.parametrize("delay", [0, 30])
async def test_an_open_page_reports_in_time_and_a_closed_one_delays_nothing(tmp_path, monkeypatch, kind, delay):
    """Pages report every 20 seconds, which may be after the time to send."""
    async with receiving(tmp_path, monkeypatch, notice_delay=delay) as receivers:
        site = receivers.site
        for still_open in (True, False):
            occasion, person = await prepared(receivers, kind)
            channel = occasion.table.viewers.channel(occasion.seat, 0)
            stream = Stream()
            channel.streams.add(stream)
            # The last report before it happens, and the next one at an open page.
            await left_before(receivers, occasion, person, 19 * SECOND)
            if not still_open:
                channel.streams.discard(stream)
            ways = await receivers.send(person, SECOND)
            if still_open:
                assert ways == []
                await site.notifications.looked(occasion.table, occasion.seat)
                assert await receivers.send(person, 120 * SECOND) == []
                channel.streams.discard(stream)
            else:
                ways += await receivers.send(person, delay * SECOND)
                assert sorted(ways) == sorted(EVERY_WAY)


async def test_a_connection_that_only_seems_open_delays_what_is_told_but_keeps_nothing_back(tmp_path, monkeypatch):
    async with receiving(tmp_path, monkeypatch, notice_delay=0) as receivers:
        occasion, person = await prepared(receivers, "turn")
        stream = Stream()
        occasion.table.viewers.channel(occasion.seat, 0).streams.add(stream)
        await left_before(receivers, occasion, person, SECOND)
        assert await receivers.send(person, SECOND) == []
        assert await receivers.send(person, 25 * SECOND) == sorted(EVERY_WAY)


async def test_a_page_that_shows_an_old_position_is_no_sign_of_presence(tmp_path, monkeypatch):
    async with receiving(tmp_path, monkeypatch) as receivers:
        site = receivers.site
        occasion, person = await prepared(receivers, "turn")
        table, seat = occasion.table, occasion.seat
        version = table.version(seat)
        await left_before(receivers, occasion, person, SECOND)
        site.now += SECOND
        await site.notifications.looked(table, seat, version)
        assert await receivers.send(person) == sorted(EVERY_WAY)
        occasion, person = await prepared(receivers, "turn")
        await left_before(receivers, occasion, person, SECOND)
        site.now += SECOND
        await site.notifications.looked(occasion.table, seat := occasion.seat, occasion.table.version(seat))
        assert await receivers.send(person) == []


async def test_a_message_after_the_last_look_is_told_although_an_earlier_one_has_been_seen(tmp_path, monkeypatch):
    async with receiving(tmp_path, monkeypatch) as receivers:
        site = receivers.site
        occasion, person = await prepared(receivers, "line")
        await left_before(receivers, occasion, person, SECOND)
        await site.notifications.look()
        site.now += SECOND
        await site.notifications.looked(occasion.table, occasion.seat)
        site.now += SECOND
        await occasion.happen()
        assert await receivers.send(person) == sorted(EVERY_WAY)


async def test_a_turn_begins_when_its_step_does_and_not_with_an_earlier_move(tmp_path, monkeypatch):
    """Moves within a second are looked at together."""
    async with receiving(tmp_path, monkeypatch) as receivers:
        site = receivers.site
        occasion, person = await prepared(receivers, "turn")
        site.tables.moved(occasion.table)
        site.now += SECOND // 4
        await site.notifications.looked(occasion.table, occasion.seat)
        site.now += SECOND // 4
        await occasion.happen()
        assert await receivers.send(person) == sorted(EVERY_WAY)
        # Another move in the same step is no new turn.
        occasion, person = await prepared(receivers, "turn")
        await occasion.happen()
        site.now += SECOND // 4
        await site.notifications.looked(occasion.table, occasion.seat)
        site.now += SECOND // 4
        site.tables.moved(occasion.table)
        assert await receivers.send(person) == []


@pytest.mark.parametrize("kind", OCCASIONS)
async def test_notices_of_seasons_tournaments_and_clubs_are_told_whoever_is_at_a_table(tmp_path, monkeypatch, kind):
    """They concern no table, and no page says that it shows them."""
    async with receiving(tmp_path, monkeypatch) as receivers:
        site = receivers.site
        occasion, person = await prepared(receivers, kind)
        for gap in (0, 1, 14, 44, 46, 120):
            await site.notifications.looked(occasion.table, occasion.seat)
            site.now += gap * SECOND
            await site.notifications.sender.for_browser(person, "en")
            notice = Notice(f"x.{gap}", person, kind, "Code Red", lambda: "Something has happened.", "/seasons/x")
            for change in await site.tables.events.notify([notice]):
                await site.tables.writer.write(change)
            assert await receivers.send(person) == sorted(EVERY_WAY), gap


async def test_the_other_server_knows_who_was_there(tmp_path, monkeypatch):
    url = url_at(tmp_path)
    both = {"database_url": url, "secret_key": "k" * 40}
    async with (
        receiving(tmp_path / "a", monkeypatch, **both) as one,
        receiving(tmp_path / "b", monkeypatch, **both) as other,
    ):
        monkeypatch.setattr("pyramidion.web.db.changes.now", lambda: one.site.now)
        for back in (False, True):
            occasion, person = await prepared(one, "turn")
            await left_before(one, occasion, person, 5 * SECOND)
            await one.site.notifications.look()
            if back:
                one.site.now += 1
                await one.site.notifications.looked(occasion.table, occasion.seat)
            other.site.now = one.site.now
            assert await other.send(person) == ([] if back else sorted(EVERY_WAY))
            one.site.now = other.site.now


async def test_a_page_says_which_position_it_shows(tmp_path):
    async with (
        open_site(tmp_path) as site,
        httpx.AsyncClient(transport=httpx.ASGITransport(site.app), base_url="http://test", timeout=60) as client,
    ):
        form = (await client.get("/games/pyramid-shambo/new")).text
        csrf = form.partition('name="csrf" value="')[2].partition('"')[0]
        fields = {"csrf": csrf, "game": "pyramid-shambo", "seats": "2", "seat-0": "me", "seat-1": "hotseat"}
        fields |= {"start": "now", "seat-1": "bot:random"}
        answer = await client.post("/tables", data=fields)
        assert answer.status_code == 303, answer.text
        path = answer.headers["location"]
        table = await site.tables.get(path.removeprefix("/t/"))

        def looked():
            rows = site.tables.store.query(sa.select(CHAT_SEATS.c.looked).where(CHAT_SEATS.c.match == table.id))
            return [row.looked for row in rows]

        newest = table.version(0)
        for version, counts in (("0", newest == 0), (str(newest), True), ("", True), ("x", True)):
            site.now += SECOND
            answer = await client.post(f"{path}/looking", data={"csrf": csrf, "version": version})
            assert answer.status_code == 200, answer.text
            assert (looked() == [site.now]) is counts
