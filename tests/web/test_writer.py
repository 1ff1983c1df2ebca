"""Tests of the writer: groups, conflicts, failures."""

import asyncio

import pytest
import sqlalchemy as sa
from tests.web.helpers.databases import BOTH, url_at

from pyramidion.web.db.schema import MATCHES
from pyramidion.web.db.store import MatchRow, SeatRow, Store, now
from pyramidion.web.db.writer import Conflict, DatabaseFailed, Ply, WriteFailed, Writer

pytestmark = pytest.mark.parametrize("database", BOTH, indirect=True)


def match_row(match_id="m1"):
    return MatchRow(match_id, "high-card", "1", 2, {"cards": 3}, "seed", False, "A table", now(), {})


@pytest.fixture
def store(tmp_path, database):
    store = Store(url_at(tmp_path))
    store.open()
    yield store
    store.close()


def insert(row, seats=()):
    def change(connection):
        connection.execute(sa.insert(MATCHES), row.values())

    return change


async def settled(*futures):
    return await asyncio.gather(*futures, return_exceptions=True)


@pytest.fixture
async def writer(store):
    writer = Writer(store)
    writer.start()
    yield writer
    await writer.stop()


async def test_a_group_of_plies_is_stored_in_order(store, writer):
    await writer.write(insert(match_row()))
    outcomes = await settled(*(writer.write(Ply("m1", i, i % 2, f"play {i}", 5)) for i in range(450)))
    assert outcomes == [None] * 450
    assert [ply[:3] for ply in store.plies("m1")] == [(i, i % 2, f"play {i}") for i in range(450)]
    assert [ply[:3] for ply in store.plies("m1", 448)] == [(448, 0, "play 448"), (449, 1, "play 449")]


async def test_a_ply_that_is_there_already_conflicts_and_spares_the_rest_of_its_group(store, writer):
    await writer.write(insert(match_row()))
    await writer.write(Ply("m1", 0, 0, "first", 5))
    outcomes = await settled(*(writer.write(Ply("m1", i, 0, f"again {i}", 6)) for i in range(3)))
    assert [type(o) for o in outcomes] == [Conflict, type(None), type(None)]
    assert [action for _, _, action, *_ in store.plies("m1")] == ["first", "again 1", "again 2"]


async def test_a_change_that_conflicts_leaves_nothing(store, writer):
    def change(connection):
        connection.execute(sa.insert(MATCHES), match_row("m2").values())
        raise Conflict("no")

    outcomes = await settled(writer.write(change), writer.write(insert(match_row())))
    assert [type(o) for o in outcomes] == [Conflict, type(None)]
    assert store.match("m2") is None
    assert store.match("m1") is not None


async def test_a_failing_database_is_reported_and_writing_goes_on_after_it(store, writer):
    def rename(old, new):
        with store.engine.connect() as connection:
            connection.exec_driver_sql(f"ALTER TABLE {old} RENAME TO {new}")
            connection.commit()

    await writer.write(insert(match_row()))
    rename("plies", "elsewhere")
    assert await writer.works()
    failed = await settled(*(writer.write(Ply("m1", i, 0, "lost", 5)) for i in range(3)))
    assert not await writer.works()
    rename("elsewhere", "plies")
    assert await writer.works()
    assert store.plies("m1") == []
    await writer.write(Ply("m1", 0, 0, "kept", 5))
    assert [type(o) for o in failed] == [DatabaseFailed] * 3
    assert [ply[:3] for ply in store.plies("m1")] == [(0, 0, "kept")]


async def test_a_change_with_a_bug_does_not_end_the_writer(store, writer):
    def change(connection):
        raise ZeroDivisionError

    failed = await settled(writer.write(change))
    assert await writer.works()
    await writer.write(insert(match_row()))
    assert [type(o) for o in failed] == [WriteFailed]
    assert store.match("m1") is not None


async def test_after_stopping_nothing_is_accepted_and_all_before_is_stored(store, writer):
    await writer.write(insert(match_row()))
    before = [writer.write(Ply("m1", i, 0, "x", 5)) for i in range(50)]
    await writer.stop()
    outcomes = await settled(*before, writer.write(Ply("m1", 50, 0, "late", 5)))
    assert outcomes[:50] == [None] * 50
    assert isinstance(outcomes[50], WriteFailed)
    assert len(store.plies("m1")) == 50


async def test_rows_come_back_as_they_went_in(store, writer):
    row = match_row()
    await writer.write(insert(row))
    found = store.match("m1")
    assert found == (row, [])
    assert SeatRow(0, "bot", "Ada", "policy").values("m1")["match"] == "m1"
