"""Moves: what an action, a deadline or an absent player changes, planned before it is stored."""

from pyramidion.web.table.moves.absence import coming_back, move_at_deadline
from pyramidion.web.table.moves.planner import Move, Planner, to_store

__all__ = [
    "Move",
    "Planner",
    "coming_back",
    "move_at_deadline",
    "to_store",
]
