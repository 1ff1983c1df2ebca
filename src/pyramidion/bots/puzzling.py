"""A search for puzzles: games of bots, in which a deep search looks for decisions with one clearly better action."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from pyramidion.bots.comparison import Comparison, compare
from pyramidion.bots.policy import PolicyBot
from pyramidion.bots.search import SearchBot
from pyramidion.bots.thought import Thought
from pyramidion.bots.verdict import RELIABLE_VISITS, SURE, error_of
from pyramidion.engine.game import Game, chance_words
from pyramidion.engine.layout import Redacted
from pyramidion.engine.match import Match
from pyramidion.engine.puzzle import GRADES, Outlook, Puzzle

DEEP = 200_000
"""Iterations of each of the two searches."""
CLEAR = 5.0
"""Number of standard errors by which the answer has to be better than every other action."""
LEAST_GAIN = 0.08
"""Least difference in win chance; less would be no lesson."""
FIRST_LOOK = 2_000
COMPARED = 10_000
MOST_COMPARED = 8
TRIES, FOUND = 10, 8
"""A level finds an answer if it chooses it in `FOUND` of `TRIES` searches."""
PLAYED_ON = 200
MOST_PER_GAME = 3


class Puzzler:
    """Looks for puzzles in games of a seed each: `for puzzle in Puzzler(game).in_game(7): ...`."""

    def __init__(self, game: Game, seats: int | None = None, iterations: int = DEEP) -> None:
        self._game, self._seats, self._iterations = game, seats or game.usual_seats, iterations

    def in_game(self, seed: int, ends: float = math.inf) -> Iterator[Puzzle]:
        """Play a game of bots and yield its puzzles, one at most for each kind of action, until `time.monotonic()`."""
        match = self._game.new(self._seats, seed)
        player = SearchBot(self._game, seed, "easy")
        glance = SearchBot(self._game, seed, "expert")
        kinds = set[str]()
        while not match.over and time.monotonic() < ends:
            seat = match.acting[0]
            # Where several decide at once, how often to choose what is the answer; that is no puzzle.
            if len(match.acting) == 1 and len(match.legal_ids(seat)) > 1 and len(kinds) < MOST_PER_GAME:
                thought = glance.think(match.box_for(seat), match.redacted_state(seat), seat, iterations=FIRST_LOOK)
                kind = self._game.actions[thought.best.action].family
                if kind not in kinds and promising(thought):
                    puzzle = self.examined(match, seat)
                    if puzzle is not None:
                        kinds.add(kind)
                        yield puzzle
            match.play(seat, player.move(match, seat))

    def examined(self, match: Match, seat: int) -> Puzzle | None:
        """Return a seat's decision as a puzzle, or None if no action is clearly better than every other."""
        box, shown = match.box_for(seat), match.redacted_state(seat)
        thoughts = list[Thought]()
        for seed in (1, 2):
            bot = SearchBot(self._game, seed, "expert")
            thoughts.append(bot.think(box, shown, seat, iterations=self._iterations))
            if not promising(thoughts[-1]) or thoughts[-1].best.action != thoughts[0].best.action:
                return None
        answer = thoughts[0].best.action
        ids = [action for action in match.legal_ids(seat) if action != answer]
        found = self._runner_up(thoughts, box, shown, seat, answer, ids)
        if found is None:
            return None
        second, chances, error = found
        outlooks = [self._outlook(match, seat, action, chances[n]) for n, action in enumerate((answer, second))]
        text = self._game.actions
        return Puzzle(
            match.rules_version,
            match.seats,
            int(match.seed),
            {},
            tuple(f"{who} {text[action].text}" for who, action in match.history),
            seat,
            outlooks[0],
            outlooks[1],
            round(error, 4),
            self._iterations,
            self._grade(box, shown, seat, answer),
        )

    def _runner_up(
        self, thoughts: list[Thought], box: Any, shown: Redacted, seat: int, answer: int, others: list[int]
    ) -> tuple[int, tuple[float, float], float] | None:
        """Return the best of the other actions, both chances and their error; None if it is too close to the answer."""
        closest: tuple[int, tuple[float, float], float] | None = None
        compared = 0
        for action in others:
            gaps = [gap_of(thought, answer, action, seat) for thought in thoughts]
            if not all(gap is not None and clear(gap) for gap in gaps):
                # Either it is close, or the search has hardly tried it: then both get the same number of iterations.
                if any(gap is not None and gap.first - gap.second < LEAST_GAIN for gap in gaps):
                    return None
                compared += 1
                if compared > MOST_COMPARED:
                    return None
                told = [
                    compare(
                        SearchBot(self._game, seed, "expert"),
                        box,
                        shown,
                        seat,
                        (answer, action),
                        iterations=COMPARED,
                        seed=f"{seed}/{action}",
                    )
                    for seed in (3, 4)
                ]
                if not all(map(clear, told)):
                    return None
                gaps = [*told]
            first, second, error = np.mean([(gap.first, gap.second, gap.error) for gap in gaps if gap], axis=0)
            if closest is None or first - second < closest[1][0] - closest[1][1]:
                closest = action, (float(first), float(second)), float(error)
        return closest

    def _grade(self, box: Any, shown: Redacted, seat: int, answer: int) -> str:
        """Return the first level that finds the answer."""
        for grade in GRADES[:-1]:
            bot = SearchBot(self._game, 5, grade)
            if sum(bot.choose(box, shown, seat) == answer for _ in range(TRIES)) >= FOUND:
                return grade
        return GRADES[-1]

    def _outlook(self, match: Match, seat: int, action: int, chance: float) -> Outlook:
        """Play many games on after an action, as the policy would, and return what becomes of the seat."""
        game, box, words = self._game, match.box_for(seat), chance_words(f"{match.seed}/{match.ply}")
        bot = PolicyBot(game, 6)
        buffer, points = np.empty(len(game.actions), np.int32), np.zeros(game.layout.max_seats, np.int32)
        scored, fell = list[int](), 0
        for _ in range(PLAYED_ON):
            state: Any = match.redacted_state(seat).copy()
            game.compiled.redeal(box, state, seat, words)
            out, chosen, who = False, action, seat
            while True:
                game.compiled.step(box, state, who, chosen, buffer)
                out = out or self._falls(state, seat)
                if state["over"][0]:
                    break
                due = int(state["acting"][0]) & ~int(state["submitted"][0])
                who = (due & -due).bit_length() - 1
                chosen = bot.choose(box, state, who)
            fell += out
            game.compiled.points(box, state, points)
            if points[seat] >= 0:
                scored.append(int(points[seat]))
        average = round(float(np.mean(scored)), 1) if len(scored) > PLAYED_ON // 2 else None
        return Outlook(game.actions[action].text, round(chance, 4), average, round(fell / PLAYED_ON, 3))

    def _falls(self, state: Any, seat: int) -> bool:
        """Return whether the latest step took a seat out of the game."""
        game = self._game
        for _audience, (code, _rule, arguments) in game.layout.events(state.tobytes()):
            name = game.events.name(code)
            if name in game.show.falls and game.events.data(code, arguments).get("seat") == seat:
                return True
        return False


def promising(thought: Thought) -> bool:
    """Return whether a search suggests that one action is clearly better than every other that it has tried."""
    if thought.mixed or not 0.1 < thought.best.values[thought.seat] < 0.98:
        return False
    rest = [gap_of(thought, thought.best.action, one.action, thought.seat) for one in thought.choices[1:]]
    gaps = [gap for gap in rest if gap is not None]
    return bool(gaps) and all(gap.first - gap.second >= max(LEAST_GAIN, SURE * gap.error) for gap in gaps)


def gap_of(thought: Thought, answer: int, other: int, seat: int) -> Comparison | None:
    """Return a search's own comparison of two actions; None if it has hardly tried one of them."""
    first, second = thought.choice(answer), thought.choice(other)
    if first is None or second is None or second.visits < RELIABLE_VISITS:
        return None
    error = math.hypot(error_of(first, seat), error_of(second, seat))
    return Comparison(first.values[seat], second.values[seat], error)


def clear(gap: Comparison) -> bool:
    """Return whether the first action is better by enough, and certainly."""
    return gap.first - gap.second >= max(LEAST_GAIN, CLEAR * gap.error)
