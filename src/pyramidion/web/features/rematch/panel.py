"""The button for a rematch: in the result and beside the headline of the finished table."""

from __future__ import annotations

from pyramidion.web.features.rematch.service import finished_rematch
from pyramidion.web.pages.panel import Panel

PANEL = Panel(
    forms={"rematch": "rematch"},
    inserts={"status": "rematch_notice.html", "afterwards": "rematch.html"},
    fragment={"rematch": finished_rematch, "in_competition": lambda snapshot: snapshot.table.host.impartial},
)
