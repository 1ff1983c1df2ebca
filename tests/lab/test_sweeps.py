"""Tests of sweeps and searches: parameter paths, response curves, and values confirmed in new games."""

from __future__ import annotations

import pytest

import pyramidion
from pyramidion import lab
from pyramidion.lab.search.parameters import edited, varied

pytestmark = pytest.mark.usefixtures("outside")
CARDS = """# a deck
fund_cards = [
  {value = 9, interest = 8},  # the first
  {value = 10, interest = 9},
]
top = {most = 3}
"""


def test_a_place_in_a_card_file_is_changed_and_nothing_else():
    assert edited(CARDS, {"fund_cards[1].interest": 5, "top.most": 4}) == CARDS.replace(
        "interest = 9", "interest = 5"
    ).replace("most = 3", "most = 4")


@pytest.mark.parametrize(
    "path", ["fund_cards[7].interest", "fund_cards[0].colour", "nothing", "fund_cards..a", "top[0]", ""]
)
def test_a_path_that_leads_nowhere_is_refused(path):
    with pytest.raises(ValueError, match=r"(is no path|nothing at)"):
        edited(CARDS, {path: 1})


def test_paths_reach_seats_players_options_and_cards():
    game = pyramidion.load("ponzi-scheme")
    values = {"seats": 5, "options.round_limit": 7, "cards.fund_cards[0].interest": 3}
    arguments = varied(game, {"options": {"advanced": True}, "games": 9}, values)
    assert arguments["seats"] == 5
    assert arguments["games"] == 9
    assert arguments["options"] == {"advanced": True, "round_limit": 7}
    assert game.new(4, cards=arguments["cards"]).box["interest"].ravel()[0] == 3
    with pytest.raises(ValueError, match=r"nothing to vary at 'interest'; .* cards\.luxuries\[0\]\.price"):
        varied(game, {}, {"interest": 1})


def test_a_sweep_runs_every_combination_and_draws_its_curves(tmp_path):
    seen = []
    outcome = lab.sweep(
        "silent-auction",
        {"options.handicap": [[0, 0, 0], [0, 0, 1], [0, 0, 2]]},
        players=("random",),
        games=400,
        metrics=("wins",),
        progress=lambda done, count: seen.append((done, count)),
    )
    assert seen == [(1, 3), (2, 3), (3, 3)]
    shares = outcome.frame("wins", "seat 2")["mean"].to_list()
    assert shares == sorted(shares)
    assert shares[2] > shares[0] + 0.1
    outcome.report(tmp_path / "sweep.html")
    text = (tmp_path / "sweep.html").read_text("utf-8")
    assert "<svg" in text
    assert "<script" not in text


def test_a_sweep_over_numbers_is_a_line():
    outcome = lab.sweep("high-card", {"seats": [2, 3, 4]}, games=500, metrics=("wins", "actions"))
    assert outcome.frame("length", "decisions")["mean"].to_list() == [4, 6, 8]
    assert 'class="line a"' in outcome.chart("length", "decisions")
    worths = outcome.frame("families", "draw")
    assert worths["mean"].to_list() == [
        r.frame("families").filter(item="draw")["worth"].item() for _, r in outcome.points
    ]
    assert all(row["low"] < row["mean"] < row["high"] for row in worths.iter_rows(named=True))


def test_a_search_finds_the_handicap_that_makes_a_seat_win_half_of_its_games():
    def objective(result):
        return abs(result.figure("wins", "seat 2").mean - 0.5)

    tuned = lab.tune(
        "silent-auction",
        {"options.handicap": ["0,0,-2", "0,0,0", "0,0,1", "0,0,2"]},
        objective,
        budget=8,
        games=200,
        players=("random",),
        metrics=("wins",),
    )
    assert len(tuned.trials) == 8
    (best,) = tuned.front
    assert best.goals[0] == tuned.trials["goal 1"].min()
    assert best.result.games == 800
    assert best.result.spec.seed != 0
    assert best.confirmed == (objective(best.result),)


@pytest.mark.parametrize("method", ["nsga2", "tpe"])
def test_several_goals_give_a_front_in_which_none_beats_another(method):
    tuned = lab.tune(
        "high-card",
        {"seats": range(2, 5)},
        lambda result: (result.figure("length", "decisions").mean, -result.spec.seats),
        budget=6,
        method=method,
        games=50,
        metrics=("wins",),
    )
    goals = [outcome.goals for outcome in tuned.front]
    assert len(goals) == len({outcome.values["seats"] for outcome in tuned.front})
    assert not any(a != b and a[0] <= b[0] and a[1] <= b[1] for a in goals for b in goals)


def test_cmaes_searches_whole_numbers():
    tuned = lab.tune(
        "high-card",
        {"seats": range(2, 5)},
        lambda result: result.figure("length", "decisions").mean,
        budget=5,
        method="cmaes",
        games=50,
        metrics=("wins",),
    )
    assert tuned.front[0].values == {"seats": 2}


def test_what_cannot_be_searched_is_refused():
    with pytest.raises(ValueError, match="There is no method 'luck'; there are ntbea, tpe, cmaes, nsga2"):
        lab.tune("high-card", {"seats": range(2, 4)}, lambda result: 0.0, method="luck")
    with pytest.raises(ValueError, match="no values to try for seats"):
        lab.tune("high-card", {"seats": []}, lambda result: 0.0)
