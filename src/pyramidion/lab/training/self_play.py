"""Compiled games of a learned policy: against itself, for the policy gradient, and against a game's own policy."""

from __future__ import annotations

from typing import Any

from pyramidion.bots.learned_policy import make_learned_policy
from pyramidion.engine.entries import due_seat, open_game, weighted
from pyramidion.engine.rule import rule


def make_gradient(rules: Any, mind: Any) -> Any:
    """Return the compiled loop for one game."""
    setup, apply, payoff = rules.setup, rules.apply, rules.payoff
    choose = make_learned_policy(mind.features)

    @rule
    def gradient(boxes, states, raw, seats, chance, games, limit, ids, weights, got, taught, tracks, slope):
        """Play games in which every seat plays by `taught`, and add to `slope` (float64[features]).

        REINFORCE (Williams 1992): each seat's score function, kept in `tracks` (float64[seats, features]), times its
        payoff less an even share. Returns the number of decisions.
        """
        box, s, decisions = boxes[0], states[0], 0
        for _ in range(games):
            open_game(s, raw, seats, chance)
            setup(box, s)
            tracks[:] = 0.0
            plies = 0
            while s.over == 0 and plies < limit:
                seat = due_seat(s, chance)
                n = choose(box, s, seat, ids, weights, taught)
                chosen = weighted(weights, n, chance)
                if n > 1:
                    total = 0.0
                    for i in range(n):
                        total += weights[i]
                    for i in range(n):
                        share = (1.0 if i == chosen else 0.0) - weights[i] / total
                        k = 0
                        while taught.where[i, k] >= 0:
                            tracks[seat, taught.where[i, k]] += share * taught.much[i, k]
                            k += 1
                s.ply += 1
                s.event_count = 0
                apply(box, s, seat, ids[chosen])
                plies += 1
            decisions += plies
            if s.over:
                payoff(box, s, got)
                for seat in range(seats):
                    gain = got[seat] - 1.0 / seats
                    for f in range(slope.shape[0]):
                        slope[f] += gain * tracks[seat, f]
        return decisions

    return gradient


def make_match_up(rules: Any, mind: Any) -> Any:
    """Return the compiled loop that plays a learned policy in one seat against a game's own policy in the others."""
    setup, apply, payoff, policy = rules.setup, rules.apply, rules.payoff, mind.policy
    choose = make_learned_policy(mind.features)

    @rule
    def match_up(boxes, states, raw, seats, chance, games, limit, ids, weights, got, taught):
        """Return the sum of the learned policy's payoffs; it sits in each seat in turn."""
        box, s, sum_of = boxes[0], states[0], 0.0
        for game in range(games):
            open_game(s, raw, seats, chance)
            setup(box, s)
            plies = 0
            while s.over == 0 and plies < limit:
                seat = due_seat(s, chance)
                if seat == game % seats:
                    n = choose(box, s, seat, ids, weights, taught)
                else:
                    n = policy(box, s, seat, ids, weights)
                action = ids[weighted(weights, n, chance)]
                s.ply += 1
                s.event_count = 0
                apply(box, s, seat, action)
                plies += 1
            if s.over:
                payoff(box, s, got)
                sum_of += got[game % seats]
        return sum_of

    return match_up
