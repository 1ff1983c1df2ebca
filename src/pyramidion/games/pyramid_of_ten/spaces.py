"""The pyramid of ten: spaces A to J in reading order, four in the top layer, then three, two and one."""

from __future__ import annotations

import numpy as np

TEN = 10
"""Players, and spaces."""
SPACES = tuple("abcdefghij")
"""Spaces as the notation writes them; their numbers run from 0 to 9."""
LAYERS = ((0, 1, 2, 3), (4, 5, 6), (7, 8), (9,))
"""Spaces of each layer, the top layer first."""
LAYER = np.array([0, 0, 0, 0, 1, 1, 1, 2, 2, 3], np.int64)
"""Layer of each space, 0 at the top."""
LEFT_ABOVE = np.array([-1, -1, -1, -1, 0, 1, 2, 4, 5, 7], np.int64)
"""The space that touches each space from above on its left; the one on its right is the next. -1 in the top layer."""
BOTTOM = 9
TOP_SPACES = 4
EVERYBODY = (1 << TEN) - 1
NOBODY = -1
NOWHERE = -1


def space_name(space: int) -> str:
    """Return what a space is called on the board: `C`."""
    return SPACES[space].upper()
