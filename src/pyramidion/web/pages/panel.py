"""What a feature adds to a table's page: panels, tabs, forms, styles and scripts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import Depends, Request, Response

from pyramidion.web.http.authentication import Holder, Visitor
from pyramidion.web.http.services import Service
from pyramidion.web.pages.visitor_pages import Pages, VisitorPages
from pyramidion.web.table.room import Room
from pyramidion.web.table.seats.host import Requester
from pyramidion.web.table.snapshots.snapshot import Snapshot
from pyramidion.web.table.table import Table
from pyramidion.web.table.tables import Tables

PLACES = ("way_back", "menu", "menu_end", "above", "tabs", "aftermath", "log", "beside", "end")
"""Where panels can be on a table's page, from top to bottom; `templates/table.html` has a loop for each."""


@dataclass(frozen=True, slots=True)
class TablePageRequest:
    """A request for a table's page, or from its forms and scripts: the table, and the visitor who sends it."""

    pages: VisitorPages
    table: Table
    requester: Requester

    @property
    def request(self) -> Request:
        """The request itself."""
        return self.pages.request

    @property
    def visitor(self) -> Visitor:
        """The visitor who sends the request."""
        return self.pages.visitor

    @property
    def holder(self) -> Holder:
        """The visitor's id."""
        return self.pages.visitor.holder

    @property
    def seat(self) -> int | None:
        """The seat that the visitor's browser shows at the table; None for a spectator, or a host who only watches."""
        return self.requester.seat


async def _table_visit(table_id: str, pages: Pages, tables: Service[Tables]) -> TablePageRequest:
    """Return a request that concerns the table in its path, for the annotation `TableVisit`."""
    table = await tables.get(table_id)
    holder = pages.visitor.holder
    return TablePageRequest(pages, table, Requester(table.seat_of(holder), table.host.is_visitor(holder)))


TableVisit = Annotated[TablePageRequest, Depends(_table_visit)]
"""A handler's parameter: the table in the path, and the visitor there; UnknownTable or NotStarted may be raised."""


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
