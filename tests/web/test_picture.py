"""A match in a notebook shows its board."""

from __future__ import annotations

import pytest

import pyramidion


@pytest.mark.parametrize("plies", [0, 30, 1000])
def test_a_match_shows_its_board(plies: int) -> None:
    match = pyramidion.load("ponzi-scheme").new(seats=3, seed=4)
    while match.ply < plies and not match.over:
        match.play(match.acting[0], match.legal(match.acting[0])[-1])
    shown = match._repr_html_()
    assert shown.startswith("<iframe srcdoc=")
    assert "Seat 2" in shown
    assert "<script" not in shown
    assert "src=" not in shown.replace("srcdoc=", "")
