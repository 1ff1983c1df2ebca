"""Tests of the random generator: the published function, unbiased draws, and independent copies."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from pyramidion.engine.random import below, draw, random_word, seed_words, shuffle


def test_the_generator_is_siphash_1_3() -> None:
    # Python hashes bytes with SipHash-1-3 of the same key schedule; with PYTHONHASHSEED=0 its key is zero, and the
    # function is checked here against a plain transcription of the paper.
    key0, key1, counter = 0x0706050403020100, 0x0F0E0D0C0B0A0908, 0x1122334455667788
    rng = np.array([key0, key1, 0, 0], np.uint64)
    assert int(random_word(rng, np.uint64(counter))) == _siphash_1_3(key0, key1, counter.to_bytes(8, "little"))


def _siphash_1_3(key0: int, key1: int, message: bytes) -> int:
    mask = 2**64 - 1
    v = [key0 ^ 0x736F6D6570736575, key1 ^ 0x646F72616E646F6D, key0 ^ 0x6C7967656E657261, key1 ^ 0x7465646279746573]

    def rotate(x: int, by: int) -> int:
        return ((x << by) | (x >> (64 - by))) & mask

    def one_round() -> None:
        v[0] = (v[0] + v[1]) & mask
        v[1] = rotate(v[1], 13) ^ v[0]
        v[0] = rotate(v[0], 32)
        v[2] = (v[2] + v[3]) & mask
        v[3] = rotate(v[3], 16) ^ v[2]
        v[0] = (v[0] + v[3]) & mask
        v[3] = rotate(v[3], 21) ^ v[0]
        v[2] = (v[2] + v[1]) & mask
        v[1] = rotate(v[1], 17) ^ v[2]
        v[2] = rotate(v[2], 32)

    padded = message + bytes(-(len(message) + 1) % 8) + bytes([len(message)])
    for at in range(0, len(padded), 8):
        word = int.from_bytes(padded[at : at + 8], "little")
        v[3] ^= word
        one_round()
        v[0] ^= word
    v[2] ^= 0xFF
    for _ in range(3):
        one_round()
    return v[0] ^ v[1] ^ v[2] ^ v[3]


@pytest.mark.parametrize("bound", [1, 2, 3, 6, 7, 52, 63])
def test_below_is_uniform(bound: int) -> None:
    rng, draws = seed_words(bound), 20_000
    counts = Counter(int(below(rng, bound)) for _ in range(draws))
    assert set(counts) == set(range(bound))
    expected = draws / bound
    chi_squared = sum((counts[n] - expected) ** 2 / expected for n in range(bound))
    # Five standard deviations above the mean of a chi-squared with bound - 1 degrees of freedom.
    assert chi_squared <= (bound - 1) + 5 * (2 * max(1, bound - 1)) ** 0.5


def test_shuffle_reaches_every_order_equally() -> None:
    rng, counts = seed_words("orders"), Counter[tuple[int, ...]]()
    for _ in range(12_000):
        values = np.arange(4, dtype=np.int8)
        shuffle(rng, values, 3)
        counts[tuple(int(v) for v in values)] += 1
    assert len(counts) == 6
    assert all(order[3] == 3 for order in counts)
    assert all(abs(n - 2000) < 5 * 2000**0.5 for n in counts.values())


def test_draw_takes_each_entry_once() -> None:
    rng, values = seed_words(3), np.arange(10, dtype=np.int8)
    taken = [int(draw(rng, values, left)) for left in range(10, 0, -1)]
    assert sorted(taken) == list(range(10))
    assert taken != sorted(taken)


def test_a_copy_of_the_state_has_the_same_future() -> None:
    rng = seed_words(1)
    below(rng, 6)
    copy = rng.copy()
    assert [int(below(rng, 100)) for _ in range(20)] == [int(below(copy, 100)) for _ in range(20)]
