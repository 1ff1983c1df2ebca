"""How hard the levels of the search try where ten decide at once."""

LEVELS = {"easy": (20, 3.0), "normal": (60, 0.7), "hard": (200, 0.7)}
"""Iterations and temperature, in both games. A search takes the other nine for policies (docs/bots.md), so it is the
better the more they play like them: against nine who search as it does, thinking ten times as long gains nothing."""
