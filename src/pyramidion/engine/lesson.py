"""Lessons: guided first games, declared in a game folder's `lesson.toml`, and the progress of a match in its lesson.

A lesson is a real match with a fixed seed. Its steps are shown in order. Each may contain

    say        what the coach says
    point      what to point at on the board: an id, a class, a word of `data-key`, `data-path` or `data-place`,
               or the action of a button
    do         the learner's allowed actions, as notation; `*` stands for any text: "amount *"
    instead    answers to other actions: [{when = "pass", say = "..."}]; `otherwise` answers all the rest
    after      reactions to what was done: [{when = "fund grain *", say = "..."}]
    bots       actions of other seats before the next step, "SEAT NOTATION"; only the order within a seat matters

A step with `do` waits for the learner. The current step follows from the match's actions alone, so no further state is
stored. After the last step, or when somebody has left the script, the match goes on like any other.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyramidion.engine.game import Game
    from pyramidion.engine.match import Match

STEP_KEYS = {"say", "point", "do", "instead", "otherwise", "after", "bots"}
LESSON_KEYS = {"minutes", "seed", "seats", "learner", "names", "options", "steps"}


class BadLesson(ValueError):
    """The lesson file is invalid; the message names the step."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A sentence of the coach, `say`, for actions whose notation fits the pattern `when`."""

    when: str
    say: str


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a lesson: what the coach says, what the learner may do then, and what the other seats do.

    Texts are in English and translated when shown. `done` counts, for each seat, the actions that precede the step.
    """

    number: int
    say: str
    point: tuple[str, ...]
    do: tuple[str, ...]
    instead: tuple[Reply, ...]
    otherwise: str
    after: tuple[Reply, ...]
    bots: tuple[tuple[int, str], ...]
    done: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a match has come in its lesson.

    Attributes:
        steps: the steps to show now, oldest first; the last may wait for the learner (`do`).
        reaction: what the coach says about the learner's latest action; may be empty.
        waiting: whether other seats have to act before the coach continues.
        finished: whether the last step is among `steps`.
    """

    steps: tuple[Step, ...]
    reaction: str
    waiting: bool
    finished: bool


@dataclass(frozen=True, slots=True)
class Lesson:
    """A game's guided first game: the match to play, its steps, and the script of actions that follows from them.

    `learner` is the learner's seat, `names` are the names of the other seats, `minutes` is how long the lesson takes.
    """

    minutes: int
    seed: int
    seats: int
    learner: int
    names: tuple[str, ...]
    options: Mapping[str, Any]
    steps: tuple[Step, ...]
    script: tuple[tuple[tuple[str, ...], ...], ...] = field(repr=False)
    """For each seat, the allowed notations of its first, second, ... action."""

    def begin(self, game: Game) -> Match:
        """Start the lesson's match and return it."""
        return game.new(self.seats, self.seed, **self.options)

    def fits(self, match: Match) -> bool:
        """Return whether a match has this lesson's seats, seed and options."""
        options = match.game.accept_options(self.options)
        return (match.seats, match.seed, match.options) == (self.seats, self.seed, options)

    def progress(self, match: Match) -> Progress | None:
        """Return how far a match has come; None once it has left the script or gone on after the lesson."""
        counts, learned = self._counts(match)
        if counts is None or counts[self.learner] > len(learned):
            return None
        waits = [step for step in self.steps if step.do]
        last = waits[len(learned) - 1] if 0 < len(learned) <= len(waits) else None
        reaction = next((r.say for r in last.after if fnmatchcase(learned[-1], r.when)), "") if last else ""
        visible: list[Step] = []
        for step in self.steps[last.number + 1 if last else 0 :]:
            if any(counts[seat] < count for seat, count in enumerate(step.done)):
                return Progress(tuple(visible), reaction, waiting=True, finished=False)
            visible.append(step)
            if step.do:
                return Progress(tuple(visible), reaction, waiting=False, finished=False)
        return Progress(tuple(visible), reaction, waiting=False, finished=True)

    def scripted(self, match: Match, seat: int) -> str | None:
        """Return a seat's next action in the script as notation, or None if there is none or it is not legal.

        For the learner it is the coach's proposal.
        """
        counts, _ = self._counts(match)
        if counts is None or counts[seat] >= len(self.script[seat]):
            return None
        proposed = self.script[seat][counts[seat]][0]
        return next((action.text for action in match.legal(seat) if fnmatchcase(action.text, proposed)), None)

    def objection(self, match: Match, action: str) -> str:
        """Return what the coach says if an action of the learner does not follow the current step.

        Return an empty text if it does, or if the rules allow no action of the step, so that nobody gets stuck in a
        lesson.
        """
        progress = self.progress(match)
        step = progress.steps[-1] if progress and progress.steps else None
        if step is None or not step.do or any(fnmatchcase(action, pattern) for pattern in step.do):
            return ""
        if self.scripted(match, self.learner) is None:
            return ""
        return next((reply.say for reply in step.instead if fnmatchcase(action, reply.when)), step.otherwise)

    def _counts(self, match: Match) -> tuple[list[int] | None, list[str]]:
        """Return how many actions each seat has played (None off the script), and those of the learner in it."""
        counts = [0] * self.seats
        learned = list[str]()
        for seat, action_id in match.history:
            text, queue = match.game.actions[action_id].text, self.script[seat]
            if counts[seat] < len(queue):
                if not any(fnmatchcase(text, pattern) for pattern in queue[counts[seat]]):
                    return None, learned
                if seat == self.learner:
                    learned.append(text)
            counts[seat] += 1
        return counts, learned


