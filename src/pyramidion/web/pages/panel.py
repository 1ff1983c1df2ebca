"""What a feature adds to a table's page: panels, tabs, forms, styles and scripts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from fastapi import Request, Response

from pyramidion.web.table.room import Room
from pyramidion.web.table.seats.host import Requester
from pyramidion.web.table.snapshots.snapshot import Snapshot
from pyramidion.web.table.table import Table

PLACES = ("menu", "menu_end", "above", "tabs", "aftermath", "log", "beside", "end")
"""Where panels can be on a table's page, from top to bottom; `templates/table.html` has a loop for each."""


@dataclass(frozen=True, slots=True)
class TablePageRequest:
    """A request for a table's page, as features get it: with the requester, and the visitor id of the browser."""

    request: Request
    table: Table
    requester: Requester
    holder: str


@dataclass(frozen=True, slots=True)
class RoomPageRequest:
    """A request for the page of a waiting room, as features get it: with the visitor id of the browser."""

    request: Request
    room: Room
    holder: str


async def _nothing(_page_request: object) -> Mapping[str, Any]:
    """Return no template variables: the default of `Panel.context` and `Panel.in_room`."""
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """What one feature adds to a table's page; `web/play/panels.py` lists all panels.

    Attributes:
        parts: by place (`PLACES`), the template to include there.
        forms: by id, the path below the table's to which a hidden form of the page posts.
        style, script: a style sheet and a script module for the page; the script calls `onShown` of `motion.js` with
            what it does after every position.
        context: returns the variables of the templates in `parts`.
        in_room: returns variables of the page of a waiting room.
        inserts: by place of the fragment (`INSERT_PLACES` of `renderer.py`), the template to include there.
        fragment: by template variable, a function of the snapshot that gives its value in the fragment; it is called
            for every position of every viewer.
        question: called before a person's action, with its notation; returns a sentence if the person has to confirm
            the action first, else None.
        acted: called after a person's action; may set cookies, and returns whether the page has to be reloaded.
    """

    parts: Mapping[str, str] = field(default_factory=dict[str, str])
    forms: Mapping[str, str] = field(default_factory=dict[str, str])
    style: str | None = None
    script: str | None = None
    context: Callable[[TablePageRequest], Awaitable[Mapping[str, Any]]] = _nothing
    in_room: Callable[[RoomPageRequest], Awaitable[Mapping[str, Any]]] = _nothing
    inserts: Mapping[str, str] = field(default_factory=dict[str, str])
    fragment: Mapping[str, Callable[[Snapshot], Any]] = field(default_factory=dict[str, Callable[[Snapshot], Any]])
    question: Callable[[TablePageRequest, str], Awaitable[str | None]] | None = None
    acted: Callable[[TablePageRequest, Response], bool] | None = None
