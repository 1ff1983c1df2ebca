"""Tests of refusals: they cite a rule, contain a sentence, and change nothing."""

import random
import re

import pytest
from tests.games.ponzi_scheme.positions import GAME, INDUSTRIES, pass_all, play, position

from pyramidion import IllegalAction

SENTENCE = re.compile(r"[A-Z'0-9-].*[^ ][.?]")


def refused(table, seat, action, rule, *words):
    """Check that an action is refused by this rule in a sentence with these words, and that nothing has changed."""
    before, plies = table.state_copy().tobytes(), table.ply
    known = [table.redacted(viewer) for viewer in (None, *range(table.seats))]
    refusal = table.refusal(seat, action)
    assert refusal is not None
    with pytest.raises(IllegalAction) as caught:
        table.play(seat, action)
    assert (caught.value.rule, caught.value.reason) == (refusal.rule, refusal.reason)
    assert refusal.rule == rule
    assert SENTENCE.fullmatch(refusal.reason), refusal.reason
    assert str(caught.value) == (f"{refusal.reason} ({rule})" if rule else refusal.reason)
    for word in words:
        assert word in refusal.reason, refusal.reason
    assert table.state_copy().tobytes() == before
    assert [table.redacted(viewer) for viewer in (None, *range(table.seats))] == known
    assert table.ply == plies


def two_holders(**more):
    return position(phase="trading", tiles={0: {"media": 1}, 1: {"media": 1}}, **more)


def at(phase, **more):
    """Return a position of four seats in each phase; seat 0 acts, except that seat 1 answers."""
    if phase == "funding":
        return position(**more)
    if phase == "trading":
        return two_holders(**more)
    if phase == "amount":
        return play(two_holders(**more), "offer 1 media")
    if phase == "answer":
        return play(two_holders(cash={0: 7, 1: 7}, **more), "offer 1 media", "amount 5")
    if phase == "marker":
        return position(phase="marker", **more)
    shown = [17, *range(18, 22), *range(63, 67)]
    table = position(phase="marker", market=shown, deck=[50], rest="discard", tiles={0: {"grain": 1}}, **more)
    return play(table, "remove 17")


PHASES = {
    "funding": ("PZ 4.1", {"pass", "fund"}, "choosing a fund"),
    "trading": ("PZ 5.1", {"pass", "offer", "buy"}, "choosing whether to trade"),
    "amount": ("PZ 5.2", {"amount"}, "filling the envelope"),
    "answer": ("PZ 5.3", {"sell", "counter"}, "answering the envelope"),
    "marker": ("PZ 6.2", {"remove"}, "choosing a card to remove"),
    "crash": ("PZ 7.3", {"give-back"}, "giving a tile back"),
}
ONE_OF_EACH = {
    "pass": "pass",
    "fund": "fund media 18",
    "offer": "offer 2 media",
    "amount": "amount 0",
    "sell": "sell",
    "counter": "counter",
    "remove": "remove 18",
    "give-back": "give-back media",
    "buy": "buy 30",
}


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("family", ONE_OF_EACH)
def test_every_action_outside_its_phase(phase, family):
    rule, families, _ = PHASES[phase]
    table = at(phase)
    if family not in families:
        refused(table, table.acting[0], ONE_OF_EACH[family], rule, "Not now")


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("family", ONE_OF_EACH)
def test_every_action_out_of_turn(phase, family):
    rule, _, doing = PHASES[phase]
    table = at(phase)
    due = table.acting[0]
    for seat in range(4):
        if seat != due:
            refused(table, seat, ONE_OF_EACH[family], rule, "not your turn", f"seat {due} is {doing}")


@pytest.mark.parametrize("family", ONE_OF_EACH)
@pytest.mark.parametrize(("wheels", "rule"), [({}, "PZ 10.6"), ({0: {30: 1}}, "PZ 9.3")])
def test_every_action_after_the_end(family, wheels, rule):
    table = play(position(phase="marker", round_number=3, round_limit=3, wheels=wheels), "remove 18")
    assert table.over
    for seat in range(4):
        refused(table, seat, ONE_OF_EACH[family], rule, "The game is over.")


@pytest.mark.parametrize("seat", [4, 5, 99, -1])
def test_a_seat_that_is_not_there(seat):
    refused(position(), seat, "pass", "", f"no seat {seat}", "0 to 3")
    refused(position(), seat, 0, "", f"no seat {seat}")


@pytest.mark.parametrize("action", [-1, 4000, 10**9])
def test_an_id_that_is_not_there(action):
    refused(position(), 0, action, "", f"no action {action}", f"0 to {len(GAME.actions) - 1}")


