"""How Pyramid Scheme plays: strength of the policy, and what happens in many games of policy players.

    python -m tests.games.pyramid_scheme.report [GAMES]

Prints, for each number of seats, how often one policy seat wins among random ones (10,000 games, with 95 % Wilson
intervals), and over GAMES (100,000) games of policy players alone: length, wins by seat, goals, rewards and endings.
"""

from __future__ import annotations

import numpy as np
from tests.games.reporting import buffers, main, spread, table, with_interval

import pyramidion
from pyramidion.engine.entries import due_seat, open_game, weighted
from pyramidion.engine.rule import rule
from pyramidion.games.pyramid_scheme.elimination import payoff
from pyramidion.games.pyramid_scheme.layout import EVENTS, GOALS, NO_REWARD, OPEN_GOALS, REWARDED, REWARDS
from pyramidion.games.pyramid_scheme.policy import policy
from pyramidion.games.pyramid_scheme.rules import apply, setup

GAME = pyramidion.load("pyramid-scheme")
FLIPPED, RESHUFFLED, LOST, OUT, RESET = EVENTS.flipped, EVENTS.reshuffled, EVENTS.lost, EVENTS.out, EVENTS.reset


@rule
def play_many(boxes, states, raw, seats, chance, games, limit, buffer, weights, payoffs, counts, wins):
    """Play games of policy players; add what happens to `counts` and payoffs to `wins`.

    `counts` (int64[6, 128]): row 0 totals, row 1 goals in play, row 2 goals claimed, row 3 rewards by 3 * kind + what
    became of it, row 4 turns, row 5 endings by 2 * (4.3) + several winners, and outs by rule at 10 and 11.
    """
    box, s = boxes[0], states[0]
    for _ in range(games):
        open_game(s, raw, seats, chance)
        setup(box, s)
        decisions, largest = 0, 0
        while s.over == 0 and decisions < limit:
            seat = due_seat(s, chance)
            n = policy(box, s, seat, buffer, weights)
            action = buffer[weighted(weights, n, chance)]
            counts[0, 4] = max(counts[0, 4], n)
            if s.phase == REWARDED:
                counts[3, 3 * s.reward + (2 if action == buffer[n - 1] else 1)] += 1
            s.ply += 1
            s.event_count = 0
            apply(box, s, seat, action)
            decisions += 1
            for i in range(s.event_count):
                code = s.event_code[i]
                if code == FLIPPED:
                    rule_number = s.event_rule[i]
                    card = s.event_args[i, 1]
                    counts[0, 1] += 1
                    if box.reward[card] != NO_REWARD and (rule_number == 601 or rule_number == 702):
                        counts[3, 3 * box.reward[card]] += 1
                elif code == RESHUFFLED:
                    counts[0, 2] += 1
                elif code == RESET:
                    counts[0, 3] += 1
                elif code == OUT:
                    counts[5, 10 if s.event_rule[i] == 302 else 11] += 1
            for p in range(seats):
                largest = max(largest, s.pile_count[p])
        counts[0, 0] += decisions
        counts[0, 5] = max(counts[0, 5], largest)
        counts[4, min(127, (s.turn_number + seats - 1) // seats)] += 1
        for i in range(OPEN_GOALS):
            counts[1, s.goals[i]] += 1
            counts[2, s.goals[i]] += int(s.claimed[i] != 0)
        payoff(box, s, payoffs)
        winners = 0
        for p in range(seats):
            wins[p] += payoffs[p]
            winners += int(payoffs[p] > 0)
            wins[seats] += payoffs[p] * (p == s.start_seat)
        counts[5, 2 * int(s.ending == 403) + int(winners > 1)] += 1


def played(seats: int, games: int, seed: int, **options: object):
    """Return (counts, wins) of `games` games; wins[seats] are those of the start seat."""
    counts, wins = np.zeros((6, 128), np.int64), np.zeros(5)
    limit, chance = GAME.longest(seats), np.array([seed], np.uint64)
    play_many(*table(GAME, **options), seats, chance, games, limit, *buffers(GAME), counts, wins)
    return counts, wins


def habits(seats: int, games: int) -> None:
    """Print what happens in games of policy players."""
    counts, wins = played(seats, games, 99)
    print(f"{seats} seats, {games} games of policy players")
    print(
        f"  {spread(counts[4], 'rounds')}, decisions {counts[0, 0] / games:.0f}, "
        f"widest {counts[0, 4]}, largest pyramid {counts[0, 5]}"
    )
    print(
        "  wins by seat "
        + ", ".join(f"{w / games:.1%}" for w in wins[:seats])
        + f"; the start seat {with_interval(wins[seats], games)}"
    )
    ends = counts[5]
    print(
        f"  last one standing {ends[0] / games:.2%}; exhausted {(ends[2] + ends[3]) / games:.2%}, of these shared "
        f"{ends[3] / max(1, ends[2] + ends[3]):.1%}; out by 3.2 {ends[10] / max(1, ends[10] + ends[11]):.1%}, by 9.2 "
        f"{ends[11] / max(1, ends[10] + ends[11]):.1%}"
    )
    print(
        f"  flips {counts[0, 1] / games:.1f}, resets {counts[0, 3] / games:.2f}, reshuffles {counts[0, 2] / games:.2f}"
    )
    for goal, name in enumerate(GOALS):
        print(f"  goal {name:24s} claimed in {counts[2, goal] / max(1, counts[1, goal]):6.1%} of the games it is in")
    for reward in range(1, len(REWARDS)):
        got, used, declined = (counts[3, 3 * reward + i] / games for i in range(3))
        print(
            f"  reward {REWARDS[reward]:15s} {got:5.2f} a game, choices {used:5.2f}, declined or ended {declined:5.2f}"
        )


if __name__ == "__main__":
    main(GAME, habits)
