"""Clocks: deadlines that renew, survive and close; phases that stay open; parts that may be late. Time is injected."""

import asyncio
import gc
import json
import random
import re

import pytest
import sqlalchemy as sa
from tests.web.helpers.clock import ME, START, auction, do, looks, tables_with_time, told
from tests.web.helpers.databases import BOTH
from tests.web.helpers.polling import until
from tests.web.helpers.tables import SERVICES, execute, open_tables, play

from pyramidion import Match
from pyramidion.engine import registry
from pyramidion.web.db.schema import MATCHES
from pyramidion.web.durations import duration
from pyramidion.web.errors import BadTable, NotSaved, StaleVersion, TimeIsUp
from pyramidion.web.features.host_controls.service import HostControls
from pyramidion.web.operations import moderation
from pyramidion.web.table.seats.host import Requester
from pyramidion.web.table.seats.plans import SeatPlan
from pyramidion.web.table.settings.declarations import TableSettings, plays_in_parts
from pyramidion.web.table.settings.time_controls import accept_clock
from pyramidion.web.table.snapshots.snapshot import snapshot_of

pytestmark = [
    pytest.mark.parametrize("database", BOTH, indirect=True),
    pytest.mark.usefixtures("outside", "database"),
]


def test_times_that_a_table_can_have():
    assert [accept_clock(seconds) for seconds in (None, 5, 7 * 24 * 3600)] == [None, 5, 604800]
    for seconds in (4, 604801, 0, -5, True):
        with pytest.raises(BadTable, match=r"must be 5 to 604800 seconds \(7 days\), not"):
            accept_clock(seconds)
    assert [duration(n) for n in (30, 60, 90, 86400, 129600)] == [
        "30 seconds",
        "1 minute",
        "1 minute 30 seconds",
        "1 day",
        "1 day 12 hours",
    ]


async def test_the_time_renews_when_a_step_has_ended_and_not_with_a_part_or_a_lone_confirmation(tmp_path):
    async with tables_with_time(tmp_path) as (tables, time):
        table = await auction(tables)
        first = START + 60_000
        for seat, action in ((0, "bid 3"), (1, "bid 2"), (1, "gift 0"), (0, "confirm"), (0, "reopen"), (0, "confirm")):
            time.passes(1)
            await do(table, seat, action)
            assert table.clock.state.deadline == first
        await do(table, 1, "confirm")
        time.passes(1)
        await do(table, 2, "confirm")
        assert table.match.view(None)["round"] == 1
        assert table.clock.state.deadline == time.ms + 60_000
        assert tables.store.match(table.id)[0].deadline == table.clock.state.deadline
        assert "ran out" not in " ".join(told(table))


@pytest.mark.parametrize("command", [moderation.Hide, moderation.Remove])
async def test_the_clock_of_a_hidden_or_removed_table_stops_without_an_error(tmp_path, caplog, command):
    async with tables_with_time(tmp_path) as (tables, time):
        table = await auction(tables)
        table.viewers.channel(None, 0)  # somebody is watching
        caplog.clear()  # the game's rules may have been compiled, which is logged
        moderation.execute(tables.store, command("table", table.id), "Olga")
        tables.heard(table.id)
        time.passes(61)
        await tables.keeper.tick()
        assert caplog.messages == []
        if command is moderation.Hide:
            moderation.execute(tables.store, moderation.Show("table", table.id), "Olga")
            tables.heard(table.id)
            shown = await tables.get(table.id)
            await shown.refresh()
            await tables.keeper.tick()
            assert shown.match.view(None)["round"] == 1, "once it is shown, its clock is watched again"


async def test_a_table_that_is_shown_again_goes_on_though_nobody_opens_it(tmp_path):
    """The server hears that another process has written, on SQLite not of which table."""
    async with tables_with_time(tmp_path) as (tables, time):
        table = await auction(tables)
        moderation.execute(tables.store, moderation.Hide("table", table.id), "Olga")
        table.fall_behind()
        time.passes(61)
        await tables.keeper.tick()
        assert table.match.view(None)["round"] == 0
        moderation.execute(tables.store, moderation.Show("table", table.id), "Olga")
        tables.heard(None)
        while tables._arming:
            await asyncio.gather(*tables._arming)
        await tables.keeper.tick()
        assert table.match.view(None)["round"] == 1


