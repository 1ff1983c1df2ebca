"""PZ 5: clandestine trading, and PZ 11: luxuries."""

import pytest
from tests.games.ponzi_scheme.positions import (
    INDUSTRIES,
    all_cash,
    cash,
    events,
    play,
    position,
    rules_told,
    supply,
    texts,
    tiles,
    trade,
)


def trading(**more):
    return position(**{"phase": "trading", **more})


def offers(table, seat):
    return {text for text in texts(table, seat) if text.startswith("offer")}


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_pz_5_1_everybody_trades_or_passes_once_from_the_start_player(seats):
    table = trading(seats=seats, start=1, tiles={seat: {"grain": 2} for seat in range(seats)})
    order = []
    while table.view(None)["phase"] == "trading":
        seat = table.acting[0]
        order.append(seat)
        if len(order) % 2:
            play(table, "pass")
        else:
            trade(table, (seat + 1) % seats, "grain", 0, "sell")
    assert order == [(1 + i) % seats for i in range(seats)]


def test_pz_5_1_passing_is_told():
    table = trading()
    play(table, "pass")
    assert rules_told(table, "passed") == {"PZ 5.1"}
    assert table.acting == (1,)


def test_pz_5_1_an_offer_needs_an_industry_that_both_hold():
    table = trading(
        tiles={
            0: {"media": 1, "grain": 3},
            1: {"media": 2, "real-estate": 1},
            2: {"transportation": 3},
            3: {"grain": 1},
        }
    )
    assert offers(table, 0) == {"offer 1 media", "offer 3 grain"}


def test_pz_5_1_without_tiles_there_is_only_passing():
    table = trading(tiles={1: {"media": 2}, 2: {"media": 1}}, cash={0: 500})
    assert texts(table, 0) == {"pass"}


def test_pz_5_1_nobody_trades_with_themselves():
    table = trading(seats=5, tiles={2: dict.fromkeys(INDUSTRIES, 3)}, start=2)
    assert offers(table, 2) == set()


def test_pz_5_1_any_common_industry_with_any_player_may_be_named():
    table = trading(seats=5, start=2, tiles={seat: dict.fromkeys(INDUSTRIES, 1) for seat in range(5)})
    assert offers(table, 2) == {f"offer {seat} {industry}" for seat in (0, 1, 3, 4) for industry in INDUSTRIES}


def test_pz_5_1_one_offer_a_turn():
    table = trading(tiles={0: {"media": 2}, 1: {"media": 2}})
    trade(table, 1, "media", 0, "sell")
    assert table.acting == (1,)
    assert table.view(None)["phase"] == "trading"


def test_pz_5_1_a_player_who_has_answered_still_has_their_own_turn():
    table = trading(tiles={0: {"media": 2}, 1: {"media": 2}})
    trade(table, 1, "media", 0, "sell")
    trade(table, 0, "media", 0, "sell")
    assert table.acting == (2,)


def test_pz_5_1_a_player_may_be_asked_by_everybody():
    table = trading(tiles={seat: {"media": 3} for seat in range(4)})
    for other in (3, 3, 3):
        trade(table, other, "media", 0, "sell")
    assert [tiles(table, seat, "media") for seat in range(4)] == [4, 4, 4, 0]


def test_pz_5_1_the_other_cannot_refuse():
    table = trading(tiles={0: {"media": 1}, 1: {"media": 1}}, cash={0: 10, 1: 10})
    play(table, "offer 1 media", "amount 3")
    assert texts(table, 1) == {"sell", "counter"}


def test_pz_5_1_an_offer_that_is_made_stands():
    table = trading(tiles={0: {"media": 1}, 1: {"media": 1}}, cash={0: 2})
    play(table, "offer 1 media")
    assert table.acting == (0,)
    assert texts(table, 0) == {"amount 0", "amount 1", "amount 2"}


@pytest.mark.parametrize("has", [0, 1, 17, 3204])
def test_pz_5_2_any_whole_amount_from_nothing_to_all(has):
    table = trading(tiles={0: {"media": 1}, 1: {"media": 1}}, cash={0: has})
    play(table, "offer 1 media")
    assert texts(table, 0) == {f"amount {n}" for n in range(has + 1)}


