"""Puzzles: a game folder's `puzzles.jsonl`, positions in which one action is clearly better than all others."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyramidion.engine.game import Game
    from pyramidion.engine.match import Match

FILE = "puzzles.jsonl"
GRADES = ("easy", "normal", "hard", "expert")
"""The grades of puzzles, by how long a search has to be that finds the answer, the shortest first."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a seat can expect after an action, according to a search.

    Attributes:
        action: its notation.
        chance: the seat's expected share of the win after it, 0 to 1.
        points: the seat's average points at the end, in games played on by the policy; None where it is not scored.
        falls: the share of these games in which the seat drops out.
    """

    action: str
    chance: float
    points: float | None
    falls: float


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position in which one action is clearly better than all others, with that action.

    Attributes:
        rules_version, seats, seed, options: how the game was begun.
        plies: the actions that lead to the position, each "SEAT NOTATION".
        seat: who has to act.
        answer: what the action that is clearly better leads to.
        second: what the best of all others leads to.
        error: standard error of the difference between the two chances.
        iterations: number of iterations of each of the two searches.
        grade: one of `GRADES`.
        choices: number of actions that the seat can choose from.
    """

    rules_version: int
    seats: int
    seed: int
    options: Mapping[str, Any]
    plies: tuple[str, ...]
    seat: int
    answer: Outlook
    second: Outlook
    error: float
    iterations: int
    grade: str
    choices: int

    @property
    def key(self) -> str:
        """The puzzle's name in addresses: the seed of its game and the number of actions before the position."""
        return f"{self.seed}-{len(self.plies)}"

    def position(self, game: Game) -> Match:
        """Play the actions that lead to the position and return the match."""
        from pyramidion.engine.match import Match

        match = Match(game, self.seats, self.seed, self.options, rules_version=self.rules_version)
        for line in self.plies:
            seat, _space, action = line.partition(" ")
            match.play(int(seat), action)
        return match

    def line(self) -> str:
        """Return the puzzle as a line of `puzzles.jsonl`."""
        return json.dumps(asdict(self), separators=(",", ":"))


def read_puzzles(path: Path) -> tuple[Puzzle, ...]:
    """Return the puzzles of a file, in its order; none where there is no file."""
    if not path.is_file():
        return ()
    puzzles: list[Puzzle] = []
    for line in path.read_text("utf-8-sig").splitlines():
        data = json.loads(line)
        data["plies"] = tuple(data["plies"])
        data["answer"], data["second"] = Outlook(**data["answer"]), Outlook(**data["second"])
        puzzles.append(Puzzle(**data))
    return tuple(puzzles)


@cache
def puzzles_of(game: Game) -> tuple[Puzzle, ...]:
    """Return a game's puzzles, the easiest first."""
    puzzles = read_puzzles(game.folder / FILE)
    return tuple(sorted(puzzles, key=lambda puzzle: GRADES.index(puzzle.grade)))
