"""Compiled seeding of a batch's games: the equivalent of `engine.random.seed_words` for whole numbers."""

from __future__ import annotations

from math import isqrt

import numpy as np

from pyramidion.engine.rule import rule


def _fractions(root: int, count: int) -> list[np.uint64]:
    """Return constants of SHA-256: the first 32 bits of the fractional parts of roots of the first `count` primes.

    `root` is 2 for square roots, 3 for cube roots.
    """
    primes = [n for n in range(2, 312) if all(n % d for d in range(2, isqrt(n) + 1))][:count]
    if root == 2:
        return [np.uint64(isqrt(p << 64) & 0xFFFFFFFF) for p in primes]
    fractions: list[np.uint64] = []
    for p in primes:
        low, high = 0, 1 << 36
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if middle**3 <= p << 96 else (low, middle)
        fractions.append(np.uint64(low & 0xFFFFFFFF))
    return fractions


ROUNDS = 64
_START, _ROUND = np.array(_fractions(2, 8)), np.array(_fractions(3, ROUNDS))
_PREFIX = np.frombuffer(b"pyramidion:", np.uint8).astype(np.uint64)
_LOW_32, _END_MARK, _BYTE = np.uint64(0xFFFFFFFF), np.uint64(0x80), np.uint64(8)
_32 = np.uint64(32)
_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX1, _MIX2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S1, _S27, _S30, _S31 = np.uint64(1), np.uint64(27), np.uint64(30), np.uint64(31)
_N2, _N3, _N6, _N7, _N10, _N11, _N13 = (np.uint64(n) for n in (2, 3, 6, 7, 10, 11, 13))
_N17, _N18, _N19, _N22, _N25 = (np.uint64(n) for n in (17, 18, 19, 22, 25))


@rule(wraps_around=True)
def seed_of(base, number):
    """Return the seed, 0 to 2**63 - 1, of the batch's game with this number.

    At most two numbers of a batch have the same seed, and those are hard to find: a mixture of 64 bits that differs for
    all numbers loses its last bit.
    """
    z = base + (np.uint64(number) + _S1) * _GAMMA
    z = (z ^ (z >> _S30)) * _MIX1
    z = (z ^ (z >> _S27)) * _MIX2
    return np.int64((z ^ (z >> _S31)) >> _S1)


@rule(wraps_around=True)
def _rotated_right(x, n):
    """Return a 32-bit word rotated right by `n` bits."""
    return ((x >> n) | (x << (_32 - n))) & _LOW_32


@rule(wraps_around=True)
def seed_generator(rng, seed, words):
    """Set the generator `rng` (uint64[4]) to the initial one of a match with the seed `seed` >= 0.

    `words` is working memory, uint64[64]. This computes one block of SHA-256 over `pyramidion:` and the digits of the
    seed.
    """
    for i in range(words.shape[0]):
        words[i] = np.uint64(0)
    digits, rest = 1, seed // 10
    while rest > 0:
        digits += 1
        rest //= 10
    size = _PREFIX.shape[0] + digits
    rest = seed
    for n in range(size + 1):
        # Write the message backwards, byte by byte: the end mark, the digits, the prefix.
        at = size - n
        if n == 0:
            byte = _END_MARK
        elif n <= digits:
            byte = np.uint64(48 + rest % 10)
            rest //= 10
        else:
            byte = _PREFIX[at]
        words[at // 4] |= byte << (_BYTE * np.uint64(3 - at % 4))
    words[15] = np.uint64(8 * size)
    for i in range(16, ROUNDS):
        x, y = words[i - 15], words[i - 2]
        x = _rotated_right(x, _N7) ^ _rotated_right(x, _N18) ^ (x >> _N3)
        y = _rotated_right(y, _N17) ^ _rotated_right(y, _N19) ^ (y >> _N10)
        words[i] = (words[i - 16] + x + words[i - 7] + y) & _LOW_32
    a, b, c, d = _START[0], _START[1], _START[2], _START[3]
    e, f, g, h = _START[4], _START[5], _START[6], _START[7]
    for i in range(ROUNDS):
        temp1 = _rotated_right(e, _N6) ^ _rotated_right(e, _N11) ^ _rotated_right(e, _N25)
        temp1 = h + temp1 + ((e & f) ^ (~e & g)) + _ROUND[i] + words[i]
        temp2 = _rotated_right(a, _N2) ^ _rotated_right(a, _N13) ^ _rotated_right(a, _N22)
        temp2 += (a & b) ^ (a & c) ^ (b & c)
        h, g, f, e = g, f, e, (d + temp1) & _LOW_32
        d, c, b, a = c, b, a, (temp1 + temp2) & _LOW_32
    # The generator's words are the digest in little-endian order.
    rng[0] = _byte_swapped((a + _START[0]) & _LOW_32) | (_byte_swapped((b + _START[1]) & _LOW_32) << _32)
    rng[1] = _byte_swapped((c + _START[2]) & _LOW_32) | (_byte_swapped((d + _START[3]) & _LOW_32) << _32)
    rng[2], rng[3] = np.uint64(0), np.uint64(0)


@rule(wraps_around=True)
def _byte_swapped(x):
    """Return a 32-bit word with its bytes reversed."""
    swapped = np.uint64(0)
    for _ in range(4):
        swapped = (swapped << _BYTE) | (x & np.uint64(0xFF))
        x >>= _BYTE
    return swapped
