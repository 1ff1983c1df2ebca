"""PZ 6: passing the marker, and PZ 7: the market crash."""

import pytest
from tests.games.ponzi_scheme.positions import (
    BEARS,
    all_cash,
    events,
    market,
    pass_all,
    play,
    position,
    rows,
    rules_told,
    supply,
    texts,
    tiles,
    wheel,
)

CALM = range(18, 24)


def at_marker(**more):
    return position(**{"phase": "marker", **more})


def bears(count, seats, **more):
    """The marker is passed, some bears are in the market, $17 can be removed and $50 is drawn next."""
    shown = [17, *range(18, 18 + 8 - count), *range(63, 63 + count)]
    return at_marker(seats=seats, market=shown, deck=[50], rest="discard", **more)


@pytest.mark.parametrize("start", range(4))
def test_pz_6_1_the_marker_goes_to_the_next_seat_clockwise(start):
    table = pass_all(position(phase="trading", start=start))
    assert table.view(None)["start"] == (start + 1) % 4
    assert table.acting == ((start + 1) % 4,)
    assert rules_told(table, "marker") == {"PZ 6.1"}


def test_pz_6_2_any_market_card_may_be_removed():
    table = at_marker(market=[*CALM, 60, 70, 80])
    assert texts(table, 0) == {f"remove {value}" for value in [*CALM, 60, 70, 80]}


def test_pz_6_2_the_removal_cannot_be_skipped():
    assert "pass" not in texts(at_marker(), 0)


@pytest.mark.parametrize("value", [18, 62, 63, 80])
def test_pz_6_2_a_removed_card_goes_to_the_discard_pile(value):
    table = at_marker(market=[18, 19, 20, 21, 22, 60, 62, 63, 80], discard=[40])
    play(table, f"remove {value}")
    assert table.view(None)["discard"] == [40, value]
    assert value not in market(table)


@pytest.mark.parametrize("value", [9, 17])
def test_pz_6_2_a_starting_card_leaves_the_game(value):
    table = at_marker(market=[9, 17, *range(20, 27)], deck=[50, 51], rest="discard")
    before = table.view(None)["discard"]
    play(table, f"remove {value}")
    view = table.view(None)
    assert view["discard"] == before
    assert events(table, "removed") == [{"seat": 0, "value": value, "starting": 1}]
    assert value not in market(table)
    everywhere = [*market(table), *view["discard"], *(card for seat in range(4) for card in wheel(table, seat))]
    assert value not in everywhere


def test_pz_6_2_a_starting_card_does_not_come_back_when_the_pile_is_reshuffled():
    table = at_marker(market=range(9, 18), deck=[], rest=3, discard=[50, 51])
    play(table, "remove 9")
    assert market(table)[:8] == list(range(10, 18))
    assert market(table)[8] in (50, 51)


def test_pz_6_2_from_an_empty_market_nothing_is_removed():
    table = position(phase="trading", market=[], rest=3)
    pass_all(table)
    assert events(table, "removed") == []
    assert events(table, "turned") == [{"spaces": 1}]
    assert table.view(None)["round"] == 3
    assert table.acting == (1,)


def test_pz_6_3_the_market_is_restocked_and_sorted():
    table = at_marker(market=range(30, 39), deck=[18], rest="discard")
    play(table, "remove 35")
    assert rows(table) == [[18, 30, 31], [32, 33, 34], [36, 37, 38]]
    assert rules_told(table, "restocked") == {"PZ 6.3"}


def test_pz_6_3_the_card_just_removed_stays_out_of_the_deck_that_its_gap_empties():
    """The last card of the deck fills the gap; the removed card is shuffled in with the pile only then."""
    for seed in range(40):
        table = at_marker(market=range(30, 39), deck=[60], rest=3, discard=[50, 51], seed=seed)
        play(table, "remove 35")
        assert market(table) == [30, 31, 32, 33, 34, 36, 37, 38, 60]
        assert table.view(None)["discard"] == []
        assert table.view(None)["deck_count"] == 3


