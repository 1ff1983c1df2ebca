"""Helpers of the tests in `test_mind.py`, which other tests use, too."""

from __future__ import annotations

import hashlib
import json
import os

import numpy as np
from tests.games.ponzi_scheme.positions import GAME

from pyramidion.engine.game import chance_words
from pyramidion.engine.layout import SPECTATOR


def mind_of(match, seat, state=None):
    """Return what policy and observation compute for a state: candidate ids, their weights, the observation."""
    state = match.redacted_state(seat) if state is None else state
    ids, weights = np.zeros(len(GAME.actions), np.int32), np.zeros(len(GAME.actions))
    seen = np.full(GAME.observation.size, np.nan, np.float32)
    count = GAME.compiled.policy(match.box, state, seat, ids, weights)
    GAME.compiled.observe(match.box, state, seat, seen)
    return ids[:count].tolist(), weights[:count].tolist(), seen


def redealt(match, viewer, seed):
    world = match.redacted_state(viewer)
    GAME.compiled.redeal(match.box, world, viewer, chance_words(seed))
    return world


PLIES = (0, 7, 23, 40, 61)


def digests():
    """What redeal, policy and observation give for some positions."""
    found = []
    for record_of in json.loads(os.environ["MIND_RECORDS"]):
        whole = type(GAME.new()).from_record(record_of)
        for ply in (*PLIES, whole.ply - 1):
            match = whole.at(min(ply, whole.ply - 1))
            for seat in (*match.acting, (match.acting[0] + 1) % match.seats, SPECTATOR):
                digest = hashlib.sha256(redealt(match, seat, ply).tobytes())
                if seat in match.acting:
                    ids, weights, seen = mind_of(match, seat)
                    digest.update(np.array(ids).tobytes() + np.round(weights, 9).tobytes() + seen.tobytes())
                found.append(digest.hexdigest())
    return found
