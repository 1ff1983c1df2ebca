"""The link to the answers in advance below the log, and their status in the fragment."""

from __future__ import annotations

from pyramidion.web.features.premoves.service import status_of
from pyramidion.web.pages.panel import Panel

PANEL = Panel(
    parts={"log": "premoves_link.html"},
    inserts={"notes": "premove_status.html"},
    fragment={"premove": status_of},
)
