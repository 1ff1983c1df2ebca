"""The chat beside a table, and its tab."""

from __future__ import annotations

from pyramidion.web.pages.panel import Panel

PANEL = Panel(parts={"tabs": "chat_tab.html", "beside": "chat_panel.html"}, style="chat.css", script="chat.js")
