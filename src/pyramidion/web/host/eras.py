"""Eras of a table: each begins when actions are taken back, and no version of an earlier one is taken for its own.

A viewer's version is `era * SIZE + position`, where the position counts what the viewer has seen change. Within the
first era the two are the same. So versions only grow, though positions go back, and a page or a program that still
shows what was taken back holds a version that is refused as stale.
"""

from __future__ import annotations

SIZE = 1_000_000
"""More positions than any match has."""
MOST = 900
"""Eras of one table."""


def version(era: int, position: int) -> int:
    """Return the version of a position in an era."""
    return era * SIZE + position


def era_of(version: int) -> int:
    """Return the era that a version belongs to."""
    return version // SIZE


def position_of(version: int) -> int:
    """Return the position that a version stands for in its era."""
    return version % SIZE
