"""Tests of notifications: what is sent, to whom, once, and when no longer. Time is injected; nothing is really sent."""

import asyncio

import httpx
import pytest
from tests.web.helpers.databases import BOTH, url_at
from tests.web.helpers.notifications import HOUR, START, open_site

from pyramidion.web.features.host_controls.service import HostControls
from pyramidion.web.features.notifications.contacts import THE_TABLE, TableContact
from pyramidion.web.features.notifications.transports.webhooks import HookFailed
from pyramidion.web.table.seats.host import Requester
from pyramidion.web.table.settings.declarations import ChatSettings

DAY = 24 * HOUR


async def test_whoever_is_to_decide_is_told_once_and_after_a_while(tmp_path):
    async with open_site(tmp_path) as site:
        table = await site.table()
        [seat] = table.match.acting
        name = ("ana", "bo", "chi")[seat]
        assert await site.pass_(1_000) == []
        told = await site.pass_(60_000)
        assert (name, "Friday (Ponzi Scheme): it is your turn.") in told
        assert sorted(text for _, text in told if "started" in text) == ["Friday (Ponzi Scheme) has started."] * 3
        site.tables.moved(table)
        assert await site.pass_(60_000) == []


async def test_several_actions_in_a_row_make_one_message_and_who_has_decided_gets_none(tmp_path):
    async with open_site(tmp_path) as site:
        table = await site.table()
        for _ in range(7):
            await site.act(table, table.match.acting[0])
            assert [text for _, text in await site.pass_(10_000) if "something" in text] == []
        names = [("ana", "bo", "chi")[seat] for seat in table.match.acting]
        assert await site.turns() == names


async def test_nobody_is_told_what_they_have_seen_or_switched_off(tmp_path):
    async with open_site(tmp_path) as site:
        table = await site.table()
        [seat] = table.match.acting
        name = ("ana", "bo", "chi")[seat]

        async def again():
            """Play until it is the same seat's decision once more."""
            await site.act(table, table.match.acting[0])
            while table.match.acting != (seat,):
                await site.act(table, table.match.acting[0])

        await site.notifications.look()
        site.now += 1_000
        await site.notifications.looked(table, seat)
        assert await site.turns() == []
        off = frozenset({"turn.webhook"})
        await site.contacts.keep_at(table.id, name, TableContact(None, off))
        await again()
        assert await site.turns() == []
        await site.contacts.keep_at(table.id, name, TableContact())
        await site.contacts.keep(name, off=off)
        await again()
        assert await site.turns() == []
        await site.contacts.keep(name, off=frozenset())
        await again()
        assert await site.turns() == [name]


async def test_a_paused_table_tells_nobody_what_to_decide_until_it_goes_on(tmp_path):
    async with open_site(tmp_path) as site:
        table = await site.table(clock=24 * 3600)
        names = [("ana", "bo", "chi")[seat] for seat in table.match.acting]
        controls = HostControls(table, Requester(0, host=True))
        await site.notifications.look()
        await controls.pause()
        assert await site.turns() == []
        assert await site.pass_(30 * HOUR) == []
        await controls.resume()
        assert await site.turns(11 * 60_000) == names
        reminded = await site.pass_(18 * HOUR)
        assert [who for who, text in reminded if "runs out on" in text] == names


async def test_one_reminder_before_a_deadline_in_the_readers_zone_and_language(tmp_path):
    async with open_site(tmp_path) as site:
        table = await site.table(clock=24 * 3600)
        [seat] = table.match.acting
        name = ("ana", "bo", "chi")[seat]
        await site.contacts.keep(name, zone="Asia/Tokyo")
        assert await site.turns() == [name]
        assert await site.pass_(17 * HOUR) == []
        assert await site.pass_(HOUR) == [
            (name, "Friday (Ponzi Scheme): your time runs out on Sat 16 Jan, 17:00 (Asia/Tokyo).")
        ]
        assert await site.pass_(5 * HOUR) == []


async def test_who_has_decided_is_not_reminded_and_nobody_learns_it_from_the_tables_webhook(tmp_path):
    told, names = [], ("ana", "bo", "chi", "dan")

    async def story(site, early):
        table = await site.table(game="pyramid-shambo", clock=24 * 3600, names=names)
        await site.contacts.keep_at(table.id, THE_TABLE, TableContact("https://table/"))
        site.tables.moved(table)
        while len(table.match.acting) < 2:
            await site.act(table, table.match.acting[0])
        due = table.match.acting
        for place in early:
            await site.act(table, due[place])
        decided = {names[due[place]] for place in early}
        messages = await site.pass_(60_000) + await site.pass_(19 * HOUR)
        told.append([text for who, text in messages if who == "table" and "started" not in text])
        reminded = {who for who, text in messages if who != "table" and "started" not in text}
        assert reminded == {names[seat] for seat in due} - decided

    for early in ((), (0,)):
        async with open_site(tmp_path / str(len(early))) as site:
            await story(site, early)
    assert told[0] == told[1]
    assert len(told[0]) == 2
    assert all(" and " in text for text in told[0])