def test_pz_5_2_the_money_is_the_offerers_until_it_is_answered():
    table = trading(tiles={0: {"media": 1}, 1: {"media": 1}}, cash={0: 20, 1: 30})
    play(table, "offer 1 media", "amount 20")
    assert all_cash(table) == [20, 30, 0, 0]


def test_pz_5_2_the_two_know_the_amount():
    table = trading(tiles={0: {"media": 1}, 1: {"media": 1}}, cash={0: 20})
    play(table, "offer 1 media", "amount 13")
    assert table.view(0)["envelope"]["price"] == table.view(1)["envelope"]["price"] == 13
    assert events(table, "envelope", 1) == [{"seat": 0, "to": 1, "amount": 13}]
    assert rules_told(table, "envelope", 0) == {"PZ 5.2"}


@pytest.mark.parametrize(("offerer", "other"), [(1, 4), (2, 0), (3, 2), (4, 3)])
@pytest.mark.parametrize("answer", ["sell", "counter"])
def test_pz_5_3_between_any_two_seats(offerer, other, answer):
    table = trading(
        seats=5,
        start=offerer,
        tiles={seat: {"grain": 2} for seat in range(5)},
        cash=dict.fromkeys(range(5), 50),
    )
    trade(table, other, "grain", 21, answer)
    buyer, seller = (offerer, other) if answer == "sell" else (other, offerer)
    assert all_cash(table) == [{buyer: 29, seller: 71}.get(seat, 50) for seat in range(5)]
    assert [tiles(table, seat, "grain") for seat in range(5)] == [{buyer: 3, seller: 1}.get(s, 2) for s in range(5)]
    assert events(table, "envelope", other) == [{"seat": offerer, "to": other, "amount": 21}]
    assert events(table, "offered") == [{"seat": offerer, "to": other, "industry": 1}]
    told = events(table, "sold") + events(table, "countered")
    assert told == [{"seat": other, "to": offerer, "industry": 1}]


def test_pz_5_3_selling_keeps_the_money_and_gives_a_tile():
    table = trading(tiles={0: {"media": 1}, 1: {"media": 2}}, cash={0: 20, 1: 5})
    trade(table, 1, "media", 12, "sell")
    assert all_cash(table) == [8, 17, 0, 0]
    assert [tiles(table, seat, "media") for seat in range(4)] == [2, 1, 0, 0]
    assert rules_told(table, "sold") == {"PZ 5.3"}


def test_pz_5_3_countering_pays_the_same_and_takes_a_tile():
    table = trading(tiles={0: {"media": 1}, 1: {"media": 2}}, cash={0: 20, 1: 15})
    trade(table, 1, "media", 12, "counter")
    assert all_cash(table) == [32, 3, 0, 0]
    assert [tiles(table, seat, "media") for seat in range(4)] == [0, 3, 0, 0]
    assert rules_told(table, "countered") == {"PZ 5.3"}


@pytest.mark.parametrize(("answer", "after"), [("sell", (2, 0)), ("counter", (0, 2))])
def test_pz_5_3_a_price_of_nothing_moves_a_tile_only(answer, after):
    table = trading(tiles={0: {"grain": 1}, 1: {"grain": 1}}, cash={0: 6})
    trade(table, 1, "grain", 0, answer)
    assert all_cash(table) == [6, 0, 0, 0]
    assert (tiles(table, 0, "grain"), tiles(table, 1, "grain")) == after


def test_pz_5_3_a_seller_without_cash_can_be_paid_all_the_offerer_has():
    table = trading(tiles={0: {"grain": 1}, 1: {"grain": 1}}, cash={0: 40})
    trade(table, 1, "grain", 40, "sell")
    assert all_cash(table) == [0, 40, 0, 0]


