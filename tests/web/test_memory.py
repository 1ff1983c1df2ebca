"""What a server keeps in memory: the tables in use, and nothing of those that came and went before."""

import gc
from collections import Counter

import pytest
from tests.web.helpers.tables import open_tables, play

from pyramidion.web.table.seats.plans import SeatPlan
from pyramidion.web.table.snapshots.snapshot import snapshot_of

KEEP = 2
GAMES = {"ponzi-scheme": 3, "pyramid-shambo": 2, "pyramis": 2}


def ours():
    """Count the objects that are alive by class, for the classes of this package."""
    gc.collect()
    kinds = Counter(type(one) for one in gc.get_objects())
    return {kind.__qualname__: count for kind, count in kinds.items() if str(kind.__module__).startswith("pyramidion")}


@pytest.mark.parametrize("game", GAMES)
async def test_a_days_tables_leave_nothing_behind(tmp_path, game):
    async def play_tables(tables, count):
        for _ in range(count):
            table = await tables.create(game, [SeatPlan("me"), *[SeatPlan("open")] * (GAMES[game] - 1)], {}, seed=1)
            for _ in range(8):
                await play(table)
                snapshot_of(table, None)
            del table

    async with open_tables(tmp_path, keep=KEEP) as tables:
        await play_tables(tables, 4)
        before = ours()
        await play_tables(tables, 8)
        after = ours()
    # Whatever a table leaves behind is there once for each of the eight, at least.
    left = {kind: count for kind, count in after.items() if count >= before.get(kind, 0) + 8}
    assert left == {}
    assert after["Table"] >= KEEP, "tables are counted"
