"""Tests for every game that an undoable action has revealed nothing, and that the offer reveals nothing either."""

import random

import numpy as np
import pytest

import pyramidion
from pyramidion.engine.game import chance_words
from pyramidion.engine.layout import SPECTATOR
from pyramidion.engine.takeback import is_open, reveals_nothing

PLIES = 160


@pytest.mark.slow
@pytest.mark.parametrize("game_id", sorted(pyramidion.all_games()))
def test_what_can_be_taken_back_was_known_and_the_same_in_every_world_of_every_viewer(game_id):
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
        # Everybody sees that something was taken back; that it could be must not depend on what is hidden from them.
        for viewer in (SPECTATOR, *range(match.seats)):
            deal = before.redacted_state(viewer)
            game.compiled.redeal(match.box, deal, viewer, chance_words(number + 1))
            world = before.with_state(deal)
            try:
                world.play(seat, action)
            except pyramidion.IllegalAction:
                continue
            if world.redacted_state(viewer).tobytes() == match.redacted_state(viewer).tobytes():
                assert reveals_nothing(world) == fair, (viewer, action)
