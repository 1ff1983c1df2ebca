"""End of the game: winners, and what each seat carries on. Compiled."""

from __future__ import annotations

from pyramidion.engine.rule import rule
from pyramidion.games.pyramid_of_ten.fields import EVERY_VIEWER
from pyramidion.games.pyramid_of_ten.spaces import TEN


@rule
def finish(s, rule_number):
    """End the game under a rule, and reveal the garnets and the priority that each seat carries on."""
    for seat in range(TEN):
        s.final_garnets[seat] = s.garnets[seat]
        s.priority_party[seat] = EVERY_VIEWER
    s.over = 1
    s.ending = rule_number
    s.phase = 0
    s.acting = 0
    s.free = 0


@rule
def points(box, s, out):
    """Write the garnets that each seat carries on into the season to `out` (int32[seats])."""
    for seat in range(TEN):
        out[seat] = s.final_garnets[seat]


@rule
def payoff(box, s, out):
    """Write payoffs to `out` (float64[seats]): +1 for token holders, -1 for the EC, 0 otherwise (UD 7.6, DU 5.5)."""
    for seat in range(TEN):
        out[seat] = (int(s.winners) >> seat & 1) - int(seat == s.ec)
