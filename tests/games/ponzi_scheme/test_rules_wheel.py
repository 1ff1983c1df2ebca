"""PZ 8: turning the wheels, and PZ 9: interest."""

import pytest
from tests.games.ponzi_scheme.positions import (
    all_cash,
    cash,
    events,
    finish_round,
    market,
    play,
    position,
    rules_told,
    wheel,
)

# Interest: 9 -> 8, 17 -> 11, 25 -> 27, 30 -> 27, 41 -> 46, 62 -> 143, 80 -> 144.
# Period: 9 -> 5, 25 -> 4, 30, 41, 80 -> 3.


def turn(crash=False, **more):
    """The position after a turn of the wheels, with a crash or without; nobody has tiles to give back."""
    seats = more.pop("seats", 3)
    table = position(seats=seats, phase="marker", market=[18, 19, *range(63, 70)] if crash else None, **more)
    return play(table, f"remove {market(table)[0]}")


def test_pz_8_1_a_wheel_turns_one_space():
    table = turn(wheels={0: {30: 3, 40: 2}, 1: {59: 5}})
    assert wheel(table, 0) == {30: 2, 40: 1}
    assert wheel(table, 1) == {59: 4}
    assert events(table, "turned") == [{"spaces": 1}]
    assert rules_told(table, "turned") == {"PZ 8.1"}


def test_pz_8_1_after_a_crash_it_turns_two():
    table = turn(crash=True, wheels={0: {30: 3}, 1: {59: 5, 49: 4}})
    assert wheel(table, 0) == {30: 1}
    assert wheel(table, 1) == {59: 3, 49: 2}
    assert events(table, "turned") == [{"spaces": 2}]


def test_pz_8_1_the_worked_example_of_the_wheel_after_a_crash():
    table = turn(crash=True, wheels={0: {80: 1, 25: 2, 9: 3}}, cash={0: 171})
    # Due at the arrow: the $80 and the $25, 144 + 27; then both return to their periods.
    assert events(table, "paid") == [{"seat": 0, "amount": 171}]
    assert wheel(table, 0) == {80: 3, 25: 4, 9: 1}
    assert cash(table, 0) == 0


def test_pz_8_1_the_same_wheel_without_a_crash():
    table = turn(wheels={0: {80: 1, 25: 2, 9: 3}}, cash={0: 150})
    assert events(table, "paid") == [{"seat": 0, "amount": 144}]
    assert wheel(table, 0) == {80: 3, 25: 1, 9: 2}


def test_pz_8_1_a_card_that_would_pass_the_arrow_stops_on_it():
    table = turn(crash=True, wheels={0: {30: 1}}, cash={0: 27})
    assert events(table, "paid") == [{"seat": 0, "amount": 27}]
    # The space lost at the arrow is not made up for.
    assert wheel(table, 0) == {30: 3}


@pytest.mark.parametrize(("value", "period"), [(17, 3), (16, 4), (9, 5)])
def test_pz_8_1_a_card_is_due_after_as_many_turns_as_its_period(value, period):
    table = position(seats=3, market=[value, *range(20, 28)])
    play(table, f"fund media {value}")
    for _ in range(period - 1):
        finish_round(table)
        assert events(table, "paid") == []
    finish_round(table)
    assert len(events(table, "paid")) == 1


@pytest.mark.parametrize(("value", "period"), [(17, 3), (16, 4), (9, 5)])
def test_pz_8_1_and_again_after_as_many(value, period):
    table = position(seats=3, wheels={0: {value: 1}}, cash={0: 500})
    paid = []
    for _ in range(1 + 2 * period):
        before = len(events(table, "paid"))
        finish_round(table)
        paid.append(len(events(table, "paid")) - before)
    assert paid == [1, *([0] * (period - 1) + [1]) * 2]


def test_pz_9_1_the_interest_of_all_cards_at_the_arrow_is_added_up():
    table = turn(wheels={0: {30: 1, 25: 1, 62: 2}}, cash={0: 100})
    assert events(table, "paid") == [{"seat": 0, "amount": 27 + 27}]
    assert cash(table, 0) == 46
    assert rules_told(table, "paid") == {"PZ 9.1"}


