"""For every game: what can be taken back had taught nobody anything, and the offer of it tells nothing either."""

import random

import numpy as np
import pytest

import pyramidion
from pyramidion.engine.game import chance_words
from pyramidion.web.host.undoing import is_open, reveals_nothing

PLIES = 40


@pytest.mark.parametrize("game_id", sorted(pyramidion.all_games()))
def test_what_can_be_taken_back_was_known_and_the_same_in_every_world_of_whoever_acted(game_id):
    game, chance = pyramidion.load(game_id), random.Random(game_id)
    match = game.new(game.usual_seats, 5)
    game.warm()
    for number in range(PLIES):
        if match.over:
            break
        before, seat = match.at(match.ply), chance.choice(match.acting)
        action = chance.choice(match.legal(seat))
        match.play(seat, action)
        fair = reveals_nothing(match)
        if fair:
            assert is_open(before)
            assert is_open(match)
            assert np.array_equal(before.state_copy()["rng"], match.state_copy()["rng"])
        # Whoever acted sees whether it is offered; that must not depend on what is hidden from them.
        world = before.at(before.ply)
        world._state = before.redacted_state(seat).copy()
        game.compiled.redeal(match.box, world._state, seat, chance_words(number + 1))
        world._snapshots[-1] = world._state.tobytes()
        try:
            world.play(seat, action)
        except pyramidion.IllegalAction:
            continue
        if world.redacted(seat) == match.redacted(seat):
            assert reveals_nothing(world) == fair, action
