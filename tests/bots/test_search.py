"""Tests of the search: correct play where the solution is known, no use of hidden information, reproducibility."""

from __future__ import annotations

import itertools
import math
import threading
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest
from tests.bots.toys import HIDDEN_COIN, HIDE, LOTTERY, SUBTRACTION, exploitability, undercut

import pyramidion
from pyramidion import bots
from pyramidion.bots import (
    LEVELS,
    MASTER,
    WEAKEST,
    Choice,
    Level,
    SearchBot,
    SearchResult,
    level_of,
    strongest,
    worker,
)
from pyramidion.bots.level_policy import choose_action
from pyramidion.engine.game import chance_words
from pyramidion.engine.rule import rule

UNDERCUT, ROCK_PAPER_SCISSORS = undercut(5), undercut(3)


def think(game, seed=1, state=None, seat=0, **limits):
    match = game.new(2, seed=1)
    state = match.redacted_state(seat) if state is None else state
    return SearchBot(game, seed).think(match.box, state, seat, **limits)


def strategy(result, actions):
    shares = {c.action: c.share for c in result.choices}
    return np.array([shares.get(action, 0.0) for action in range(actions)])


@pytest.fixture(scope="module")
def ponzi():
    """A game of Ponzi Scheme in which envelopes have gone to and fro: the match, at a decision with secrets about."""
    match = pyramidion.load("ponzi-scheme").new(4, seed=4)
    bot = bots.load("policy", match.game, seed=4)
    while match.ply < 60 or len(match.legal(match.acting[0])) < 3:
        match.play(match.acting[0], bot.move(match, match.acting[0]))
    return match


# Known solutions


@pytest.mark.parametrize("heap", [heap for heap in range(1, 12) if heap % 4])
def test_a_forced_win_is_found(heap):
    match = SUBTRACTION.new(2)
    state = match.redacted_state(0)
    state["heap"] = heap
    result = SearchBot(SUBTRACTION, 1).think(match.box, state, 0, iterations=2000)
    assert result.action + 1 == heap % 4
    assert result.best.values[0] > 0.9
    assert sum(result.best.values) == pytest.approx(1.0)


@pytest.mark.slow
def test_where_only_the_throw_matters_throws_are_mixed_evenly():
    result = think(ROCK_PAPER_SCISSORS, iterations=50_000)
    assert result.mixed
    assert np.abs(strategy(result, 3) - 1 / 3).max() < 0.02
    bot, match = SearchBot(ROCK_PAPER_SCISSORS, 5, Level("", "", 300, None, 0.0)), ROCK_PAPER_SCISSORS.new(2)
    thrown = Counter(bot.move(match, 0).id for _ in range(600))
    assert max(thrown.values()) < 250


@pytest.mark.slow
def test_exploitability_falls_with_the_budget():
    lost = [
        np.mean([exploitability(strategy(think(UNDERCUT, seed, iterations=n), 5)) for seed in range(20)])
        for n in (100, 1_000, 10_000)
    ]
    assert lost[0] > 2 * lost[1] > 4 * lost[2]
    assert lost[2] < 0.08


def test_a_bid_that_is_saved_is_confirmed_as_one_of_several_parts():
    match = UNDERCUT.new(2, seed=1)
    bot = SearchBot(UNDERCUT, 1, Level("", "", 100, None, 0.0))
    played = []
    while not match.over:
        played.append((match.acting[0], bot.move(match, match.acting[0]).family))
        match.play(match.acting[0], bot.move(match, match.acting[0]).id)
    assert played == [(0, "bid"), (0, "confirm"), (1, "bid"), (1, "confirm")]


def test_what_another_will_hide_is_not_foreseen():
    # A search that saw the coin would guess right every time. Guessing is worth a half, the lottery six tenths.
    result = think(HIDDEN_COIN, iterations=20_000)
    assert result.action == LOTTERY
    assert result.choice(HIDE.play).values[0] < 0.56


def test_what_one_hides_oneself_is_mixed():
    # In the tree, the other guesses without seeing the coin; a habit would be found out.
    match = HIDDEN_COIN.new(2)
    match.play(0, HIDE.play)
    result = SearchBot(HIDDEN_COIN, 1).think(match.box, match.redacted_state(1), 1, iterations=20_000)
    assert result.mixed
    assert 0.45 < result.choices[0].share < 0.55
    assert 0.45 < result.values[1] < 0.55


