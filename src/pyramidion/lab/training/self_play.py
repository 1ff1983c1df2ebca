"""Compiled games of a learned policy: against itself, for the policy gradient, and against a game's own policy."""

from __future__ import annotations

from typing import Any

from pyramidion.bots.learned_policy import make_learned_policy
from pyramidion.engine.entries import due_seat, open_game, weighted
from pyramidion.engine.rule import rule


def make_policy_gradient(rules: Any, mind: Any) -> Any:
    """Return the compiled loop in which a learned policy plays against itself and its gradient is computed."""
    setup, apply, payoff = rules.setup, rules.apply, rules.payoff
    choose = make_learned_policy(mind.features)

    @rule
    def policy_gradient(
        boxes, states, raw, seats, chance, games, limit, ids, weights, payoffs, learned, eligibilities, gradient,
        even, factor,
    ):  # fmt: skip
        """Play games in which every seat plays by `learned`, and add to `gradient` (float64[features]).

        REINFORCE (R. J. Williams, "Simple Statistical Gradient-Following Algorithms for Connectionist Reinforcement
        Learning", 1992): each seat's `eligibilities` (float64[seats, features]), the summed gradients of the logarithms
        of its choices' probabilities, times `factor` times its payoff less `even`, that of a seat among equals. Returns
        the number of decisions.
        """
        box, s, decisions = boxes[0], states[0], 0
        for _ in range(games):
            open_game(s, raw, seats, chance)
            setup(box, s)
            eligibilities[:] = 0.0
            plies = 0
            while s.over == 0 and plies < limit:
                seat = due_seat(s, chance)
                count = choose(box, s, seat, ids, weights, learned)
                chosen = weighted(weights, count, chance)
                if count > 1:
                    total = 0.0
                    for i in range(count):
                        total += weights[i]
                    for i in range(count):
                        share = (1.0 if i == chosen else 0.0) - weights[i] / total
                        k = 0
                        while learned.indices[i, k] >= 0:
                            eligibilities[seat, learned.indices[i, k]] += share * learned.values[i, k]
                            k += 1
                s.ply += 1
                s.event_count = 0
                apply(box, s, seat, ids[chosen])
                plies += 1
            decisions += plies
            if s.over:
                payoff(box, s, payoffs)
                for seat in range(seats):
                    gain = factor * (payoffs[seat] - even)
                    for f in range(gradient.shape[0]):
                        gradient[f] += gain * eligibilities[seat, f]
        return decisions

    return policy_gradient


def make_match_up(rules: Any, mind: Any) -> Any:
    """Return the compiled loop that plays a learned policy in one seat against a game's own policy in the others."""
    setup, apply, payoff, policy = rules.setup, rules.apply, rules.payoff, mind.policy
    choose = make_learned_policy(mind.features)

    @rule
    def match_up(boxes, states, raw, seats, chance, games, limit, ids, weights, payoffs, learned):
        """Play games with the learned policy in each seat in turn, and return the sum of its payoffs."""
        box, s, total = boxes[0], states[0], 0.0
        for game in range(games):
            open_game(s, raw, seats, chance)
            setup(box, s)
            plies = 0
            while s.over == 0 and plies < limit:
                seat = due_seat(s, chance)
                if seat == game % seats:
                    count = choose(box, s, seat, ids, weights, learned)
                else:
                    count = policy(box, s, seat, ids, weights)
                action = ids[weighted(weights, count, chance)]
                s.ply += 1
                s.event_count = 0
                apply(box, s, seat, action)
                plies += 1
            if s.over:
                payoff(box, s, payoffs)
                total += payoffs[game % seats]
        return total

    return match_up