def test_pz_6_3_the_card_removed_after_a_reshuffle_does_not_come_straight_back():
    for seed in range(40):
        table = position(market=range(18, 27), deck=[53], discard=[50], rest=3, turn=3, seed=seed)
        play(pass_all(play(table, "fund media 18")), "remove 20")
        assert market(table) == [19, *range(21, 27), 50, 53]
        assert table.view(None)["discard"] == []


def test_pz_6_3_with_nothing_else_left_the_removed_card_comes_back():
    table = at_marker(market=range(30, 39), deck=[], rest=3)
    play(table, "remove 35")
    assert market(table) == list(range(30, 39))
    assert events(table, "reshuffled") == [{"cards": 1}]


def test_pz_6_3_with_nothing_else_left_a_starting_card_leaves_a_gap():
    table = at_marker(market=range(16, 25), deck=[], rest=3)
    play(table, "remove 16")
    assert rows(table) == [[17, 18, 19], [20, 21], [22, 23, 24]]


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_pz_7_1_as_many_bears_as_players_crash_the_market(seats):
    table = bears(seats, seats)
    play(table, "remove 17")
    assert events(table, "crashed") == [{"bears": seats}]
    assert rules_told(table, "crashed") == {"PZ 7.1"}


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_pz_7_1_one_bear_fewer_does_not(seats):
    table = bears(seats - 1, seats)
    play(table, "remove 17")
    assert events(table, "crashed") == []
    assert events(table, "turned") == [{"spaces": 1}]


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_pz_7_1_more_bears_than_players_crash_it_too(seats):
    table = bears(seats + 2, seats)
    play(table, "remove 17")
    assert events(table, "crashed") == [{"bears": seats + 2}]


def test_pz_7_1_removing_a_bear_can_prevent_the_crash():
    table = bears(4, 4)
    play(table, "remove 64")
    assert events(table, "crashed") == []


def test_pz_7_1_the_bear_drawn_for_the_removed_card_counts():
    table = at_marker(seats=3, market=[18, 19, 20, 21, 22, 23, 24, 63, 64], deck=[65], rest="discard")
    play(table, "remove 18")
    assert events(table, "crashed") == [{"bears": 3}]


def test_pz_7_1_bears_do_not_crash_the_market_before_the_marker_is_passed():
    table = position(market=range(63, 72))
    pass_all(play(table, "fund media 63"))
    pass_all(table)
    assert table.view(None)["phase"] == "marker"
    assert events(table, "crashed") == []


def test_pz_7_2_bears_pile_and_deck_are_one_deck_and_the_market_is_restocked():
    table = bears(4, 4)
    play(table, "remove 17")
    view = table.view(None)
    assert view["discard"] == []
    assert set(range(18, 22)) <= set(market(table))
    assert len(market(table)) == 9
    # 63 cards without the starting ones, nine of them in the market.
    assert view["deck_count"] == 63 - 9
    assert "PZ 7.2" in rules_told(table, "restocked")


def test_pz_7_2_all_three_parts_can_be_drawn_from():
    drawn = set()
    for seed in range(150):
        table = at_marker(
            seats=3, seed=seed, market=[18, 19, 20, 21, 22, 23, 63, 64, 65], deck=[50, 51], discard=[40, 41], rest=2
        )
        play(table, "remove 18")
        drawn |= set(market(table))
    assert drawn == {18, 19, 20, 21, 22, 23, 50, 51, 40, 41, 63, 64, 65}


def test_pz_7_2_bears_drawn_in_the_restocking_cause_no_second_crash():
    table = at_marker(seats=3, market=[17, 18, 19, 20, *range(63, 68)], deck=[70], rest=2)
    play(table, "remove 17")
    assert market(table) == [18, 19, 20, *range(63, 68), 70]
    assert len(events(table, "crashed")) == 1
    assert events(table, "turned") == [{"spaces": 2}]


def test_pz_7_2_they_may_crash_it_in_the_next_round():
    table = at_marker(seats=3, market=[17, 18, 19, 20, *range(63, 68)], deck=[70], rest=2)
    play(table, "remove 17")
    pass_all(pass_all(table))
    play(table, "remove 18")
    assert len(events(table, "crashed")) == 2


