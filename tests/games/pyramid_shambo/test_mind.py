"""The policy: throws that nobody can predict, payments and challenges that make sense; what is redealt and observed."""

import random
from collections import Counter

import numpy as np
import pytest
from tests.games.pyramid_shambo.positions import BEATEN, GAME, choices, lose, play, position, tie, win

from pyramidion import bots
from pyramidion.engine.layout import as_bytes, record
from pyramidion.games.pyramid_shambo import mind
from pyramidion.games.pyramid_shambo.layout import CHALLENGE
from pyramidion.lab.statistics.intervals import wilson

THROWS = ("rock", "paper", "scissors")
BEATS = {loses: wins for wins, loses in BEATEN.items()}


def weights(table, seat=None):
    """The policy's candidates of a seat, by notation, as shares of 1."""
    seat = table.acting[0] if seat is None else seat
    ids, found = np.zeros(len(GAME.actions), np.int32), np.zeros(len(GAME.actions))
    count = GAME.compiled.policy(table.box, table.redacted_state(seat), seat, ids, found)
    return {GAME.actions[int(ids[i])].text: found[i] / found[:count].sum() for i in range(count)}


@pytest.mark.parametrize("ties", [0, 1, 7])
def test_throws_are_uniform_whatever_has_been_thrown(ties):
    table = tie(play(position(4), "challenge 1"), ties)
    for seat in (0, 1):
        assert weights(table, seat) == pytest.approx({f"throw {throw}": 1 / 3 for throw in THROWS})


def counter_of(seen):
    """The throw that beats what has been seen most."""
    return BEATS[max(THROWS, key=lambda throw: seen[throw])]


def markov_counter(history, after):
    """The throw that beats what most often came after the last throw."""
    return counter_of(after[history[-1]]) if history else "rock"


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["frequency", "habit"])
def test_a_counter_wins_no_more_than_chance_against_the_policy(kind):
    bot = bots.load("policy", GAME, seed=7)
    seen, after, history, won, decided = Counter(), {throw: Counter() for throw in THROWS}, [], 0, 0
    for n in range(1500):
        table = play(position(3, seed=n), "challenge 1")
        while table.view(None)["phase"] == "throw":
            thrown = str(bot.move(table, 1)).split()[1]
            table.play(1, f"throw {thrown}")
            table.play(0, f"throw {counter_of(seen) if kind == 'frequency' else markov_counter(history, after)}")
            seen[thrown] += 1
            if history:
                after[history[-1]][thrown] += 1
            history.append(thrown)
        decided += 1
        won += table.view(None)["reveal"]["winner"] == 0
    low, high = wilson(won / decided, decided)
    assert low < 0.5 < high
    assert max(seen.values()) / sum(seen.values()) < 0.37


def test_the_counter_does_beat_a_player_with_a_habit():
    seen, won, chance = Counter(), 0, random.Random(1)
    for _ in range(600):
        thrown = chance.choices(THROWS, [5, 3, 2])[0]
        won += (counter_of(seen) == BEATS[thrown]) - (BEATEN[thrown] == counter_of(seen))
        seen[thrown] += 1
    assert won > 60


def test_whoever_can_be_knocked_out_is_challenged():
    table = position(5, {0: "a1 a2 a3", 1: "b1", 2: "b2 b3 c1", 3: "*", 4: "e1 e2"})
    assert weights(table)["challenge 1"] > 0.9


def test_not_if_too_much_would_leave_with_them():
    table = position(3, {0: "a1 b1 b2 b3", 1: "c1", 2: "*"})
    assert weights(table)["challenge 2"] > weights(table)["challenge 1"]


def test_the_payer_keeps_the_own_colour_and_those_of_the_strong():
    table = lose(position(4, {0: "a1 b1 c1", 1: "d1", 2: "*", 3: "d2 d3"}), 2)
    found = weights(table)
    assert max(found, key=found.get) == "pay b1"
    assert min(found, key=found.get) == "pay a1"


