"""Lessons in the terminal: a table with a coach who speaks before each decision."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rich.console import Console
from rich.text import Text

from pyramidion import Action, Match
from pyramidion.engine.errors import IllegalAction
from pyramidion.engine.lesson import Lesson
from pyramidion.terminal.choices import ListEntry
from pyramidion.terminal.game_file import GameFile
from pyramidion.terminal.table import Bot, TerminalTable
from pyramidion.translation import _

SHOW = "show"


class LessonTable(TerminalTable):
    """A table in the terminal at which a coach leads the learner through a lesson.

    When the lesson ends, or the learner leaves it, the game goes on without the coach.
    """

    def __init__(
        self,
        lesson: Lesson,
        match: Match,
        bots: Mapping[int, tuple[str, Bot]],
        console: Console,
        ask: Callable[[str], str],
        file: GameFile | None = None,
    ) -> None:
        def follows(bot: Bot) -> Bot:
            """Return a bot that plays as the lesson plans, and by itself where it plans nothing."""

            def move(match: Match, seat: int) -> Action:
                """Return the action that the lesson plans for the seat, or else the bot's own."""
                planned = self.lesson.scripted(match, seat) if self.lesson else None
                return match.game.actions.parse(planned) if planned else bot(match, seat)

            return move

        super().__init__(
            match,
            {lesson.learner: _("Player {seat}").format(seat=lesson.learner + 1)},
            {seat: (name, follows(bot)) for seat, (name, bot) in bots.items()},
            console,
            ask,
            file,
        )
        self.lesson: Lesson | None = lesson
        self._heard = -1

    def _above(self, seat: int) -> list[Text]:
        """Return what has happened, and what the coach says about it."""
        return [*super()._above(seat), *self._coach()]

    def _coach(self) -> list[Text]:
        """Return the coach's messages since the last call."""
        progress = self.lesson.progress(self.match) if self.lesson else None
        if progress is None:
            self.lesson = None
            return []
        messages = [_(progress.reaction)] if progress.reaction else []
        messages += [_(step.say) for step in progress.steps if step.number > self._heard]
        self._heard = max([self._heard, *(step.number for step in progress.steps)])
        texts = [Text(), *(Text("  " + text, style="bold") for text in messages)]
        if not progress.finished:
            hint = _("Type 'show' to let the coach make this move, or 'alone' to play without the coach.")
            texts.append(Text("  " + hint, style="dim"))
        return texts

    def _choose(self, seat: int, line: str, listed: Sequence[ListEntry]) -> tuple[Action, int | None]:
        """Return the learner's action. Raises IllegalAction, in the coach's words, if it departs from the lesson."""
        lesson, match = self.lesson, self.match
        if lesson is None:
            return super()._choose(seat, line, listed)
        if line.strip().lower() == SHOW and (planned := lesson.scripted(match, lesson.learner)):
            return match.game.actions.parse(planned), None
        action, number = super()._choose(seat, line, listed)
        if match.refusal(lesson.learner, action) is None and (objection := lesson.objection(match, action.text)):
            raise IllegalAction("", _(objection))
        return action, number

    def _hint(self, seat: int, listed: Sequence[ListEntry]) -> str:
        """Return the move that the coach proposes, as long as there is one."""
        planned = self.lesson.scripted(self.match, seat) if self.lesson else None
        if planned is None:
            return super()._hint(seat, listed)
        action = self.match.label(self.match.game.actions.parse(planned), self.names)
        return _("The coach proposes: {action}. Type 'show' to let the coach make this move.").format(action=action)

    def _take_back(self, seat: int) -> None:
        """Undo the learner's last choice, outside of the lesson. Raises ValueError with the reason why not."""
        if self.lesson is not None:
            raise ValueError(_("Moves can be taken back when the lesson is over."))
        super()._take_back(seat)

    def _run_command(self, seat: int, line: str, listed: Sequence[ListEntry]) -> bool:
        """Execute a command line, which may be `alone` to end the lesson; return False if the line is not a command."""
        if line.strip().lower() == "alone" and self.lesson is not None:
            self.lesson = None
            if self._file.seating is not None:
                self._file.seating.lesson = False
                self._file.write(self.match)
            self._say(_("The coach has left. Play on."), "dim")
            return True
        return super()._run_command(seat, line, listed)
