"""State fields shared by both games: positions, holdings and submissions."""

from __future__ import annotations

from pyramidion.engine.layout import SEATS, Field, int8, int16, int32, own, party, public, uint8, uint16
from pyramidion.games.pyramid_of_ten.spaces import TEN

CLAIM, BATTLE = 2, 3
"""Phases shared by both games. Phase 1 places the players; 0 means the game is over."""
MOST_PARTS = 60
"""How often a player may save or reopen in one phase."""
MOST_CLAIM = 4
START_TICKETS = 5
MOST_GARNETS = 100
MOST_PRIORITY = 1000
EVERY_VIEWER = (1 << 16) - 1
"""Audience mask of a public priority: all seats and spectators."""

COMMON: dict[str, Field] = {
    "phase": public(int8),
    "round_number": public(int8),
    "space": public(int8, SEATS),  # the space a seat stands on; NOWHERE before placement
    "at": public(int8, TEN),  # the seat on each space; NOBODY if empty
    "placed": public(int8, SEATS),  # the space a seat was placed on at first
    "won": public(uint8, SEATS),  # the rounds in which a seat won a battle, and so paid (bitmask)
    "tol": public(int8, SEATS),  # tokens of life (ToL)
    "ec": public(int8),  # the elimination candidate (EC); NOBODY before the end
    "final_tickets": public(int8, SEATS),
    "final_garnets": public(uint8, SEATS),
    "tickets": own(int8),
    "garnets": own(uint8),
    "priority": party(int32, SEATS),
    "priority_party": public(uint16, SEATS),  # who sees it: its holder only, or everybody
    # Submissions hold the saved value + 1, or 0 if nothing is saved. They are cleared when a phase opens.
    "bid": own(int16),
    "claim": own(int8),
    "challenge": own(int8),
    "parts": own(int8),  # saves and reopenings in this phase
}
