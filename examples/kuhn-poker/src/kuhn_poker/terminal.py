"""Terminal drawing of a Kuhn Poker table, made from the view alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from pyramidion.translation import _


def draw(view: Mapping[str, Any], names: Sequence[str]) -> RenderableType:
    """Return the table as text, as the view's seat sees it."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in ("", _("Player"), _("Card"), _("Stake"), _("Chips")):
        table.add_column(title)
    for player in view["players"]:
        seat = int(player["seat"])
        mark = ">" if seat in view["acting"] else ""
        card = _(player["card"]) if player["card"] else "?"
        table.add_row(mark, Text(names[seat]), card, str(player["stake"]), f"{player['chips']:+d}")
    return table