async def test_when_time_is_up_what_is_saved_counts_and_the_record_says_who_was_late(tmp_path):
    async with tables_with_time(tmp_path) as (tables, time):
        table = await auction(tables)
        await do(table, 1, "bid 2")
        await do(table, 2, "bid 1")
        await do(table, 2, "confirm")
        time.passes(59.9)
        await tables.keeper.tick()
        assert table.match.ply == 3
        time.passes(0.1)
        await tables.keeper.tick()
        assert table.match.view(None)["score"] == [0, 1, 0]
        assert table.clock.state.deadline == time.ms + 60_000
        assert table.action_log.viewer_log.by_clock == [3, 4]
        assert [ply.by_clock for ply in tables.store.plies(table.id)] == [False] * 3 + [True] * 2
        assert list(table.action_log.viewer_log.late) == [0, 1]
        for viewer in (None, 0, 1, 2):
            whose = "You ran out of time" if viewer in table.action_log.viewer_log.late else "Time ran out"
            assert f"{whose}. Default moves were applied." in told(table, viewer)
        numbers = [event.name for event in table.events(None)]
        assert numbers.index("time-up") < numbers.index("won")
        # Nobody comes: the game ends by the clock alone, and the clock ends with it.
        for _ in range(2):
            time.passes(60)
            await tables.keeper.tick()
        assert table.match.over
        assert table.clock.state.deadline is None
        await until(lambda: tables.store.match(table.id)[0].finished)
        assert tables.store.match(table.id)[0].deadline is None


@pytest.mark.parametrize("ends", ["clock", "host"])
async def test_who_had_not_confirmed_is_told_to_nobody_else(tmp_path, ends):
    async with tables_with_time(tmp_path) as (tables, time):
        worlds = []
        for confirming in (0, 1):
            table = await auction(tables, title="One", options={"show_submitted": False})
            for seat in (0, 1):
                await do(table, seat, f"bid {seat + 1}")
            await do(table, confirming, "confirm")
            if ends == "host":
                await HostControls(table, Requester(0, True)).close()
            else:
                time.passes(60)
                await tables.keeper.tick()
            worlds.append([(told(table, viewer), table.version(viewer)) for viewer in (None, 2)])
            other = 1 - confirming
            assert list(table.action_log.viewer_log.late) == [other, 2]
            mine = [event for event in table.events(other) if event.name == "time-up"]
            assert [event.data for event in mine] == [{"seats": [other]}]
            assert mine[0].text.startswith("The host closed" if ends == "host" else "You ran out of time")
            assert [event for event in table.events(confirming) if "confirmed" in event.text] == []
        assert worlds[0] == worlds[1]


async def test_a_late_action_is_refused_and_never_applied(tmp_path):
    async with tables_with_time(tmp_path) as (tables, time):
        table = await auction(tables)
        time.passes(60)
        for action in ("bid 3", "confirm"):
            with pytest.raises(TimeIsUp, match=r"Time ran out at .* UTC. Your last saved choice counts"):
                await do(table, 0, action)
        assert table.match.ply == 0
        await tables.keeper.tick()
        await do(table, 0, "bid 3")


async def test_a_deadline_survives_a_restart_and_what_is_overdue_is_closed_at_once(tmp_path):
    async with tables_with_time(tmp_path) as (tables, time):
        late, early = [(await auction(tables, clock=clock)).id for clock in (60, 3600)]
        await do(await tables.get(late), 0, "bid 4")
    async with tables_with_time(tmp_path) as (tables, time):
        time.passes(61)
        await tables.start()
        table = await tables.get(late)
        await until(lambda: table.match.ply >= 4)
        assert table.match.view(None)["score"] == [1, 0, 0]
        assert table.clock.state.deadline == time.ms + 60_000
        assert told(table)[0] == "Time ran out. Default moves were applied."
        assert (await tables.get(early)).clock.state.deadline == START + 3600_000
        assert (await tables.get(early)).match.ply == 0

    # What was told, and in which order, is the same after one more start.
    again = []
    for _ in range(2):
        async with tables_with_time(tmp_path) as (tables, time):
            table = await tables.get(late)
            assert table.action_log.viewer_log.by_clock == [1, 2, 3]
            again.append((told(table), told(table, 0)))
    assert again[0] == again[1]


