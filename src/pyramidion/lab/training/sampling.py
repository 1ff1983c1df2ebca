"""The compiled loop that samples positions from games between policies, for `positions`."""

from __future__ import annotations

from typing import Any

from pyramidion.engine.entries import due_seat, first_due, open_game, quick_below, weighted
from pyramidion.engine.rule import rule

KEPT = 200
"""Positions kept of every thousand: fewer of one game make a batch more varied, and cost more games."""
STRAYING = 60
"""A game strays from the policy at random decisions, if at all, for at most this many decisions; none of those before
the last stray is kept."""


def make_sampler(rules: Any, mind: Any) -> Any:
    """Return a compiled sampler of positions for one game."""
    setup, legal, apply, payoff = rules.setup, rules.legal, rules.apply, rules.payoff
    policy, facts = mind.policy, mind.facts

    @rule
    def sample(boxes, states, raw, seats, chance, games, limit, ids, weights, got, known, shares):
        """Play games, write positions to `known` (float32[n, facts]), their results to `shares`; return the count.

        `shares` (float32[n, seats + 1]) is in turn order from the seat whose decision is due; the last is nobody's.
        """
        box, s = boxes[0], states[0]
        n = 0
        for _ in range(games):
            open_game(s, raw, seats, chance)
            setup(box, s)
            # A third of the games follows the policy alone, a third strays rarely, and a third often.
            kind, first, decisions = quick_below(chance, 3), n, 0
            straying = 0 if kind == 0 else 100 if kind == 1 else 400
            until = quick_below(chance, STRAYING) if kind else 0
            while s.over == 0 and decisions < limit:
                if decisions >= until and n < known.shape[0] and quick_below(chance, 1000) < KEPT:
                    seat = first_due(s, 0)
                    known[n] = 0.0
                    facts(box, s, seat, known[n])
                    shares[n, 0] = seat
                    n += 1
                seat = due_seat(s, chance)
                if decisions < until and quick_below(chance, 1000) < straying:
                    action = ids[quick_below(chance, legal(box, s, seat, ids))]
                else:
                    count = policy(box, s, seat, ids, weights)
                    action = ids[weighted(weights, count, chance)]
                s.ply += 1
                s.event_count = 0
                apply(box, s, seat, action)
                decisions += 1
            payoff(box, s, got)
            for i in range(first, n):
                seat, left = int(shares[i, 0]), 1.0
                for k in range(seats):
                    share = got[(seat + k) % seats]
                    shares[i, k] = share
                    left -= share
                shares[i, seats] = left
        return n

    return sample
