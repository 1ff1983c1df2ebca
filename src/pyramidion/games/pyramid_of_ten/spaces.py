"""The pyramid of ten: spaces A to J in reading order, in layers of four, three, two and one."""

from __future__ import annotations

import numpy as np

TEN = 10
"""The number of players, and of spaces."""
SPACES = tuple("abcdefghij")
"""Space names in the notation; spaces are numbered 0 to 9."""
LAYERS = ((0, 1, 2, 3), (4, 5, 6), (7, 8), (9,))
"""The spaces of each layer, top layer first."""
LAYER = np.array([0, 0, 0, 0, 1, 1, 1, 2, 2, 3], np.int64)
"""The layer of each space; 0 is the top."""
LEFT_ABOVE = np.array([-1, -1, -1, -1, 0, 1, 2, 4, 5, 7], np.int64)
"""The space touching each space from above on the left; the next one touches it on the right. -1 in the top layer."""
BOTTOM = 9
TOP_SPACES = 4
EVERYBODY = (1 << TEN) - 1
NOBODY = -1
NOWHERE = -1


def space_name(space: int) -> str:
    """Return the name of a space on the board, such as `C`."""
    return SPACES[space].upper()