def test_pz_9_1_everybody_pays_their_own():
    table = turn(wheels={0: {30: 1}, 1: {25: 2}, 2: {41: 1}}, cash={0: 50, 1: 50, 2: 50})
    assert all_cash(table) == [50 - 27, 50, 50 - 46]


def test_pz_9_1_interest_can_be_paid_with_what_was_taken_this_round():
    table = position(seats=3, market=[17, *range(18, 26)], wheels={0: {9: 1}})
    play(table, "fund media 17")
    finish_round(table)
    assert cash(table, 0) == 17 - 8


def test_pz_9_1_nothing_due_costs_nothing():
    table = turn(wheels={0: {30: 2}}, cash={0: 5})
    assert events(table, "paid") == []
    assert cash(table, 0) == 5


def test_pz_9_2_paying_the_last_dollar_is_not_bankruptcy():
    table = turn(wheels={0: {30: 1}}, cash={0: 27})
    assert not table.over
    assert cash(table, 0) == 0


def test_pz_9_2_one_dollar_short_is():
    table = turn(wheels={0: {30: 1}}, cash={0: 26})
    assert table.over
    assert events(table, "bankrupt") == [{"seat": 0, "due": 27}]
    assert rules_told(table, "bankrupt") == {"PZ 9.2"}
    assert [player["bankrupt"] for player in table.view(None)["players"]] == [True, False, False]


def test_pz_9_2_the_bankrupt_pay_nothing_and_the_others_pay():
    table = turn(wheels={0: {30: 1}, 1: {25: 1}, 2: {41: 1}}, cash={0: 26, 1: 60, 2: 46})
    assert [player["cash"] for player in table.view(None)["players"]] == [26, 33, 0]


def test_pz_9_2_not_even_for_the_cards_that_could_be_paid():
    table = turn(wheels={0: {9: 1, 80: 1}}, cash={0: 100})
    assert table.view(None)["players"][0]["cash"] == 100
    assert events(table, "bankrupt") == [{"seat": 0, "due": 152}]


@pytest.mark.parametrize("first", [0, 1, 2])
def test_pz_9_2_payments_are_simultaneous(first):
    # Whoever is bankrupt, those after them in turn order still owe and can go bankrupt too.
    table = turn(start=first, wheels={0: {30: 1}, 1: {25: 1}, 2: {41: 1}}, cash={0: 27, 1: 1, 2: 2})
    assert [player["bankrupt"] for player in table.view(None)["players"]] == [False, True, True]
    assert events(table, "bankrupt") == [{"seat": 1, "due": 27}, {"seat": 2, "due": 46}]
    assert table.view(None)["players"][0]["cash"] == 0


def test_pz_9_3_a_bankruptcy_ends_the_game_at_once():
    table = turn(wheels={0: {30: 1}}, cash={1: 40})
    assert table.over
    assert table.acting == ()
    assert table.view(None)["phase"] == "over"
    assert table.outcome.rule == "PZ 9.3"
    assert rules_told(table, "ended") == {"PZ 9.3"}


def test_pz_9_3_paid_cards_go_back_to_their_periods():
    table = turn(wheels={0: {30: 1, 25: 1, 9: 1, 40: 3}}, cash={0: 500})
    assert wheel(table, 0) == {30: 3, 25: 4, 9: 5, 40: 2}


def test_pz_9_3_cards_not_due_go_on():
    table = turn(wheels={1: {30: 2, 25: 4}}, cash={1: 500})
    assert wheel(table, 1) == {30: 1, 25: 3}


def test_pz_9_3_no_card_ever_leaves_a_wheel():
    table = position(seats=3, wheels={0: {9: 2, 30: 1}, 1: {25: 4}}, cash={0: 1600, 1: 1600})
    for _ in range(15):
        finish_round(table)
    assert set(wheel(table, 0)) == {9, 30}
    assert set(wheel(table, 1)) == {25}
    assert not {9, 25, 30} & set(market(table))


def test_pz_9_3_without_a_bankruptcy_the_game_goes_on():
    table = turn(wheels={0: {30: 1}}, cash={0: 27}, round_number=4)
    assert table.view(None)["round"] == 5
    assert table.view(None)["phase"] == "funding"
