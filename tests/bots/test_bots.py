"""Tests of the bots: legal, reproducible, blind to hidden information, and thread-safe."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

import pyramidion
from pyramidion import bots


@pytest.fixture(params=sorted(pyramidion.all_games()))
def game(request):
    return pyramidion.load(request.param)


@pytest.mark.parametrize("name", ["random", "policy"])
def test_a_bot_plays_whole_games_with_legal_actions(game, name):
    for seats in game.seats:
        match = game.new(seats, seed=seats)
        bot = bots.load(name, game, seed=1)
        while not match.over:
            seat = match.acting[0]
            match.play(seat, bot.move(match, seat))


@pytest.mark.parametrize("name", ["random", "policy"])
def test_the_same_seed_plays_the_same_game(game, name):
    records = []
    for seed in (5, 5, 6):
        match, bot = game.new(seed=1), bots.load(name, game, seed=seed)
        while not match.over:
            match.play(match.acting[0], bot.move(match, match.acting[0]))
        records.append(match.record())
    assert records[0] == records[1]
    assert records[0] != records[2]


@pytest.mark.parametrize("name", ["random", "policy"])
def test_without_a_seed_two_bots_differ(game, name):
    assert bots.load(name, game).chance.random() != bots.load(name, game).chance.random()


@pytest.mark.parametrize("name", ["random", "policy"])
def test_choosing_changes_neither_the_match_nor_the_state_given(game, name):
    match = game.new(seed=3)
    seat = match.acting[0]
    state = match.redacted_state(seat)
    before = state.tobytes(), match.state_copy().tobytes()
    bots.load(name, game, seed=1).choose(match.box, state, seat)
    assert (state.tobytes(), match.state_copy().tobytes()) == before


@pytest.mark.parametrize("name", ["random", "policy"])
def test_one_bot_serves_many_threads(game, name):
    match = game.new(seed=3)
    seat = match.acting[0]
    legal = set(match.legal_ids(seat).tolist())
    bot = bots.load(name, game, seed=1)
    with ThreadPoolExecutor(4) as pool:
        chosen = list(pool.map(lambda _: bot.move(match, seat).id, range(500)))
    assert set(chosen) <= legal


def test_the_random_bot_takes_every_legal_action_about_equally_often(game):
    match = game.new(seed=3)
    seat = match.acting[0]
    bot = bots.load("random", game, seed=1)
    counts = Counter(bot.move(match, seat).id for _ in range(3000))
    legal = match.legal_ids(seat).tolist()
    assert sorted(counts) == legal
    assert max(counts.values()) < 2 * min(counts.values())


@pytest.mark.parametrize("name", ["random", "policy"])
def test_a_seat_with_nothing_to_decide_is_refused_with_a_sentence(game, name):
    match = game.new(seed=3)
    # A spectator, in a game in which everybody has to decide first.
    idle = next((seat for seat in range(match.seats) if seat not in match.acting), -1)
    with pytest.raises(ValueError, match=rf"Seat {idle} has nothing to decide\."):
        bots.load(name, game).move(match, idle)


def test_an_unknown_bot_is_refused_naming_those_there_are(game):
    *first, last = bots.names(game)
    assert {*first, last} >= {"random", "policy", "easy", "normal", "hard", "expert"}
    with pytest.raises(ValueError, match=rf"There is no bot 'deep-blue'; there are {', '.join(first)} and {last}\."):
        bots.load("deep-blue", game)