@pytest.mark.slow
@pytest.mark.parametrize("name", ["downside-up", "upside-down"])
def test_in_a_crowd_a_search_is_better_than_the_policy(name):
    # Among each other policies get 0.75 at the most; a few hundred iterations among them get 0.9.
    game, got = pyramidion.load(name), []
    for seed in range(20):
        match, searching = game.new(10, seed=seed), seed % 10
        bot, policy = SearchBot(game, seed, Level("", "", 400, None, 0.0)), bots.load("policy", game, seed=seed)
        while not match.over:
            seat = match.acting[0]
            match.play(seat, (bot if seat == searching else policy).move(match, seat))
        got.append(0.5 + 0.5 * match.outcome.payoffs[searching])
    assert np.mean(got) > 0.82


def test_in_a_crowd_one_answers_the_others_and_does_not_mix():
    match = pyramidion.load("upside-down").new(10, seed=1)
    result = SearchBot(match.game, 1).think(match.box, match.redacted_state(3), 3, iterations=200)
    assert not result.mixed
    assert sum(choice.visits for choice in result.choices) == 200
    assert sum(result.values) == pytest.approx(7.5)


# Hidden information


def test_other_seats_secrets_change_nothing(ponzi):
    seat = ponzi.acting[0]
    worlds = []
    for seed in (1, 2):
        state = ponzi.redacted_state(seat)
        ponzi.game.compiled.redeal(ponzi.box, state, seat, chance_words(seed))
        worlds.append(state)
    assert worlds[0].tobytes() != worlds[1].tobytes()
    results = []
    for world in worlds:
        observed = ponzi.game.layout.redact(world, seat)
        result = SearchBot(ponzi.game, 3).think(ponzi.box, observed, seat, iterations=300)
        results.append(replace(result, seconds=0.0))
    assert results[0] == results[1]


def test_thinking_changes_nothing_it_was_given(ponzi):
    seat = ponzi.acting[0]
    state, box = ponzi.redacted_state(seat), ponzi.box.tobytes()
    before = state.tobytes()
    SearchBot(ponzi.game, 1).think(ponzi.box, state, seat, iterations=50)
    assert (state.tobytes(), ponzi.box.tobytes()) == (before, box)


# Results


@pytest.mark.parametrize("threads", [1, 2])
def test_the_same_seed_and_iterations_think_the_same(ponzi, threads):
    seat = ponzi.acting[0]
    state = ponzi.redacted_state(seat)
    results = [
        replace(SearchBot(ponzi.game, seed).think(ponzi.box, state, seat, iterations=301, threads=threads), seconds=0.0)
        for seed in (7, 7, 8)
    ]
    assert results[0] == results[1] != results[2]
    assert results[0].iterations == 301
    assert results[0].threads == threads


def test_a_thought_adds_up(ponzi):
    seat = ponzi.acting[0]
    result = SearchBot(ponzi.game, 1).think(ponzi.box, ponzi.redacted_state(seat), seat, iterations=400)
    assert sum(choice.share for choice in result.choices) == pytest.approx(1.0)
    assert sum(choice.visits for choice in result.choices) == result.iterations
    assert {choice.action for choice in result.choices} <= set(ponzi.legal_ids(seat).tolist())
    assert result.action == result.best.action
    assert 0.9 < sum(result.values) <= 1.0 + 1e-9  # less than 1: nobody wins if all go bankrupt
    for place in range(4):
        credited = sum(choice.visits * choice.values[place] for choice in result.choices)
        assert credited / result.iterations == pytest.approx(result.values[place])
    assert result.choice(-1) is None


def test_anybody_may_estimate_also_who_is_not_due(ponzi):
    bot = SearchBot(ponzi.game, 1)
    for viewer in (-1, *range(4)):
        values = bot.estimate(ponzi.box, ponzi.redacted_state(viewer), viewer, iterations=200)
        assert 0.9 < sum(values) <= 1.0 + 1e-9
    match = SUBTRACTION.new(2)
    while not match.over:
        match.play(match.acting[0], match.legal(match.acting[0])[0])
    assert SearchBot(SUBTRACTION).estimate(match.box, match.redacted_state(1), 1) == (1.0, 0.0)


# Limits


