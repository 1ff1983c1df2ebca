"""Tests of two servers acting at the same moment: everything acknowledged exists once, and both agree.

The servers share a database but receive no notifications from each other, so each learns of the other's writes only
through refusals by the database. That is the worst case; notifications only make conflicts rarer.
"""

import asyncio
from collections import Counter
from contextlib import asynccontextmanager

import pytest
from tests.web.helpers.clock import START, Time, auction, looks
from tests.web.helpers.databases import BOTH
from tests.web.helpers.tables import open_tables

from pyramidion import IllegalAction
from pyramidion.web.db.host_command_rows import NOBODY
from pyramidion.web.errors import Refused, StaleVersion, TimeIsUp
from pyramidion.web.table.replication import ClaimedTimeout
from pyramidion.web.table.table import Table

pytestmark = [
    pytest.mark.parametrize("database", BOTH[1:], indirect=True),
    pytest.mark.usefixtures("outside", "database"),
]
ROUNDS = 36
"""Half of them in one order and half in the other."""


class Two:
    """One table at two servers, and all that was acknowledged there."""

    def __init__(self, here, there, stores):
        self.tables, self.stores = (here, there), stores
        self.acknowledged, self.refused = Counter(), []

    async def act(self, at, seat, action, version=None):
        """Act at one of the servers, as whoever sees what that one shows; return whether it was acknowledged."""
        table = self.tables[at]
        try:
            await table.act(seat, action, table.version(seat) if version is None else version)
        except (Refused, IllegalAction) as error:
            self.refused.append(error)
            return False
        self.acknowledged[seat, action] += 1
        return True

    async def at_once(self, number, *what):
        """Let both servers do something at the same moment, in either order, and now and then a little apart."""
        order = (0, 1) if number % 2 else (1, 0)

        async def later(work, turns):
            for _ in range(turns):
                await asyncio.sleep(0)
            return await work

        apart = (0, 0, 0, 2, 6)[number // 2 % 5]
        first, second = (what[n] for n in order)
        done = await asyncio.gather(later(first, 0), later(second, apart))
        return [done[order.index(n)] for n in range(2)]

    async def refresh(self):
        for table in self.tables:
            table.fall_behind()
            await table.refresh()

    async def agree(self):
        """Both servers, and the database, have what was acknowledged, once each."""
        await self.refresh()
        here, there = self.tables
        assert here.match.record() == there.match.record()
        assert (here.clock.state, here.seating.rows) == (there.clock.state, there.seating.rows)
        stored = self.stores[0].plies(here.id)
        assert [ply.ply for ply in stored] == list(range(len(stored)))
        made = Counter((ply.seat, ply.action) for ply in stored if not ply.by_clock and ply.seat != NOBODY)
        if (held := here.clock.state.held) is not None:
            made[held.seat, held.action] += 1
        assert made == self.acknowledged

    async def agree_in_all(self):
        """Both servers agree, and everybody is shown the same by either."""
        await self.agree()
        assert looks(self.tables[0]) == looks(self.tables[1])


@asynccontextmanager
async def at_two_servers(tmp_path, times=None, **settings):
    """Yield the tables of two servers of the same database, and a clock that stands still."""
    time = Time()
    mine, theirs = times(time) if times is not None else (time, time)
    async with (
        open_tables(tmp_path, now=mine, **settings) as tables,
        open_tables(tmp_path, now=theirs, **settings) as others,
    ):
        yield tables, others, time


async def opened(tables, others, **more):
    table = await auction(tables, **more)
    return Two(table, await others.get(table.id), (tables.store, others.store))


@pytest.mark.parametrize("close_early", [True, False])
async def test_the_last_two_confirm_at_the_same_moment(tmp_path, close_early):
    refused = []

    async with at_two_servers(tmp_path) as (tables, others, time):
        for number in range(ROUNDS):
            two = await opened(tables, others, close_early=close_early)
            for seat, bid in ((0, 1), (1, 4), (2, 3)):
                assert await two.act(0, seat, f"bid {bid}")
            assert await two.act(0, 0, "confirm")
            await two.refresh()
            done = await two.at_once(number, two.act(0, 1, "confirm"), two.act(1, 2, "confirm"))
            assert any(done)
            await two.agree()
            # Whoever came too late sees how it stands, and does it again.
            for seat, made in zip((1, 2), done, strict=True):
                assert made or await two.act(seat - 1, seat, "confirm")
            await two.agree()
            assert (two.tables[0].clock.state.held is None) == close_early
            assert two.tables[0].match.view(None)["round"] == int(close_early)
            if not close_early:
                time.passes(60)
                await asyncio.gather(*(table.time_up() for table in two.tables))
                await two.agree()
            assert two.tables[1].match.view(None)["score"] == [0, 1, 0]
            await two.agree_in_all()
            refused.extend(two.refused)
        # Where both were planned before either was stored, the database has refused one.
        assert len(refused) >= ROUNDS // 2


async def test_a_submission_is_held_while_another_seat_changes_its_mind(tmp_path):
    async with at_two_servers(tmp_path) as (tables, others, time):
        for number in range(ROUNDS):
            two = await opened(tables, others, close_early=False)
            for seat, bid in ((0, 1), (1, 4), (2, 3)):
                assert await two.act(0, seat, f"bid {bid}")
            for seat in (0, 1):
                assert await two.act(0, seat, "confirm")
            await two.refresh()
            done = await two.at_once(number, two.act(0, 2, "confirm"), two.act(1, 0, "reopen"))
            assert any(done)
            await two.agree()
            held = two.tables[0].clock.state.held
            if done == [True, False]:
                assert held is not None
                assert held.seat == 2
                # While it is held, the other seat may still change its mind, through either server.
                assert await two.act(1, 0, "reopen")
                await two.agree()
                assert two.tables[0].clock.state.held == held
            elif not done[0]:
                assert await two.act(0, 2, "confirm")
            await two.agree()
            assert await two.act(1, 0, "bid 5")
            assert await two.act(1, 0, "confirm")
            await two.agree()
            time.passes(60)
            await two.at_once(number, *(table.time_up() for table in two.tables))
            await two.agree()
            assert two.tables[1].match.view(None)["score"] == [1, 0, 0]
            assert two.tables[0].clock.state.held is None
            await two.agree_in_all()


async def test_the_clock_closes_at_one_server_what_a_person_does_at_the_other(tmp_path):
    """Their clocks differ by a hair: at one of them time is up, at the other one there is a millisecond left."""

    async with at_two_servers(tmp_path, lambda time: (time, lambda: time() - 1)) as (tables, others, time):
        for number in range(ROUNDS):
            two = await opened(tables, others)
            here = two.tables[0]
            for seat, bid in ((0, 1), (1, 4), (2, 3)):
                assert await two.act(0, seat, f"bid {bid}")
            for seat in (0, 1):
                assert await two.act(0, seat, "confirm")
            await two.refresh()
            time.passes(60)
            closing = ClaimedTimeout(here, tables.claims).time_up()
            _, done = await two.at_once(number, closing, two.act(1, 2, "confirm"))
            assert done or isinstance(two.refused[-1], (StaleVersion, TimeIsUp))
            await two.agree()
            assert looks(here) == looks(two.tables[1])
            # It was closed once, by whichever came first; what was saved counted in any case.
            assert here.match.view(None)["round"] == 1
            assert here.match.view(None)["score"] == [0, 1, 0]
            stored = tables.store.plies(here.id)
            assert [ply.by_clock for ply in stored if ply.seat == 2 and ply.action == "confirm"] == [not done]
            two.acknowledged.clear()


async def test_a_bot_stands_in_at_one_server_while_the_person_comes_back_at_the_other(tmp_path):
    async with at_two_servers(tmp_path, bot_pause=3600) as (tables, others, time):
        for number in range(ROUNDS):
            two = await opened(tables, others, absent="bot:random")
            here, there = two.tables
            await there.sit(1, None, "Bo")
            await two.refresh()
            for seat in (0, 2):
                assert await two.act(0, seat, "confirm")
            time.passes(60)
            await here.time_up()
            await two.refresh()
            assert here.seats[1].stand_in == there.seats[1].stand_in == "random"

            async def stands_in(table=here):
                try:
                    await table.act(1, "bid 2", table.version(1), by_bot=True)
                except StaleVersion:
                    return False
                return True

            stood_in, came_back = await two.at_once(number, stands_in(), two.act(1, 1, "bid 3"))
            assert stood_in or came_back
            await two.refresh()
            stored = [ply for ply in tables.store.plies(here.id) if ply.seat == 1 and not ply.by_clock]
            assert Counter(ply.action for ply in stored) == Counter(["bid 2"] * stood_in + ["bid 3"] * came_back)
            assert came_back == (here.seats[1].stand_in is None) == (there.seats[1].stand_in is None)
            two.acknowledged = Counter(
                (ply.seat, ply.action) for ply in tables.store.plies(here.id) if not ply.by_clock
            )
            del two.acknowledged[NOBODY, ""]
            await two.agree()
            # From here on the person plays, and no bot may: neither with what it has seen nor with what it sees now.
            if not came_back:
                assert await two.act(1, 1, "bid 3")
                await two.refresh()
            for table in two.tables:
                with pytest.raises(StaleVersion):
                    await table.act(1, "bid 1", table.version(1), by_bot=True)
            await two.agree_in_all()


@pytest.mark.slow
async def test_five_hundred_deadlines_in_the_same_second_are_each_taken_once(tmp_path, monkeypatch):
    done = Counter()
    do = Table._do

    async def counted(self, move, seat):
        await do(self, move, seat)
        done[self.id] += 1

    async with at_two_servers(tmp_path, keep=600) as (tables, others, time):
        ids = []
        for number in range(500):
            time.ms = START + 2 * number
            ids.append((await auction(tables)).id)
        monkeypatch.setattr(Table, "_do", counted)
        time.ms = START + 61_000
        # The other server has none of them in memory; it reads what is due, as after its start.
        for server in (tables, others):
            for one, deadline in server.store.deadlines():
                server.keeper.arm(one, deadline)
        await asyncio.gather(tables.keeper.tick(), others.keeper.tick())
        assert done == Counter(ids)
        for one in ids:
            stored = tables.store.plies(one)
            assert [(ply.ply, ply.by_clock) for ply in stored] == [(0, True), (1, True), (2, True)]
        assert tables.store.deadlines() == others.store.deadlines()
        assert {deadline for _, deadline in tables.store.deadlines()} == {time.ms + 60_000}
