"""Bytewise redaction: the compiled body of `Layout.redact`, shared by all games."""

from __future__ import annotations

from pyramidion.engine.events import SPECTATOR_BIT
from pyramidion.engine.rule import rule

SPECTATOR, EVERYTHING = -1, -2


@rule
def _read16(raw, offset):
    """Return the 16-bit number at an offset of the bytes `raw`, low byte first."""
    return int(raw[offset]) | (int(raw[offset + 1]) << 8)


@rule
def redact_bytes(source, redacted, viewer, mask, parties, submitted):
    """Write the state in `source`, redacted for `viewer`, to `redacted` (both uint8); see `Layout.redact`.

    `mask`, `parties` and `submitted` are those of `Layout.hiding`.
    """
    for i in range(source.shape[0]):
        redacted[i] = source[i] & mask[i]
    if viewer == EVERYTHING:
        return
    bit = SPECTATOR_BIT if viewer == SPECTATOR else viewer
    for row in range(parties.shape[0]):
        offset, size, guard, count = parties[row, 0], parties[row, 1], parties[row, 2], parties[row, 3]
        guard += bit >> 3
        if size == 1:
            # A field may have dozens of such entries, most of them 0. The guards of the others follow no pattern, so
            # a branch on them would often be predicted wrongly.
            for i in range(count):
                if redacted[offset + i] != 0:
                    redacted[offset + i] *= (source[guard + 2 * i] >> (bit & 7)) & 1
        else:
            for i in range(count):
                if (source[guard + 2 * i] >> (bit & 7)) & 1 == 0:
                    for at in range(offset + i * size, offset + (i + 1) * size):
                        redacted[at] = 0
    if source[submitted[1]] == 0:
        kept = 0 if viewer == SPECTATOR else _read16(source, submitted[0]) & (1 << viewer)
        redacted[submitted[0]] = kept & 255
        redacted[submitted[0] + 1] = kept >> 8
