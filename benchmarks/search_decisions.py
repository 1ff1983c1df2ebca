# pyright: basic
"""Value of each level's decisions, which needs far fewer games than contests, where luck hides a lot.

    python benchmarks/search_decisions.py [--game pyramis] [--seats 3] [--positions 200] [--playouts 2000] [--write]

Positions are decisions with a choice in games between policies, at most six per game. The value of an action is its
seat's average payoff when everybody continues by policy, over many playouts in determinizations of what the seat cannot
see. A level's gain is the value of its action less the average value of the policy's. Errors of the playouts favour
nobody, since they are unknown to the deciders, so gains are unbiased. *The best there is* is the action that is best in
half of the playouts, valued by the other half: a lower bound on what can be gained.

Throws of Pyramid-Sham-Bo are left out, because they all have the same value. An action outside the policy's twelve
likeliest gets a value only once some level has played it. Results are stored in build/decisions; the same command
continues. With --write, the page docs/strength/decisions.md is written from everything stored.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import numpy as np

import pyramidion
from pyramidion import bots
from pyramidion.bots import SearchBot
from pyramidion.bots.levels import Level
from pyramidion.bots.searching import due_mask, lowest, scale_payoffs
from pyramidion.engine import registry
from pyramidion.engine.entries import quick_below, weighted
from pyramidion.engine.layout import as_bytes
from pyramidion.engine.rule import rule
from search_arena import ROOT, STRENGTH, digest, seats_of

FOLDER = ROOT / "build" / "decisions"
CANDIDATES, OF_A_GAME = 12, 6
COUNTED = Level("expert-20k", "Expert", 20_000, None, 0.0)
"""Expert with the iterations it reaches in two seconds on a slow core, so that other programs have no effect."""
WHO: dict[str, Level | str] = {**{name: name for name in ("easy", "normal", "hard")}, COUNTED.name: COUNTED}
"""The levels by name."""
BEST, TRIALS = "the best there is", 2
PAGE = """\
# What a decision of each level is worth

`python benchmarks/search_decisions.py --write`, with the search {search} (`digest` in benchmarks/search_arena.py).

Luck hides in single games how well somebody plays; here decisions are valued one by one. Positions are decisions with
a choice in games of policies. The value of an action is what its seat gets on average when everybody goes on by policy
from there, in so many playouts for each action. *Gain*: by how much the value of what a level plays is above that of
what the policy plays, in percentage points of the win, on average of two searches, with a 95 % interval over positions;
*more than the level above it in this table*: the same difference between the two, in the same positions. *expert-20k*
is Expert with 20,000 iterations and no clock, about what it makes in its two seconds on one slow core. *The best there
is*: the action that is best in one half of the playouts, valued by the other half; the true best is worth that or more.

A game has 20 to 90 decisions of a seat, so a point at each of them is a lot. But gains do not add up: they are against
players who go on by policy.

| game | seats | positions x playouts | who | gain, points | more than the level above |
| --- | ---: | --- | --- | --- | --- |"""


def make_playouts(rules: Any, mind: Any) -> Any:
    """Return the compiled playouts of one game after an action."""
    legal, apply, payoff, redeal, policy = rules.legal, rules.apply, rules.payoff, mind.redeal, mind.policy

    @rule
    def playouts(boxes, states, raw, root, seat, action, games, limit, signed, world, chance, ids, weights, got):
        """Return the sum of `seat`'s payoffs in `games` playouts from the redacted state `root` after its action."""
        box, s, total = boxes[0], states[0], 0.0
        for _ in range(games):
            for i in range(raw.shape[0]):
                raw[i] = root[i]
            redeal(box, s, seat, world)
            who, chosen, plies = seat, action, 0
            while True:
                s.ply += 1
                s.event_count = 0
                apply(box, s, who, chosen)
                plies += 1
                if s.over or plies >= limit:
                    break
                who = lowest(due_mask(s))
                count = policy(box, s, who, ids, weights)
                if count > 0:
                    chosen = ids[weighted(weights, count, chance)]
                else:
                    chosen = ids[quick_below(chance, legal(box, s, who, ids))]
            if s.over:
                payoff(box, s, got)
            scale_payoffs(s, got, s.over != 0, signed)
            total += got[seat]
        return total

    return playouts


@dataclass(frozen=True, slots=True)
class Position:
    """A decision: box, state as its seat sees it, the policy's candidates, and their weights (sum 1)."""

    box: Any
    state: Any
    seat: int
    ids: Any
    weights: Any


class Truth:
    """Positions of a game and the values of actions there, stored in a file."""

    def __init__(self, game: Any, seats: int, positions: int, playouts: int) -> None:
        self.game, self.seats, self.playouts = game, seats, playouts
        self.positions = find(game, seats, positions)
        self._path = FOLDER / digest(game.id) / f"{game.id}_{seats}_{playouts}.json"
        self._path.parent.mkdir(parents=True, exist_ok=True)
        kept: dict[str, Any] = (
            json.loads(self._path.read_text()) if self._path.exists() else {"values": {}, "played": {}}
        )
        self.values: dict[str, list[float]] = kept["values"]
        self.played: dict[str, int] = kept["played"]

    def save(self) -> None:
        """Save the results so far."""
        self._path.write_text(json.dumps({"values": self.values, "played": self.played}))

    def value(self, n: int, action: int) -> list[float]:
        """Return the mean of each half of the playouts of an action in position number `n`."""
        key = f"{n} {action}"
        if key not in self.values:
            half, position = self.playouts // 2, self.positions[n]
            self.values[key] = [worth(self.game, position, action, half, f"{key} {part}") for part in range(2)]
        return self.values[key]

    def play(self, n: int, name: str, trial: int) -> int:
        """Return what a level plays in position number `n`."""
        key, position = f"{n} {name} {trial}", self.positions[n]
        if key not in self.played:
            bot = SearchBot(self.game, key, WHO[name])
            self.played[key] = bot.choose(position.box, position.state, position.seat)
        return self.played[key]

    def gains(self, n: int) -> dict[str, float]:
        """Return by how much each level, and the best there is, beats the policy in position number `n`."""
        position = self.positions[n]
        likely = np.argsort(-position.weights, kind="stable")[:CANDIDATES]
        values = np.array([self.value(n, int(position.ids[i])) for i in likely])
        means, weights = values.mean(axis=1), position.weights[likely]
        usual = float(means @ weights / weights.sum())
        best = sum(values[np.argmax(values[:, half]), 1 - half] for half in (0, 1)) / 2
        found = {BEST: float(best) - usual}
        for name in WHO:
            actions = [self.play(n, name, trial) for trial in range(TRIALS)]
            found[name] = float(np.mean([np.mean(self.value(n, action)) for action in actions])) - usual
        return found


