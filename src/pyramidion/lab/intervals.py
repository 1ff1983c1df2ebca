"""How sure a share is."""

from __future__ import annotations

import math

Z = 1.959964
"""Standard deviations of a 95 % interval."""


def wilson(share: float, games: float) -> tuple[float, float]:
    """Return the 95 % interval of a share of wins in that many games (Wilson 1927); (0, 1) where there are none."""
    if games <= 0:
        return 0.0, 1.0
    middle = (share + Z * Z / (2 * games)) / (1 + Z * Z / games)
    reach = Z * math.sqrt(share * (1 - share) / games + Z * Z / (4 * games * games)) / (1 + Z * Z / games)
    return max(0.0, middle - reach), min(1.0, middle + reach)
