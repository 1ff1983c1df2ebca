"""The home page's lists: one query each, and no table is loaded only to be listed."""

import asyncio
from contextlib import contextmanager

import pytest
import sqlalchemy as sa
from tests.web.helpers.databases import BOTH
from tests.web.helpers.tables import SERVICES, open_tables, play, started

from pyramidion.bots import WEAKEST
from pyramidion.engine import registry
from pyramidion.web.db.schema import RESULTS
from pyramidion.web.features.lobby.quick_play import quick_games
from pyramidion.web.table.bots import LESSON_BOT
from pyramidion.web.table.seats.plans import SeatPlan
from pyramidion.web.table.tables import Tables

pytestmark = [
    pytest.mark.parametrize("database", BOTH, indirect=True),
    pytest.mark.usefixtures("database"),
]
BOTS = [SeatPlan("me"), SeatPlan("bot", bot="easy"), SeatPlan("bot", bot="easy")]


@contextmanager
def queries(store):
    """Collect the statements that are executed meanwhile."""
    seen = []

    def note(connection, cursor, statement, *more):
        if statement.lstrip().upper().startswith("SELECT"):
            seen.append(statement)

    sa.event.listen(store.engine, "before_cursor_execute", note)
    yield seen
    sa.event.remove(store.engine, "before_cursor_execute", note)


async def test_your_games_take_one_query_and_each_change_loads_a_table_once(tmp_path, monkeypatch):
    async with open_tables(tmp_path) as tables:
        ids = [(await started(tables, title=f"T{number}")).id for number in range(4)]
        over = await started(tables, title="Over", options={"round_limit": 1})
        while not over.match.over:
            await play(over)
        while (await tables.own_tables("someone"))[-1].finished is None:  # noqa: ASYNC110
            await asyncio.sleep(0.001)
        await SERVICES[tables].results.close()
    loaded = []
    rebuild = Tables.rebuild
    monkeypatch.setattr(Tables, "rebuild", lambda self, one: loaded.append(one) or rebuild(self, one))
    async with open_tables(tmp_path) as tables:
        lists = SERVICES[tables].your_games
        first = await lists.of("someone")
        assert sorted(loaded) == sorted(ids), "the finished game is listed from its stored result"
        assert [one.state for one in first if one.title == "Over"] == ["finished"]
        assert first[-1].winners
        table = await tables.get(ids[0])
        tables._all.clear()
        loaded.clear()
        with queries(tables.store) as seen:
            again = await lists.of("someone")
        assert len(seen) == 1
        assert loaded == []
        assert [(one.id, one.state) for one in again] == [(one.id, one.state) for one in first]
        await play(table)
        [moved] = [one for one in await lists.of("someone") if one.id == ids[0]]
        assert loaded == [ids[0]]
        [due] = table.match.acting
        assert moved.state == ("turn" if due == 0 else "waiting")
        assert moved.waiting_for == ([table.names[due]] if due else [])


@pytest.mark.parametrize(("seats", "harder"), [(2, "expert"), (3, "master")])
async def test_a_win_against_experts_leads_to_master_only_where_it_plays_better(tmp_path, seats, harder):
    experts = [SeatPlan("me"), *[SeatPlan("bot", bot="expert")] * (seats - 1)]
    games = [registry.load("pyramid-scheme")]
    async with open_tables(tmp_path) as tables:
        last = await tables.create("pyramid-scheme", experts, {}, holder="someone")
        row = {"match": last.id, "seat": 0, "person": "someone", "won": 1.0, "payoff": 1.0, "points": 1}
        with tables.store.engine.begin() as connection:
            connection.execute(sa.insert(RESULTS), row)
        assert quick_games(tables.store, "someone", games)["pyramid-scheme"].level == harder
        masters = [SeatPlan("me"), *[SeatPlan("bot", bot="master")] * (seats - 1)]
        asked = await tables.create("pyramid-scheme", masters, {}, holder="someone")
        assert {row.bot for row in asked.seating.rows[1:]} == {harder}


async def test_the_bots_of_a_lesson_are_not_those_of_the_next_game(tmp_path):
    games = [registry.load("pyramis")]
    async with open_tables(tmp_path) as tables:
        lesson = [SeatPlan("me"), SeatPlan("bot", bot=LESSON_BOT)]
        await tables.create("pyramis", lesson, {}, holder="someone")
        quick = quick_games(tables.store, "someone", games)["pyramis"]
    assert quick == quick_games(tables.store, None, games)["pyramis"]
    assert quick.level == WEAKEST
    assert LESSON_BOT not in quick.levels


@pytest.mark.parametrize("won", [0.0, 0.5])
async def test_one_query_finds_the_next_quick_game_of_every_game(tmp_path, won):
    async with open_tables(tmp_path) as tables:
        games = list(registry.all_games().values())
        await tables.create("ponzi-scheme", [*BOTS, BOTS[1]], {}, holder="someone")
        last = await tables.create("ponzi-scheme", BOTS, {}, holder="someone")
        await started(tables)  # with open seats: no game against bots alone
        row = {"match": last.id, "seat": 0, "person": "someone", "won": won, "payoff": won, "points": 1}
        with tables.store.engine.begin() as connection:
            connection.execute(sa.text("UPDATE matches SET created = created + 9 WHERE id = :match"), row)
            connection.execute(
                sa.text(
                    "INSERT INTO results (match, seat, person, won, payoff, points) "
                    "VALUES (:match, :seat, :person, :won, :payoff, :points)"
                ),
                row,
            )
        with queries(tables.store) as seen:
            quick = quick_games(tables.store, "someone", games)
        assert len(seen) == 1
        assert (quick["ponzi-scheme"].seats, quick["ponzi-scheme"].level) == (3, "normal" if won else "easy")
        assert quick["pyramis"].level == WEAKEST
        assert quick_games(tables.store, None, games)["ponzi-scheme"].level == WEAKEST
