"""Random numbers for rules: a generator kept in the state, and unbiased draws from it.

The generator is SipHash-1-3 (Aumasson and Bernstein, 2012) in counter mode, keyed by the match seed. It is a
pseudo-random function, so players cannot predict future draws from those they have seen. Its state is four 64-bit
words: two for the key, the counter, and the current word, which serves two draws of 32 bits.
"""

from __future__ import annotations

import hashlib

import numpy as np

from pyramidion.engine.rule import rule
from pyramidion.text_files import require_text

RNG_WORDS = 4

_C0 = np.uint64(0x736F6D6570736575)
_C1 = np.uint64(0x646F72616E646F6D)
_C2 = np.uint64(0x6C7967656E657261)
_C3 = np.uint64(0x7465646279746573)
_END_OF_EIGHT_BYTES = np.uint64(8 << 56)
_FF = np.uint64(0xFF)
_ONE = np.uint64(1)
_32 = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_R13, _R16, _R17, _R21 = np.uint64(13), np.uint64(16), np.uint64(17), np.uint64(21)
_L51, _L48, _L47, _L43 = np.uint64(51), np.uint64(48), np.uint64(47), np.uint64(43)


def accept_seed(seed: object) -> int | str:
    """Validate the seed of a match and return it. Raises ValueError unless it is a whole number or text."""
    if isinstance(seed, np.integer):
        return int(seed)
    if isinstance(seed, bool) or not isinstance(seed, (int, str)):
        raise ValueError("The seed must be a whole number or text.")
    if isinstance(seed, str):
        require_text(seed, "The seed")
    return seed


def seed_words(seed: int | str) -> np.ndarray:
    """Return the initial generator state, uint64[4], for a match seed: 128 bits of its SHA-256, then zeros.

    Raises ValueError for what is no seed.
    """
    digest = hashlib.sha256(f"pyramidion:{accept_seed(seed)}".encode()).digest()
    return np.array([int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:16], "little"), 0, 0], np.uint64)


@rule(wraps_around=True)
def random_word(rng, counter):
    """Return 64 random bits: the output of the generator `rng` (uint64[4]) for a counter (uint64)."""
    key0, key1 = rng[0], rng[1]
    v0, v1, v2, v3 = key0 ^ _C0, key1 ^ _C1, key0 ^ _C2, key1 ^ _C3 ^ counter
    # SipHash-1-3: one round for the counter, one for the length block, three to finalize.
    for step in range(5):
        if step == 1:
            v0 ^= counter
            v3 ^= _END_OF_EIGHT_BYTES
        elif step == 2:
            v0 ^= _END_OF_EIGHT_BYTES
            v2 ^= _FF
        v0 += v1
        v1 = (v1 << _R13) | (v1 >> _L51)
        v1 ^= v0
        v0 = (v0 << _32) | (v0 >> _32)
        v2 += v3
        v3 = (v3 << _R16) | (v3 >> _L48)
        v3 ^= v2
        v0 += v3
        v3 = (v3 << _R21) | (v3 >> _L43)
        v3 ^= v0
        v2 += v1
        v1 = (v1 << _R17) | (v1 >> _L47)
        v1 ^= v2
        v2 = (v2 << _32) | (v2 >> _32)
    return v0 ^ v1 ^ v2 ^ v3


@rule(wraps_around=True)
def random_half(rng):
    """Advance the generator `rng` and return 32 random bits (as uint64); each word serves two calls."""
    half = rng[2]
    rng[2] = half + _ONE
    if half & _ONE:
        return rng[3] >> _32
    word = random_word(rng, half)
    rng[3] = word
    return word & _LOW


@rule(wraps_around=True)
def reseed(rng, chance):
    """Reset the generator `rng` with a new key drawn from another generator, `chance`."""
    for word in range(2):
        rng[word] = (random_half(chance) << _32) | random_half(chance)
    rng[2], rng[3] = np.uint64(0), np.uint64(0)


@rule(wraps_around=True)
def below(rng, bound):
    """Return a uniformly random integer from 0 to `bound` - 1; 1 <= bound < 2**32 (Lemire 2019, unbiased)."""
    if bound <= 1:
        return np.int64(0)
    limit = np.uint64(bound)
    product = random_half(rng) * limit
    low = product & _LOW
    if low < limit:
        threshold = ((_LOW - limit) + _ONE) % limit
        while low < threshold:
            product = random_half(rng) * limit
            low = product & _LOW
    return np.int64(product >> _32)


@rule
def shuffle(rng, values, count):
    """Shuffle the first `count` entries of the array `values` in place, uniformly."""
    for last in range(count - 1, 0, -1):
        other = below(rng, last + 1)
        held = values[last]
        values[last] = values[other]
        values[other] = held


@rule
def draw(rng, values, count):
    """Remove and return a random entry among the first `count` >= 1 of `values`; the last of them fills the gap.

    Drawing from an unordered deck is equivalent to shuffling it first, and leaves no order to hide.
    """
    chosen = below(rng, count)
    value = values[chosen]
    values[chosen] = values[count - 1]
    return value
