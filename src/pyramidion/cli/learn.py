"""The `pyramidion learn GAME` command."""

from __future__ import annotations

from pyramidion.cli.options import CommandFailed, load
from pyramidion.cli.play import lesson_table, sit_at
from pyramidion.translation import _


def learn(game_id: str) -> None:
    """Play a game's lesson, then the rest of the game, until the game ends or the learner leaves."""
    from pyramidion.engine.lesson import lesson_of
    from pyramidion.engine.rule import interpret_uncached_rules
    from pyramidion.terminal.game_file import GameFile, Seating

    game = load(game_id)
    lesson = lesson_of(game)
    if lesson is None:
        raise CommandFailed(f"There is no lesson for {game_id}.")
    interpret_uncached_rules()
    learner = _("Player {seat}").format(seat=lesson.learner + 1)
    file = GameFile(None, Seating([learner], list(lesson.names), [lesson.learner], "policy", lesson=True))
    sit_at(lesson_table(lesson, lesson.begin(game), file), file)
