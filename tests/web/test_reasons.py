"""Why a piece cannot be taken."""

import pytest

import pyramidion
from pyramidion import Refusal
from pyramidion.web.play.reasons import NOTHING, why_not

PIECES = [*(f"card:{value}" for value in range(9, 18)), "industry:media", "industry:grain", "seat:1 industry:media"]
BOARD = " ".join(f'data-path="{piece}"' for piece in PIECES)


@pytest.fixture
def match():
    return pyramidion.load("ponzi-scheme").new(seats=3, seed=1)


def test_a_piece_by_itself_is_not_refused_for_pieces_that_nobody_picked(match):
    """Each of the tiles would refuse the card in words of its own; they agree about the card."""
    why = why_not(match, match.acting[0], ["card:17"], [], BOARD)
    assert why == Refusal("PZ 4.3", "The $17 fund is in row 3, for a 3rd tile of an industry.")


def test_the_reason_that_most_actions_with_the_piece_have(match):
    seat = match.acting[0]
    only = BOARD.replace('data-path="industry:grain"', "")
    why = why_not(match, seat, ["card:17"], [], only)
    assert why.rule == "PZ 4.3"
    assert "media" in why.reason
    assert "row 3" in why.reason


def test_pieces_picked_before_narrow_it(match):
    seat = match.acting[0]
    assert "media" in why_not(match, seat, ["card:17"], ["industry:media"], BOARD).reason
    assert why_not(match, seat, ["card:17"], ["seat:1"], BOARD).rule == "PZ 4.3", "no action has both"


def test_when_it_is_somebody_elses_turn(match):
    other = (match.acting[0] + 1) % 3
    assert "not your turn" in why_not(match, other, ["card:9"], [], BOARD).reason


def test_what_no_action_names(match):
    seat = match.acting[0]
    assert why_not(match, seat, ["nonsense"], [], BOARD) == NOTHING
    assert why_not(match, seat, [], [], BOARD) == NOTHING
