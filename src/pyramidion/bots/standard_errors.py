"""Standard errors of search values."""

from __future__ import annotations

import math

from pyramidion.bots.search_result import Choice, SearchResult


def standard_error(chance: float, visits: int, square: float | None = None, width: float = 1.0) -> float:
    """Return the standard error of a mean of `visits` results of one search, each 0 to 1; never 0.

    `square` is the mean of the squared results; by default every result is taken to be 0 or 1. Two pseudo-results, one
    0 and one 1, keep the error positive when all results are equal; `width` scales what they add. Results are counted
    as if they were independent; they share a tree, so they are not quite (docs/strength/accuracy.md).
    """
    variance = max(0.0, (chance if square is None else square) - chance * chance)
    unseen = width * width * (0.5 + 2.0 * visits / (visits + 2.0) * (chance - 0.5) ** 2)
    return math.sqrt((variance * visits + unseen) / (visits + 2.0) / max(1, visits))


def error_of(choice: Choice, result: SearchResult) -> float:
    """Return the standard error of the acting seat's expected payoff from a choice."""
    return standard_error(choice.values[result.seat], choice.visits, choice.square, width_of(result))


def width_of(result: SearchResult) -> float:
    """Return how widely a search's payoffs spread, as a fraction of payoffs of only 0 and 1 with the same mean.

    The fraction, of standard deviations, is from 0 to 1. With `prospects` payoffs lie between 0 and 1, so the value of
    a rarely tried action is less uncertain.
    """
    visits = sum(c.visits for c in result.choices)
    mean = sum(c.visits * c.values[result.seat] for c in result.choices) / max(1, visits)
    square = sum(c.visits * (c.values[result.seat] if c.square is None else c.square) for c in result.choices)
    if not 0.0 < mean < 1.0:
        return 1.0
    return min(1.0, math.sqrt(max(0.0, square / visits - mean * mean) / (mean * (1.0 - mean))))
