"""Helpers of the tests in `test_rules_turn.py`, which other tests use, too."""

from __future__ import annotations

STUCK = {
    "green-p": "founder", "blue-p": "green-p", "pink-p": "blue-p", "yellow-p": "pink-p",
    "pink-o": "founder", "yellow-o": "pink-o", "green-o": "yellow-o", "blue-o": "green-o",
}  # fmt: skip
"""The Founder has 2 of 12 left, and below each chain no colour may go."""
