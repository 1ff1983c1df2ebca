"""Rooms that were never begun and that nobody has touched for long are deleted, and nothing else is."""

import pytest
import sqlalchemy as sa
from tests.web.helpers.clock import Time
from tests.web.helpers.databases import BOTH
from tests.web.helpers.tables import SERVICES, open_tables, play

from pyramidion.web.db.schema import CHAT_LINES, MATCHES, METADATA, ROOMS
from pyramidion.web.errors import UnknownTable
from pyramidion.web.features.waiting_room.expiry import Cleaning, _deleted
from pyramidion.web.table.seats.plans import SeatPlan
from pyramidion.web.table.seeds import OfferedContribution
from pyramidion.web.table.settings.declarations import TableSettings

pytestmark = [
    pytest.mark.parametrize("database", BOTH, indirect=True),
    pytest.mark.usefixtures("database"),
]
DAY = 24 * 3600
PLAN = [SeatPlan("me", "Ada"), SeatPlan("open"), SeatPlan("open")]


async def room(tables, start="when-ready", **more):
    made, _ = await SERVICES[tables].rooms.open(
        "ponzi-scheme", PLAN, {}, TableSettings(start=start, listed=True), holder="ada", **more
    )
    return made.id


def rows_of(store, match):
    """How many rows of each table belong to a match."""
    found = {}
    for table in METADATA.sorted_tables:
        for key in table.foreign_keys:
            if key.column is MATCHES.c.id:
                [(count,)] = store.query(sa.select(sa.func.count()).select_from(table).where(key.parent == match))
                found[table.name] = count
    [(found["matches"],)] = store.query(sa.select(sa.func.count()).select_from(MATCHES).where(MATCHES.c.id == match))
    return found


def line(match, at):
    values = {"match": match, "number": 1, "id": "x", "at": at, "seat": 0, "name": None, "text": "here?"}
    return sa.insert(CHAT_LINES).values(**values, readers=None, removed=False)


async def test_a_room_that_was_left_goes_with_all_that_belongs_to_it(tmp_path):
    time = Time()
    async with open_tables(tmp_path, now=time) as tables:
        cleaning = Cleaning(tables, 30)
        left, visited, talking, started = [await room(tables) for _ in range(4)]
        await SERVICES[tables].rooms.sit(left, 1, "bo", "Bo", OfferedContribution("tea"))
        begun = await tables.create("ponzi-scheme", PLAN, {}, holder="ada")
        await play(begun)
        await SERVICES[tables].rooms.start(started, "random", by_host=True)
        before = rows_of(tables.store, left)
        assert min(before[name] for name in ("matches", "seats", "rooms", "secrets", "contributions")) >= 1

        time.passes(20 * DAY)
        await SERVICES[tables].rooms.ready(visited, 0, False)
        await tables.writer.write(lambda connection: connection.execute(line(talking, time.ms)) and None)
        time.passes(10 * DAY)
        assert await cleaning.sweep() == 0
        time.passes(1)
        assert await cleaning.sweep() == 1
        assert set(rows_of(tables.store, left).values()) == {0}
        with pytest.raises(UnknownTable):
            await SERVICES[tables].rooms.get(left)
        time.passes(20 * DAY)
        assert await cleaning.sweep() == 2
        # What has begun stays, however long ago that was.
        time.passes(1000 * DAY)
        assert await cleaning.sweep() == 0
        assert {row.id for row in tables.store.query(sa.select(MATCHES.c.id))} == {begun.id, started}


async def test_who_comes_back_in_time_keeps_the_room(tmp_path):
    """It is looked at once more at the moment at which it would be deleted."""

    time = Time()
    async with open_tables(tmp_path, now=time) as tables:
        kept = await room(tables)
        time.passes(31 * DAY)
        await SERVICES[tables].rooms.sit(kept, 1, "bo", "Bo")
        await tables.writer.write(_deleted(kept, time.ms - 30 * DAY * 1000))
        assert (await SERVICES[tables].rooms.get(kept)).taken == [0, 1]
        assert rows_of(tables.store, kept)["rooms"] == 1
        # One that a server of the version before has made is of no known age, and stays.
        await tables.writer.write(lambda connection: connection.execute(sa.update(ROOMS).values(touched=None)) and None)
        time.passes(365 * DAY)
        assert await Cleaning(tables, 30).sweep() == 0