def test_memory_is_bounded_and_a_full_tree_goes_on_without_growing(monkeypatch):
    tree = worker.new_tree(worker.MAX_NODES, worker.MAX_EDGES, 10)
    assert sum(array.nbytes for array in tree) < 65e6
    for nodes, edges in ((4, 1000), (1000, 9)):
        monkeypatch.setattr(worker, "MAX_NODES", nodes)
        monkeypatch.setattr(worker, "MAX_EDGES", edges)
        for game in (SUBTRACTION, UNDERCUT, HIDDEN_COIN):
            result = think(game, iterations=3000)
            assert result.iterations == 3000
            assert result.nodes <= nodes
            assert result.full == (game is not HIDDEN_COIN or nodes == 4)


def test_seconds_and_a_stop_end_a_search():
    assert (
        0 < think(SUBTRACTION, seconds=0.01).iterations < think(SUBTRACTION, iterations=10**6, seconds=0.2).iterations
    )
    stop = threading.Event()
    stop.set()
    assert 0 < think(SUBTRACTION, iterations=10**9, stop=stop).iterations < 10**6


@pytest.mark.parametrize("limits", [{"iterations": 0}, {"seconds": 0.0}, {"threads": 0}, {"rollout": "clever"}])
def test_limits_that_cannot_be_are_refused(limits):
    with pytest.raises(ValueError, match=r"needs at least|is policy or random"):
        think(SUBTRACTION, **limits)


def test_a_seat_that_is_not_due_is_refused():
    with pytest.raises(ValueError, match=r"Seat 1 has nothing to decide\."):
        think(SUBTRACTION, seat=1, iterations=10)


@rule
def one_in_four(box, s, out):
    """Return prospects by which seat 0 wins one game in four if the heap is even; as payoffs, from -1 to 1."""
    out[0], out[1] = -0.5, 0.5
    return s.heap % 2 == 0


def test_what_a_game_says_may_be_expected_is_believed_below_the_tree_and_by_policy_alone():
    mind = SimpleNamespace(**vars(SUBTRACTION.mind), prospects=one_in_four)
    game = replace(SUBTRACTION, mind=mind)
    match = game.new(2)
    state = match.redacted_state(0)
    state["heap"] = 120  # no iteration sees the end of it
    result = SearchBot(game, 1).think(match.box, state, 0, iterations=60)
    assert result.values == (0.25, 0.75)
    # At random it is played to the end, where one of the two has won all.
    result = SearchBot(game, 1).think(match.box, state, 0, iterations=60, rollout="random")
    assert 0.35 < result.values[0] < 0.65
    # And what is in the tree is searched as ever.
    state["heap"] = 6
    result = SearchBot(game, 1).think(match.box, state, 0, iterations=3_000)
    assert result.action == 1
    assert result.best.values[0] > 0.9


# Levels


def test_levels_are_loaded_by_name_and_err_ever_less():
    assert list(LEVELS) == ["beginner", "easy", "normal", "hard", "expert"] == list(bots.names()[2:])
    for name, level in LEVELS.items():
        assert bots.load(name, SUBTRACTION).level is level is LEVELS[name] is level_of(SUBTRACTION, name)
    assert next(iter(LEVELS)) == WEAKEST
    assert strongest(SUBTRACTION, 2) is LEVELS["expert"]
    for lower, higher in itertools.pairwise(LEVELS.values()):
        assert lower.iterations <= higher.iterations
        assert lower.temperature > higher.temperature
        assert lower.slack > higher.slack or higher.temperature == 0.0
    assert LEVELS["expert"].seconds == 2.0
    assert LEVELS["expert"].temperature == 0.0
    for unknown in ("harder", "master"):
        with pytest.raises(KeyError):
            level_of(SUBTRACTION, unknown)


def test_the_document_has_the_levels_there_are():
    text = (Path(__file__).parents[2] / "docs" / "bots.md").read_text("utf-8")
    rows = [
        f"| {level.label} | {level.iterations:,} | "
        f"{f'{level.seconds:g}' if level.seconds else ''} | {level.temperature:g} | "
        f"{f'{level.slack:g}' if level.slack < math.inf else ''} |"
        for level in (*LEVELS.values(), MASTER)
    ]
    assert "\n".join(rows).replace("|  |", "| |") in text


def test_a_level_never_plays_what_looks_worse_than_its_slack():
    """However often it is asked, and although its temperature makes visits count for next to nothing."""
    values = {1: (400, 0.60), 2: (100, 0.57), 3: (100, 0.41), 4: (2, 0.60), 5: (0, 0.60)}
    choices = tuple(Choice(action, visits, visits / 602, (value,)) for action, (visits, value) in values.items())
    result = SearchResult(1, 0, choices, (0.5,), False, 602, 0.0, 1, 10, False)

    def played(slack):
        level, chance = Level("", "", 602, None, 8.0, slack), Random(1)
        return {choose_action(result, level, chance) for _ in range(300)}

    assert played(30.0) == {1, 2, 3}
    assert played(15.0) == {1, 2}
    assert played(1.0) == {1}, "the best looks no worse than itself"


