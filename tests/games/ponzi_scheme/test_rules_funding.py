"""PZ 4: funding."""

import pytest
from tests.games.ponzi_scheme.positions import (
    GAME,
    INDUSTRIES,
    all_cash,
    cash,
    events,
    market,
    play,
    position,
    rows,
    rules_told,
    supply,
    texts,
    tiles,
    wheel,
)


def funds(table, seat, industry):
    """The cards that a seat may take with a tile of an industry."""
    words = [text.split() for text in texts(table, seat)]
    return {int(word[2]) for word in words if word[:2] == ["fund", industry]}


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_pz_4_1_everybody_passes_or_funds_once_from_the_start_player(seats):
    table = position(seats=seats, start=seats - 1)
    play(table, "fund media 18")
    for i in range(seats - 1):
        assert table.acting == (i,)
        assert table.view(None)["phase"] == "funding"
        play(table, "pass" if i else "fund grain 19")
    assert table.view(None)["phase"] == "trading"
    assert table.acting == (seats - 1,)


def test_pz_4_1_passing_changes_nothing_but_the_turn():
    table = position(cash={0: 5})
    play(table, "pass")
    assert all_cash(table)[0] == 5
    assert market(table) == list(range(18, 27))
    assert rules_told(table, "passed") == {"PZ 4.1"}


def test_pz_4_1_a_fund_is_a_tile_and_a_card():
    table = position(market=range(18, 27))
    play(table, "fund real-estate 20")
    assert tiles(table, 0, "real-estate") == 1
    assert supply(table, "real-estate") == 14
    assert list(wheel(table, 0)) == [20]
    assert 20 not in market(table)


def test_pz_4_1_without_cards_there_is_nothing_to_fund_with():
    table = position(market=[], rest=3)
    assert texts(table, 0) == {"pass"}


@pytest.mark.parametrize("held", [0, 1, 2])
def test_pz_4_2_a_first_second_or_third_tile_may_be_taken(held):
    table = position(tiles={0: {"media": held}})
    play(table, f"fund media {market(table)[3 * held]}")
    assert tiles(table, 0, "media") == held + 1


@pytest.mark.parametrize("held", [3, 4, 7])
def test_pz_4_2_no_fourth_tile_is_taken(held):
    table = position(tiles={0: {"media": held}})
    assert funds(table, 0, "media") == set()
    assert funds(table, 0, "grain") != set()


def test_pz_4_2_other_seats_tiles_do_not_matter():
    table = position(tiles={1: {"media": 3}, 2: {"media": 3}})
    assert funds(table, 0, "media") == {18, 19, 20}


def test_pz_4_2_no_tile_is_taken_from_an_empty_supply():
    table = position(seats=5, tiles={seat: {"grain": 3} for seat in (1, 2, 3)} | {4: {"grain": 6}})
    assert supply(table, "grain") == 0
    assert funds(table, 0, "grain") == set()
    assert "grain" not in table.view(0)["players"][0]["fund_rows"]


def test_pz_4_2_the_last_tile_of_an_industry_can_be_taken():
    table = position(tiles={1: {"grain": 7}, 2: {"grain": 7}})
    play(table, "fund grain 18")
    assert supply(table, "grain") == 0
    assert funds(table, 1, "grain") == set()
    assert funds(table, 3, "grain") == set()


def test_pz_4_2_a_holding_raised_by_trade_takes_none_then_or_later():
    table = position(phase="trading", tiles={0: {"media": 3}, 1: {"media": 1}}, cash={0: 9})
    play(table, "offer 1 media", "amount 9", "sell", "pass", "pass", "pass", "remove 18")
    while table.acting != (0,):
        play(table, "pass")
    assert tiles(table, 0, "media") == 4
    assert funds(table, 0, "media") == set()


def test_pz_4_2_a_holding_of_three_reduced_to_two_takes_again():
    table = position(phase="trading", tiles={0: {"media": 3}, 1: {"media": 1}})
    play(table, "offer 1 media", "amount 0", "counter", "pass", "pass", "pass", "remove 18")
    while table.acting != (0,):
        play(table, "pass")
    assert tiles(table, 0, "media") == 2
    assert funds(table, 0, "media") == set(rows(table)[2])


@pytest.mark.parametrize("industry", INDUSTRIES)
def test_pz_4_3_first_tile_takes_row_one(industry):
    assert funds(position(), 0, industry) == {18, 19, 20}


