# pyright: basic
"""How well games that policies play out predict the results of games between Experts.

    python benchmarks/studies/predictions.py ponzi-scheme [learned-4.npz ...] [--times 1 2]
        [--games 90] [--iterations 1000]

Plays games between Experts with this limit a decision. From every eighth decision on, each policy plays out games: over
deals of what the deciding seat cannot see, as in a search, and over the true holdings. The table shows the log loss of
the result, with the share of these games that each seat wins as its chance, and how much it differs from that of the
policy written by hand, with the standard error over games. `--times` multiplies the coefficients of learned policies:
the larger, the surer they are.

A policy that predicts better than the one written by hand may still play worse; it is the policy that a search needs.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import Any

import numpy as np

import pyramidion
from pyramidion.bots.learned import read_learned, usual_box
from pyramidion.bots.learned_policy import NO_POLICY, policy_arrays, policy_rule
from pyramidion.engine import registry
from pyramidion.engine.entries import due_seat, weighted
from pyramidion.engine.game import Game, chance_words
from pyramidion.engine.layout import as_bytes
from pyramidion.engine.rule import rule
from pyramidion.lab.training.habit_counts import game_between_experts

EVERY, DEALS, FROM_A_DEAL = 8, 20, 10


def make_playouts(game: Game, learned: bool) -> Any:
    """Return a compiled loop that plays games out from a position by the policy of a game, or a learned one."""
    apply, payoff, choose = game.rules.apply, game.rules.payoff, policy_rule(game.mind, learned)

    @rule
    def play_out(boxes, states, raw, first, games, limit, words, chance, ids, weights, payoffs, learned, wins):
        """Add the wins of `games` games from the position `first` (uint8) to `wins` (float64[seats])."""
        box, s = boxes[0], states[0]
        for n in range(games):
            for i in range(raw.shape[0]):
                raw[i] = first[i]
            for i in range(4):
                s.rng[i] = words[n, i]
            plies = 0
            while s.over == 0 and plies < limit:
                seat = due_seat(s, chance)
                count = choose(box, s, seat, ids, weights, learned)
                s.ply += 1
                s.event_count = 0
                apply(box, s, seat, ids[weighted(weights, count, chance)])
                plies += 1
            payoff(box, s, payoffs)
            for p in range(wins.shape[0]):
                wins[p] += max(0.0, payoffs[p])

    return play_out


class Policy:
    """Plays games out by a policy: a game's own, or a learned one with its coefficients multiplied."""

    def __init__(self, game: Game, name: str, coefficients: Any = None) -> None:
        self.name, self._game, self._actions = name, game, len(game.actions)
        self._loop = make_playouts(game, coefficients is not None)
        self._learned = NO_POLICY if coefficients is None else policy_arrays(game.mind, coefficients, self._actions)

    def wins(self, state: Any, seats: int, games: int, seed: int) -> Any:
        """Play games out from a position; return how many each seat wins, float64[seats]."""
        game, wins, place = self._game, np.zeros(seats), self._game.layout.new()
        words = np.random.default_rng(seed).integers(1, 2**63, (games, 4), np.uint64)
        room = place, as_bytes(place), as_bytes(state), games, game.longest(seats), words, np.array([seed], np.uint64)
        buffers = np.zeros(self._actions, np.int32), np.zeros(self._actions), np.zeros(game.layout.max_seats)
        self._loop(usual_box(game), *room, *buffers, self._learned, wins)
        return wins


def losses(match: Any, policies: list[Policy], number: int) -> Any:
    """Return how well policies predict the result of one game from its positions, as log losses.

    The shape is float64[positions, policies, 2]: playing out deals of what is hidden, and the true holdings.
    """
    game, again, rows_by_position = match.game, match.at(0), []
    seats, results = match.seats, np.maximum(0.0, match.outcome.payoffs)
    results = results / max(1.0, results.sum())
    for ply, (seat, action) in enumerate(match.history):
        if ply % EVERY == 0:
            truth, worlds = again.state_copy(), []
            for n in range(DEALS):
                world = again.redacted_state(seat)
                game.compiled.redeal(again.box_for(seat), world, seat, chance_words(1000 * number + n))
                worlds.append(world)
            rows = []
            for policy in policies:
                dealt = np.sum([policy.wins(world, seats, FROM_A_DEAL, n) for n, world in enumerate(worlds)], axis=0)
                informed = policy.wins(truth, seats, DEALS * FROM_A_DEAL, ply)
                chances = [(wins + 1.0) / (wins.sum() + seats) for wins in (dealt, informed)]
                rows.append([-float((results * np.log(chance)).sum()) for chance in chances])
            rows_by_position.append(rows)
        again.play(seat, action)
    return np.array(rows_by_position)


def main() -> None:
    """Parse the command line, play and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=registry.ids())
    parser.add_argument("files", type=Path, nargs="*")
    parser.add_argument("--times", type=float, nargs="+", default=[1.0])
    parser.add_argument("--games", type=int, default=90)
    parser.add_argument("--iterations", type=int, default=1_000)
    asked = parser.parse_args()
    game = pyramidion.load(asked.game)
    policies = [Policy(game, "by hand")]
    for path in asked.files:
        learned = read_learned(path, game)
        policies += [Policy(game, f"{path.stem} x {times:g}", learned.policy * times) for times in asked.times]
    all_losses = []
    for n in range(asked.games):
        all_losses.append(losses(game_between_experts(game, asked.iterations, f"predictions {n}"), policies, n))
        print(f"\r{n + 1} games, {sum(map(len, all_losses))} positions", end="", flush=True)
    print("\n| policy | over deals | more or less | holdings known | more or less |")
    for i, policy in enumerate(policies):
        cells = [policy.name]
        for j in range(2):
            gaps = [float((rows[:, i, j] - rows[:, 0, j]).mean()) for rows in all_losses]
            error = float(np.std(gaps, ddof=1)) / math.sqrt(len(gaps))
            cells += [f"{np.concatenate(all_losses)[:, i, j].mean():.3f}", f"{np.mean(gaps):+.3f} ± {error:.3f}"]
        print(f"| {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
