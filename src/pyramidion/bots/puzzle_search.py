"""A search for puzzles: games of bots, and ever deeper searches for decisions with one clearly better action."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion.bots.comparison import Comparison, difference, values_after
from pyramidion.bots.interpretation import RELIABLE_VISITS
from pyramidion.bots.levels import Level
from pyramidion.bots.policy import PolicyBot
from pyramidion.bots.search import SearchBot
from pyramidion.bots.search_result import SearchResult
from pyramidion.bots.standard_errors import error_of
from pyramidion.engine.game import Game, chance_words
from pyramidion.engine.layout import Redacted
from pyramidion.engine.match import Match
from pyramidion.engine.puzzle import GRADES, Outlook, Puzzle
from pyramidion.translation import quantity

PROOF_ITERATIONS = 200_000
"""Iterations of each of the two searches that prove a puzzle."""
PROMISING_ERRORS = 2.0
"""Number of standard errors by which an action has to lead for a longer search."""
CLEAR_ERRORS = 5.0
"""Number of standard errors by which the answer has to be better than every other action."""
MIN_GAIN = 0.08
"""Least difference in win chance; less would be no lesson."""
FIRST_ITERATIONS, FIRST_MIN_VISITS = 300, 8
"""Iterations of the first search of a position, and the least visits for an action's value to count in it."""
SCREENING_ITERATIONS = (2_000, 15_000)
"""Iterations of the searches before the proof; a decision has to look promising in each of them."""
COMPARISON_ITERATIONS = 10_000
MAX_COMPARED = 8
GRADING = (
    Level("easy", "", 20, None, 1.0),
    Level("normal", "", 60, None, 0.5),
    Level("hard", "", 600, None, 0.2),
)
"""The searches that grade a puzzle. Levels of these names also err on purpose, which says nothing of a puzzle."""
GRADING_TRIES, GRADING_SUCCESSES = 10, 8
"""A search finds an answer if it chooses it in `GRADING_SUCCESSES` of `GRADING_TRIES` tries."""
PLAYOUTS = 200
MAX_PER_GAME, MAX_PER_FAMILY = 6, 2


