"""Claims: one server does what nobody asked for, and another takes over from one that has died or is frozen."""

import asyncio
import signal
import time
from contextlib import asynccontextmanager

import pytest
import sqlalchemy as sa
from tests.web.conftest import Player
from tests.web.helpers.databases import DATABASES
from tests.web.helpers.processes import ServerProcess, elsewhere

from pyramidion.web.db.claims import Claims
from pyramidion.web.db.schema import CLAIMS, MATCHES, PREMOVES
from pyramidion.web.db.store import Store

pytestmark = pytest.mark.postgres
LEASE = 0.5


def settles(true):
    end = time.monotonic() + 30
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.fixture
def store():
    store = Store(DATABASES.new_in_postgresql())
    store.open()
    yield store
    store.close()


@asynccontextmanager
async def two_servers(store):
    first, second = Claims(store, LEASE), Claims(store, LEASE)
    try:
        yield first, second
    finally:
        await first.close()
        await second.close()


async def gets(claims, *what):
    """Wait until a server gets a claim."""
    async with asyncio.timeout(20):
        while True:
            async with claims.of(*what) as mine:
                if mine:
                    return
            await asyncio.sleep(0.02)


def left(store):
    """Return the claims in the database, each with the time until which it holds."""
    return [tuple(row) for row in store.query(sa.select(CLAIMS.c.key, CLAIMS.c.until))]


def stop_beating(claims):
    """Do what freezing does: nothing is renewed any more."""
    claims._beating.cancel()


async def test_a_claim_is_held_by_one_server_and_free_afterwards(store):
    async with two_servers(store) as (first, second):
        async with first.of("bot", "t", 1) as mine:
            assert mine
            async with second.of("bot", "t", 1) as theirs, second.of("bot", "t", 2) as other:
                assert (theirs, other) == (False, True)
        async with second.of("bot", "t", 1) as theirs:
            assert theirs
        assert left(store) == []


async def test_a_claim_is_renewed_while_it_is_held(store):
    async with two_servers(store) as (first, second), first.of("clock", "t"):
        [(_, until)] = left(store)
        async with asyncio.timeout(20):
            # Until the claim would have ended by itself.
            while left(store)[0][1] <= until:
                async with second.of("clock", "t") as theirs:
                    assert not theirs
                await asyncio.sleep(LEASE / 10)
        async with second.of("clock", "t") as theirs:
            assert not theirs


async def test_a_claim_of_a_server_that_is_frozen_goes_to_another_and_is_not_ended_by_the_first(store):
    async with two_servers(store) as (first, second):
        async with first.of("clock", "t"):
            stop_beating(first)
            await gets(second, "clock", "t")
            entered = second.of("clock", "t")
            assert await entered.__aenter__()
        # The first one wakes up, and gives back what is not its own any more.
        async with first.of("clock", "t") as mine:
            assert not mine
        await entered.__aexit__(None, None, None)


async def test_what_was_left_behind_is_found_by_one_server(store):
    async with two_servers(store) as (first, second):
        entered = first.of("premove", "t", 3)
        await entered.__aenter__()
        async with second.left_behind() as tables:
            assert tables == []
        stop_beating(first)
        async with asyncio.timeout(20):
            while True:
                async with second.left_behind() as tables:
                    if tables:
                        break
                await asyncio.sleep(0.02)
        assert tables == ["t"]
        assert left(store) == []
        await entered.__aexit__(None, None, None)


@pytest.fixture
def two(tmp_path):
    """Two servers as processes of their own, of which the first thinks long and can be frozen."""
    url = DATABASES.new_in_postgresql()
    with (
        ServerProcess(tmp_path / "a", database_url=url, lease=1, bot_pause=1, premove_pause=60) as a,
        ServerProcess(tmp_path / "b", database_url=url, lease=1, premove_pause=0, premove_pause_longest=0) as b,
        a.client() as first,
        b.client() as second,
    ):
        yield a, first, second, url
        if a.process.poll() is None:
            a.process.send_signal(signal.SIGCONT)


@pytest.mark.slow
def test_a_frozen_server_gives_up_its_bots_and_clocks(two):
    frozen, first, second, url = two
    watched, *unseen = [
        Player(first, ["policy", "random", "policy"], options={"round_limit": 2}, clock=30) for _ in range(4)
    ]
    with elsewhere(watched, second).stream() as stream:
        stream.next()
        # It is frozen while its bots pause, so it holds claims of all tables.
        settles(lambda: all(table.get()["version"] for table in (watched, *unseen)))
        frozen.process.send_signal(signal.SIGSTOP)
        while not stream.next()["over"]:
            pass
    # Nobody asks the other server for these: only the database is looked at.
    database = Store(url)
    finished = sa.select(sa.func.count()).where(MATCHES.c.finished.is_not(None))
    settles(lambda: database.query(finished) == [(4,)])
    database.close()


@pytest.mark.slow
def test_an_order_is_carried_out_by_another_server_if_its_own_dies_in_the_pause(two):
    dying, first, second, url = two
    table = Player(first, ["me", "me"], "pyramid-shambo", options={"turn_limit": 1})
    there = elsewhere(table, second)
    seat = table.get()["acting"][0]
    told = first.put(f"{table.url}/premoves", headers=table.headers(1 - seat), json={"text": "rock rock"})
    assert told.status_code == 200
    assert table.post(seat, f"challenge {1 - seat}").status_code == 200
    assert table.get("/premoves", 1 - seat)["text"] == "rock\nrock"
    dying.kill()
    # The table is not opened anywhere: only the database is asked.
    database = Store(url)
    settles(lambda: database.query(sa.select(PREMOVES.c.text)) == [("rock",)])
    database.close()
    assert there.get("/premoves", 1 - seat)["text"] == "rock"
