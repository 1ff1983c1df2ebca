"""PZ 10: the end and the scoring."""

import pytest
from tests.games.ponzi_scheme.positions import (
    GAME,
    INDUSTRIES,
    events,
    finish_round,
    market,
    play,
    position,
    rules_told,
)


def scored(seats=3, **more):
    """A position after which the game ends at once by the round limit; nothing is due unless a wheel says so."""
    table = position(seats=seats, phase="marker", round_number=9, round_limit=9, **more)
    play(table, f"remove {market(table)[0]}")
    assert table.over
    return table


def table_of(match):
    return match.view(None)["outcome"]["table"]


def test_pz_10_1_the_bankrupt_lose_whatever_they_have():
    table = scored(tiles={0: dict.fromkeys(INDUSTRIES, 5), 1: {"media": 1}}, wheels={0: {80: 1}}, cash={0: 143, 2: 29})
    assert table.outcome.winners == (1,)
    assert table.outcome.points == (-1, 1, 0)
    assert table.outcome.payoffs == (0.0, 1.0, 0.0)
    assert table_of(table)[0]["total"] is None


def test_pz_10_1_if_all_are_bankrupt_nobody_wins():
    table = scored(wheels={0: {30: 1}, 1: {31: 1}, 2: {32: 1}}, tiles={0: {"media": 3}})
    assert table.outcome.winners == ()
    assert table.outcome.payoffs == (0.0, 0.0, 0.0)
    assert table.outcome.points == (-1, -1, -1)
    assert table.view(None)["outcome"]["winners"] == []


def test_pz_10_1_several_can_be_bankrupt_and_the_rest_are_compared():
    table = scored(
        seats=5,
        wheels={0: {30: 1}, 3: {31: 1}},
        tiles={0: {"media": 5}, 1: {"media": 2}, 2: {"media": 3}, 3: {"grain": 5}, 4: {"media": 1}},
    )
    assert table.outcome.winners == (2,)
    assert table.outcome.points == (-1, 3, 6, -1, 1)


def test_pz_10_1_a_survivor_without_anything_wins_alone():
    table = scored(wheels={0: {30: 1}, 1: {31: 1}}, tiles={0: {"media": 3}, 1: {"grain": 3}})
    assert table.outcome.winners == (2,)
    assert table.outcome.points == (-1, -1, 0)


@pytest.mark.parametrize(
    ("tiles", "points"), [(0, 0), (1, 1), (2, 3), (3, 6), (4, 10), (5, 15), (6, 21), (7, 28), (15, 120)]
)
def test_pz_10_2_points_of_one_industry(tiles, points):
    assert scored(tiles={1: {"grain": tiles}}).outcome.points[1] == points


def test_pz_10_2_industries_are_scored_one_by_one():
    table = scored(tiles={0: {"transportation": 3, "grain": 2, "media": 1, "real-estate": 4}})
    assert table.outcome.points[0] == 6 + 3 + 1 + 10
    assert table_of(table)[0]["tiles"] == 20


WEALTH = [(0, 0), (29, 0), (30, 1), (55, 1), (56, 2), (77, 2), (78, 3), (95, 3), (96, 4), (97, 4), (3204, 4)]


@pytest.mark.parametrize(("cash", "points"), WEALTH)
def test_pz_10_3_points_for_cash(cash, points):
    table = scored(cash={0: cash})
    assert table.outcome.points[0] == points
    assert table_of(table)[0]["wealth"] == points


def test_pz_10_3_it_is_the_cash_left_after_the_interest():
    table = scored(cash={0: 56 + 27 - 1}, wheels={0: {30: 1}})
    assert table.view(None)["players"][0]["cash"] == 55
    assert table.outcome.points[0] == 1


@pytest.mark.parametrize("cash", [0, 30, 96, 500])
def test_pz_10_4_cash_scores_nothing_in_the_advanced_game(cash):
    table = scored(advanced=True, cash={0: cash})
    assert table.outcome.points[0] == 0
    assert table_of(table)[0]["wealth"] is None


@pytest.mark.parametrize(
    ("owned", "points"),
    [(("30",), 1), (("56",), 2), (("78",), 3), (("96",), 4), (("30", "96"), 5), (("30", "56", "78", "96"), 10)],
)
def test_pz_10_4_luxuries_score_in_the_advanced_game(owned, points):
    table = scored(advanced=True, luxuries=dict.fromkeys(owned, 1), tiles={1: {"media": 2}})
    assert table.outcome.points[1] == points + 3
    assert table_of(table)[1]["luxuries"] == points


def test_pz_10_5_the_most_points_win():
    table = scored(tiles={0: {"media": 2}, 1: {"media": 3}, 2: {"media": 2, "grain": 1}}, wheels={0: {80: 3}})
    assert table.outcome.winners == (1,)