def lesson_of(game: Game) -> Lesson | None:
    """Return a game's lesson, or None for a game without one. Raises BadLesson."""
    return _read(game.folder / "lesson.toml")


@cache
def _read(path: Path) -> Lesson | None:
    """Return the lesson in a file, or None if there is no file."""
    return parse(path.read_text("utf-8")) if path.is_file() else None


def parse(text: str) -> Lesson:
    """Parse the text of a lesson file. Raises BadLesson with a sentence."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadLesson(f"The lesson is not valid TOML: {error}.") from error
    _refuse_unknown_keys(data, LESSON_KEYS, "The lesson")
    missing = LESSON_KEYS - {"options"} - data.keys()
    if missing:
        raise BadLesson(f"The lesson lacks {', '.join(sorted(missing))}.")
    seats: int = data["seats"]
    learner: int = data["learner"]
    if not 0 <= learner < seats or len(data["names"]) != seats - 1:
        raise BadLesson("The learner must have one of the seats, and each other seat a name.")
    script: list[list[tuple[str, ...]]] = [[] for _ in range(seats)]
    steps = list[Step]()
    for number, table in enumerate(data["steps"]):
        step = _step(number, table, tuple(map(len, script)), seats, learner)
        steps.append(step)
        if step.do:
            script[learner].append(step.do)
        for seat, action in step.bots:
            script[seat].append((action,))
    if not steps or steps[-1].do or steps[-1].bots:
        raise BadLesson("The last step of a lesson only says something.")
    return Lesson(
        data["minutes"],
        data["seed"],
        seats,
        learner,
        tuple(data["names"]),
        data.get("options", {}),
        tuple(steps),
        tuple(map(tuple, script)),
    )


def _step(number: int, table: Mapping[str, Any], done: tuple[int, ...], seats: int, learner: int) -> Step:
    """Make a step from its table in lesson.toml. Raises BadLesson naming what is wrong with it."""
    where = f"Step {number + 1}"
    _refuse_unknown_keys(table, STEP_KEYS, where)
    if not table.get("say"):
        raise BadLesson(f"{where} says nothing.")
    do = tuple(table.get("do", ()))
    if bool(do) != bool(table.get("otherwise")):
        raise BadLesson(f"{where}: 'do' and 'otherwise' go together.")
    bots: list[tuple[int, str]] = []
    for line in table.get("bots", ()):
        seat, _space, action = line.partition(" ")
        if not (seat.isdigit() and int(seat) < seats and int(seat) != learner and action):
            raise BadLesson(f"{where}: {line!r} must be the number of another seat and an action.")
        bots.append((int(seat), action))
    return Step(
        number,
        table["say"],
        tuple(table.get("point", ())),
        do,
        _replies(where, table.get("instead", ())),
        table.get("otherwise", ""),
        _replies(where, table.get("after", ())),
        tuple(bots),
        done,
    )


def _replies(where: str, given: Sequence[Mapping[str, Any]]) -> tuple[Reply, ...]:
    """Make the replies from the tables in a step's `instead` or `after`. Raises BadLesson, beginning with `where`."""
    for reply in given:
        if set(reply) != {"when", "say"}:
            raise BadLesson(f"{where}: a reply has 'when' and 'say'.")
    return tuple(Reply(reply["when"], reply["say"]) for reply in given)


def _refuse_unknown_keys(data: Mapping[str, Any], keys: set[str], where: str) -> None:
    """Raise BadLesson if a table of the file has other keys than these."""
    if unknown := data.keys() - keys:
        raise BadLesson(f"{where} has {', '.join(sorted(unknown))}, which lessons do not know.")
