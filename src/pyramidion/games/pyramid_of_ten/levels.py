"""Search settings of the bot levels for both games."""

LEVELS = {"easy": (20, 3.0), "normal": (60, 0.7), "hard": (200, 0.7)}
"""Iterations and temperature of each level.

The search assumes that the other nine follow the policy (docs/bots.md). It is stronger the closer they come to that.
Against nine opponents that search in the same way, ten times the thinking time gains nothing.
"""
