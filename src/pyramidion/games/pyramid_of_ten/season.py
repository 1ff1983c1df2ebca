"""What a match of both games leaves to the season around it."""

from __future__ import annotations

from typing import Any

from pyramidion.engine.outcome import SeasonResult


def season_result(s: Any) -> SeasonResult:
    """Return what a season takes over from a final state: garnets, priority, tokens of life and the EC.

    See UD 7.6 and DU 5.5.
    """
    garnets, priority, tokens = (tuple(int(number) for number in row) for row in (s.final_garnets, s.priority, s.tol))
    return SeasonResult(garnets, priority, tokens, int(s.ec))