# Funding


@pytest.mark.parametrize("held", [3, 4, 9])
def test_fund_a_fourth_tile(held):
    table = position(tiles={0: {"media": held}})
    refused(table, 0, "fund media 18", "PZ 4.2", f"You hold {held} media tiles", "1st, 2nd or 3rd")


def test_fund_from_an_empty_supply():
    table = position(tiles={1: {"grain": 8}, 2: {"grain": 7}})
    refused(table, 0, "fund grain 18", "PZ 4.2", "No grain tile is left")


@pytest.mark.parametrize("value", [9, 27, 80])
def test_fund_with_a_card_that_is_not_in_the_market(value):
    refused(position(), 0, f"fund grain {value}", "PZ 4.1", f"The ${value} card is not in the market")


@pytest.mark.parametrize(
    ("held", "value", "nth"),
    [(0, 21, "2nd"), (0, 26, "3rd"), (1, 18, "1st"), (1, 24, "3rd"), (2, 20, "1st"), (2, 23, "2nd")],
)
def test_fund_from_another_row(held, value, nth):
    table = position(tiles={0: {"real-estate": held}})
    lies = (value - 18) // 3 + 1
    where = f"in row {lies}, for a {nth} tile"
    refused(table, 0, f"fund real-estate {value}", "PZ 4.3", where, f"real-estate tiles that you hold: {held}")


# Trading


def test_offer_to_oneself():
    refused(two_holders(), 0, "offer 0 media", "PZ 5.1", "another player")


def test_offer_to_a_seat_that_is_not_at_this_table():
    refused(two_holders(), 0, "offer 4 media", "PZ 5.1", "no seat 4")
    refused(two_holders(seats=3), 0, "offer 3 media", "PZ 5.1", "no seat 3")


@pytest.mark.parametrize(
    "tiles", [{}, {0: {"media": 1}}, {1: {"media": 2}}, {0: {"media": 1}, 1: {"grain": 1}, 2: {"media": 1}}]
)
def test_offer_for_an_industry_that_not_both_hold(tiles):
    table = position(phase="trading", tiles=tiles)
    refused(table, 0, "offer 1 media", "PZ 5.1", "Both", "media")


@pytest.mark.parametrize("amount", [8, 100, 3204])
def test_amount_above_ones_cash(amount):
    table = play(two_holders(cash={0: 7}), "offer 1 media")
    refused(table, 0, f"amount {amount}", "PZ 5.2", "$7")


def test_counter_without_the_cash():
    table = play(two_holders(cash={0: 40, 1: 39}), "offer 1 media", "amount 40")
    refused(table, 1, "counter", "PZ 5.4", "$40", "$39", "must sell")


def test_the_offerer_does_not_answer():
    table = play(two_holders(cash={0: 40, 1: 39}), "offer 1 media", "amount 4")
    refused(table, 0, "sell", "PZ 5.3", "seat 1")
    refused(table, 0, "amount 5", "PZ 5.3", "seat 1")


# Luxuries


@pytest.mark.parametrize("luxury", ["30", "56", "78", "96"])
def test_buy_in_the_basic_game(luxury):
    refused(two_holders(cash={0: 500}), 0, f"buy {luxury}", "PZ 11", "advanced game")


def test_buy_a_luxury_that_is_sold():
    table = two_holders(advanced=True, cash={0: 500}, luxuries={"56": 0, "78": 3})
    refused(table, 0, "buy 56", "PZ 11.1", "sold")
    refused(table, 0, "buy 78", "PZ 11.1", "sold")


@pytest.mark.parametrize(("luxury", "has"), [(30, 29), (56, 55), (78, 77), (96, 95)])
def test_buy_without_the_cash(luxury, has):
    table = two_holders(advanced=True, cash={0: has})
    refused(table, 0, f"buy {luxury}", "PZ 11.1", f"${luxury}", f"${has}")


def test_buy_two_in_a_turn():
    table = play(two_holders(advanced=True, cash={0: 500}), "buy 30")
    refused(table, 0, "buy 56", "PZ 5.1", "seat 1")


# The marker and the crash


@pytest.mark.parametrize("value", [9, 27, 80])
def test_remove_a_card_that_is_not_in_the_market(value):
    refused(position(phase="marker"), 0, f"remove {value}", "PZ 6.2", f"${value}", "not in the market")


