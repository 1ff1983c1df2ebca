"""Responses for programs, and the seat and requester of a request."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from starlette.responses import Response
from starlette.types import Scope

from pyramidion import IllegalAction
from pyramidion.translation import _
from pyramidion.web.errors import NoSuchToken, Refused, problem
from pyramidion.web.http.authentication import Visitors
from pyramidion.web.table.seats.host import Requester
from pyramidion.web.table.seats.protocols import Gathering
from pyramidion.web.table.snapshots import json_encoder as wire
from pyramidion.web.table.table import Table


class Json(Response):
    """A response with encoded JSON."""

    media_type = "application/json"

    def __init__(self, body: bytes, status_code: int = 200, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(body, status_code, {"cache-control": "no-store", **(headers or {})})


class Csv(Response):
    """A response with a table as CSV."""

    media_type = "text/csv"


class Problem(Json):
    """A refusal as problem details."""

    media_type = "application/problem+json"


def token_of(scope: Scope) -> str | None:
    """Return the seat token in the `Authorization: Bearer` header, or None. Raises NoSuchToken for another scheme."""
    for name, value in scope["headers"]:
        if name == b"authorization":
            scheme, _space, token = value.partition(b" ")
            if scheme.lower() != b"bearer":
                raise NoSuchToken(_("Send your seat token in the header 'Authorization: Bearer TOKEN'."))
            return token.strip().decode("latin-1")
    return None


def viewer_of(table: Gathering, scope: Scope, visitors: Visitors) -> int | None:
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


def requester_of(table: Gathering, scope: Scope, visitors: Visitors) -> Requester:
    """Return the requester: their seat, and whether they are the host. Raises NoSuchToken."""
    seat, token = viewer_of(table, scope, visitors), token_of(scope)
    host = table.host.is_visitor(visitors.holder(scope)) if token is None else table.host.has_token(token)
    return Requester(seat, host)


def refusal(error: Refused | IllegalAction) -> tuple[int, dict[str, Any]]:
    """Return the status and the body for a refused request."""
    if isinstance(error, Refused):
        return error.status, error.as_json()
    return 422, problem(422, "illegal-action", str(error), rule=error.rule, reason=error.reason)


def position(table: Table, viewer: int | None) -> dict[str, Any]:
    """Return what a program needs to choose again: the latest version, view and legal actions."""
    data: dict[str, Any] = {
        "version": table.version(viewer),
        "view": table.sight.shown.view(viewer),
        "acting": table.sight.due(viewer),
        "over": table.match.over,
        **wire.status_of(table, viewer),
    }
    if viewer is not None:
        data["legal"] = json.loads(wire.legal(table, viewer))
    return data