def test_pz_5_3_only_the_industry_that_was_named_moves():
    table = trading(tiles={0: {"media": 1, "grain": 2}, 1: {"media": 1, "grain": 2}})
    trade(table, 1, "grain", 0, "sell")
    assert (tiles(table, 0, "media"), tiles(table, 1, "media")) == (1, 1)
    assert (tiles(table, 0, "grain"), tiles(table, 1, "grain")) == (3, 1)


def test_pz_5_3_trades_leave_the_supply_and_the_wheels_alone():
    table = trading(tiles={0: {"media": 2}, 1: {"media": 2}}, wheels={0: {40: 2}, 1: {41: 3}})
    before = table.view(None)
    trade(table, 1, "media", 0, "counter")
    after = table.view(None)
    assert supply(table, "media") == 11
    for part in ("market", "supply", "discard", "deck_count"):
        assert after[part] == before[part]
    assert [player["wheel"] for player in after["players"]] == [player["wheel"] for player in before["players"]]


def test_pz_5_3_the_worked_example_of_the_envelope():
    sold = trading(tiles={0: {"grain": 1}, 1: {"grain": 1}}, cash={0: 50, 1: 25})
    trade(sold, 1, "grain", 20, "sell")
    assert (cash(sold, 0), cash(sold, 1), tiles(sold, 0, "grain")) == (30, 45, 2)
    countered = trading(tiles={0: {"grain": 1}, 1: {"grain": 1}}, cash={0: 50, 1: 25})
    trade(countered, 1, "grain", 20, "counter")
    assert (cash(countered, 0), cash(countered, 1), tiles(countered, 0, "grain")) == (70, 5, 0)


def test_pz_5_4_a_counter_that_is_exactly_affordable():
    table = trading(tiles={0: {"media": 1}, 1: {"media": 1}}, cash={0: 12, 1: 12})
    trade(table, 1, "media", 12, "counter")
    assert all_cash(table) == [24, 0, 0, 0]


def test_pz_5_4_one_dollar_short_must_sell():
    table = trading(tiles={0: {"media": 1}, 1: {"media": 1}}, cash={0: 12, 1: 11})
    play(table, "offer 1 media", "amount 12")
    assert texts(table, 1) == {"sell"}
    assert table.acting == (1,)


def test_pz_5_4_the_money_in_the_envelope_does_not_help_to_counter():
    table = trading(tiles={0: {"media": 1}, 1: {"media": 1}}, cash={0: 100, 1: 60})
    play(table, "offer 1 media", "amount 100")
    assert "counter" not in texts(table, 1)


def test_pz_5_4_nothing_can_always_be_countered():
    table = trading(tiles={0: {"media": 1}, 1: {"media": 1}}, cash={0: 12})
    play(table, "offer 1 media", "amount 0")
    assert texts(table, 1) == {"sell", "counter"}


@pytest.mark.parametrize("held", [3, 4, 6])
def test_pz_5_5_trades_raise_a_holding_above_three(held):
    table = trading(tiles={0: {"media": held}, 1: {"media": 1}})
    trade(table, 1, "media", 0, "sell")
    assert tiles(table, 0, "media") == held + 1


def test_pz_5_5_so_does_a_counter():
    table = trading(tiles={0: {"media": 1}, 1: {"media": 5}})
    trade(table, 1, "media", 0, "counter")
    assert tiles(table, 1, "media") == 6


@pytest.mark.parametrize("viewer", [None, 0, 1, 2, 3])
@pytest.mark.parametrize(("answer", "name"), [("sell", "sold"), ("counter", "countered")])
def test_pz_5_6_everybody_learns_who_traded_what_and_how_it_was_answered(viewer, answer, name):
    table = trading(tiles={0: {"media": 1}, 2: {"media": 1}}, cash={0: 9, 2: 9})
    play(table, "offer 2 media")
    assert events(table, "offered", viewer) == [{"seat": 0, "to": 2, "industry": 2}]
    envelope = table.view(viewer)["envelope"]
    assert (envelope["from"], envelope["to"], envelope["industry"]) == (0, 2, "media")
    play(table, "amount 4", answer)
    assert events(table, name, viewer) == [{"seat": 2, "to": 0, "industry": 2}]
    assert table.view(viewer)["envelope"] is None


