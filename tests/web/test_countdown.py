"""The count before hands are shown: only when all have thrown, only at live tables, never delaying programs."""

import asyncio
import json

import pytest
from tests.web.helpers.clock import START, tables_with_time
from tests.web.helpers.creating import with_settings

from pyramidion.web.play.streams import PageStream, ProgramStream, StreamPosition
from pyramidion.web.table.seats.plans import SeatPlan

TWO = [SeatPlan("me"), SeatPlan("open")]


async def duel(tables, call="1-2-3", **more):
    table = await tables.create("pyramid-shambo", TWO, {"call": call}, holder="ada", seed=1, **with_settings(more))
    await table.sit(1, "ben", "Ben")
    active = table.match.acting[0]
    await table.act(active, f"challenge {1 - active}", table.version(active))
    return table


async def throws(table, *seats, throw="rock"):
    for seat in seats:
        await table.act(seat, f"throw {throw}", table.version(seat))


def message(stream):
    made = stream.make()
    return None if made is None else json.loads(made.decode().split("data: ")[1])


@pytest.mark.parametrize(("call", "length"), [("1-2-3", 1000), ("1-2-3-go", 1500)])
async def test_everybody_is_told_the_same_moment_when_both_have_thrown(tmp_path, call, length):
    async with tables_with_time(tmp_path) as (tables, time):
        table = await duel(tables, call)
        viewers = (0, 1, None)
        for viewer in viewers:
            table.viewers.channel(viewer, table.version(viewer))
        streams = [PageStream(table, viewer, StreamPosition()) for viewer in viewers]
        [stream.make() for stream in streams]
        await throws(table, 0)
        # Whoever has thrown sees it; the others are told nothing, and nobody is told of a count.
        assert "reveal" not in message(streams[0])
        assert [message(stream) for stream in streams[1:]] == [None, None]
        await throws(table, 1)
        beats = len(call.split("-"))
        told = [message(stream)["reveal"] for stream in streams]
        assert told == [{"at": START + length, "left": length, "beats": beats}] * 3
        # Whoever comes in the middle of it is told how much is left; afterwards there is none.
        time.passes(0.4)
        assert table.broadcast.counting["left"] == length - 400
        time.passes(2)
        assert table.broadcast.counting is None


async def test_programs_are_told_at_once_and_of_no_count(tmp_path):
    async with tables_with_time(tmp_path) as (tables, _time):
        table = await duel(tables)
        table.viewers.channel(None, table.version(None))
        stream = ProgramStream(table, None, StreamPosition(table.version(None)))
        stream.make()
        await throws(table, 0, 1)
        told = message(stream)
        assert "reveal" not in told
        assert told["events"][-1]["name"] == "tied"
        # Nor does the count keep anybody from acting.
        await throws(table, 0, throw="rock")
        await throws(table, 1, throw="paper")
        assert table.match.view(None)["reveal"]["winner"] == 1


@pytest.mark.parametrize(("clock", "counted"), [(None, True), (5, True), (900, True), (3600, False), (86400, False)])
async def test_nobody_counts_where_people_decide_in_their_own_time(tmp_path, clock, counted):
    async with tables_with_time(tmp_path) as (tables, _time):
        table = await duel(tables, clock=clock)
        await throws(table, 0, 1)
        assert (table.broadcast.counting is not None) == counted


async def test_what_is_read_from_the_database_is_not_counted_again(tmp_path):
    async with tables_with_time(tmp_path) as (tables, _time):
        table = await duel(tables)
        await throws(table, 0, 1)
        assert table.broadcast.counting is not None
        assert (await asyncio.to_thread(tables.rebuild, table.id)).broadcast.counting is None


async def test_games_without_a_count_have_none(tmp_path):
    async with tables_with_time(tmp_path) as (tables, _time):
        table = await tables.create("pyramis", [SeatPlan("open")] * 2, {}, seed=1)
        await table.act(table.match.acting[0], table.match.legal(table.match.acting[0])[0], 0)
        assert table.broadcast.counting is None
