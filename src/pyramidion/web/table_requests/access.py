"""The table of a request, and who the requester is there."""

from __future__ import annotations

from fastapi import Request
from starlette.types import Scope

from pyramidion.translation import _
from pyramidion.web import contracts
from pyramidion.web.errors import NoSuchToken, StaleVersion
from pyramidion.web.http.authentication import Visitors, require_same_origin
from pyramidion.web.http.responses import token_of
from pyramidion.web.http.services import get_service
from pyramidion.web.table.room import Room
from pyramidion.web.table.seats.host import Requester
from pyramidion.web.table.seats.protocols import TableOrRoom
from pyramidion.web.table.table import Table
from pyramidion.web.table.tables import Tables


def viewer_of(table: TableOrRoom, scope: Scope, visitors: Visitors) -> int | None:
    """Return the requester's seat, by token or cookie; None for a spectator or a host who does not play.

    Raises NoSuchToken.
    """
    token = token_of(scope)
    if token is None:
        return table.seat_of(visitors.holder(scope))
    seat = table.seating.seat_of_token(token)
    if seat is None and not table.host.has_token(token):
        raise NoSuchToken(_("This token is not valid for any seat at this table."))
    return seat


def requester_of(table: TableOrRoom, scope: Scope, visitors: Visitors) -> Requester:
    """Return the requester: their seat, and whether they are the host. Raises NoSuchToken."""
    seat, token = viewer_of(table, scope, visitors), token_of(scope)
    host = table.host.is_visitor(visitors.holder(scope)) if token is None else table.host.has_token(token)
    return Requester(seat, host)


async def seat_at(request: Request, table_id: str) -> tuple[Table, int | None]:
    """Return a table and the requester's seat; None for a spectator.

    Raises UnknownTable, NotStarted or NoSuchToken.
    """
    table = await get_service(request, Tables).get(table_id)
    return table, viewer_of(table, request.scope, get_service(request, Visitors))


async def requester_at(request: Request, table_id: str) -> tuple[Table, Requester]:
    """Return a table and the requester, who may be the host. Raises like `seat_at`."""
    table = await get_service(request, Tables).get(table_id)
    return table, requester_of(table, request.scope, get_service(request, Visitors))


async def party_at(request: Request, table_id: str) -> tuple[Table | Room, Requester]:
    """Return a table, or its waiting room if the match has not started, and the requester.

    Raises UnknownTable or NoSuchToken.
    """
    table = await table_or_room(request, table_id)
    return table, requester_of(table, request.scope, get_service(request, Visitors))


async def table_or_room(request: Request, table_id: str) -> Table | Room:
    """Return a table, or its waiting room if the match has not started. Raises UnknownTable or CannotGoOn."""
    return await get_service(request, contracts.TableFinder).find(table_id)


async def changer_at(request: Request, table_id: str) -> tuple[Table, Requester]:
    """Return a table and the requester who is about to change something there over the JSON API.

    Raises Forged if the request may come from another site's page, and whatever `requester_at` raises.
    """
    table, requester = await requester_at(request, table_id)
    require_own_page(request, requester)
    return table, requester


def require_own_page(request: Request, requester: Requester) -> None:
    """Raise Forged if the request uses our cookie without our CSRF token; requests with a seat token pass."""
    require_same_origin(request.scope)
    if token_of(request.scope) is None and (requester.seat is not None or requester.host):
        get_service(request, Visitors).require_csrf(request)


def require_open(seat: int | None, given: str | None) -> None:
    """Raise StaleVersion if a page acts for the seat `given`, which is no longer the one that is open on its screen."""
    if given is not None and given != str(seat):
        raise StaleVersion(_("Another player's seat is now open on this screen. Reload the page."))
