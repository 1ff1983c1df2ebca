"""The button for a rematch, in the result."""

from __future__ import annotations

from pyramidion.web.features.rematch.service import finished_rematch
from pyramidion.web.pages.panel import Panel

PANEL = Panel(
    forms={"rematch": "rematch"}, inserts={"afterwards": "rematch.html"}, fragment={"rematch": finished_rematch}
)
