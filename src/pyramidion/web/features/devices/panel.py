"""The link to continue on another device, in the menu."""

from __future__ import annotations

from pyramidion.web.pages.panel import Panel

PANEL = Panel(parts={"menu": "elsewhere_link.html"})