@pytest.mark.parametrize("level", ["beginner", "easy", "normal", "hard", "expert"])
def test_a_level_is_the_same_bot_by_name_and_as_a_class(level):
    game = pyramidion.load("pyramis")
    match = game.new(3, seed=4)
    bots_of_it = [bots.load(level, game, 3), SearchBot(game, 3, level)]
    assert isinstance(bots_of_it[0], SearchBot)
    played = [
        [bot.think(match.box, match.redacted_state(0), 0, iterations=100).action for _ in range(20)]
        for bot in bots_of_it
    ]
    assert played[0] == played[1]
    assert len(set(played[0])) > 1 or level in ("hard", "expert")


def test_a_level_mixes_where_it_must():
    """The throws of rock, paper, scissors, which no slack rules out."""
    match = ROCK_PAPER_SCISSORS.new(2)
    bot = SearchBot(ROCK_PAPER_SCISSORS, 5, Level("", "", 300, None, 1.0, 0.1))
    assert {bot.choose(match.box, match.redacted_state(0), 0) for _ in range(60)} == {0, 1, 2}


# Every game


@pytest.mark.parametrize("name", sorted(pyramidion.all_games()))
@pytest.mark.parametrize("rollout", ["policy", "random"])
def test_every_game_can_be_searched_from_beginning_to_end(name, rollout):
    game = pyramidion.load(name)
    for seats in {game.seats[0], game.seats[-1]}:
        match = game.new(seats, seed=seats)
        bot = SearchBot(game, 1, Level("", "", 6, None, 1.0, rollout=rollout))
        while not match.over:
            seat = match.acting[0]
            match.play(seat, bot.move(match, seat))


def test_a_search_ends_early_when_nothing_left_can_change_the_action():
    match = SUBTRACTION.new(2)
    state = match.redacted_state(0)
    state["heap"] = 6
    whole = think(SUBTRACTION, state=state, iterations=5_000)
    brief = think(SUBTRACTION, state=state, iterations=5_000, early=True)
    assert whole.iterations == 5_000 > 2_000 + brief.iterations
    assert brief.action == whole.action
    visits = sorted((choice.visits for choice in brief.choices), reverse=True)
    assert visits[0] - visits[1] > 5_000 - brief.iterations
    again = think(SUBTRACTION, state=state, iterations=5_000, early=True)
    assert again.choices == brief.choices
    assert again.iterations == brief.iterations
    warm = SearchBot(SUBTRACTION, 1, replace(LEVELS["hard"], iterations=5_000))
    assert warm.think(match.box, state, 0, early=True).iterations == 5_000


def test_one_candidate_that_is_no_number_ends_a_search_early():
    """Who has asked for tickets and challenged somebody in Upside Down confirms, though the parts could be changed."""
    match = pyramidion.load("upside-down").new(10, seed=2)
    while match.view(None)["round"] == 0:
        match.play(match.acting[0], "confirm")
    seat = match.view(None)["spaces"][-1]["seat"]
    for part in ("ask", "challenge"):
        match.play(seat, next(action for action in match.legal(seat) if action.family == part))
    bot, state = SearchBot(match.game, 1), match.redacted_state(seat)
    whole, brief = (bot.think(match.box, state, seat, iterations=6_400, early=early) for early in (False, True))
    assert (whole.iterations, brief.iterations) == (6_400, 200)
    assert len(match.legal(seat)) > 5
    assert match.game.actions[brief.action].text == match.game.actions[whole.action].text == "confirm"


def test_without_a_choice_nothing_is_searched():
    match = SUBTRACTION.new(2)
    state = match.redacted_state(0)
    state["heap"] = 1
    assert think(SUBTRACTION, state=state, early=True).iterations == 1


def test_where_actions_are_mixed_no_search_ends_early():
    assert think(ROCK_PAPER_SCISSORS, iterations=3_000, early=True).iterations == 3_000
    match = HIDDEN_COIN.new(2)
    match.play(0, HIDE.play)
    bot = SearchBot(HIDDEN_COIN, 1)
    result = bot.think(match.box, match.redacted_state(1), 1, iterations=3_000, early=True)
    assert result.mixed
    assert result.iterations == 3_000
