"""Moments at which the values of an option of Pyramis differ for those at the table."""

from __future__ import annotations

from tests.games.telling_options import Case

CASES: dict[str, Case] = {}
