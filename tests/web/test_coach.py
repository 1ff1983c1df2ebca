"""The coach of casual tables: it asks once before a known mistake, from what the seat itself knows."""

import re
from contextlib import asynccontextmanager

import httpx
import pytest
from tests.web.conftest import serving
from tests.web.helpers.lessons import csrf

import pyramidion
from pyramidion.bots.search import warm
from pyramidion.web.errors import BadTable
from pyramidion.web.features.hints.coach import Coach
from pyramidion.web.server import Server
from pyramidion.web.settings import Settings
from pyramidion.web.table.seats.plans import SeatPlan
from pyramidion.web.table.settings.declarations import TableSettings

PYRAMIS = pyramidion.load("pyramis")
# After these actions seat 1 refills the River. The left deck brings a pair in a colour that helps; the right one none.
PLIES = """2 place 2 a4, 2 refill left, 0 place 3 a4, 0 refill left, 1 place 2 a4, 1 refill left, 2 place 2 a3,
2 refill right, 0 place 2 a3, 0 refill left, 1 place 3 a3, 1 refill left, 2 place 3 a2, 2 refill left, 0 place 3 a2,
0 refill left, 0 rotate a4, 1 place 1 a2, 1 refill right, 2 place 1 a1, 2 refill left, 0 place 3 b2, 0 refill left,
1 place 1 a1, 1 refill right, 2 place 2 b1, 2 refill left, 1 rotate a2, 2 rotate a3, 0 place 1 b3, 0 refill left,
1 rotate a3, 2 rotate a4, 1 place 2 b1, 1 refill right, 1 rotate a4, 2 rotate a4, 2 place 2 b2, 2 refill left,
0 place 1 a1, 0 refill left, 1 place 2 b2"""
GOOD, BAD = "refill left", "refill right"


@asynccontextmanager
async def table_at_the_mistake(path, **settings):
    server = Server.open(Settings(data_dir=path, bot_seconds=20, bot_iterations=3_000))
    server.writer.start()
    try:
        table = await server.tables.create(
            "pyramis",
            [SeatPlan("me"), SeatPlan("open"), SeatPlan("open")],
            {},
            TableSettings(**settings),
            seed=1,
            holder="x",
        )
        for line in PLIES.split(","):
            seat, _space, action = line.strip().partition(" ")
            await table.act(int(seat), action, table.version(int(seat)))
        yield server.coach, table
    finally:
        await server.close()


async def test_a_known_mistake_is_asked_about_once_and_a_good_move_never(tmp_path):
    warm(PYRAMIS)

    async with table_at_the_mistake(tmp_path, coach=True) as (coach, table):
        assert await coach.warning(table, 1, GOOD) is None
        said = await coach.warning(table, 1, BAD)
        assert said.startswith("Are you sure? After this move you would win")
        assert table.match.label(table.game.actions.parse(GOOD), table.names) in said
        assert await coach.warning(table, 1, BAD) is None  # it asks once
        assert await coach.warning(table, 0, BAD) is None  # nothing is due there
        assert await coach.warning(table, None, BAD) is None


async def test_without_the_setting_nobody_is_asked(tmp_path):
    async with table_at_the_mistake(tmp_path) as (coach, table):
        assert await coach.warning(table, 1, BAD) is None


def test_a_game_by_correspondence_has_no_coach():
    assert TableSettings().settled(PYRAMIS, people=1).coach is False
    assert TableSettings(coach=True, clock=3600).settled(PYRAMIS, people=1).coach is True
    with pytest.raises(BadTable, match="live game"):
        TableSettings(coach=True, clock=86_400).settled(PYRAMIS, people=1)


def test_the_page_asks_and_makes_the_move_when_it_is_sent_again(tmp_path, monkeypatch):
    asked = []

    async def warning(_self, _table, _seat, action):
        asked.append(action)
        return "Are you sure? You would lose." if len(asked) % 2 else None

    monkeypatch.setattr(Coach, "warning", warning)
    with (
        serving(tmp_path) as server,
        httpx.Client(base_url=server.address, follow_redirects=True, timeout=60) as client,
    ):
        form = client.get("/games/pyramis/new")
        order = {
            "csrf": csrf(form),
            "game": "pyramis",
            "seats": "2",
            "seat-0": "me",
            "seat-1": "bot:policy",
            "coach": "yes",
        }
        order["start"] = "now"
        page = client.post("/tables", data=order)
        assert page.status_code == 200, page.text
        assert 'id="coached"' in page.text
        assert 'id="sure"' in page.text
        table = re.search(r'data-table="([^"]+)"', page.text)[1]
        while 'value="place ' not in page.text:  # the other player begins
            page = client.get(f"/t/{table}")
        send = {
            "csrf": csrf(page),
            "action": re.search(r'value="(place [^"]+)"', page.text)[1],
            "version": "0",
            "seat": "0",
        }
        for accept in ("application/json", "text/html"):
            refused = client.post(f"/t/{table}/act", data=send, headers={"accept": accept})
            assert refused.status_code == 409
            assert "Are you sure? You would lose." in refused.text
            asked.append("seen")
        asked.append("asked before")
        made = client.post(f"/t/{table}/act", data=send, headers={"accept": "application/json"})
        assert made.json()["version"] > 0
