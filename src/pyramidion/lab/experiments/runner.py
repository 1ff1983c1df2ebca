"""The games of an experiment, played on several threads and summed up.

Games are numbered, and each has its own seed, derived from the experiment's seed and its number. All sums are whole
numbers. So the result depends neither on the number of threads nor on the order in which blocks of games finish.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion.engine.layout import as_bytes
from pyramidion.engine.match import Match
from pyramidion.engine.random import seed_words
from pyramidion.engine.refusals import id_of
from pyramidion.lab.experiments import counters
from pyramidion.lab.experiments.aggregates import Aggregates, add_keys, add_leads, add_rows
from pyramidion.lab.experiments.counters import COLUMNS, LOOKS, PLIES, POLICY, RANDOM, SHARE, SIGN, SUM
from pyramidion.lab.experiments.game_rows import frame_of
from pyramidion.lab.experiments.metric_keys import metric_keys
from pyramidion.lab.experiments.players import Given, has_own_move, maker_of
from pyramidion.translation import quantity

if TYPE_CHECKING:
    import polars as pl

    from pyramidion.bots.player import Player
    from pyramidion.engine.game import Game
    from pyramidion.lab.experiments.custom_metrics import Metric
    from pyramidion.lab.experiments.spec import ExperimentSpec, Side

BLOCK = 1000
"""Number of games per block; a thread checks whether to stop after each block."""
BOT_BLOCK = 20
"""Number of games per block with players that are not compiled."""
FIRST_SAMPLES, SAMPLE_EVERY = 200, 1000
"""Chances are measured in the first FIRST_SAMPLES games, and then in one of every SAMPLE_EVERY games."""
COMPILED = {"random": RANDOM, "policy": POLICY}


class Unfinished(RuntimeError):
    """A game did not end within the greatest number of decisions that its rules allow."""


@cache
def compiled_games(game: Game, metrics: tuple[Metric, ...]) -> Any:
    """Return the compiled function that plays games between policy and random players, with these custom metrics."""
    return counters.make_games(game.rules, game.mind, measure_of(metrics))


@cache
def compiled_chances(game: Game) -> Any:
    """Return the compiled function that estimates the players' chances during a game."""
    return counters.make_chances(game.rules, game.mind)


@cache
def compiled_steps(game: Game, metrics: tuple[Metric, ...]) -> tuple[Any, Any]:
    """Return the two compiled functions that count a game of bots: one plays an action, the other closes the game."""
    return counters.make_observed(game.rules, measure_of(metrics)), counters.make_closed(game.rules)


@cache
def measure_of(metrics: tuple[Metric, ...]) -> Any:
    """Combine several metrics into a single rule that measures all of them."""
    if not metrics:
        return counters.measure_nothing
    return counters.make_measure(metrics[0].measure, len(metrics[0].labels), measure_of(metrics[1:]))


