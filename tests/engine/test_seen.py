"""Tests of records with cached fields: correct values, and no memory leak."""

from __future__ import annotations

import gc
import tracemalloc

import numpy as np
import pytest

import pyramidion
from pyramidion.engine.layout import record, seen

INNER = np.dtype([("low", np.int8), ("pair", np.int16, 2)], align=True)
OUTER = np.dtype([("number", np.int32), ("inner", INNER), ("list", np.int8, (2, 3))], align=True)


def test_a_record_that_is_seen_reads_as_any_other_and_knows_its_fields_only():
    state = np.zeros(1, OUTER)
    state["number"], state["list"][0, 1, 2] = 7, 5
    state["inner"]["pair"][0, 1] = 3
    usual, shown = record(state), seen(state)
    assert shown.number == usual.number == 7
    assert shown.inner.pair.tolist() == usual.inner.pair.tolist() == [0, 3]
    assert shown.list.tolist() == usual.list.tolist() == [[0, 0, 0], [0, 0, 5]]
    with pytest.raises(AttributeError, match="There is no field 'other'"):
        _ = shown.other


@pytest.mark.parametrize("game_id", pyramidion.all_games())
def test_nothing_stays_of_a_view(game_id):
    # A record that held its own fields would be held by them, and no collector finds circles through arrays.
    match = pyramidion.load(game_id).new(seed=1)
    viewers = [None, *range(match.seats)]

    def look():
        for viewer in viewers:
            match.view(viewer)

    for _ in range(3):
        look()
    gc.collect()
    tracemalloc.start()
    try:
        look()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(30):
            look()
        gc.collect()
        left = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert left < 200 * 30 * len(viewers)
