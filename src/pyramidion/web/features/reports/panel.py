"""The link to the page for reports, in the menu of a table."""

from __future__ import annotations

from pyramidion.web.pages.panel import Panel

PANEL = Panel(parts={"menu_end": "report_link.html"})
