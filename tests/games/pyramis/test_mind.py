"""What the game's mind does: the policy's plain choices, the observation, and that it wins."""

import numpy as np
import pytest
from tests.games.pyramis.positions import GAME, position, showing

from pyramidion.engine.layout import as_bytes
from pyramidion.lab.statistics.intervals import wilson


def weights(match, seat):
    """The policy's candidates with their share of all weight."""
    ids, values = np.zeros(len(GAME.actions), np.int32), np.zeros(len(GAME.actions))
    count = GAME.compiled.policy(match.box, match.redacted_state(seat), seat, ids, values)
    return {
        str(GAME.actions[int(i)]): w / values[:count].sum() for i, w in zip(ids[:count], values[:count], strict=True)
    }


def test_it_takes_the_better_card():
    # 45 shows 4 Pyramids, 12 and 15 none.
    chosen = weights(position(river=[12, 45, 15]), 0)
    assert sum(w for text, w in chosen.items() if text.startswith("place 2")) > 0.95


def test_it_turns_the_card_that_gains_most():
    fleets = {0: {"a1": 22, "a2": 21, "a3": 25}, 1: {"a1": 20}}
    table = showing(["green"], fleets=fleets, tops=(None, 34), river=[4, 5, 6])
    chosen = weights(table, 0)
    assert max(chosen, key=chosen.get) == "rotate a2"


def test_it_refills_so_that_a_good_turn_comes():
    # The right back shows green; refilling from the left may pair with it. A green card gains 2 when turned.
    good = position(phase="refill", fleets={0: {"a1": 21}, 1: {"a1": 25}}, tops=(11, 34), river=[4, 5, 6])
    bad = position(phase="refill", fleets={0: {"a1": 22}, 1: {"a1": 25}}, tops=(11, 34), river=[4, 5, 6])
    assert weights(good, 0)["refill left"] > weights(bad, 0)["refill left"]


def test_the_observation_has_its_documented_length_and_range():
    match = position(3, filler={0: 4, 1: 5, 2: 4}, hands={0: [1]})
    seen = np.full(GAME.observation.size, np.nan, np.float32)
    GAME.compiled.observe(match.box, match.redacted_state(0), 0, seen)
    assert np.isfinite(seen).all()
    assert seen.min() >= 0
    assert seen.max() <= 2


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_one_policy_seat_wins_far_more_than_its_share_of_random_ones(seats):
    box, state, games = GAME.make_box(GAME.accept_options({})), GAME.layout.new(), 900
    won = 0.0
    for seat in range(seats):
        totals = np.zeros((3, seats))
        GAME.compiled.policy_playouts(
            box,
            state,
            as_bytes(state),
            seats,
            1 << seat,
            np.array([seat + 1], np.uint64),
            games // seats,
            GAME.longest(seats),
            np.zeros(len(GAME.actions), np.int32),
            np.zeros(len(GAME.actions)),
            np.zeros(seats),
            totals,
        )
        won += totals[0, seat]
    assert wilson(won / games, games)[0] > 1 / seats + 0.25
