"""The actions of Pyramis: ids, notation, paths, refusals."""

import pytest
from tests.games.pyramis.positions import GAME, play, position, showing

ACTIONS = GAME.actions


def test_the_families_and_how_many_actions_each_has():
    sizes = {name: family.size for name, family in ACTIONS.families.items()}
    assert sizes == {"place": 30, "steal": 4, "refill": 2, "rotate": 10}
    assert len(ACTIONS) == 46


def test_every_action_is_read_back_from_its_notation():
    for i, action in enumerate(ACTIONS):
        assert action.id == i
        assert ACTIONS.parse(str(action)) == action


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("place 2 b1", ("river:2", "space:b1")),
        ("steal 3", ("seat:3",)),
        ("refill left", ("deck:left",)),
        ("rotate d1", ("space:d1",)),
    ],
)
def test_paths_are_what_one_points_at(text, path):
    assert ACTIONS.parse(text).path == path


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_bound_is_ten_turns_of_all_that_can_be_asked(seats):
    assert GAME.longest(seats) == 10 * seats * (1 + 1 + 1 + 2 * seats)


def test_another_seat_is_told_whose_turn_it_is():
    table = position(river=[1, 2, 3])
    refusal = table.refusal(1, "place 1 a1")
    assert refusal.rule == "PY 4.1"
    assert "seat 0 is expanding the Fleet" in refusal.reason


def test_what_is_not_for_now_is_refused_by_the_rule_of_the_phase():
    table = position(river=[1, 2, 3])
    assert table.refusal(0, "refill left").rule == "PY 4.1"
    play(table, "place 1 a1")
    assert table.refusal(0, "place 2 a2").rule == "PY 6.1"
    table = showing(["green"], fleets={0: {"a1": 17}, 1: {"a1": 20}}, tops=(None, 34), river=[4, 5, 6])
    assert table.refusal(0, "refill left").rule == "PY 6.2"


def test_a_card_of_another_colour_is_refused_with_both_colours():
    table = showing(["green"], fleets={0: {"a1": 17, "a2": 1}, 1: {"a1": 20}}, tops=(None, 34), river=[4, 5, 6])
    assert table.refusal(0, "rotate a2").reason == "The pair is green; the card on a2 is blue."