def test_give_back_of_an_industry_that_is_not_the_largest():
    shown = [17, *range(18, 22), *range(63, 67)]
    holds = {0: {"grain": 3, "media": 2, "transportation": 3}}
    table = position(phase="marker", market=shown, deck=[50], rest="discard", tiles=holds)
    play(table, "remove 17")
    for industry in ("media", "real-estate"):
        refused(table, 0, f"give-back {industry}", "PZ 7.3", "hold the most")
    assert table.refusal(0, "give-back grain") is None


# What cannot be read


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ["begins with one of", "pass", "give-back"]),
        ("   ", ["begins with one of"]),
        ("dance", ["'dance'", "is not an action", "one of"]),
        ("fnud media 18", ["'fnud'", "Did you mean 'fund'"]),
        ("fund", ["no words", "'fund INDUSTRY CARD'"]),
        ("fund media", ["'fund INDUSTRY CARD'"]),
        ("fund media 18 19", ["'fund INDUSTRY CARD'"]),
        ("fund 18 media", ["'18'", "not a valid industry", "transportation"]),
        ("fund medai 18", ["'medai'", "Did you mean 'media'"]),
        ("fund media 8", ["'8'", "not a valid card"]),
        ("fund media 81", ["'81'", "not a valid card"]),
        ("fund media 018", ["'018'", "not a valid card"]),
        ("fund media -18", ["not a valid card"]),
        ("offer 5 media", ["'5'", "not a valid seat", "0, 1, 2, 3, 4"]),
        ("offer me media", ["'me'", "not a valid seat"]),
        ("pass please", ["1 word", "'pass'"]),
        ("amount", ["one whole number", "0 to 3204"]),
        ("amount ten", ["one whole number"]),
        ("amount 1.5", ["one whole number"]),
        ("amount 1e3", ["one whole number"]),
        ("amount 1 2", ["one whole number"]),
        ("amount ٣", ["one whole number"]),
        ("amount ²", ["one whole number"]),
        ("amount -1", ["-1 is out of range", "0 to 3204"]),
        ("amount 3205", ["3205 is out of range"]),
        ("amount " + "9" * 150, ["999 is out of range"]),
        ("amount " + "9" * 5000, ["999 is out of range"]),
        ("amount " + "x" * 5000, ["one whole number"]),
        ("amount --5", ["one whole number"]),
        ("x" * 10_000, ["xxx...' is not an action"]),
        ("fund media " + "x" * 10_000, ["xxx...' is not a valid card"]),
        ("fund " * 2000, ["fund fund", "1999 words"]),
        ("buy 31", ["'31'", "not a valid luxury", "30"]),
        ("give-back gold", ["'gold'", "not a valid industry"]),
        ("remove 63.0", ["not a valid card"]),
    ],
)
def test_notation_that_means_nothing(text, words):
    for phase in PHASES:
        table = at(phase)
        refused(table, table.acting[0], text, "", *words)
        assert len(table.refusal(0, text).reason) < 600


def test_a_refusal_is_the_same_asked_or_tried_in_any_form():
    table = position(tiles={0: {"media": 3}})
    action = GAME.actions.parse("fund media 18")
    assert table.refusal(0, action) == table.refusal(0, action.id) == table.refusal(0, "FUND  media 18 ")


def test_what_is_refused_is_exactly_what_is_not_listed():
    """Over random play: every action of the game, for every seat, at some plies of each game."""
    for n, seats in enumerate((3, 4, 5)):
        chance = random.Random(n)
        match = GAME.new(seats, n, advanced=n % 2 == 1)
        while not match.over and match.ply < 120:
            if chance.random() < 0.03:
                for seat in range(seats):
                    listed = set(match.legal_ids(seat).tolist())
                    free = {action.id for action in GAME.actions if match.refusal(seat, action.id) is None}
                    assert listed == free
            legal = match.legal(match.acting[0])
            match.play(match.acting[0], chance.choice(legal[:40]))


def test_refusals_cite_rules_that_exist():
    sections = {number.split(".")[0] for number in GAME.rule_numbers}
    for table in (*map(at, PHASES), at("trading", advanced=True), pass_all(position(market=[], rest=3))):
        for seat in (table.acting[0], 3):
            for action in GAME.actions[:: 1 if seat != 3 else 50]:
                refusal = table.refusal(seat, action)
                if refusal is not None:
                    prefix, number = refusal.rule.split(" ")
                    assert prefix == "PZ"
                    assert number in GAME.rule_numbers or number in sections
                    assert SENTENCE.fullmatch(refusal.reason)


def test_every_industry_reads_in_a_refusal():
    for industry in INDUSTRIES:
        table = position(tiles={0: {industry: 3}})
        refused(table, 0, f"fund {industry} 18", "PZ 4.2", industry)