class SideRunner:
    """Plays the games of one side of an experiment in one thread, with buffers of its own.

    Attributes:
        sampled: the indices of those games of the last block in which chances were estimated.
        curves: the estimates for each of them, int64[LOOKS, seats]; see `aggregates.add_leads`.
    """

    def __init__(
        self, game: Game, spec: ExperimentSpec, side: Side, metrics: tuple[Metric, ...], given: Given | None = None
    ) -> None:
        self.game, self.spec, self.seats, self.metrics = game, spec, spec.seats, metrics
        self.options = game.accept_options(side.options)
        self.cards = side.cards
        self.box = game.make_box(self.options, self.cards)
        self.limit = game.longest(self.seats)
        self.base = np.uint64(seed_words(spec.seed)[0])
        self.form = (SHARE, SIGN, SUM)[("share", "sign", "sum").index(game.payoff_form)]
        self.measured = sum(len(metric.labels) for metric in metrics)
        self.keys = metric_keys(game)
        self.tally = self.keys.new_tally(game.layout.max_seats)
        self.states, self.others = game.layout.new(), game.layout.new()
        actions = len(game.actions)
        self.buffer, self.weights = np.zeros(actions, np.int32), np.zeros(actions)
        self.payoffs = np.zeros(game.layout.max_seats)
        self.numbers = np.zeros(game.layout.max_seats, np.int32)
        self.chance, self.lap = np.zeros(1, np.uint64), 0
        self.moves = np.zeros((self.limit, 2), np.int32)
        self.wins = np.zeros(self.seats, np.int64)
        self.compiled = all(player in COMPILED for player in spec.players)
        self.kinds = np.array([COMPILED.get(player, POLICY) for player in spec.players], np.int64)
        self.makers = [] if self.compiled else [maker_of(game, name, given or {}) for name in spec.players]
        self.sampled: list[int] = []
        self.curves: list[Any] = []

    def play(self, first: int, games: int) -> Any:
        """Play `games` games from number `first` on, and return their rows, int64[games, columns].

        In some of the games, chances are estimated.
        """
        rows = np.zeros((games, COLUMNS + 3 * self.seats + self.measured), np.int64)
        self.sampled, self.curves = [], []
        at = 0
        while at < games:
            number = first + at
            sampled = self.spec.lead and (number < FIRST_SAMPLES or number % SAMPLE_EVERY == 0)
            count = 1
            if not sampled:
                ahead = SAMPLE_EVERY - number % SAMPLE_EVERY if self.spec.lead else games
                count = min(games - at, ahead)
            if self.compiled:
                self._play_compiled(number, rows[at : at + count])
            else:
                for n in range(count):
                    self._play_bots(number + n, rows[at + n])
            if sampled:
                self._measure_chances(number, int(rows[at, PLIES]))
                self.sampled.append(at)
            at += count
        if not rows[:, counters.OVER].all():
            raise Unfinished(f"A game of {self.game.name} had not ended after {quantity(self.limit, 'decision')}.")
        return rows

    def _play_compiled(self, first: int, rows: Any) -> None:
        """Play as many games as there are rows, from number `first` on, in compiled code, and fill their rows."""
        compiled_games(self.game, self.metrics)(
            self.box, self.states, as_bytes(self.states), self.seats, self.base, first, len(rows), self.limit,
            self.kinds, self.form, self.buffer, self.weights, self.payoffs, self.numbers, self.chance, rows,
            self.moves, self.keys.numbers, self.tally, self.lap,
        )  # fmt: skip
        self.lap += len(rows)

    def _play_bots(self, number: int, row: Any) -> None:
        """Play one game in Python, because some player is a search bot, and fill its row."""
        game, state = self.game, self.states
        observe, close = compiled_steps(game, self.metrics)
        players = [make(f"{self.spec.seed}:{number}:{n}") for n, make in enumerate(self.makers)]
        counters.seed_game(self.chance, self.base, number)
        counters.open_game(state[0], as_bytes(state), self.seats, self.chance)
        game.compiled.setup(self.box, state)
        # A match is kept only for players that ask for one, since it would slow down the others.
        match = None
        if any(map(has_own_move, players)):
            match = Match.from_state(game, state, options=self.options, cards=self.cards)
        while not state["over"][0] and row[PLIES] < self.limit:
            seat = int(counters.due_seat(state[0], self.chance))
            listed = int(game.compiled.legal(self.box, state, seat, self.buffer))
            action = self._asked(players[(seat - number) % self.seats], match, seat)
            if match is not None:
                match.play(seat, action)
            self.moves[row[PLIES]] = seat, action
            observe(self.box, state, seat, action, listed, row, self.keys.numbers, self.tally, self.lap)
        close(self.box, state, self.payoffs, self.numbers, self.form, row, self.tally)
        self.lap += 1

    def _asked(self, player: Player, match: Match | None, seat: int) -> int:
        """Return the id of the action that a player chooses. Raises ValueError if it is not legal."""
        if match is not None and has_own_move(player):
            chosen = player.move(match, seat)
        else:
            redacted = self.game.layout.redact(self.states, seat)
            box = self.game.make_box(self.game.options_for(self.options, seat), self.cards)
            chosen = player.bot.choose(box, redacted, seat)
        legal = self.buffer[: int(self.game.compiled.legal(self.box, self.states, seat, self.buffer))]
        try:
            action = id_of(self.game, chosen)
            if action not in legal:
                raise ValueError(f"{self.game.actions[action].text!r} is not legal.")
        except (IndexError, ValueError) as error:
            raise ValueError(f"{type(player.bot).__name__} chose no legal action: {error}") from error
        return action

    def _measure_chances(self, number: int, plies: int) -> None:
        """Estimate every seat's chance at several points of the last game, which had `plies` decisions."""
        out = np.zeros((LOOKS, self.seats), np.int64)
        compiled_chances(self.game)(
            self.box, self.states, as_bytes(self.states), self.others, as_bytes(self.others), self.seats, self.base,
            number, self.limit, self.form, self.buffer, self.weights, self.payoffs, self.wins, self.chance,
            self.moves, plies, out,
        )  # fmt: skip
        self.curves.append(out)