@pytest.mark.parametrize("industry", INDUSTRIES)
def test_pz_4_3_second_tile_takes_row_two(industry):
    assert funds(position(tiles={0: {industry: 1}}), 0, industry) == {21, 22, 23}


@pytest.mark.parametrize("industry", INDUSTRIES)
def test_pz_4_3_third_tile_takes_row_three(industry):
    assert funds(position(tiles={0: {industry: 2}}), 0, industry) == {24, 25, 26}


def test_pz_4_3_the_worked_example_of_grace():
    table = position(tiles={0: {"transportation": 2, "real-estate": 1}})
    assert funds(table, 0, "transportation") == {24, 25, 26}
    play(table, "fund transportation 26")
    assert cash(table, 0) == 26
    for action in ("pass",) * 7 + (f"remove {market(table)[0]}",):
        play(table, action)
    while table.acting != (0,):
        play(table, "pass")
    assert funds(table, 0, "transportation") == set()
    assert funds(table, 0, "real-estate") == set(rows(table)[1])


def test_pz_4_3_each_industry_has_its_own_row():
    table = position(tiles={0: {"transportation": 2, "grain": 1}})
    assert [funds(table, 0, industry) for industry in INDUSTRIES] == [
        {24, 25, 26},
        {21, 22, 23},
        {18, 19, 20},
        {18, 19, 20},
    ]


def test_pz_4_3_rows_are_by_value_and_not_by_kind():
    table = position(market=[9, 10, 40, 41, 42, 63, 64, 79, 80], tiles={0: {"media": 1, "grain": 2}})
    assert funds(table, 0, "real-estate") == {9, 10, 40}
    assert funds(table, 0, "media") == {41, 42, 63}
    assert funds(table, 0, "grain") == {64, 79, 80}


@pytest.mark.parametrize(("value", "period"), [(17, 3), (16, 4), (21, 5), (25, 4), (80, 3), (57, 5)])
def test_pz_4_4_the_card_lies_at_its_period_and_pays_its_value(value, period):
    table = position(market=[value, *range(26, 33), 34], tiles={0: {"grain": 0 if value < 26 else 2}}, cash={0: 7})
    play(table, f"fund grain {value}")
    assert wheel(table, 0) == {value: period}
    assert cash(table, 0) == 7 + value
    assert events(table, "funded")[0]["period"] == period
    assert rules_told(table, "funded") == {"PZ 4.4"}


def test_pz_4_4_several_cards_can_lie_at_one_space():
    table = position(wheels={0: {29: 3, 30: 3}}, market=range(18, 27))
    play(table, "fund grain 19")
    assert wheel(table, 0) == {29: 3, 30: 3, 19: 3}


def test_pz_4_4_only_the_taker_is_paid():
    table = position(cash={0: 1, 1: 2, 2: 3, 3: 4})
    play(table, "fund media 18")
    assert all_cash(table) == [19, 2, 3, 4]


def test_pz_4_5_the_market_is_restocked_before_the_next_player():
    table = position(market=range(18, 27), deck=[80], rest="discard")
    play(table, "fund media 18")
    assert market(table) == [*range(19, 27), 80]
    assert rules_told(table, "restocked") == {"PZ 4.5"}
    assert events(table, "restocked")[0]["first"] == 80


def test_pz_4_5_the_market_is_sorted_anew():
    table = position(market=range(30, 39), deck=[18], rest="discard", tiles={1: {"grain": 1}})
    play(table, "fund media 32")
    assert rows(table) == [[18, 30, 31], [33, 34, 35], [36, 37, 38]]
    assert funds(table, 1, "media") == {18, 30, 31}
    assert funds(table, 1, "grain") == {33, 34, 35}


def test_pz_4_5_a_card_from_the_middle_goes_to_the_middle():
    table = position(market=[18, 19, 20, 30, 31, 32, 40, 41, 42], deck=[33], rest="discard", tiles={0: {"media": 2}})
    play(table, "fund media 41")
    assert rows(table) == [[18, 19, 20], [30, 31, 32], [33, 40, 42]]


