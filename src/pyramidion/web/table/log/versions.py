"""Eras: a rewind starts a new one, so that versions from before the rewind are stale.

A viewer's version is `era * SIZE + position`; the position counts how often the viewer's view has changed. In the first
era version and position are equal. Versions only grow, although a rewind lowers the position, so an action chosen in an
undone position has a stale version and is refused.
"""

from __future__ import annotations

SIZE = 1_000_000
"""An upper bound on the number of positions of a match."""
MOST = 900
"""Maximum number of eras of a table."""


def version(era: int, position: int) -> int:
    """Return the version of a viewer's view, which grows also over rewinds, from the era and the position in it."""
    return era * SIZE + position


def era_of(version: int) -> int:
    """Return the era of a version: the number of rewinds and takebacks before it."""
    return version // SIZE


def position_of(version: int) -> int:
    """Return the position of a version within its era: how often the viewer's view had changed."""
    return version % SIZE
