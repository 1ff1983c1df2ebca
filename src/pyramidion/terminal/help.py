"""What can be typed at a table in a terminal, with examples of the position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from pyramidion.terminal.choices import ListEntry
from pyramidion.terminal.drawing import legend_of
from pyramidion.terminal.notation import written
from pyramidion.terminal.rulebook import rulebook
from pyramidion.translation import _, marked

if TYPE_CHECKING:
    from pyramidion import Match

HELP = (
    ("{key}", marked("an action by its number or letter on the list")),
    ("{label}", marked("an action as the list shows it, or the beginning of it")),
    ("{example}", marked("an action in its notation: {forms}")),
    ("? {example}", marked("whether this is allowed now, and if not, which rule forbids it")),
    ("rules, rules {rule}", marked("all the rules, or one rule")),
    ("terms", marked("the goal, and what the words mean")),
    ("hint", marked("what the strongest bot would do for you, and why")),
    ("undo", marked("take your last move back, if nothing new has been seen since")),
    ("log, log all", marked("the end of the game log as your seat has seen it, or all of it")),
    ("board, list", marked("show the whole table, or the table and your actions again")),
    ("save FILE", marked("save the game in a new file, now and after every action")),
    ("quit, q", marked("leave the table")),
)
"""Commands and their descriptions."""
COMMANDS = ("rules", "terms", "hint", "undo", "log", "history", "board", "list", "save", "quit", "help")
"""The words that begin a command."""
HELP_AS = ("as {other}", marked("let another person act first"))


def help_for(
    match: Match, seat: int, people: Mapping[int, str], names: Sequence[str], listed: Sequence[ListEntry]
) -> RenderableType:
    """Return what can be typed, with examples of this position, and what the drawing's codes mean."""
    game = match.game
    legal = match.legal(seat)
    label = min(match.labels(legal, names), key=len)
    key = listed[-1].key if listed[-1].low is None else str(listed[-1].low)
    values = {"key": key, "label": label, "example": written(legal[-1], game.actions, names)}
    forms = ", ".join(form.replace("SEAT", "NAME") for form in game.actions.forms)
    other = next((name for person, name in people.items() if person != seat), "")
    rule = next(iter(rulebook(game).parts), "1")
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    for typed, text in [*HELP, HELP_AS] if len(people) > 1 else HELP:
        usage = typed.format(**values, rule=rule, other=other)
        grid.add_row(Text(f"  {usage}"), Text(_(text).format(forms=forms)))
    legend = legend_of(game)
    return Group(grid, *([Text(legend)] if legend else []))