def test_pz_4_6_the_discard_pile_becomes_the_deck_as_soon_as_the_last_card_is_drawn():
    table = position(market=range(18, 27), deck=[53], rest=3, discard=[50, 51, 52])
    play(table, "fund media 18")
    view = table.view(None)
    assert market(table) == [*range(19, 27), 53]
    assert view["discard"] == []
    assert view["deck_count"] == 3
    assert rules_told(table, "reshuffled") == {"PZ 4.6"}
    assert [event.name for event in table.events(None)] == ["funded", "restocked", "reshuffled"]
    assert events(table, "reshuffled") == [{"cards": 3}]


def test_pz_4_6_the_new_deck_is_shuffled():
    drawn = set()
    for seed in range(60):
        table = position(market=range(18, 27), deck=[53], rest=3, discard=[50, 51, 52], seed=seed)
        drawn |= {50, 51, 52} & set(market(play(table, "fund media 18", "fund grain 19")))
    assert drawn == {50, 51, 52}


def test_pz_4_6_the_last_card_may_be_drawn_in_the_middle_of_a_restock():
    table = position(market=range(18, 25), deck=[50], rest=3, discard=[51, 52, 53])
    play(table, "fund media 18")
    assert market(table)[:7] == [*range(19, 25), 50]
    assert len({51, 52, 53} & set(market(table))) == 2
    assert table.view(None)["deck_count"] == 1
    assert [event.name for event in table.events(None)] == ["funded", "restocked", "reshuffled", "restocked"]


def test_pz_4_6_without_a_discard_pile_the_deck_stays_empty():
    table = position(market=range(18, 27), deck=[50], rest=3)
    play(table, "fund media 18")
    assert table.view(None)["deck_count"] == 0
    assert events(table, "reshuffled") == []


def test_pz_4_6_with_deck_and_pile_empty_the_market_stays_short():
    table = position(market=range(18, 27), deck=[], rest=3, tiles={0: {"media": 2}, 1: {"grain": 2, "media": 1}})
    play(table, "fund media 24")
    assert rows(table) == [[18, 19, 20], [21, 22], [23, 25, 26]]
    assert events(table, "restocked") == []
    play(table, "fund grain 25")
    assert rows(table) == [[18, 19, 20], [21], [22, 23, 26]]


SHORT = {
    8: [[18, 19, 20], [21, 22], [23, 24, 25]],
    7: [[18, 19, 20], [21], [22, 23, 24]],
    6: [[18, 19, 20], [], [21, 22, 23]],
    5: [[18, 19], [], [20, 21, 22]],
    4: [[18], [], [19, 20, 21]],
    3: [[], [], [18, 19, 20]],
    2: [[], [], [18, 19]],
    1: [[], [], [18]],
}


@pytest.mark.parametrize("count", SHORT)
def test_pz_4_6_in_a_short_market_the_three_highest_are_row_3_and_row_2_is_the_first_to_lack_cards(count):
    table = position(market=range(18, 18 + count), deck=[], rest=3, tiles={0: {"media": 1, "grain": 2}})
    assert rows(table) == SHORT[count]
    offered = [funds(table, 0, industry) for industry in ("real-estate", "media", "grain")]
    assert offered == [set(row) for row in SHORT[count]]
    shown = table.view(0)["players"][0]["fund_rows"]
    assert {row for row in (1, 2, 3) if SHORT[count][row - 1]} == set(shown.values())
    for row, tile in enumerate(("real-estate", "media", "grain"), 1):
        for card in {card for cards in SHORT[count] for card in cards} - set(SHORT[count][row - 1]):
            refusal = table.refusal(0, f"fund {tile} {card}")
            assert refusal is not None
            assert refusal.rule == "PZ 4.3"
            assert f"in row {1 + [card in cards for cards in SHORT[count]].index(True)}" in refusal.reason


def test_pz_4_6_the_last_card_of_all_can_be_taken():
    table = position(market=[18], deck=[], rest=3, tiles={0: {"media": 2}})
    play(table, "fund media 18")
    assert market(table) == []
    assert texts(table, 1) == {"pass"}


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_pz_4_1_the_first_round_of_a_game_as_it_is_played(seats):
    table = GAME.new(seats, seed="first round")
    taken = []
    for _ in range(seats):
        seat, value = table.acting[0], market(table)[0]
        play(table, f"fund media {value}")
        taken.append((seat, value))
    assert [cash(table, seat) for seat, _ in taken] == [value for _, value in taken]
    assert supply(table, "media") == 15 - seats
