"""Hints on request, and the question before a serious mistake."""

from __future__ import annotations

from pyramidion.web.pages.panel import Panel

PANEL = Panel(parts={"end": "sure.html"}, forms={"advising": "hint"}, script="hint.js")
