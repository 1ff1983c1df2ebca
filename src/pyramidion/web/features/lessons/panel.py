"""What the coach of a lesson says, above the actions."""

from __future__ import annotations

from pyramidion.web.features.lessons.service import lesson_view_of
from pyramidion.web.pages.panel import Panel

PANEL = Panel(
    forms={"coaching": "lesson/show"},
    style="learn.css",
    script="coach.js",
    inserts={"advice": "coach.html"},
    fragment={"coach": lesson_view_of},
)