async def test_ordinary_turns_have_a_clock_too(tmp_path):
    async with tables_with_time(tmp_path) as (tables, time):
        table = await tables.create("ponzi-scheme", ME, {}, TableSettings(clock=30), holder="ada")
        await play(table)
        time.passes(30)
        seat = table.match.acting[0]
        await tables.keeper.tick()
        assert table.match.ply == 2
        assert seat not in table.match.acting
        assert f"{table.names[seat]} ran out of time" in told(table)[-2]
        assert table.version(None) == 2


async def test_a_deadline_that_cannot_be_noted_is_kept_as_soon_as_it_can(tmp_path):
    async with tables_with_time(tmp_path) as (tables, time):
        table = await auction(tables)
        time.passes(60)
        execute(tables.store, sa.text("ALTER TABLE plies RENAME TO elsewhere"))
        await tables.keeper.tick()
        assert table.match.ply == 0
        execute(tables.store, sa.text("ALTER TABLE elsewhere RENAME TO plies"))
        with pytest.raises(TimeIsUp):
            await do(table, 0, "confirm")
        time.passes(2)
        await tables.keeper.tick()
        assert table.match.view(None)["round"] == 1


async def test_two_servers_close_a_table_once(tmp_path):
    async with tables_with_time(tmp_path) as (tables, time):
        table = await auction(tables)
        async with open_tables(tmp_path, now=time) as others:
            same = await others.get(table.id)
            await do(same, 0, "bid 2")
            time.passes(60)
            await asyncio.gather(tables.keeper.tick(), others.keeper.tick())
            for one in (table, same):
                await one.refresh()
                assert one.match.view(None)["score"] == [1, 0, 0]
                assert one.clock.state.deadline == time.ms + 60_000
            assert len(tables.store.plies(table.id)) == 4


async def test_tables_that_nobody_looks_at_are_closed_in_time(tmp_path):
    async with tables_with_time(tmp_path, keep=1) as (tables, time):
        ids = [(await auction(tables)).id for _ in range(20)]
        gc.collect()
        time.passes(56)
        await tables.keeper.tick()
        time.passes(4)
        await tables.keeper.tick()
        assert [len(tables.store.plies(one)) for one in ids] == [3] * 20


def test_a_number_for_each_seat_comes_by_json_and_by_the_form(client, new_table):
    seats = [{"kind": "me"}] * 3
    table = new_table(["me"] * 3, game="silent-auction", options={"handicap": [2, -1, 0]})
    assert table.get()["options"]["handicap"] == [2, -1, 0]
    assert table.get("/view")["view"]["score"] == [2, -1, 0]
    for row in ([1, 2], [1, 2, 3], ["x"]):
        order = {"game": "silent-auction", "seats": seats, "options": {"handicap": row}}
        answer = client.post("/api/tables", json=order)
        assert answer.status_code == 422
        assert "handicap" in answer.json()["detail"]
    page = client.get("/games/silent-auction/new").text
    assert page.count('name="option-handicap-') == 3
    form = {"csrf": re.search(r'name="csrf" value="(\w+)"', page)[1], "game": "silent-auction", "seats": "3"}
    form |= {"seat-0": "me", "option-handicap-0": "2", "option-handicap-1": "", "clock": "60", "close-early": "yes"}
    answer = client.post("/tables", data=form)
    assert answer.status_code == 422
    assert "handicap must be 3 whole numbers from -2 to 2" in answer.text
    assert 'name="option-handicap-0" min="-2" max="2" value="2"' in answer.text
    form["option-handicap-0"] = ""
    assert client.post("/tables", data=form).status_code == 303
    for field, value, sentence in (
        ("clock", "4", "5 to 604800 seconds"),
        ("clock", "", "need a time limit per decision"),
    ):
        given = {**form, field: value}
        if not value:
            del given["close-early"]
        answer = client.post("/tables", data=given)
        assert answer.status_code == 422
        assert sentence in answer.text


def test_what_a_program_is_told_of_the_clock_and_of_its_submission(new_table):
    table = new_table(["me"] * 3, game="silent-auction", clock=3600, options={"show_submitted": True})
    about = table.get()
    assert (about["clock"], about["close_early"]) == (3600, True)
    assert 0 < about["deadline"] - about["now"] <= 3600_000
    assert "submission" not in about
    assert about["confirmed"] == []
    with table.stream(0) as stream:
        first = stream.next()
        assert first["submission"] == {"open": True, "saved": [], "confirmed": False}
        assert first["deadline"] == about["deadline"]
        assert "receipt" not in table.post(0, "bid 4").json()
        assert stream.next()["submission"]["saved"] == ["bid 4"]
        receipt = table.post(0, "confirm").json()["receipt"]
        told = stream.next()
        assert told["submission"] == {"open": False, "saved": ["bid 4"], "confirmed": True}
        assert told["receipt"] == receipt
        assert told["confirmed"] == table.get()["confirmed"] == [0]
        assert [one["text"] for one in told["legal"]] == ["gift 1", "gift 2", "reopen"]


