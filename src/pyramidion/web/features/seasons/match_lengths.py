"""How long matches may take: how often the players of a game wait for a decision, one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

WAITS: Mapping[str, Mapping[int, int]] = {
    "downside-up": {10: 32},
    "ponzi-scheme": {3: 105, 4: 115, 5: 140},
    "pyramid-scheme": {2: 125, 3: 155, 4: 195},
    "pyramid-shambo": {2: 40, 3: 110, 4: 135, 5: 140, 6: 230, 7: 250, 8: 240, 9: 285, 10: 230},
    "pyramis": {2: 44, 3: 68, 4: 92},
    "upside-down": {10: 45},
}
"""The longest of ten games of rule-based bots, by game and number of players.

Decisions in secret at the same time count as one, and a decision without a choice counts as none.
"""


def longest_wait(game: str, sizes: Iterable[int]) -> int | None:
    """Return how many decisions players wait for at the slowest of a game's tables of these sizes, None if unknown."""
    waits = [WAITS.get(game, {}).get(size) for size in sizes]
    return max((count for count in waits if count is not None), default=None)
