"""The changes of ratings, in the result."""

from __future__ import annotations

from pyramidion.web.features.ratings.service import changes_shown
from pyramidion.web.pages.panel import Panel

PANEL = Panel(inserts={"result": "rating_changes.html"}, fragment={"ratings": changes_shown})