def test_the_winner_takes_the_own_colour():
    table = win(position(4, {0: "b1 b2", 1: "a1 c1 d1", 2: "*", 3: "d2"}), 1)
    found = weights(table)
    assert max(found, key=found.get) == "pay a1"


def test_change_is_given_in_doubtful_colours():
    table = win(position(4, {0: "a1 d1 b2", 1: "b3 a2 c2", 2: "*", 3: "d3"}), 1)
    play(table, "pay b3" if "b3" in choices(table) else "pay a2")
    found = weights(table)
    assert "change a1" not in found or found["change a1"] < 0.5


@pytest.mark.parametrize("seats", [3, 4, 5, 6, 8, 10])
def test_the_policy_wins_more_than_its_share_among_random_seats(seats):
    games = 10_000
    state, totals = GAME.layout.new(), np.zeros((3, seats))
    box = GAME.make_box(GAME.accept_options({}))
    size = len(GAME.actions)
    GAME.compiled.policy_playouts(
        box,
        state,
        as_bytes(state),
        seats,
        1,
        np.array([seats], np.uint64),
        games,
        GAME.longest(seats),
        np.zeros(size, np.int32),
        np.zeros(size),
        np.zeros(seats),
        totals,
    )
    assert totals[2, 1] == games
    assert wilson(totals[0, 0] / games, games)[0] > 1 / seats


def prospects(table):
    """What every seat may expect, as the game says it; None where it does not."""
    found, state = np.zeros(GAME.layout.max_seats), table.state_copy()
    return found[: table.seats] if mind.prospects(record(table.box), record(state), found) else None


@pytest.mark.slow
def test_prospects_are_what_games_of_policies_bring():
    """Of the seats that may expect so much between turns, about so many win."""
    seats, ids, weights = 5, np.zeros(len(GAME.actions), np.int32), np.zeros(len(GAME.actions))
    chance, said, won = np.random.default_rng(seats), [], []
    for seed in range(150):
        table, before = GAME.new(seats, f"prospects {seed}"), len(said)
        while not table.over:
            told, state = prospects(table), table.state_copy()
            assert (told is None) == (state["phase"][0] != CHALLENGE)
            if told is not None:
                assert told.sum() == pytest.approx(1.0)
                assert ((told > 0) == (state["out_at"][0, :seats] == 0)).all()
                said.append(told)
            count = GAME.compiled.policy(table.box, state, table.acting[0], ids, weights)
            table.play(table.acting[0], int(chance.choice(ids[:count], p=weights[:count] / weights[:count].sum())))
        won += [table.outcome.payoffs] * (len(said) - before)
    said, won = np.array(said), np.array(won)
    alike = np.where(said > 0, 1 / (said > 0).sum(axis=1, keepdims=True), 0)
    assert np.mean((said - won) ** 2) < 0.98 * np.mean((alike - won) ** 2)
    for low in np.arange(0.0, 0.8, 0.2):
        among = (said > low) & (said <= low + 0.2)
        assert won[among].mean() == pytest.approx(said[among].mean(), abs=0.1)


def test_foreign_pips_are_worth_less_the_fewer_their_owner_holds():
    equal = prospects(position(4))
    assert equal == pytest.approx([0.25] * 4)
    table = position(4, {0: "a1 a2 b3", 1: "b1", 2: "c1 c2 d3", 3: "d1 d2 c3 b2 a3"})
    told = prospects(table)
    assert told[2] > told[0]


def test_a_redeal_knows_no_throw_and_none_has_been_made():
    table = play(position(3), "challenge 1")
    table.play(1, "throw paper")
    world = table.redacted_state(0)
    GAME.compiled.redeal(table.box, world, 0, np.arange(4, dtype=np.uint64))
    assert not world["throw"][0].any()
    assert world["submitted"][0] == 0


def test_the_observation_turns_with_the_seat():
    one, two = position(4, active=1), position(4, active=3)
    seen = []
    for table, seat in ((one, 1), (two, 3)):
        out = GAME.observation.new()
        GAME.compiled.observe(table.box, table.redacted_state(seat), seat, out)
        seen.append(out)
    assert (seen[0] == seen[1]).all()
    assert seen[0].any()