def test_pz_5_6_the_price_stays_with_the_two():
    table = trading(tiles={0: {"media": 1}, 2: {"media": 1}}, cash={0: 9, 2: 9})
    play(table, "offer 2 media", "amount 4")
    assert [table.view(viewer)["envelope"]["price"] for viewer in (None, 0, 1, 2, 3)] == [None, 4, None, 4, None]
    assert [len(events(table, "envelope", viewer)) for viewer in (None, 0, 1, 2, 3)] == [0, 1, 0, 1, 0]


def luxury(**more):
    return trading(advanced=True, **more)


def buys(table, seat):
    return {int(text.split()[1]) for text in texts(table, seat) if text.startswith("buy")}


def test_pz_11_1_a_luxury_is_bought_for_its_price():
    table = luxury(cash={0: 80})
    play(table, "buy 56")
    assert cash(table, 0) == 24
    assert [tile["owner"] for tile in table.view(2)["luxuries"]] == [None, 0, None, None]
    assert events(table, "bought") == [{"seat": 0, "price": 56, "points": 2}]
    assert rules_told(table, "bought") == {"PZ 11.1"}


@pytest.mark.parametrize(
    ("has", "choice"),
    [
        (29, set()),
        (30, {30}),
        (55, {30}),
        (56, {30, 56}),
        (77, {30, 56}),
        (78, {30, 56, 78}),
        (95, {30, 56, 78}),
        (96, {30, 56, 78, 96}),
    ],
)
def test_pz_11_1_a_luxury_must_be_affordable(has, choice):
    assert buys(luxury(cash={0: has}), 0) == choice


def test_pz_11_1_the_last_dollar_buys():
    table = luxury(cash={0: 96})
    play(table, "buy 96")
    assert cash(table, 0) == 0


def test_pz_11_1_a_luxury_that_is_sold_is_gone():
    table = luxury(cash={0: 500, 1: 500}, luxuries={"30": 3})
    assert buys(table, 0) == {56, 78, 96}
    play(table, "buy 78")
    assert buys(table, 1) == {56, 96}


def test_pz_11_1_buying_takes_the_place_of_the_offer():
    table = luxury(cash={0: 500}, tiles={0: {"media": 1}, 1: {"media": 1}})
    assert "offer 1 media" in texts(table, 0)
    play(table, "buy 30")
    assert table.acting == (1,)
    assert table.view(None)["phase"] == "trading"


def test_pz_11_1_one_luxury_a_round_for_each_player():
    table = luxury(seats=3, cash={0: 500, 1: 500, 2: 500})
    play(table, "buy 30", "buy 56", "buy 78")
    assert [tile["owner"] for tile in table.view(None)["luxuries"]] == [0, 1, 2, None]
    assert table.view(None)["phase"] == "marker"


def test_pz_11_1_a_player_may_own_several_in_time():
    table = luxury(cash={0: 500}, luxuries={"30": 0})
    play(table, "buy 96")
    assert table.view(None)["players"][0]["luxury_points"] == 5


def test_pz_11_1_no_luxuries_in_the_basic_game():
    assert buys(trading(cash={0: 500}), 0) == set()


def test_pz_11_1_luxuries_are_never_offered():
    table = luxury(luxuries={"30": 0, "56": 1}, cash={0: 500})
    assert offers(table, 0) == set()
    assert {text.split()[0] for text in texts(table, 0)} == {"pass", "buy"}


def test_pz_11_1_luxuries_are_not_given_back_in_a_crash():
    table = position(advanced=True, phase="marker", market=range(63, 72), luxuries={"30": 0}, seats=3)
    play(table, "remove 63")
    assert table.view(None)["luxuries"][0]["owner"] == 0
    assert events(table, "crashed") != []
    assert events(table, "gave_back") == []


def test_pz_11_1_luxuries_do_not_make_a_common_industry_and_pass_remains():
    table = luxury(luxuries={"30": 0, "56": 1, "78": 2, "96": 3}, cash={0: 500})
    assert texts(table, 0) == {"pass"}
