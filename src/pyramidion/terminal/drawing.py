"""Rendering of views with Rich, by the game's own terminal.py or by a generic fallback.

A game's folder may contain `terminal.py` with `draw(view, names)`, which returns one Rich renderable built from the
view alone. It must escape user-supplied text (names) or wrap it in `rich.text.Text`. On a small screen blank lines,
rules and lines that are dim throughout are left out (`compact_lines`), and `draw` is called with `compact=True` if it
takes that, and with `tight=True` where even this does not fit.

It may also contain `choice(view, action, names)`, which returns an action's text where that should name more than the
label does, such as the card in a numbered place, or None; `short(view, action, names)`, which returns the text of an
action for a small screen, perhaps as a heading that it shares with others and the rest, or None; and `legend()`, which
returns what the codes in the drawing mean.
"""

from __future__ import annotations

import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, cast

from rich import box
from rich.console import Console, Group, RenderableType
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from pyramidion.translation import _, listed, ngettext

if TYPE_CHECKING:
    from pyramidion import Game, Match

View = Mapping[str, Any]
Draw = Callable[[View, Sequence[str]], RenderableType]


def drawing_of(game: Game, *, compact: bool = False, tight: bool = False) -> Draw:
    """Return the function that draws a game's views in the terminal: the game's own, or one that draws any game."""
    module = _own_module(str(game.folder / "terminal.py"), game.id)
    if module is None:
        return draw_anything
    asked = {"compact": compact, "tight": tight}
    parameters = inspect.signature(module.draw).parameters
    return cast(Draw, partial(module.draw, **{name: True for name in asked if asked[name] and name in parameters}))


def choice_of(game: Game) -> Callable[[View, str, Sequence[str]], str | None]:
    """Return the function that names an action by a view, its notation and the players' names; None of most actions."""
    module = _own_module(str(game.folder / "terminal.py"), game.id)
    return getattr(module, "choice", None) or (lambda _view, _action, _names: None)


def short_choice_of(game: Game) -> Callable[[View, str, Sequence[str]], str | tuple[str, str] | None]:
    """Return the function that names an action in a few words, by a view, its notation and the players' names."""
    module = _own_module(str(game.folder / "terminal.py"), game.id)
    return getattr(module, "short", None) or (lambda _view, _action, _names: None)


def legend_of(game: Game) -> str:
    """Return what the codes in a game's drawing mean; an empty text if it has none."""
    module = _own_module(str(game.folder / "terminal.py"), game.id)
    legend: Callable[[], str] | None = getattr(module, "legend", None)
    return legend() if legend else ""


def result_of(match: Match, names: Sequence[str]) -> str:
    """Return the sentence that says who has won a match that is over."""
    outcome = match.outcome
    assert outcome is not None
    winners = [names[seat] for seat in outcome.winners]
    text = ngettext("{names} won ({rule}).", "{names} won ({rule}).", len(winners))
    return (text if winners else _("Nobody won ({rule}).")).format(names=listed(winners), rule=outcome.rule)


def lines_of(console: Console, drawn: RenderableType) -> list[Text]:
    """Return what is drawn as the lines that it takes on the console."""
    return [_line(segments) for segments in console.render_lines(drawn, pad=False)]


def compact_lines(console: Console, drawn: RenderableType) -> list[Text]:
    """Return what is drawn as lines, without blank lines, rules and lines that are dim throughout."""
    lines: list[Text] = []
    for segments in console.render_lines(drawn, pad=False):
        visible = [segment for segment in segments if segment.text.strip(" ─━═")]
        if any(not (segment.style and segment.style.dim) for segment in visible):
            lines.append(_line(segments))
    return lines


def _line(segments: Iterable[Segment]) -> Text:
    """Return a line of a drawing as text."""
    return Text.assemble(*((segment.text, segment.style or "") for segment in segments))


@lru_cache(maxsize=16)
def _own_module(path: str, game_id: str) -> Any | None:
    """Return the module of a game's terminal.py, or None if there is no such file."""
    name = f"pyramidion_terminal_{game_id.replace('-', '_')}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        return None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except FileNotFoundError:
        del sys.modules[name]
        return None
    return module


def draw_anything(view: View, names: Sequence[str]) -> RenderableType:
    """Draw the view of any game: scalar values in two columns, lists of mappings as tables."""
    facts = Table(box=None, show_header=False, pad_edge=False)
    facts.add_column(style="dim")
    facts.add_column()
    parts: list[RenderableType] = [facts]
    for key, value in view.items():
        rows = _rows_in(value)
        if rows:
            parts.append(_table(key, rows, names))
        elif value not in (None, [], {}):
            facts.add_row(_words(key), Text(_cell_text(value)))
    return Group(*parts)


def _rows_in(value: Any) -> list[Mapping[str, Any]]:
    """Return the value if it is a list of dictionaries, which is drawn as a table; otherwise an empty list."""
    if not isinstance(value, list) or not value:
        return []
    items = cast("list[Any]", value)
    return items if all(isinstance(item, dict) for item in items) else []


def _table(title: str, rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> Table:
    """Return dictionaries as a table, a row for each, seats with their players' names."""
    keys = list(dict.fromkeys(key for row in rows for key in row))
    table = Table(title=_words(title), title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for key in keys:
        table.add_column(_words(key))
    for row in rows:
        cells = [Text(_cell_text(row.get(key))) for key in keys]
        seat = row.get("seat")
        if keys[0] == "seat" and isinstance(seat, int) and 0 <= seat < len(names):
            cells[0] = Text(f"{seat + 1} {names[seat]}")
        table.add_row(*cells)
    return table


def _words(key: str) -> str:
    """Return a key of the view in words."""
    return key.replace("_", " ").capitalize()


def _cell_text(value: Any) -> str:
    """Return a value of a view as text for one cell."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, dict):
        entries = cast("dict[str, Any]", value)
        return ", ".join(f"{key} {_cell_text(entry)}" for key, entry in entries.items())
    if isinstance(value, list):
        items = cast("list[Any]", value)
        return (
            ", ".join(f"({_cell_text(item)})" if isinstance(item, dict) else _cell_text(item) for item in items) or "-"
        )
    return str(value)
