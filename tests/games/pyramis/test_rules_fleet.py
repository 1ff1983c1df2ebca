"""PY 4: expanding the Fleet."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.pyramis.positions import (
    SPACES,
    WITH_STAR,
    finish_game,
    fleet,
    open_spaces,
    play,
    position,
    refused,
    river,
    rules_told,
    texts,
)

from pyramidion.games.pyramis.layout import ACCESSIBLE, BELOW, OPEN

GROUND = SPACES[:4]


def with_cards(*spaces):
    """A position in which seat 0 has cards on these spaces."""
    plain = [card for card in range(17, 48) if card not in WITH_STAR]
    return position(fleets={0: dict(zip(spaces, plain, strict=False))}, river=[1, 2, 3])


@pytest.mark.parametrize("slot", [1, 2, 3])
def test_py_4_1_any_card_of_the_river_may_be_taken(slot):
    table = position(river=[4, 18, 33])
    play(table, f"place {slot} a2")
    assert fleet(table, 0) == {"a2": (4, 18, 33)[slot - 1]}
    assert river(table)[slot - 1] is None
    assert len([card for card in river(table) if card]) == 2


def test_py_4_1_the_card_lies_with_its_printed_top_end_up():
    table = position(river=[12, 2, 3])
    play(table, "place 1 a1")
    assert table.view(None)["players"][0]["fleet"][0]["up"] == {"pyramids": 0, "aliens": 1}
    assert table.view(None)["players"][0]["fleet"][0]["turned"] is False


def test_py_4_1_four_levels_of_four_three_two_and_one():
    levels = [p["level"] for p in position().view(None)["players"][0]["fleet"]]
    assert levels == [0] * 4 + [1] * 3 + [2] * 2 + [3]


def test_py_4_1_a_space_holds_one_card():
    table = with_cards("a1")
    assert refused(table, 0, "place 1 a1") == "PY 4.1"
    assert "a1" not in open_spaces(table, 0)


def test_py_4_1_a_card_is_placed_in_the_own_fleet_only():
    table = position(seats=3, active=1, river=[1, 2, 3])
    play(table, "place 1 a1")
    assert [len(fleet(table, seat)) for seat in range(3)] == [0, 1, 0]
    assert rules_told(table, "placed") == {"PY 4.1"}


def test_py_4_2_the_first_card_goes_to_any_space_of_the_lowest_level():
    assert open_spaces(position(), 0) == set(GROUND)


@pytest.mark.parametrize(
    ("lies", "is_open"),
    [("a1", {"a2"}), ("a2", {"a1", "a3"}), ("a3", {"a2", "a4"}), ("a4", {"a3"})],
)
def test_py_4_2_the_second_card_touches_the_first(lies, is_open):
    assert open_spaces(with_cards(lies), 0) == is_open


def test_py_4_2_a_space_that_touches_nothing_is_refused():
    table = with_cards("a1")
    assert refused(table, 0, "place 1 a3") == "PY 4.2"
    assert refused(table, 0, "place 1 a4") == "PY 4.2"


def test_py_4_2_the_fleets_of_others_do_not_matter():
    table = position(fleets={1: {"a1": 1, "a2": 2}}, river=[4, 5, 6])
    assert open_spaces(table, 0) == set(GROUND)


def test_py_4_2_worked_example_of_the_first_cards():
    assert open_spaces(with_cards("a2"), 0) == {"a1", "a3"}
    assert open_spaces(with_cards("a1", "a2", "a3"), 0) == {"a4", "b1", "b2"}
    assert open_spaces(with_cards("a1", "a2", "a3", "b1", "b2"), 0) == {"a4", "c1"}


@pytest.mark.parametrize("space", SPACES[4:])
def test_py_4_3_a_higher_card_needs_both_cards_below(space):
    n = SPACES.index(space)
    for full in range(1 << 10):
        both = all(full >> m & 1 for m in BELOW[n])
        if not full >> n & 1:
            assert bool(OPEN[full] >> n & 1) == both


def test_py_4_3_one_card_below_is_not_enough():
    table = with_cards("a1", "a2")
    assert open_spaces(table, 0) == {"a3", "b1"}
    assert refused(table, 0, "place 1 b2") == "PY 4.3"
    assert refused(table, 0, "place 1 d1") == "PY 4.3"


def test_py_4_3_a_higher_level_may_have_a_gap():
    table = with_cards("a1", "a2", "a3", "a4", "b1")
    assert open_spaces(table, 0) == {"b2", "b3"}
    play(table, "place 1 b3")
    assert set(fleet(table, 0)) == {"a1", "a2", "a3", "a4", "b1", "b3"}


def fleets_that_can_be():
    """All sets of filled spaces that placements lead to, the empty one included."""
    reached, frontier = {0}, [0]
    while frontier:
        full = frontier.pop()
        for n in range(10):
            if OPEN[full] >> n & 1 and full | 1 << n not in reached:
                reached.add(full | 1 << n)
                frontier.append(full | 1 << n)
    return reached


def test_py_4_3_thirty_five_shapes_of_fleet_and_no_gap_on_the_ground():
    shapes = fleets_that_can_be()
    assert len(shapes) == 35
    for full in shapes:
        ground = [n for n in range(4) if full >> n & 1]
        assert ground == list(range(ground[0], ground[0] + len(ground))) if ground else full == 0


def test_py_4_4_a_fleet_that_is_not_full_always_has_an_open_space():
    for full in fleets_that_can_be():
        assert (OPEN[full] == 0) == (full == 0b1111111111)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_py_4_4_everybody_places_ten_cards(seats):
    table = finish_game(position(seats))
    for seat in range(seats):
        assert set(fleet(table, seat)) == set(SPACES)
        assert len([e for e in table.events(None) if e.name == "placed" and e.data["seat"] == seat]) == 10


@settings(max_examples=10, deadline=None)
@given(st.randoms(use_true_random=False))
def test_py_4_4_cards_never_move_or_leave(chance):
    table = position(3)
    lying = {}
    while not table.over:
        seat = chance.choice(table.acting)
        table.play(seat, chance.choice(sorted(texts(table, seat))))
        view = table.view(None)
        for p in range(3):
            now = {space: abs(card) for space, card in fleet(table, p, view).items()}
            assert lying.get(p, {}).items() <= now.items()
            lying[p] = now


def test_accessible_cards_are_those_with_none_above():
    for full in range(1 << 10):
        covered = {m for n in range(10) if full >> n & 1 for m in BELOW[n]}
        expected = {n for n in range(10) if full >> n & 1 and n not in covered}
        assert {n for n in range(10) if ACCESSIBLE[full] >> n & 1} == expected
