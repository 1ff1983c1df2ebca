"""The analysis of a finished game, below the replay."""

from __future__ import annotations

from pyramidion.web.pages.panel import Panel

PANEL = Panel(
    parts={"aftermath": "analysis_panel.html", "beside": "trial_line.html"},
    inserts={"afterwards": "analyse_link.html"},
    forms={"analyse": "analysis", "retry": "analysis/try"},
    style="analysis.css",
    script="analysis.js",
)