class ThreadRunner:
    """Plays blocks of games on every side of an experiment in one thread, and adds up what was measured.

    `given` are the players that were given as objects (`players`). With `per_game`, `games` receives the side, the
    number of the first game and the rows of every block.
    """

    def __init__(
        self,
        game: Game,
        spec: ExperimentSpec,
        metrics: tuple[Metric, ...],
        given: Given | None = None,
        per_game: bool = False,
    ) -> None:
        self.spec, self.metrics = spec, metrics
        self.with_payoffs = game.payoff_form == "sum"
        self.sides = {name: SideRunner(game, spec, side, metrics, given) for name, side in spec.sides.items()}
        self.sums, self.per_game = Aggregates(), per_game
        self.games: list[tuple[str, int, Any]] = []

    def play(self, first: int, games: int) -> None:
        """Play the same block of games on every side, and add up the results."""
        rows: dict[str, Any] = {}
        for name, runner in self.sides.items():
            rows[name] = runner.play(first, games)
            add_leads(self.sums, name, rows[name], runner.sampled, runner.curves, runner.seats, runner.form == SIGN)
            if self.per_game:
                self.games.append((name, first, rows[name]))
        add_rows(self.sums, rows, first, self.spec, self.metrics, self.with_payoffs)

    def finish(self) -> Aggregates:
        """Return the sums over all games played, with the counters by key, and set them to zero; `games` stays."""
        for name, runner in self.sides.items():
            add_keys(self.sums, name, runner.keys.names, runner.tally["sums"][0])
            runner.tally["sums"] = 0
        done, self.sums = self.sums, Aggregates()
        return done


def play_range(
    runners: Sequence[ThreadRunner],
    first: int,
    last: int,
    stop: threading.Event,
    progress: Callable[[int], None],
) -> tuple[int, Aggregates]:
    """Play the games `first` to `last - 1`, with one thread per runner.

    Returns the number of the first game not played, and the sums of the games before it. Setting `stop` ends the run
    after the current blocks. An exception in one thread stops the others and is raised here.
    """
    block = BLOCK if all(player.compiled for runner in runners for player in runner.sides.values()) else BOT_BLOCK
    lock, failed = threading.Lock(), list[BaseException]()
    at = first

    def work(runner: ThreadRunner) -> None:
        """Let a runner play blocks of games until none is left or the run is stopped."""
        nonlocal at
        try:
            while not stop.is_set() and not failed:
                with lock:
                    begin, end = at, min(last, (at // block + 1) * block)
                    at = max(at, end)
                if begin >= last:
                    return
                runner.play(begin, end - begin)
                with lock:
                    progress(end - begin)
        except BaseException as error:
            failed.append(error)

    if len(runners) == 1:
        work(runners[0])
    else:
        threads = [threading.Thread(target=work, args=(runner,), name="pyramidion-lab") for runner in runners]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    if failed:
        raise failed[0]
    sums = Aggregates()
    for runner in runners:
        sums.add(runner.finish())
    return at, sums


def taken_rows(
    game: Game, spec: ExperimentSpec, metrics: tuple[Metric, ...], runners: Sequence[ThreadRunner]
) -> pl.DataFrame:
    """Return the table of the games that some threads have played, and let them forget it."""
    blocks = [block for runner in runners for block in runner.games]
    for runner in runners:
        runner.games = []
    return frame_of(game, spec, metrics, blocks)
