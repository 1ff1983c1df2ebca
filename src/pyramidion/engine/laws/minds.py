"""Laws of minds: observations and policies use nothing hidden, and stay within their bounds."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyramidion.engine.game import Game, chance_words
from pyramidion.engine.random_games import RandomGame
from pyramidion.engine.ranges import observed_range, out_of_bounds
from pyramidion.engine.rule import INTERPRETED

OBSERVATIONS = 200 if INTERPRETED else 20_000
"""How many observations of each kind of play `observations_stay_in_bounds` looks at: a fault in one of 300 is
met for certain."""


def minds_use_what_they_see(trial: RandomGame) -> None:
    """Check that a seat's observation and policy do not depend on what it cannot see, and are within bounds.

    They are equal on the full state, the redacted state and a redeal. Observations stay within the bounds of their
    declaration, and policies propose legal actions with positive weights.
    """
    game, law = trial.match.game, "minds_use_what_they_see"
    for ply in trial.some_plies(12):
        match = trial.match.at(ply)
        for seat in range(match.seats):
            box, redacted = match.box_for(seat), match.redacted_state(seat)
            world = redacted.copy()
            game.compiled.redeal(box, world, seat, chance_words(trial.chance.getrandbits(64)))
            expected = _mind_of(game, box, redacted, seat, seat in match.acting)
            # On purpose a full state, which no type checker lets pass elsewhere.
            full: Any = match.state_copy()
            for what, others_box, state in (("state", match.box, full), ("redeal", box, world)):
                same = _mind_of(game, others_box, state, seat, seat in match.acting) == expected
                trial.require(same, law, ply, f"seat {seat}'s mind reads secrets: it differs in the full {what}")
            seen = match.observation(seat)
            trial.require(seen.tobytes() == expected[0], law, ply, f"match.observation({seat}) differs")
            trial.require(bool(np.isfinite(seen).all()), law, ply, "the observation is not finite")
            wrong = np.flatnonzero((seen < game.observation.low) | (seen > game.observation.high))
            for part in game.observation.values():
                outside = [float(seen[n]) for n in wrong if part.offset <= n < part.offset + part.size]
                trial.require(not outside, law, ply, f"{part.name} is out of bounds: {outside}")
            if seat in match.acting:
                _, ids, weights = expected
                legal = set(match.legal_ids(seat).tolist())
                trial.require(bool(ids) and set(ids) <= legal, law, ply, f"{ids} is not legal")
                trial.require(all(w > 0 for w in weights), law, ply, "a weight is not positive")


def _mind_of(game: Game, box: Any, state: Any, seat: int, acts: bool) -> tuple[bytes, list[int], list[float]]:
    """Return the bytes of a seat's observation of a state and, if it `acts`, the ids and weights of its policy."""
    seen, ids, weights = game.observation.new(), np.zeros(len(game.actions), np.int32), np.zeros(len(game.actions))
    game.compiled.observe(box, state, seat, seen)
    count = game.compiled.policy(box, state, seat, ids, weights) if acts else 0
    return seen.tobytes(), ids[:count].tolist(), weights[:count].tolist()


def observations_stay_in_bounds(trial: RandomGame) -> None:
    """Check that observations stay in finite bounds in many more games with the seats and options of this one."""
    game, match, law = trial.match.game, trial.match, "observations_stay_in_bounds"
    finite = bool(np.isfinite(game.observation.low).all() and np.isfinite(game.observation.high).all())
    trial.require(finite, law, 0, "a bound is not finite")
    for by_policy in (False, True):
        count = 0
        while count < OBSERVATIONS:
            seed = trial.chance.getrandbits(63)
            low, high, observed = observed_range(
                game, match.seats, match.options, games=10, seed=seed, by_policy=by_policy
            )
            outside = out_of_bounds(game, low, high)
            trial.require(not outside, law, 0, f"{outside} in games of the seed {seed}")
            count += observed