def test_pz_10_5_the_worked_example_of_the_scoring():
    table = scored(
        tiles={0: {"transportation": 3, "media": 2, "real-estate": 1}, 1: {"grain": 4}},
        cash={0: 160, 1: 400},
        wheels={0: {62: 3, 20: 2}, 1: {45: 4, 44: 3}},
    )
    assert table.outcome.points[:2] == (14, 14)
    row = table_of(table)[0]
    assert (row["tiles"], row["wealth"], row["highest_card"]) == (6 + 3 + 1, 4, 62)
    assert table.outcome.winners == (0,)


@pytest.mark.parametrize(("one", "other"), [(62, 45), (45, 62), (9, 80), (18, 17)])
def test_pz_10_5_ties_go_to_the_most_valuable_single_card(one, other):
    table = scored(tiles={0: {"media": 2}, 2: {"grain": 2}}, wheels={0: {one: 3}, 2: {other: 3}})
    assert table.outcome.winners == ((0,) if one > other else (2,))
    assert sum(table.outcome.payoffs) == 1


def test_pz_10_5_it_is_one_card_and_not_their_sum():
    table = scored(tiles={0: {"media": 2}, 2: {"grain": 2}}, wheels={0: {40: 3, 41: 3, 42: 3}, 2: {43: 3}})
    assert table.outcome.winners == (2,)


def test_pz_10_5_a_card_at_the_arrow_counts_too():
    table = scored(tiles={0: {"media": 2}, 2: {"grain": 2}}, wheels={0: {30: 1}, 2: {29: 3}}, cash={0: 27})
    assert table.outcome.winners == (0,)


def test_pz_10_5_any_card_beats_none():
    table = scored(tiles={0: {"media": 2}, 2: {"grain": 2}}, wheels={2: {9: 3}})
    assert table.outcome.winners == (2,)


def test_pz_10_5_the_card_of_a_bankrupt_player_does_not_count():
    table = scored(
        tiles={0: {"media": 2}, 1: {"media": 2}, 2: {"media": 2}}, wheels={0: {80: 1}, 1: {20: 3}, 2: {21: 3}}
    )
    assert table.outcome.winners == (2,)


def test_pz_10_5_without_any_card_the_tied_share_the_win():
    table = scored(tiles={0: {"media": 2}, 2: {"grain": 2}})
    assert table.outcome.winners == (0, 2)
    assert table.outcome.payoffs == (0.5, 0.0, 0.5)


def test_pz_10_5_everybody_may_share_it():
    table = scored(seats=5)
    assert table.outcome.winners == (0, 1, 2, 3, 4)
    assert table.outcome.payoffs == pytest.approx((0.2,) * 5)


def test_pz_10_5_ties_below_the_top_do_not_matter():
    table = scored(tiles={0: {"media": 2}, 1: {"media": 2}, 2: {"grain": 3}})
    assert table.outcome.winners == (2,)


@pytest.mark.parametrize("limit", [1, 2, 7])
def test_pz_10_6_the_game_ends_after_the_round_limit(limit):
    table = GAME.new(3, round_limit=limit)
    for number in range(1, limit + 1):
        assert not table.over
        assert table.view(None)["round"] == number
        finish_round(table)
    assert table.over
    assert table.outcome.rule == "PZ 10.6"
    assert rules_told(table, "ended") == {"PZ 10.6"}


def test_pz_10_6_usually_after_sixty_rounds_and_at_most_two_hundred():
    option = GAME.options["round_limit"]
    assert (option.default, option.low, option.high, option.rule) == (60, 1, 200, "10.6")
    table = GAME.new(3)
    while not table.over:
        finish_round(table)
    assert table.view(None)["round"] == 60


@pytest.mark.parametrize("limit", [0, -1, 201, "sixty", None, 2.5, True])
def test_pz_10_6_other_limits_are_refused(limit):
    with pytest.raises(ValueError, match="round_limit"):
        GAME.new(3, round_limit=limit)


def test_pz_10_6_the_last_interest_is_paid_and_can_still_bankrupt():
    table = scored(wheels={0: {30: 1}, 1: {41: 1}}, cash={0: 26, 1: 46})
    assert table.outcome.rule == "PZ 9.3"
    assert events(table, "paid") == [{"seat": 1, "amount": 46}]


def test_pz_10_6_nobody_is_bankrupt_and_everybody_is_scored():
    table = scored(cash={0: 30}, tiles={1: {"grain": 2}})
    assert table.outcome.points == (1, 3, 0)
    assert not any(row["bankrupt"] for row in table_of(table))