def worth(game: Any, position: Position, action: int, games: int, seed: str) -> float:
    """Return the deciding seat's average payoff after an action, 0 to 1, if everybody continues by policy."""
    state, chance, size = game.layout.new(), Random(seed), len(game.actions)
    world = np.array([chance.getrandbits(64), chance.getrandbits(64), 0, 0], np.uint64)
    draws = np.array([chance.getrandbits(64)], np.uint64)
    ids, weights, got = np.zeros(size, np.int32), np.zeros(size), np.zeros(game.layout.max_seats)
    limit, signed = game.longest(int(position.state["seats"][0])), game.payoff_form == "sign"
    root = (position.box, state, as_bytes(state), as_bytes(position.state), position.seat)
    return compiled_playouts(game)(*root, action, games, limit, signed, world, draws, ids, weights, got) / games


@cache
def compiled_playouts(game: Any) -> Any:
    return make_playouts(game.rules, game.mind)


def find(game: Any, seats: int, wanted: int) -> list[Position]:
    """Return decisions with a choice from games between policies."""
    chance, found, played = Random("decisions"), list[Position](), 0
    ids, weights = np.zeros(len(game.actions), np.int32), np.zeros(len(game.actions))
    while len(found) < wanted:
        match, here = game.new(seats, seed=f"decisions {played}"), list[Position]()
        played += 1
        policy = bots.load("policy", game, seed=played)
        while not match.over:
            seat = match.acting[0]
            state = match.redacted_state(seat)
            count = int(game.compiled.policy(match.box, state, seat, ids, weights))
            thrown = game.id == "pyramid-shambo" and int(state["acting"][0]).bit_count() > 1
            if count > 1 and not thrown:
                given = weights[:count] / weights[:count].sum()
                here.append(Position(match.box.copy(), state.copy(), seat, ids[:count].copy(), given))
            match.play(seat, policy.move(match, seat))
        found += chance.sample(here, min(OF_A_GAME, len(here)))
    return found[:wanted]


def interval(numbers: Any) -> tuple[float, float, float]:
    """Return a mean and its 95 % interval, in points."""
    mean, off = 100 * float(np.mean(numbers)), 196 * float(np.std(numbers, ddof=1)) / math.sqrt(len(numbers))
    return mean, mean - off, mean + off


def told(numbers: Any) -> str:
    mean, low, high = interval(numbers)
    return f"{mean:.2f} ({low:.2f} to {high:.2f})"


def write() -> None:
    """Write the page from the tables of the current search and games."""
    lines = [PAGE.format(search=digest())]
    for game_id in registry.ids():
        found = list((FOLDER / digest(game_id)).glob(f"{game_id}_*.rows"))
        for path in sorted(found, key=lambda path: (seats_of(game_id).index(int(path.stem.split("_")[1])), path.name)):
            lines += path.read_text().splitlines()
    (STRENGTH / "decisions.md").write_text("\n".join([*lines, ""]), "utf-8")


def rows_of(game: Any, seats: int, playouts: int, gains: list[dict[str, float]]) -> list[str]:
    """Return the rows of a table: each level's gain, and its difference from the level below."""
    lines, below = list[str](), None
    for name in (*WHO, BEST):
        now = np.array([gain[name] for gain in gains])
        more = "" if below is None or name == BEST else told(now - below)
        lines.append(f"| {game.name} | {seats} | {len(gains)} x {playouts:,} | {name} | {told(now)} | {more} |")
        below = now
    return lines


def main() -> None:
    """Parse the command line, measure and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=registry.ids(), action="append", help="this game alone")
    parser.add_argument("--seats", type=int, action="append", help="this number of seats alone; else the usual one")
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--playouts", type=int, default=2000, help="for each action")
    parser.add_argument("--write", action="store_true", help="write the page from what has been measured")
    asked = parser.parse_args()
    for game_id in asked.game or registry.ids():
        game = pyramidion.load(game_id)
        for seats in asked.seats or [game.usual_seats]:
            if seats not in game.seats:
                continue
            truth, began = Truth(game, seats, asked.positions, asked.playouts), time.monotonic()
            gains = list[dict[str, float]]()
            for n in range(asked.positions):
                gains.append(truth.gains(n))
                if n % 10 == 9:
                    truth.save()
                    print(
                        f"\r{game_id} {seats}: {n + 1} positions, {time.monotonic() - began:.0f} s", end="", flush=True
                    )
            print()
            lines = rows_of(game, seats, asked.playouts, gains)
            print("\n".join(lines), flush=True)
            rows = FOLDER / digest(game_id) / f"{game_id}_{seats}_{asked.playouts}.rows"
            rows.write_text("".join(line + "\n" for line in lines))
    if asked.write:
        write()


if __name__ == "__main__":
    main()