def test_pz_7_2_a_market_of_bears_alone_is_replaced():
    table = at_marker(seats=3, market=range(63, 72), deck=range(18, 30), rest=2)
    play(table, "remove 63")
    assert len(market(table)) == 9
    assert table.view(None)["deck_count"] == 21 - 9


@pytest.mark.parametrize("count", range(3, 9))
def test_pz_7_2_every_card_of_the_restocking_is_told(count):
    shown = [17, *range(18, 18 + 8 - count), *range(63, 63 + count)]
    table = at_marker(seats=3, market=shown, deck=[50], rest=2)
    play(table, "remove 17")
    told = [value for data in events(table, "restocked") for value in data.values() if value]
    # The bears are the whole new deck, so that all of them come back.
    assert told[0] == 50
    assert sorted(told[1:]) == list(range(63, 63 + count))
    assert market(table) == [*shown[1 : 9 - count], 50, *range(63, 63 + count)]


def test_pz_7_2_bears_on_wheels_stay_there():
    table = bears(3, 3, wheels={0: {80: 3}})
    play(table, "remove 17")
    assert 80 in wheel(table, 0)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_pz_7_3_everybody_gives_one_tile_back_from_the_new_start_player(seats):
    table = bears(seats, seats, start=2, tiles={seat: {"media": 2} for seat in range(seats)})
    play(table, "remove 17")
    order = []
    while table.view(None)["phase"] == "crash":
        order += table.acting
        play(table, "give-back media")
    assert order == [(2 + i) % seats for i in range(seats)]
    assert [tiles(table, seat, "media") for seat in range(seats)] == [1] * seats
    assert supply(table, "media") == 15 - seats
    assert rules_told(table, "gave_back") == {"PZ 7.3"}


def test_pz_7_3_it_is_of_the_industry_held_most():
    table = bears(3, 3, tiles={0: {"media": 2, "grain": 3, "real-estate": 1}})
    play(table, "remove 17")
    assert texts(table, 0) == {"give-back grain"}


def test_pz_7_3_between_equal_industries_there_is_a_choice():
    table = bears(3, 3, tiles={0: {"media": 3, "grain": 3, "real-estate": 1}})
    play(table, "remove 17")
    assert texts(table, 0) == {"give-back grain", "give-back media"}
    play(table, "give-back media")
    assert (tiles(table, 0, "media"), tiles(table, 0, "grain")) == (2, 3)


def test_pz_7_3_a_holding_above_three_is_counted_in_full():
    table = bears(3, 3, tiles={0: {"media": 3, "grain": 5}})
    play(table, "remove 17")
    assert texts(table, 0) == {"give-back grain"}


def test_pz_7_3_a_player_without_tiles_gives_none():
    table = bears(3, 3, start=0, tiles={1: {"media": 1}})
    play(table, "remove 17")
    assert table.acting == (1,)
    play(table, "give-back media")
    assert events(table, "gave_back") == [{"seat": 1, "industry": 2}]
    assert table.view(None)["phase"] == "funding"


def test_pz_7_3_if_nobody_has_tiles_the_wheels_turn_at_once():
    table = bears(3, 3)
    play(table, "remove 17")
    assert table.view(None)["phase"] == "funding"
    assert events(table, "turned") == [{"spaces": 2}]


def test_pz_7_3_tiles_given_back_can_be_taken_again():
    table = bears(3, 3, start=0, tiles={0: {"grain": 8}, 1: {"grain": 7}})
    assert supply(table, "grain") == 0
    play(table, "remove 17", "give-back grain", "give-back grain")
    assert supply(table, "grain") == 2
    play(table, "pass", "pass")
    assert table.acting == (2,)
    assert any(text.startswith("fund grain") for text in texts(table, 2))


def test_pz_7_3_cash_is_not_touched():
    table = bears(3, 3, tiles={0: {"grain": 2}}, cash={0: 5, 1: 6, 2: 7})
    play(table, "remove 17", "give-back grain")
    assert all_cash(table) == [5, 6, 7]


def test_the_bears_of_this_file_are_bears():
    market = position(market=[*range(63, 71), 62]).view(None)["market"]
    assert [card["value"] for card in market if card["kind"] == "bear"] == list(BEARS)[:8]
