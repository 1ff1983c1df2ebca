"""Pregame, extensions that players ask for, and the paces that a game declares. Time is injected."""

import re

import pytest
from tests.web.helpers.clock import START, auction, do, tables_with_time
from tests.web.helpers.databases import BOTH
from tests.web.helpers.host_controls import controls, told
from tests.web.helpers.tables import SERVICES

import pyramidion
from pyramidion.web.errors import BadTable, CannotBeDone, NotTheHost, TableIsPaused
from pyramidion.web.table.seats.plans import SeatPlan
from pyramidion.web.table.settings.declarations import TableSettings
from pyramidion.web.table.settings.time_controls import accept_pregame, chosen_pace, offered
from pyramidion.web.table.snapshots.snapshot import snapshot_of
from pyramidion.web.table.snapshots.status import table_status

pytestmark = [
    pytest.mark.parametrize("database", BOTH, indirect=True),
    pytest.mark.usefixtures("outside", "database"),
]


async def three(tables, **more):
    """A table of Ada, who is the host, Ben and Cy."""
    table = await auction(tables, **more)
    await table.sit(1, "ben", "Ben")
    await table.sit(2, "cy", "Cy")
    return table


async def test_nobody_can_act_before_the_first_phase_opens_by_itself(tmp_path):
    async with tables_with_time(tmp_path) as (tables, time):
        table = await three(tables, clock=60, pregame=3600)
        assert (table.clock.state.opens, table.timing.deadline) == (START + 3_600_000,) * 2
        assert table.timing.opening
        assert table_status(table, 1).opening
        assert snapshot_of(table, 1).legal == []
        with pytest.raises(TableIsPaused, match="The first phase opens on"):
            await do(table, 1, "bid 2")
        time.passes(3599)
        await tables.keeper.tick()
        assert table.clock.paused
        # A server that starts anew finds it in the database.
        again = tables.rebuild(table.id)
        assert again.clock.state == table.clock.state
        time.passes(1)
        await tables.keeper.tick()
        assert (table.clock.paused, table.clock.state.deadline) == (False, time.ms + 60_000)
        assert told(table)[-1] == "The first phase is open."
        await do(table, 1, "bid 2")


async def test_the_host_can_open_the_first_phase_earlier_and_nobody_else(tmp_path):
    async with tables_with_time(tmp_path) as (tables, _time):
        table = await three(tables, clock=60, pregame=3600)
        with pytest.raises(NotTheHost):
            await controls(table, "ben").resume()
        await controls(table, "ada").extend(600)
        assert table.clock.state.opens == START + 4_200_000
        await controls(table, "ada").resume()
        assert (table.clock.paused, table.clock.state.deadline) == (False, START + 60_000)
        assert told(table)[-1] == "The host opened the first phase."


async def test_without_a_clock_it_opens_too(tmp_path):
    async with tables_with_time(tmp_path) as (tables, time):
        table = await three(tables, clock=None, pregame=60)
        assert table.timing.deadline == START + 60_000
        time.passes(60)
        await tables.keeper.tick()
        assert (table.clock.paused, table.clock.state.deadline, table.timing) == (False, None, None)


async def test_a_table_that_waits_in_a_room_has_its_pregame_when_it_begins(tmp_path):
    async with tables_with_time(tmp_path) as (tables, time):
        plans = [SeatPlan("me"), SeatPlan("open"), SeatPlan("open")]
        room, _tokens = await SERVICES[tables].rooms.open(
            "silent-auction", plans, {}, TableSettings(start="when-full", clock=60, pregame=120), holder="ada"
        )
        assert (room.row.deadline, room.row.paused) == (None, None)
        time.passes(1000)
        table = await SERVICES[tables].rooms.start(room.id, "random", by_host=True)
        assert table.clock.state.opens == time.ms + 120_000


def test_times_before_the_first_phase():
    assert [accept_pregame(seconds) for seconds in (None, 1, 604800)] == [None, 1, 604800]
    for seconds in (0, -1, 604801, True):
        with pytest.raises(BadTable, match="before the first phase"):
            accept_pregame(seconds)


