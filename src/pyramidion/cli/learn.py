"""The `pyramidion learn GAME` command."""

from __future__ import annotations

from rich.console import Console

from pyramidion.cli.options import CommandFailed, load
from pyramidion.cli.play import ask_line
from pyramidion.translation import _


def learn(game_id: str) -> None:
    """Play a game's lesson, then the rest of the game, until the game ends or the learner leaves."""
    from pyramidion import bots
    from pyramidion.engine.lesson import lesson_of
    from pyramidion.engine.rule import interpret_uncached_rules
    from pyramidion.terminal.lesson import LessonTable
    from pyramidion.terminal.table import GameLeft

    game = load(game_id)
    lesson = lesson_of(game)
    if lesson is None:
        raise CommandFailed(f"There is no lesson for {game_id}.")
    interpret_uncached_rules()
    match = lesson.begin(game)
    others = [seat for seat in range(lesson.seats) if seat != lesson.learner]
    moves = {
        seat: (name, bots.load("policy", game, f"{lesson.seed}/{seat}").move)
        for seat, name in zip(others, lesson.names, strict=True)
    }
    try:
        LessonTable(lesson, match, moves, Console(highlight=False), ask_line).run()
    except (GameLeft, KeyboardInterrupt):
        print("\n" + _("You left the lesson."))
