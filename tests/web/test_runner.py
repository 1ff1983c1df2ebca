"""Tests of bots at tables: they play by themselves, in time, and recover from failures."""

import asyncio

import pytest
import sqlalchemy as sa
from tests.web.helpers.polling import until
from tests.web.helpers.runner import LAST
from tests.web.helpers.tables import SERVICES, execute, open_tables

from pyramidion.bots import RandomBot
from pyramidion.web.errors import NotSaved, Unreadable
from pyramidion.web.features.bots import runner
from pyramidion.web.settings import Settings
from pyramidion.web.table.seats.given_names import BOT_NAMES
from pyramidion.web.table.seats.plans import SeatPlan
from pyramidion.web.table.settings.declarations import TableSettings
from pyramidion.web.table.table import Table

BOTS = [SeatPlan("bot", bot="policy"), SeatPlan("bot", bot="random"), SeatPlan("bot", bot="policy")]


async def test_bots_play_to_the_end_by_themselves(tmp_path):
    async with open_tables(tmp_path) as tables:
        table = await tables.create("ponzi-scheme", BOTS, LAST)
        await until(lambda: table.match.over)
        assert len(tables.store.plies(table.id)) == table.match.ply
        assert {seat.name for seat in table.seats} <= set(BOT_NAMES)
        assert len(set(table.names)) == 3
        await until(lambda: not SERVICES[tables].runner._busy)


async def test_bots_wait_for_people_and_answer_them(tmp_path):
    async with open_tables(tmp_path) as tables:
        table = await tables.create("ponzi-scheme", [SeatPlan("me"), *BOTS[:2]], LAST, holder="ada")
        while not table.match.over:
            await until(lambda: 0 in table.match.acting or table.match.over)
            if not table.match.over:
                await table.act(0, table.match.legal(0)[0], table.version(0))


async def test_bots_go_on_when_their_table_is_opened_again(tmp_path, monkeypatch):
    pausing, sleep = asyncio.Event(), asyncio.sleep

    async def noted(seconds, *result):
        if seconds > 1000:
            pausing.set()
        await sleep(seconds, *result)

    async with open_tables(tmp_path, bot_pause=3000) as tables:
        monkeypatch.setattr(runner.asyncio, "sleep", noted)
        table = await tables.create("ponzi-scheme", BOTS, LAST)
        # The bot has chosen, and waits before it acts.
        await pausing.wait()
        monkeypatch.undo()
        assert table.match.ply == 0
    async with open_tables(tmp_path) as tables:
        table = await tables.get(table.id)
        await until(lambda: table.match.over)


@pytest.mark.parametrize(
    ("pace", "least", "most"), [("instant", 0, 0), ("normal", 1000, 1500), ("relaxed", 3250, 3750)]
)
async def test_a_forced_move_takes_the_same_pause_as_a_choice(tmp_path, monkeypatch, pace, least, most):
    pauses = []
    sleep = asyncio.sleep

    async def noted(seconds, *result):
        pauses.append(seconds)
        await sleep(0)

    async with open_tables(tmp_path, bot_pause=1500) as tables:
        monkeypatch.setattr(runner.asyncio, "sleep", noted)
        table = await tables.create("ponzi-scheme", BOTS, LAST, TableSettings(bot_pace=pace))
        while not table.match.over:
            await sleep(0.002)
        monkeypatch.undo()
    assert len(pauses) == table.match.ply
    # What was left of the pause after choosing: a forced answer is in no way quicker.
    assert all(least <= pause <= most for pause in pauses)


@pytest.mark.parametrize(
    ("game_id", "seats", "options"), [("ponzi-scheme", 4, LAST), ("pyramid-shambo", 6, {"turn_limit": 12})]
)
async def test_a_round_of_bots_takes_at_most_five_seconds_at_the_usual_pace(
    tmp_path, monkeypatch, game_id, seats, options
):
    pauses = {}
    sleep, pause = asyncio.sleep, Settings.model_fields["bot_pause"].default

    async def noted(seconds, *result):
        # What is revealed together has been waited for together.
        step = table.match.version(None)
        pauses[step] = max(pauses.get(step, 0), seconds)
        await sleep(0)

    async with open_tables(tmp_path, bot_pause=pause) as tables:
        monkeypatch.setattr(runner.asyncio, "sleep", noted)
        table = await tables.create(game_id, [SeatPlan("me"), *BOTS[:1] * (seats - 1)], options, holder="ada")
        rounds = []
        while not table.match.over:
            while 0 not in table.match.acting and not table.match.over:
                await sleep(0.002)
            rounds.append(list(pauses.values()))
            pauses.clear()
            if not table.match.over:
                await table.act(0, table.match.legal(0)[0], table.version(0))
        monkeypatch.undo()
    assert max(map(sum, rounds)) > 1
    assert max(map(sum, rounds)) <= 5
    # Unless a round is longer than all before, its steps take equally long: none goes by unseen.
    longest = 2 * (seats - 1)
    for steps in rounds:
        assert not steps or len(steps) > longest or min(steps) > max(steps) / 2
        longest = max(longest, len(steps))


async def test_a_bot_that_fails_is_treated_as_absent(tmp_path, monkeypatch, caplog):
    def fail(self, box, state, seat):
        raise ZeroDivisionError

    async with open_tables(tmp_path) as tables:
        monkeypatch.setattr(RandomBot, "choose", fail)
        table = await tables.create("ponzi-scheme", [SeatPlan("bot", bot="random")] * 3, LAST)
        await until(lambda: table.match.over)
    assert "failed" in caplog.text


async def test_a_bot_that_chooses_what_is_not_legal_is_treated_as_absent(tmp_path, monkeypatch, caplog):
    async with open_tables(tmp_path) as tables:
        monkeypatch.setattr(RandomBot, "choose", lambda *_: 10**6)
        table = await tables.create("ponzi-scheme", [SeatPlan("bot", bot="random")] * 3, LAST)
        await until(lambda: table.match.over)
    assert "not legal" in caplog.text


async def test_a_bot_tries_again_when_nothing_could_be_saved(tmp_path, monkeypatch):
    monkeypatch.setattr(runner, "RETRY_SECONDS", (0.01,) * 100)
    refused, act = [], Table.act

    async def noted(self, *action, **more):
        try:
            return await act(self, *action, **more)
        except (NotSaved, Unreadable) as error:
            refused.append(error)
            raise

    monkeypatch.setattr(Table, "act", noted)

    async with open_tables(tmp_path) as tables:
        table = await tables.create("ponzi-scheme", BOTS, LAST)
        execute(tables.store, sa.text("ALTER TABLE plies RENAME TO elsewhere"))
        await until(lambda: len(refused) > 1)
        execute(tables.store, sa.text("ALTER TABLE elsewhere RENAME TO plies"))
        await until(lambda: table.match.over)


@pytest.mark.parametrize("stored", ["hal", None])
async def test_a_bot_that_is_not_there_any_more_is_treated_as_absent(tmp_path, stored, caplog):
    async with open_tables(tmp_path, bot_pause=30) as tables:
        table = await tables.create("ponzi-scheme", BOTS, LAST)
        execute(tables.store, sa.text("UPDATE seats SET bot = :bot").bindparams(bot=stored))
    async with open_tables(tmp_path) as tables:
        table = await tables.get(table.id)
        await until(lambda: table.match.over)