class PuzzleSearch:
    """A search for puzzles in games between bots: `for puzzle in PuzzleSearch(game).in_game(7): ...`.

    Attributes:
        tally: number of decisions that passed each stage of the search, by the stage's name.
    """

    def __init__(self, game: Game, seats: int | None = None, iterations: int = PROOF_ITERATIONS) -> None:
        self._game, self._seats, self._iterations = game, seats or game.usual_seats, iterations
        self.tally = Counter[str]()

    def in_game(self, seed: int, ends: float = math.inf) -> Iterator[Puzzle]:
        """Yield the puzzles in the game that bots play with this seed, at most a few for each kind of action.

        The game is broken off when `time.monotonic()` has reached `ends`.
        """
        match = self._game.new(self._seats, seed)
        player = SearchBot(self._game, seed, "easy")
        kinds = Counter[str]()
        while not match.over and kinds.total() < MAX_PER_GAME and time.monotonic() < ends:
            seat = match.acting[0]
            answer = self.candidate(match, seat)
            if answer is not None and kinds[kind := self._game.actions[answer].family] < MAX_PER_FAMILY:
                puzzle = self.examine(match, seat)
                if puzzle is not None:
                    kinds[kind] += 1
                    yield puzzle
            match.play(seat, player.move(match, seat))

    def candidate(self, match: Match, seat: int) -> int | None:
        """Return the id of the action that quick searches find clearly best; None if the decision is no puzzle."""
        self.tally["decisions"] += 1
        # Where several decide at once, how often to choose what is the answer; that is no puzzle.
        if len(match.acting) > 1 or len(match.legal_ids(seat)) < 2:
            return None
        self.tally["taken alone"] += 1
        box, state = match.box_for(seat), match.redacted_state(seat)
        bot = SearchBot(self._game, f"{match.seed}/{match.ply}", "expert")
        result = bot.think(box, state, seat, iterations=FIRST_ITERATIONS)
        values = [choice.values[seat] for choice in result.choices if choice.visits >= FIRST_MIN_VISITS]
        if result.mixed or max(values) - min(values) < MIN_GAIN:
            return None
        self.tally["with a spread of values"] += 1
        answers = set[int]()
        for iterations in SCREENING_ITERATIONS:
            result = bot.think(box, state, seat, iterations=iterations)
            answers.add(result.best.action)
            if not is_promising(result) or len(answers) > 1:
                return None
            self.tally[f"promising after {quantity(iterations, 'iteration')}"] += 1
        return result.best.action

    def examine(self, match: Match, seat: int) -> Puzzle | None:
        """Return a seat's decision as a puzzle; None if long searches find no action clearly better than the others."""
        box, state = match.box_for(seat), match.redacted_state(seat)

        def deep(seed: int) -> SearchResult:
            """Search the position for long, with a bot of this seed."""
            return SearchBot(self._game, seed, "expert").think(box, state, seat, iterations=self._iterations)

        with ThreadPoolExecutor(2) as threads:
            results = list(threads.map(deep, (1, 2)))
        if not all(map(is_promising, results)) or len({result.best.action for result in results}) > 1:
            return None
        answer = results[0].best.action
        others = [int(action) for action in match.legal_ids(seat) if action != answer]
        runner_up = self._runner_up(results, box, state, seat, answer, others)
        if runner_up is None:
            return None
        self.tally["puzzles"] += 1
        second, gap = runner_up
        text = self._game.actions
        return Puzzle(
            match.rules_version,
            match.seats,
            int(match.seed),
            {},
            tuple(f"{who} {text[action].text}" for who, action in match.history),
            seat,
            self._outlook(match, seat, answer, gap.first),
            self._outlook(match, seat, second, gap.second),
            round(gap.error, 4),
            self._iterations,
            self._grade(box, state, seat, answer),
            1 + len(others),
        )

    def _runner_up(
        self, results: list[SearchResult], box: Any, state: Redacted, seat: int, answer: int, others: list[int]
    ) -> tuple[int, Comparison] | None:
        """Return the best action besides the answer, and the comparison of the answer with it.

        None if an action comes too close to the answer, or too many would have to be compared.
        """
        gaps = {action: [comparison_of(result, answer, action, seat) for result in results] for action in others}
        if any(gap is not None and gap.first - gap.second < MIN_GAIN for both in gaps.values() for gap in both):
            return None
        # Actions that the searches have hardly tried get as many iterations as the answer.
        rare = [action for action, both in gaps.items() if not all(gap is not None and is_clear(gap) for gap in both)]
        if len(rare) > MAX_COMPARED:
            return None
        proven = {action: [gap for gap in both if gap] for action, both in gaps.items() if action not in rare}
        first = [self._after(seed, box, state, seat, answer) for seed in (3, 4)] if rare else []
        for action in rare:
            proven[action] = [
                difference(values, self._after(seed, box, state, seat, action), COMPARISON_ITERATIONS)
                for seed, values in zip((3, 4), first, strict=True)
            ]
            if not all(map(is_clear, proven[action])):
                return None
        means = {
            action: Comparison(*(float(number) for number in np.mean([(g.first, g.second, g.error) for g in both], 0)))
            for action, both in proven.items()
        }
        second = min(means, key=lambda action: means[action].first - means[action].second)
        return second, means[second]

    def _after(self, seed: int, box: Any, state: Redacted, seat: int, action: int) -> npt.NDArray[np.float64]:
        """Return a seat's expected share of the win after an action, as `comparison.values_after` does."""
        bot = SearchBot(self._game, seed, "expert")
        return values_after(bot, box, state, seat, action, iterations=COMPARISON_ITERATIONS, seed=str(seed))

    def _grade(self, box: Any, state: Redacted, seat: int, answer: int) -> str:
        """Return a puzzle's grade: the name of the shortest search that finds the answer, or else the hardest grade."""
        for grading in GRADING:
            bot = SearchBot(self._game, 5, grading)
            if sum(bot.choose(box, state, seat) == answer for _ in range(GRADING_TRIES)) >= GRADING_SUCCESSES:
                return grading.name
        return GRADES[-1]

    def _outlook(self, match: Match, seat: int, action: int, chance: float) -> Outlook:
        """Play the game out by the policy many times after an action, and return the seat's average outcome."""
        game, box, words = self._game, match.box_for(seat), chance_words(f"{match.seed}/{match.ply}")
        bot = PolicyBot(game, 6)
        buffer, points = np.empty(len(game.actions), np.int32), np.zeros(game.layout.max_seats, np.int32)
        scored, fell = list[int](), 0
        for _ in range(PLAYOUTS):
            state: Any = match.redacted_state(seat).copy()
            game.compiled.redeal(box, state, seat, words)
            out, chosen, who = False, action, seat
            while True:
                game.compiled.step(box, state, who, chosen, buffer)
                out = out or self._is_eliminated(state, seat)
                if state["over"][0]:
                    break
                due = int(state["acting"][0]) & ~int(state["submitted"][0])
                who = (due & -due).bit_length() - 1
                chosen = bot.choose(box, state, who)
            fell += out
            game.compiled.points(box, state, points)
            if points[seat] >= 0:
                scored.append(int(points[seat]))
        average = round(float(np.mean(scored)), 1) if len(scored) > PLAYOUTS // 2 else None
        return Outlook(game.actions[action].text, round(chance, 4), average, round(fell / PLAYOUTS, 3))

    def _is_eliminated(self, state: Any, seat: int) -> bool:
        """Return whether the latest step took a seat out of the game."""
        game = self._game
        for _audience, (code, _rule, arguments) in game.layout.events(state.tobytes()):
            name = game.events.name(code)
            if name in game.presentation.falls and game.events.data(code, arguments).get("seat") == seat:
                return True
        return False


def is_promising(result: SearchResult) -> bool:
    """Return whether a search suggests that one action is clearly better than every other that it has tried."""
    if result.mixed or not 0.1 < result.best.values[result.seat] < 0.98:
        return False
    rest = [comparison_of(result, result.best.action, choice.action, result.seat) for choice in result.choices[1:]]
    gaps = [gap for gap in rest if gap is not None]
    return bool(gaps) and all(gap.first - gap.second >= max(MIN_GAIN, PROMISING_ERRORS * gap.error) for gap in gaps)


def comparison_of(result: SearchResult, answer: int, other: int, seat: int) -> Comparison | None:
    """Return how the answer compares with another action by a search's own values; None if it has hardly tried one."""
    first, second = result.choice(answer), result.choice(other)
    if first is None or second is None or second.visits < RELIABLE_VISITS:
        return None
    error = math.hypot(error_of(first, result), error_of(second, result))
    return Comparison(first.values[seat], second.values[seat], error)


def is_clear(gap: Comparison) -> bool:
    """Return whether the first action is better by MIN_GAIN, and by CLEAR_ERRORS standard errors."""
    return gap.first - gap.second >= max(MIN_GAIN, CLEAR_ERRORS * gap.error)