async def test_a_player_asks_for_more_time_and_the_host_gives_it(tmp_path):
    async with tables_with_time(tmp_path) as (tables, _time):
        table = await three(tables, clock=600)
        assert table_status(table, 1).extension
        assert not table_status(table, 0).extension  # the host has no need to ask
        await controls(table, "ben").propose("extension")
        assert told(table)[-1] == "Ben asked the host for more time."
        question = table_status(table, 0).questions[0]
        assert (question.sentence, question.answer) == ("Ben asks the host for more time (10 minutes).", True)
        assert not table_status(table, 2).questions[0].answer
        with pytest.raises(CannotBeDone, match="You have not been asked to agree"):
            await controls(table, "cy").answer("extension", True)
        await controls(table, "ada").answer("extension", True)
        assert table.clock.state.deadline == START + 1_200_000
        assert told(table)[-1] == "The host added time: 10 minutes."
        assert table_status(table, 0).questions == []
        assert tables.rebuild(table.id).clock.state == table.clock.state


async def test_a_refused_request_for_more_time_is_not_made_again_at_once_and_one_left_open_ends_with_the_step(tmp_path):
    async with tables_with_time(tmp_path) as (tables, time):
        table = await three(tables, clock=600)
        await controls(table, "ben").propose("extension")
        await controls(table, "ada").answer("extension", False)
        assert told(table)[-1] == f"{table.names[0]} declined."
        with pytest.raises(CannotBeDone, match="This was declined"):
            await controls(table, "ben").propose("extension")
        await controls(table, "cy").propose("extension")
        time.passes(600)
        await tables.keeper.tick()
        assert table.action_log.proposals.open == {}


async def test_a_host_who_gives_time_by_hand_answers_the_request(tmp_path):
    async with tables_with_time(tmp_path) as (tables, _time):
        table = await three(tables, clock=600)
        await controls(table, "ben").propose("extension")
        await controls(table, "ada").extend(60)
        assert table.action_log.proposals.open == {}


async def test_there_is_nobody_to_ask_without_a_host_and_nothing_without_a_clock(tmp_path):
    async with tables_with_time(tmp_path) as (tables, _time):
        for more in ({"clock": None}, {"clock": 60, "holder": None}):
            table = await tables.create("silent-auction", [SeatPlan("open")] * 3, {}, **{"holder": "ada"} | more)
            await table.sit(1, "ben", "Ben")
            assert not table_status(table, 1).extension
            with pytest.raises(CannotBeDone, match="only at a table with a host"):
                await controls(table, "ben").propose("extension")


def test_the_form_offers_the_paces_of_a_game():
    shambo, upside = pyramidion.load("pyramid-shambo"), pyramidion.load("upside-down")
    assert offered(shambo)[:4] == [
        ("pace-0", "5 seconds"),
        ("pace-1", "10 seconds"),
        ("pace-2", "15 seconds"),
        ("30", "30 seconds"),
    ]
    assert offered(upside)[0] == ("pace-0", "A phase a day: 1 day, fixed-length phases, 1 day before the first phase")
    pace = chosen_pace(upside, "pace-0")
    assert (pace.clock, pace.stays_open, pace.pregame) == (86400, True, 86400)
    assert [chosen_pace(shambo, value) for value in ("30", "", "pace-3", "pace-", "pace--1")] == [None] * 5


async def test_what_is_left_is_capped_where_the_servers_clock_is_put_back(tmp_path):
    async with tables_with_time(tmp_path) as (tables, time):
        table = await three(tables, clock=60)
        time.passes(-3598)
        assert table.timing.deadline - table.timing.now == 60_000
        await controls(table, "ada").extend(30)
        assert table.timing.deadline - table.timing.now == 90_000


def test_the_form_makes_a_table_with_a_pace_of_its_game_or_with_a_pregame(client, server):
    def made(game, **fields):
        page = client.get(f"/games/{game}/new").text
        form = {"csrf": re.search(r'name="csrf" value="(\w+)"', page)[1], "game": game, "seat-0": "me"} | fields
        answer = client.post("/tables", data=form)
        assert answer.status_code == 303, answer.text
        table = server.app.server.tables.cached_tables()[answer.headers["location"].rpartition("/")[2]]
        return table.settings.clock, table.settings.close_early, table.clock.state.opens is not None

    assert made("pyramid-shambo", seats="2", clock="pace-1", pregame="3600") == (10, True, False)
    assert made("silent-auction", seats="3", clock="60", pregame="3600") == (60, False, True)
    answer = client.post("/api/tables", json={"game": "silent-auction", "seats": [{"kind": "me"}] * 3, "pregame": 0})
    assert "before the first phase" in answer.json()["detail"]
