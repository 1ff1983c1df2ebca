"""What the view shows: the table, the forecast, the warnings, the outcome."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.ponzi_scheme.positions import (
    GAME,
    events,
    finish_round,
    market,
    play,
    position,
    texts,
)

from pyramidion import EVERYTHING
from pyramidion.engine.layout import record
from pyramidion.web.pages.picture import drawn_board

PERIODS = {9: 5, 13: 4, 17: 3, 21: 5, 25: 4, 30: 3, 40: 4, 45: 5, 62: 4, 80: 3}
INTEREST = {9: 8, 13: 10, 17: 11, 21: 26, 25: 27, 30: 27, 40: 59, 45: 102, 62: 143, 80: 144}


@st.composite
def wheels(draw):
    """A wheel: cards at spaces where they can lie."""
    cards = draw(st.lists(st.sampled_from(sorted(PERIODS)), unique=True, max_size=6))
    return {card: draw(st.integers(1, PERIODS[card])) for card in cards}


def due_in(table, seat):
    """What a seat owed when the wheels last turned, paid or not."""
    last = [event for event in table.events(None) if event.position == table.version(None)]
    assert any(event.name == "turned" for event in last)
    owed = [event.data for event in last if event.name in ("paid", "bankrupt") and event.data["seat"] == seat]
    return sum(data.get("amount", data.get("due")) for data in owed)


def quiet(seats=3, **more):
    return position(seats=seats, market=range(46, 55), **more)


@settings(max_examples=40)
@given(wheels())
def test_the_forecast_is_what_is_paid_if_nothing_else_happens(wheel):
    table = quiet(wheels={1: wheel}, cash={1: 2000})
    forecast = table.view(None)["players"][1]["forecast"]
    for row in forecast:
        assert row["due"] == sum(INTEREST[card] for card in row["cards"])
        finish_round(table)
        assert due_in(table, 1) == row["due"]


@settings(max_examples=40)
@given(wheels())
def test_the_forecast_after_a_crash_is_what_is_paid_after_one(wheel):
    shown = [18, *range(63, 71)]
    table = position(
        seats=3, phase="marker", market=shown, deck=range(46, 62), rest=2, wheels={1: wheel}, cash={1: 2000}
    )
    forecast = table.view(None)["players"][1]["forecast"]
    play(table, "remove 18")
    assert events(table, "turned")[-1]["spaces"] == 2
    assert due_in(table, 1) == forecast[0]["due_if_crash"] == sum(INTEREST[c] for c in forecast[0]["cards_if_crash"])


@settings(max_examples=40)
@given(wheels())
def test_the_forecast_beyond_a_crash(wheel):
    table = position(
        seats=3,
        phase="marker",
        market=[18, 19, 20, 21, 22, 23, 78, 79, 77] if 21 not in wheel else [18, 19, 20, 22, 23, 24, 78, 79, 77],
        wheels={1: wheel},
        cash={1: 2000},
    )
    forecast = table.view(None)["players"][1]["forecast"]
    play(table, "remove 18")
    assert events(table, "turned") == [{"spaces": 2}]
    for row in forecast[1:]:
        finish_round(table)
        if len(events(table, "crashed")) > 1:
            return
        assert due_in(table, 1) == row["due_if_crash"]


def test_the_forecast_of_the_worked_example():
    table = quiet(wheels={0: {80: 1, 25: 2, 9: 3}})
    rows = table.view(None)["players"][0]["forecast"]
    assert [row["turn"] for row in rows] == [1, 2, 3, 4, 5]
    assert [row["due"] for row in rows] == [144, 27, 8, 144, 0]
    # After a crash: the $80 and the $25 together; then the $9; the $80 again after three turns.
    assert [row["due_if_crash"] for row in rows] == [171, 8, 0, 144, 27]
    assert rows[0]["cards_if_crash"] == [80, 25] or rows[0]["cards_if_crash"] == [25, 80]


def test_everybody_sees_the_same_forecasts():
    table = quiet(wheels={0: {80: 1}, 2: {25: 2}}, cash={0: 5})
    shown = [[player["forecast"] for player in table.view(viewer)["players"]] for viewer in (None, 0, 1, 2)]
    assert all(one == shown[0] for one in shown)


@pytest.mark.parametrize(
    ("cash", "short", "short_if_crash"),
    [(143, True, True), (144, False, True), (170, False, True), (171, False, False)],
)
def test_a_seat_is_warned_of_a_payment_above_its_cash(cash, short, short_if_crash):
    table = quiet(wheels={0: {80: 1, 25: 2}}, cash={0: cash})
    mine = table.view(0)["players"][0]
    assert (mine["short"], mine["short_if_crash"]) == (short, short_if_crash)


def test_nobody_else_is_told_of_the_warning():
    table = quiet(wheels={0: {80: 1}})
    for viewer in (None, 1, 2):
        theirs = table.view(viewer)["players"][0]
        assert theirs["short"] is None
        assert theirs["short_if_crash"] is None


def test_the_market_is_shown_in_rows_with_its_bears():
    view = position(seats=3, market=[9, 20, 30, 40, 50, 60, 63, 70, 80]).view(None)
    assert [card["row"] for card in view["market"]] == [1, 1, 1, 2, 2, 2, 3, 3, 3]
    assert [card["kind"] for card in view["market"]] == ["starting"] + ["ordinary"] * 5 + ["bear"] * 3
    assert (view["bears_in_market"], view["bears_needed"]) == (3, 3)
    assert view["market"][3] == {
        "card": 40,
        "value": 40,
        "period": 4,
        "interest": 59,
        "kind": "ordinary",
        "row": 2,
    }


def test_what_a_tile_would_add_and_the_row_it_takes():
    table = position(tiles={0: {"media": 3, "grain": 1}, 1: {"transportation": 15}})
    mine = table.view(0)["players"][0]
    assert mine["adds"] == {"transportation": 1, "grain": 2, "media": 4, "real-estate": 1}
    assert mine["fund_rows"] == {"grain": 2, "real-estate": 1}


def test_fund_rows_are_what_may_be_funded():
    chance = random.Random(3)
    table = GAME.new(4, 3)
    while not table.over and table.ply < 120:
        seat, shown = table.acting[0], table.view(table.acting[0])
        if shown["phase"] == "funding":
            wanted = {
                f"fund {industry} {card['value']}"
                for industry, row in shown["players"][seat]["fund_rows"].items()
                for card in shown["market"]
                if card["row"] == row
            }
            assert texts(table, seat) == wanted | {"pass"}
        table.play(seat, chance.choice(table.legal(seat)[:60]))


def test_points_are_shown_where_they_are_known():
    table = position(tiles={0: {"media": 3}, 1: {"grain": 2}}, cash={0: 60, 1: 60})
    mine, theirs = table.view(0)["players"][:2]
    assert (mine["tile_points"], mine["wealth_points"], mine["points"]) == (6, 2, 8)
    assert (theirs["tile_points"], theirs["wealth_points"], theirs["points"]) == (3, None, None)


def test_in_the_advanced_game_all_points_are_known():
    table = position(advanced=True, tiles={1: {"grain": 2}}, luxuries={"78": 1}, cash={0: 60, 1: 60})
    theirs = table.view(0)["players"][1]
    assert (theirs["luxury_points"], theirs["wealth_points"], theirs["points"]) == (3, None, 6)


def test_the_wheel_says_how_far_each_card_is():
    table = position(wheels={2: {62: 4, 9: 1, 30: 1}})
    player = table.view(None)["players"][2]
    assert [(card["value"], card["space"]) for card in player["wheel"]] == [(9, 1), (30, 1), (62, 4)]
    assert player["highest_card"] == 62
    assert table.view(None)["players"][0]["highest_card"] is None


def test_the_envelope_in_its_two_stages():
    table = position(phase="trading", tiles={0: {"grain": 1}, 2: {"grain": 1}}, cash={0: 9})
    assert table.view(0)["envelope"] is None
    play(table, "offer 2 grain")
    assert table.view(2)["envelope"] == {"from": 0, "to": 2, "industry": "grain", "price": None, "stage": "amount"}
    play(table, "amount 0")
    assert table.view(2)["envelope"] == {"from": 0, "to": 2, "industry": "grain", "price": 0, "stage": "answer"}
    assert table.view(1)["envelope"] == {"from": 0, "to": 2, "industry": "grain", "price": None, "stage": "answer"}
    play(table, "sell")
    assert table.view(0)["envelope"] is None


@pytest.mark.parametrize(
    ("phase", "rule"), [("funding", "PZ 4"), ("trading", "PZ 5"), ("marker", "PZ 6"), ("over", "PZ 10")]
)
def test_the_phase_names_its_rule(phase, rule):
    table = finish_round(position(round_limit=2)) if phase == "over" else position(phase=phase)
    view = table.view(None)
    assert (view["phase"], view["phase_rule"]) == (phase, rule)


def test_the_view_is_plain_json_for_everybody_at_every_ply():
    chance = random.Random(5)
    table = GAME.new(5, 5, advanced=True)
    while not table.over and table.ply < 150:
        for viewer in (None, *range(5)):
            view = table.view(viewer)
            assert json.loads(json.dumps(view)) == view
            assert view["seat"] == viewer
            assert view["acting"] == list(table.acting)
        table.play(table.acting[0], chance.choice(table.legal(table.acting[0])[:60]))


def test_everything_is_shown_only_at_the_end():
    table = position(phase="marker", round_limit=2, cash={0: 7, 3: 9})
    with pytest.raises(ValueError, match="over"):
        table.view(EVERYTHING)
    play(table, f"remove {market(table)[0]}")
    assert [player["cash"] for player in table.view(EVERYTHING)["players"]] == [7, 0, 0, 9]


def test_the_opening_laid_open_shows_that_nobody_has_cash():
    match = GAME.new(3, seed=1, round_limit=1)
    assert [player["cash"] for player in match.view(None)["players"]] == [None, None, None]
    while not match.over:
        match.play(match.acting[0], match.legal(match.acting[0])[0])
    laid_open = GAME.layout.redact(match.at(0).state_copy(), EVERYTHING)
    opening = GAME.view.view(record(match.box), record(laid_open), EVERYTHING)
    assert [player["cash"] for player in opening["players"]] == [0, 0, 0]


def test_the_outcome_spells_the_scoring_out():
    table = position(
        seats=3,
        phase="marker",
        round_limit=2,
        cash={0: 160, 1: 20},
        tiles={0: {"transportation": 3, "media": 2, "real-estate": 1}, 1: {"grain": 1}},
        wheels={0: {62: 3}, 2: {80: 1}},
    )
    assert table.view(None)["outcome"] is None
    play(table, f"remove {market(table)[0]}")
    outcome = table.view(None)["outcome"]
    assert outcome["winners"] == [0]
    assert outcome["points"] == [14, 1, None]
    assert outcome["table"] == [
        {
            "seat": 0,
            "bankrupt": False,
            "tiles": 10,
            "wealth": 4,
            "luxuries": None,
            "total": 14,
            "highest_card": 62,
            "cash": 160,
        },
        {
            "seat": 1,
            "bankrupt": False,
            "tiles": 1,
            "wealth": 0,
            "luxuries": None,
            "total": 1,
            "highest_card": None,
            "cash": 20,
        },
        {
            "seat": 2,
            "bankrupt": True,
            "tiles": 0,
            "wealth": 0,
            "luxuries": None,
            "total": None,
            "highest_card": 80,
            "cash": 0,
        },
    ]
    assert json.dumps(outcome) == json.dumps(table.view(1)["outcome"])


def test_the_sum_in_the_outcome_is_the_sum_of_its_parts():
    for n in range(6):
        chance = random.Random(n)
        table = GAME.new(4, n, advanced=n % 2 == 1, round_limit=8)
        while not table.over:
            legal = table.legal(table.acting[0])
            table.play(table.acting[0], legal[0] if chance.random() < 0.5 else chance.choice(legal[:60]))
        for row in table.view(None)["outcome"]["table"]:
            if not row["bankrupt"]:
                assert row["total"] == row["tiles"] + (row["luxuries"] if n % 2 else row["wealth"])


def test_a_result_names_the_debt_that_ended_the_game_and_foresees_no_more():
    table = position(seats=3, phase="marker", turn=2, wheels={0: {41: 1, 66: 1}}, cash={0: 5, 1: 30, 2: 30})
    names = ("Ana", "Bo", "Chi")
    while not table.over:
        seat = table.acting[0]
        table.play(seat, table.legal(seat)[0])
    assert table.view(0)["players"][0]["bankrupt"]
    for viewer in (None, 0, 1):
        page = drawn_board(table, viewer, names)
        due = sum(card["interest"] for card in table.view(None)["players"][0]["wheel"] if card["space"] == 0)
        funds = "the $41 fund and $66 bear fund"
        assert f"{'You' if viewer == 0 else 'Ana'} owed ${due}, the interest of {funds}, and had $5" in page
        assert f"Ana owes ${due} and is bankrupt" in page
        assert 'class="fall"' not in page, "the result and the stage say it"
        assert "cash left" not in page
        assert "due in" not in page
