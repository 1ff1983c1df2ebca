"""Helpers of the tests in `test_competition_seating.py`, which other tests use, too."""

RESERVED = ["Tortoise (bot: Ana)", "X (bot: Y)", "x (BOT Y)", "X ( bot: Y)"]
