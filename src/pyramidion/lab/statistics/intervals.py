"""Confidence intervals, and corrections for many comparisons."""

from __future__ import annotations

import math
from collections.abc import Sequence

Z = 1.959964
"""Half-width of a 95 % interval in standard deviations."""


def wilson(share: float, games: float) -> tuple[float, float]:
    """Return the 95 % Wilson interval (Wilson 1927) of a win share over `games` games; (0, 1) for no games."""
    if games <= 0:
        return 0.0, 1.0
    middle = (share + Z * Z / (2 * games)) / (1 + Z * Z / games)
    reach = Z * math.sqrt(share * (1 - share) / games + Z * Z / (4 * games * games)) / (1 + Z * Z / games)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def mean_and_error(total: float, squares: float, count: float) -> tuple[float, float]:
    """Return the mean of `count` values and its standard error, from their sum `total` and the sum of their squares.

    The error is infinite for fewer than two values.
    """
    if count <= 0:
        return math.nan, math.inf
    mean = total / count
    if count < 2:
        return mean, math.inf
    variance = max(0.0, squares / count - mean * mean) * count / (count - 1)
    return mean, math.sqrt(variance / count)


def p_value(difference: float, error: float) -> float:
    """Return the two-sided p-value of a difference that is normally distributed with this standard error."""
    if error == 0:
        return 1.0 if difference == 0 else 0.0
    return math.erfc(abs(difference) / error / math.sqrt(2)) if math.isfinite(error) else 1.0


def holm(values: Sequence[float]) -> list[float]:
    """Adjust p-values by Holm (1979): with a chance of 95 %, none of the differences below 0.05 is false."""
    order = sorted(range(len(values)), key=lambda i: values[i])
    adjusted, highest = [1.0] * len(values), 0.0
    for rank, i in enumerate(order):
        highest = max(highest, min(1.0, values[i] * (len(values) - rank)))
        adjusted[i] = highest
    return adjusted


def benjamini_hochberg(values: Sequence[float]) -> list[float]:
    """Adjust p-values by Benjamini and Hochberg (1995): of the differences below 0.05, about 5 % are false at most."""
    order = sorted(range(len(values)), key=lambda i: values[i], reverse=True)
    adjusted, lowest = [1.0] * len(values), 1.0
    for rank, i in enumerate(order):
        lowest = min(lowest, values[i] * len(values) / (len(values) - rank))
        adjusted[i] = lowest
    return adjusted


def worth(
    users: int, users_squared: int, total: int, squares: int, cross: int, *, games: int, seats: int, unit: int
) -> tuple[float, float]:
    """Return the difference in wins between seats that had something and seats that had not, and its standard error.

    The sums are over games: the number of seats that had it (and its squares), and their wins relative to the mean of
    their game, in units of `unit * seats`. Seats of one game are not independent, so the sample consists of games, and
    the error is that of the linearized ratio (delta method). Returns (nan, inf) if all seats had it, or none.
    """
    without = games * seats - users
    if users <= 0 or without <= 0:
        return math.nan, math.inf
    scale = unit * seats
    a = 1 / users + 1 / without
    b = -total / users**2 + total / without**2
    variance = a * a * squares + 2 * a * b * cross + b * b * users_squared
    middle = a * total + b * users
    spread = max(0.0, variance - middle * middle / games)
    return total * a / scale, math.sqrt(spread) / scale
