"""PZ 1 to 3: components, setup, and the order of a round."""

import re

import numpy as np
import pytest
from tests.games.ponzi_scheme.positions import (
    BEARS,
    GAME,
    INDUSTRIES,
    STARTING,
    all_cash,
    events,
    finish_round,
    market,
    pass_all,
    play,
    position,
    rows,
    rules_told,
    texts,
    wheel,
)

from pyramidion.engine.layout import record


def box(**options):
    return record(GAME.new(4, **options).box)


def test_pz_1_1_seventy_two_cards_of_three_kinds():
    kinds = box().kind.tolist()
    assert [kinds.count(kind) for kind in (0, 1, 2)] == [9, 45, 18]
    assert kinds == sorted(kinds)


def test_pz_1_1_periods_are_three_to_five_and_interest_is_positive():
    assert set(box().period.tolist()) == {3, 4, 5}
    assert (box().interest > 0).all()


def test_pz_1_1_the_list_of_fund_cards_is_the_one_that_plays():
    listed = {
        int(value): (int(period), int(interest))
        for value, period, interest in re.findall(r"\$(\d+) \| (\d) \| \$(\d+)", GAME.rules_text)
    }
    plays = {9 + i: (int(box().period[i]), int(box().interest[i])) for i in range(72)}
    assert listed == plays


@pytest.mark.parametrize(
    ("value", "period", "interest"),
    [
        (9, 5, 8),
        (13, 4, 10),
        (17, 3, 11),
        (25, 4, 27),
        (41, 3, 46),
        (62, 4, 143),
        (63, 4, 146),
        (65, 3, 114),
        (80, 3, 144),
    ],
)
def test_pz_1_1_single_cards(value, period, interest):
    assert (int(box().period[value - 9]), int(box().interest[value - 9])) == (period, interest)


def test_pz_1_1_a_card_pays_once_and_costs_every_time():
    table = position(market=range(18, 27), cash={0: 100}, round_number=2)
    play(table, "fund grain 18")
    gained = all_cash(table)[0]
    for _ in range(6):
        finish_round(table)
    assert gained == 118
    assert [paid["amount"] for paid in events(table, "paid")] == [12, 12]
    assert all_cash(table)[0] == 118 - 24


def test_pz_1_2_fifteen_tiles_of_each_industry():
    assert GAME.new(5).view(None)["supply"] == dict.fromkeys(INDUSTRIES, 15)


def test_pz_1_3_four_luxuries_in_the_advanced_game():
    luxuries = GAME.new(4, advanced=True).view(None)["luxuries"]
    assert [(tile["price"], tile["points"], tile["owner"]) for tile in luxuries] == [
        (30, 1, None),
        (56, 2, None),
        (78, 3, None),
        (96, 4, None),
    ]


def test_pz_1_3_no_luxuries_in_the_basic_game():
    assert GAME.new(4).view(None)["luxuries"] == []


def test_pz_1_4_the_bank_pays_however_much_it_has_paid():
    table = position(market=range(72, 81), cash={0: 3000})
    play(table, "fund grain 72")
    assert all_cash(table) == [3072, 0, 0, 0]


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_pz_2_1_the_market_opens_with_the_starting_cards_in_three_rows(seats):
    table = GAME.new(seats, seed=seats)
    assert rows(table) == [[9, 10, 11], [12, 13, 14], [15, 16, 17]]
    assert {card["kind"] for card in table.view(None)["market"]} == {"starting"}
    assert table.view(None)["deck_count"] == 63
    assert table.view(None)["discard"] == []


def test_pz_2_1_the_deck_is_shuffled():
    drawn = {tuple(play(GAME.new(3, seed=seed), "fund media 9").view(None)["market"][-1].items()) for seed in range(40)}
    assert len(drawn) > 20


def test_pz_2_1_every_card_but_the_starting_ones_can_be_drawn_first():
    drawn = {market(play(GAME.new(3, seed=seed), "fund media 9"))[-1] for seed in range(800)}
    assert drawn == set(range(18, 81))


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_pz_2_2_nobody_owns_anything(seats):
    table = GAME.new(seats, seed=3)
    for player in table.view(None)["players"]:
        assert set(player["tiles"].values()) == {0}
        assert player["wheel"] == []
    assert all_cash(table) == [0] * seats


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_pz_2_2_chance_chooses_the_start_player(seats):
    starts = [GAME.new(seats, seed=seed).view(None)["start"] for seed in range(300)]
    counts = np.bincount(starts, minlength=seats)
    # Each count is binomial; five standard deviations.
    assert (abs(counts - 300 / seats) < 5 * (300 / seats) ** 0.5).all()
    assert rules_told(GAME.new(seats), "starts") == {"PZ 2.2"}


