"""The panels on a table's page: the only list of the features that appear there."""

from __future__ import annotations

from typing import Any

from fastapi import Response

from pyramidion.web.features.analysis.panel import PANEL as ANALYSIS
from pyramidion.web.features.chat.panel import PANEL as CHAT
from pyramidion.web.features.devices.panel import PANEL as DEVICES
from pyramidion.web.features.hints.panel import PANEL as HINTS
from pyramidion.web.features.host_controls.panel import PANEL as HOST_CONTROLS
from pyramidion.web.features.hotseat.panel import PANEL as HOTSEAT
from pyramidion.web.features.lessons.panel import PANEL as LESSONS
from pyramidion.web.features.lobby.panel import PANEL as LOBBY
from pyramidion.web.features.premoves.panel import PANEL as PREMOVES
from pyramidion.web.features.ratings.panel import PANEL as RATINGS
from pyramidion.web.features.rematch.panel import PANEL as REMATCH
from pyramidion.web.features.reports.panel import PANEL as REPORTS
from pyramidion.web.features.seasons.panel import PANEL as SEASONS
from pyramidion.web.features.tournaments.panel import PANEL as TOURNAMENTS
from pyramidion.web.pages.assets import assets
from pyramidion.web.pages.panel import PLACES, Panel, RoomPageRequest, TablePageRequest
from pyramidion.web.pages.renderer import INSERT_PLACES, Extras, render_fragment
from pyramidion.web.table.snapshots.snapshot import Snapshot

PANELS: tuple[Panel, ...] = (
    HOTSEAT,
    LOBBY,
    CHAT,
    HOST_CONTROLS,
    DEVICES,
    HINTS,
    LESSONS,
    PREMOVES,
    SEASONS,
    TOURNAMENTS,
    REMATCH,
    ANALYSIS,
    RATINGS,
    REPORTS,
)
"""In the order in which they appear where several share a place."""
_EXTRAS = Extras(
    {name: value for panel in PANELS for name, value in panel.fragment.items()},
    {place: [panel.inserts[place] for panel in PANELS if place in panel.inserts] for place in INSERT_PLACES},
)
_PARTS = {place: [panel.parts[place] for panel in PANELS if place in panel.parts] for place in PLACES}
_FORMS = {form: path for panel in PANELS for form, path in panel.forms.items()}
_STYLES = [panel.style for panel in PANELS if panel.style is not None]
_SCRIPTS = [*(panel.script for panel in PANELS if panel.script is not None), "table.js"]


def fragment_of(snapshot: Snapshot) -> str:
    """Render a table for `snapshot.viewer` as HTML, including what all features add."""
    return render_fragment(snapshot, _EXTRAS)


async def panels_of(page_request: TablePageRequest) -> dict[str, Any]:
    """Return the variables of `table.html` for its panels: templates, forms, styles, scripts, and each panel's own."""
    context: dict[str, Any] = {
        "parts": _PARTS,
        "forms": _FORMS,
        "styles": _STYLES,
        "scripts": _SCRIPTS,
        "modules": assets().imported_by(_SCRIPTS),
    }
    for panel in PANELS:
        context |= await panel.context(page_request)
    return context


async def room_context(page_request: RoomPageRequest) -> dict[str, Any]:
    """Return the variables that the features' panels add to `room.html`."""
    context: dict[str, Any] = {}
    for panel in PANELS:
        context |= await panel.in_room(page_request)
    return context


async def question_before(page_request: TablePageRequest, action: str) -> str | None:
    """Return the question that a person has to confirm before an action, from the first feature that asks, or None."""
    for panel in PANELS:
        if panel.question is not None and (question := await panel.question(page_request, action)) is not None:
            return question
    return None


def after_acting(page_request: TablePageRequest, answer: Response) -> bool:
    """Report a person's action to the features; return whether the page has to be reloaded.

    The features may set cookies on `answer`.
    """
    reloads = [panel.acted(page_request, answer) for panel in PANELS if panel.acted is not None]
    return any(reloads)