async def test_private_lines_make_one_message_without_a_word_of_them_until_they_are_seen(tmp_path):
    async with open_site(tmp_path) as site:
        table = await site.table(chat=ChatSettings(private="groups"))
        await site.pass_(60_000)
        for text in ("the locomotive", "at noon"):
            await site.chats.say(table, Requester(0, host=False), text, [1], None)
        assert await site.pass_(60_000) == [("bo", "Friday (Ponzi Scheme): you have a private message.")]
        await site.chats.say(table, Requester(0, host=False), "hello?", [1], None)
        assert await site.pass_(60_000) == []
        await site.chats.seen(table, 1, None)
        await site.chats.say(table, Requester(0, host=False), "well", [1, 2], None)
        assert {who for who, _ in await site.pass_(60_000)} == {"bo", "chi"}
        await site.chats.seen(table, 1, None)
        await site.chats.say(table, Requester(0, host=False), "seen at once", [1], None)
        await site.chats.seen(table, 1, None)
        assert await site.pass_(60_000) == []


async def test_the_end_is_told_and_not_told_again(tmp_path, monkeypatch):
    async with open_site(tmp_path) as site:
        monkeypatch.setattr("pyramidion.web.db.changes.now", lambda: site.now)
        table = await site.table(clock=30)
        while not table.match.over:
            site.now += 31_000
            await table.time_up()
        told = [text for _, text in await site.pass_(60_000)]
        assert told.count("Friday (Ponzi Scheme) is over.") == 3
        assert not any("decide" in text for text in told)
        site.now += 3 * DAY
        await site.notifications.outbox.sweep(site.now)
        site.tables.moved(table)
        assert await site.pass_(60_000) == []


async def test_what_is_not_taken_is_tried_again_after_growing_pauses_and_given_up_after_a_day(tmp_path):
    async with open_site(tmp_path) as site:
        table = await site.table()
        tries = []

        async def post(url, body):
            tries.append((url, site.now))
            raise HookFailed("broken")

        site.notifications.webhooks.post = post
        await site.notifications.look()
        for _ in range(2 * 24 * 60):
            site.now += 60_000
            await site.notifications.sender.send()
        acting = f"https://{('ana', 'bo', 'chi')[table.match.acting[0]]}/"
        at = [(now - START) // 60_000 for url, now in tries if url != acting]
        other = sorted(at)[::2]
        assert other[:6] == [1, 2, 7, 22, 82, 262]
        assert 24 * 60 <= other[-1] <= 28 * 60


async def test_a_browser_is_told_once_while_it_asks(tmp_path):
    async with open_site(tmp_path) as site:
        table = await site.table()
        [seat] = table.match.acting
        name = ("ana", "bo", "chi")[seat]
        assert await site.notifications.sender.for_browser(name, "en") == []
        await site.act(table, seat)
        while table.match.acting != (seat,):
            await site.act(table, table.match.acting[0])
        await site.notifications.look()
        site.now += 10_000
        told = await site.notifications.sender.for_browser(name, "fr")
        assert [message.kind for message, _ in told] == ["turn"]
        assert (await site.contacts.of(name)).language == "fr"
        assert await site.notifications.sender.for_browser(name, "fr") == []


@pytest.mark.parametrize("database", BOTH, indirect=True)
async def test_of_two_servers_one_takes_a_message(tmp_path, database):
    url = url_at(tmp_path)
    async with (
        open_site(tmp_path / "a", database_url=url, secret_key="k" * 40) as one,
        open_site(tmp_path / "b", database_url=url, secret_key="k" * 40) as other,
    ):
        table = await one.table()
        other.tables.moved(await other.tables.get(table.id))
        await asyncio.gather(one.notifications.look(), other.notifications.look())
        one.now = other.now = START + 60_000
        await asyncio.gather(*(site.notifications.sender.send() for site in (one, other) for _ in range(3)))
        sent = [text for _, text in one.sent + other.sent]
        assert len(sent) == len(one.sent) + len(other.sent) == 4
        assert sum("your turn" in text for text in sent) == 1


async def test_a_program_says_how_its_seat_is_reached(tmp_path):
    async with (
        open_site(tmp_path) as site,
        httpx.AsyncClient(transport=httpx.ASGITransport(site.app), base_url="http://test", timeout=60) as client,
    ):
        order = {"game": "ponzi-scheme", "seats": [{"kind": "me"}] * 3}
        about = (await client.post("/api/tables", json=order)).json()
        url, headers = f"/api/tables/{about['id']}/alerts", {"Authorization": f"Bearer {about['tokens']['0']}"}

        async def find(host, port):
            return ["93.184.216.34"]

        site.notifications.webhooks.find = find
        changes = {"webhook": "https://hooks.example.org/a", "zone": "America/Lima", "off_here": ["over.webhook"]}
        answer = await client.put(url, headers=headers, json=changes)
        assert answer.status_code == 200, answer.text
        assert answer.json() == {**answer.json(), **changes, "email": None, "confirmed": False}
        for wrong in (
            {"zone": "Mars/Base"},
            {"off": ["turn.pigeon"]},
            {"webhook": "http://x/"},
            {"email": "a@b.org"},
        ):
            refused = await client.put(url, headers=headers, json=wrong)
            assert refused.status_code == 400, refused.text
        assert (await client.get(url, headers=headers)).json() == answer.json()
        assert (await client.get(url)).status_code == 403
