"""Terminal rendering of a My Game table, based only on the view, like board.html."""

# What goes here: `draw`. Without this file the terminal uses a generic rendering. The file is loaded on its own, so do
# not import from the game's other files.

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from pyramidion.translation import _


def draw(view: Mapping[str, Any], names: Sequence[str]) -> RenderableType:
    """Return the table, as a view shows it, for the terminal; `names` are the players' names by seat."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in ("", _("Player"), _("Card"), _("Swapped")):
        table.add_column(title)
    for player in view["players"]:
        seat = int(player["seat"])
        mark = ">" if seat in view["acting"] else ""
        swapped = _("yes") if player["swapped"] else _("no")
        table.add_row(mark, Text(names[seat]), str(player["card"] or "?"), swapped)
    return table
