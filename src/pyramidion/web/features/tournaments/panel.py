"""A tournament at its tables: the way back to it in the result."""

from __future__ import annotations

from pyramidion.web.features.tournaments.service import Tournaments
from pyramidion.web.pages.panel import Panel

PANEL = Panel(
    inserts={"afterwards": "tournament_back.html"},
    fragment={"in_tournament": lambda snapshot: bool(snapshot.table.kept.get(Tournaments.KIND))},
)