# Phases that stay open


async def test_only_what_can_be_changed_and_has_a_clock_stays_open(tmp_path):
    async with tables_with_time(tmp_path) as (tables, _time):
        with pytest.raises(BadTable, match="need a time limit per decision"):
            await auction(tables, clock=None, close_early=False)
        with pytest.raises(BadTable, match="Ponzi Scheme allows no changes"):
            await tables.create("ponzi-scheme", ME, {}, TableSettings(clock=60, close_early=False))


@pytest.mark.parametrize("shown", [False, True])
async def test_who_confirmed_last_cannot_be_told_and_everybody_may_still_change_their_minds(tmp_path, shown):
    async with tables_with_time(tmp_path) as (tables, time):
        worlds = []
        for order in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
            table = await auction(tables, close_early=False, options={"show_submitted": shown}, title="One")
            for seat, bid in ((0, 1), (1, 4), (2, 4)):
                await do(table, seat, f"bid {bid}")
            for seat in order:
                accepted = await do(table, seat, "confirm")
                assert snapshot_of(table, seat).submission.confirmed
                assert accepted.version == table.version(seat)
            assert table.match.view(None)["round"] == 0
            assert table.clock.state.held.seat == order[-1]
            assert table.visibility.waited_for == []
            worlds.append(looks(table))
            for seat in range(3):
                assert [a.text for a in table.visibility.legal(seat, table.names)][-1] == "reopen"
        assert worlds[0] == worlds[1] == worlds[2]
        # The one that is held is taken back like any other, and so is another one while it is held.
        await do(table, 0, "reopen")
        await do(table, 1, "reopen")
        assert table.visibility.waited_for == [0, 1]
        await do(table, 1, "bid 5")
        await do(table, 1, "confirm")
        await do(table, 0, "confirm")
        await do(table, 2, "reopen")
        assert table.clock.state.held.seat == 0
        time.passes(60)
        await tables.keeper.tick()
        assert table.match.view(None)["score"] == [0, 1, 0]
        # That phases stay open is known; that somebody had not confirmed is not, but to whoever it was.
        said = {viewer: [e.text for e in table.events(viewer) if e.name == "time-up"] for viewer in (None, 0, 1, 2)}
        assert said == {None: [], 0: [], 1: [], 2: ["You ran out of time. Default moves were applied."]}


async def test_a_held_confirmation_survives_a_restart_and_is_played_when_time_is_up(tmp_path):
    async with tables_with_time(tmp_path) as (tables, time):
        table = await auction(tables, close_early=False)
        await do(table, 2, "bid 3")
        for seat in range(3):
            await do(table, seat, "confirm")
        seen = looks(table)
    async with tables_with_time(tmp_path) as (tables, time):
        table = await tables.get(table.id)
        assert looks(table) == seen
        time.passes(60)
        await tables.keeper.tick()
        assert table.match.view(None)["score"] == [0, 0, 1]
        assert table.action_log.viewer_log.by_clock == []
        assert table.clock.state.held is None


async def test_a_gift_of_whoever_is_held_is_made_at_once(tmp_path):
    async with tables_with_time(tmp_path) as (tables, _time):
        table = await auction(tables, close_early=False)
        for seat in range(3):
            await do(table, seat, "confirm")
        await do(table, 2, "gift 0")
        await do(table, 0, "gift 2")
        assert table.match.view(None)["gifts"] == 2
        assert table.clock.state.held.seat == 2
        with pytest.raises(ValueError, match="Your bid is confirmed; take that back first"):
            await do(table, 2, "bid 1")


async def test_a_bot_that_is_held_is_not_asked_again(tmp_path):
    async with tables_with_time(tmp_path) as (tables, time):
        seats = [SeatPlan("bot", bot="policy")] * 3
        table = await tables.create("silent-auction", seats, {}, TableSettings(clock=60, close_early=False))
        async with asyncio.timeout(20):
            while not table.match.over:
                while table.visibility.waited_for or SERVICES[tables].runner._busy:  # noqa: ASYNC110
                    await asyncio.sleep(0.002)
                time.passes(60)
                await tables.keeper.tick()
        assert table.action_log.viewer_log.by_clock == []


