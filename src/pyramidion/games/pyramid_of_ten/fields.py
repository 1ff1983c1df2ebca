"""The part of the state that both games have: where everybody stands, what they hold, and what they have saved."""

from __future__ import annotations

from pyramidion.engine.layout import SEATS, Field, int8, int16, own, public, uint8
from pyramidion.games.pyramid_of_ten.spaces import TEN

CLAIM, BATTLE = 2, 3
"""Phases of both games. Phase 1 places the players; 0: the game is over."""
MOST_PARTS = 60
"""Parts of a submission that a player may save in one phase, times of taking a confirmation back included."""
MOST_CLAIM = 4
START_TICKETS = 5
MOST_GARNETS = 100
MOST_PRIORITY = 1000

COMMON: dict[str, Field] = {
    "phase": public(int8),
    "round_number": public(int8),
    "space": public(int8, SEATS),  # where a seat stands, NOWHERE before it is placed
    "at": public(int8, TEN),  # the seat on each space, or NOBODY
    "tol": public(int8, SEATS),  # tokens of life
    "ec": public(int8),  # the elimination candidate, NOBODY before the end
    "final_tickets": public(int8, SEATS),
    "final_garnets": public(uint8, SEATS),
    "tickets": own(int8),
    "garnets": own(uint8),
    # Submissions: what is saved + 1, so that 0 is nothing; they are cleared when their phase closes.
    "bid": own(int16),
    "claim": own(int8),
    "challenge": own(int8),
    "parts": own(int8),  # parts saved in this phase
}