@pytest.mark.parametrize("start", range(5))
def test_pz_2_2_turns_go_clockwise(start):
    table = position(seats=5, start=start)
    order = []
    for _ in range(5):
        order += table.acting
        play(table, "pass")
    assert order == [(start + i) % 5 for i in range(5)]


def test_pz_2_3_everybody_sees_tiles_cards_wheels_luxuries_market_and_discard():
    table = position(
        advanced=True,
        phase="trading",
        tiles={1: {"grain": 2}},
        wheels={1: {40: 2}},
        luxuries={"56": 1},
        discard=[70, 71],
        cash={1: 33},
    )
    for viewer in (None, 0, 1, 2, 3):
        view = table.view(viewer)
        assert view["players"][1]["tiles"]["grain"] == 2
        assert view["players"][1]["wheel"][0]["value"] == 40
        assert view["luxuries"][1]["owner"] == 1
        assert view["discard"] == [70, 71]
        assert len(view["market"]) == 9


def test_pz_2_3_cash_is_shown_to_its_owner_alone():
    table = position(cash={0: 11, 1: 22, 2: 33, 3: 44})
    for viewer in (None, 0, 1, 2, 3):
        shown = [player["cash"] for player in table.view(viewer)["players"]]
        assert shown == [amount if seat == viewer else None for seat, amount in enumerate((11, 22, 33, 44))]


def test_pz_2_3_all_cash_is_counted_openly_at_the_end():
    table = position(phase="marker", round_number=5, round_limit=5, cash={0: 11, 1: 22, 2: 33, 3: 44})
    play(table, "remove 18")
    for viewer in (None, 0, 3):
        assert [player["cash"] for player in table.view(viewer)["players"]] == [11, 22, 33, 44]


def test_pz_3_1_the_steps_of_a_round_come_in_order():
    table = position(seats=3, start=1, tiles={1: {"media": 1}, 2: {"media": 1}}, cash={1: 10}, market=range(60, 69))
    seen = []

    def step(action):
        seen.append((table.view(None)["phase"], table.acting))
        play(table, action)

    for action in ("pass", "pass", "pass", "offer 2 media", "amount 4", "sell", "pass", "pass", "remove 60"):
        step(action)
    assert seen == [
        ("funding", (1,)),
        ("funding", (2,)),
        ("funding", (0,)),
        ("trading", (1,)),
        ("amount", (1,)),
        ("answer", (2,)),
        ("trading", (2,)),
        ("trading", (0,)),
        ("marker", (2,)),
    ]
    assert table.view(None)["phase"] == "crash"


def test_pz_3_1_the_next_round_begins_with_the_holder_of_the_marker():
    table = position(start=2, round_number=7)
    finish_round(table)
    view = table.view(None)
    assert (view["round"], view["phase"], view["start"], table.acting) == (8, "funding", 3, (3,))
    assert rules_told(table, "round") == {"PZ 3"}


def test_pz_3_1_interest_comes_before_the_next_round():
    table = position(wheels={0: {30: 1}}, cash={0: 50})
    finish_round(table)
    names = [event.name for event in table.events(None)]
    assert names.index("turned") < names.index("paid") < names.index("round")
    assert all_cash(table)[0] == 50 - 27


def test_pz_3_1_everybody_may_pass_all_through_a_round():
    table = GAME.new(3, seed=1)
    pass_all(pass_all(table))
    assert table.view(None)["phase"] == "marker"
    play(table, "remove 9")
    assert table.view(None)["round"] == 2


def test_the_values_of_this_file_are_the_boxs():
    assert [9 + i for i in range(72) if box().kind[i] == 0] == list(STARTING)
    assert [9 + i for i in range(72) if box().kind[i] == 2] == list(BEARS)
    assert wheel(position(wheels={2: {33: 4}}), 2) == {33: 4}
    assert "pass" in texts(position(), 0)