# Saved parts


@pytest.mark.parametrize("close_early", [True, False])
async def test_every_game_in_parts_can_be_played_to_its_end_by_bots_people_and_the_clock(tmp_path, close_early):
    chance = random.Random(5)

    async with tables_with_time(tmp_path) as (tables, time):
        for game in filter(plays_in_parts, registry.all_games().values()):
            seats = [SeatPlan("open"), SeatPlan("open"), *[SeatPlan("bot", bot="policy")] * (game.usual_seats - 2)]
            table = await tables.create(game.id, seats, {}, TableSettings(clock=60, close_early=close_early))
            async with asyncio.timeout(60):
                while not table.match.over:
                    while SERVICES[tables].runner._busy:  # noqa: ASYNC110
                        await asyncio.sleep(0.002)
                    for seat in chance.choices((0, 1), k=4):
                        legal = table.visibility.legal(seat, table.names)
                        if legal and not table.match.over:
                            await do(table, seat, chance.choice([*legal, legal[-1]]).id)
                    if not SERVICES[tables].runner._busy and not table.match.over:
                        time.passes(60)
                        await tables.keeper.tick()
            kept = json.loads(json.dumps(table.record()))
            assert kept["seals"]
            again = Match.from_record(kept)
            assert again.outcome == table.match.outcome
            _, _, stored = tables.store.whole(table.id)
            assert [ply.ply + 1 for ply in stored if ply.by_clock] == kept["clock"]


async def test_a_part_is_saved_though_others_have_done_something_in_public_since(tmp_path):
    async with tables_with_time(tmp_path) as (tables, _time):
        table = await auction(tables)
        await do(table, 0, "bid 1")
        chosen_at = table.version(0)
        await do(table, 1, "gift 0")
        await table.act(0, "bid 5", chosen_at)
        assert table.match.view(0)["bid"] == 5
        assert snapshot_of(table, 0).submission.saved == ["bid 5"]
        with pytest.raises(StaleVersion):
            await table.act(0, "confirm", chosen_at)
        for version in (chosen_at, -1, 99):
            with pytest.raises(StaleVersion):  # a doubled click, and what never was
                await table.act(0, "gift 1", version)
        assert table.match.view(None)["gifts"] == 1


async def test_a_confirmation_is_not_refused_because_others_have_confirmed_meanwhile(tmp_path):
    async with tables_with_time(tmp_path) as (tables, _time):
        table = await auction(tables, options={"show_submitted": True})
        await do(table, 0, "bid 3")
        chosen_at = table.version(0)
        await do(table, 1, "confirm")
        assert table.version(0) > chosen_at
        await table.act(0, "confirm", chosen_at)
        assert table.visibility.confirmed(None) == (0, 1)
        with pytest.raises(StaleVersion):  # a doubled click
            await table.act(0, "confirm", chosen_at)
        # What was chosen in one step is not done in the next one.
        late = table.version(2)
        await do(table, 2, "confirm")
        with pytest.raises(StaleVersion):
            await table.act(2, "confirm", late)


async def test_what_is_saved_is_a_value_that_nobody_else_has_seen(tmp_path):
    async with tables_with_time(tmp_path) as (tables, _time):
        table = await auction(tables)
        assert table.visibility.submission(0).open
        for action in ("bid 1", "wink", "gift 2", "bid 2"):
            await do(table, 0, action)
        assert table.visibility.submission(0).saved == ["bid 2"]
        await do(table, 0, "confirm")
        assert (table.visibility.submission(0).open, table.visibility.submission(0).confirmed) == (False, True)
        await do(table, 0, "reopen")
        assert table.visibility.submission(0).saved == ["bid 2"]
        assert table.visibility.submission(0).open


async def test_a_table_is_stored_with_its_first_deadline_or_not_at_all(tmp_path):
    async with tables_with_time(tmp_path) as (tables, _time):
        await auction(tables)
        with tables.store.engine.connect() as connection:
            assert connection.execute(sa.select(MATCHES.c.deadline, MATCHES.c.held)).one() == (START + 60_000, None)
        execute(tables.store, sa.text("ALTER TABLE matches RENAME TO elsewhere"))
        with pytest.raises(NotSaved, match="The table could not be created"):
            await auction(tables)
