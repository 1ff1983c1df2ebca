"""The button for a rematch: in the result and beside the headline."""

from __future__ import annotations

from pyramidion.web.features.rematch.service import offered_rematch, rematch_is_offered
from pyramidion.web.pages.panel import Panel

PANEL = Panel(
    forms={"rematch": "rematch"},
    inserts={"status": "rematch_notice.html", "afterwards": "rematch.html"},
    fragment={
        "rematch": offered_rematch,
        "again": rematch_is_offered,
        "in_competition": lambda snapshot: snapshot.table.host.impartial,
    },
)
