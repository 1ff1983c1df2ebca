"""Turn order, and the draw of a seat that is due, without remainders and branches."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from pyramidion.engine.entries import bits_of, due_seat
from pyramidion.engine.rule import interpreted
from pyramidion.engine.turns import seat_after


def plain(rule: Any) -> Any:
    """Return a rule's Python function."""
    return interpreted(rule) if hasattr(rule, "py_func") else rule


def test_seats_follow_clockwise():
    for seats in range(1, 16):
        state = SimpleNamespace(seats=seats)
        for seat in range(seats):
            for steps in range(seats + 1):
                assert plain(seat_after)(state, seat, steps) == (seat + steps) % seats


def test_bits_are_counted():
    assert [plain(bits_of)(mask) for mask in range(1 << 16)] == [mask.bit_count() for mask in range(1 << 16)]


@pytest.mark.parametrize("acting", [0b1, 0b1000, 0b1011, 0b110000000000001])
def test_every_seat_that_is_due_can_be_drawn_and_no_other(acting):
    state = SimpleNamespace(seats=15, acting=np.uint16(acting | 0b100), submitted=np.uint16(0b100))
    chance = np.array([1], np.uint64)
    drawn = {int(plain(due_seat)(state, chance)) for _ in range(100)}
    assert drawn == {seat for seat in range(15) if acting >> seat & 1}
