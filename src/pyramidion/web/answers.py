"""How programs are answered: who is asking, and every refusal as JSON."""

from __future__ import annotations

import json
from typing import Any

from starlette.responses import Response
from starlette.types import Scope

from pyramidion import IllegalAction
from pyramidion.web import wire
from pyramidion.web.errors import NoSuchToken, Refused
from pyramidion.web.host.hosting import Asker, Hosting
from pyramidion.web.seats import Visitors
from pyramidion.web.table import Table
from pyramidion.words import _


class Json(Response):
    """JSON that is made already."""

    media_type = "application/json"

    def __init__(self, body: bytes, status_code: int = 200) -> None:
        super().__init__(body, status_code, {"cache-control": "no-store"})


def token_of(scope: Scope) -> str | None:
    """Return the seat token in the `Authorization: Bearer` header."""
    for name, value in scope["headers"]:
        if name == b"authorization":
            scheme, _space, token = value.partition(b" ")
            if scheme.lower() != b"bearer":
                raise NoSuchToken(_("Seats are held with the header 'Authorization: Bearer TOKEN'."))
            return token.strip().decode("latin-1")
    return None


def viewer_of(table: Hosting, scope: Scope, visitors: Visitors) -> int | None:
    """Return the seat of whoever asks, by token or cookie, or None for a spectator and a host who only watches.

    Raises NoSuchToken.
    """
    token = token_of(scope)
    if token is None:
        return table.seat_of(visitors.holder(scope))
    seat = table.seat_of_token(token)
    if seat is None and not table.is_host(None, token):
        raise NoSuchToken(_("This token holds no seat at this table."))
    return seat


def asker_of(table: Hosting, scope: Scope, visitors: Visitors) -> Asker:
    """Return who asks: their seat, and whether they are the host. Raises NoSuchToken."""
    seat = viewer_of(table, scope, visitors)
    return Asker(seat, table.is_host(visitors.holder(scope), token_of(scope)))


def refusal(error: Refused | IllegalAction) -> tuple[int, dict[str, Any]]:
    """Return the status and the body for something refused."""
    if isinstance(error, Refused):
        return error.status, error.as_json()
    return 422, {"error": "illegal-action", "detail": str(error), "rule": error.rule, "reason": error.reason}


def position(table: Table, viewer: int | None) -> dict[str, Any]:
    """Return what a program needs to decide anew: the newest version, board and legal actions."""
    data: dict[str, Any] = {
        "version": table.version(viewer),
        "view": table.shown.view(viewer),
        "acting": table.due(viewer),
        "over": table.match.over,
        **wire.standing(table, viewer),
    }
    if viewer is not None:
        data["legal"] = json.loads(wire.legal(table, viewer))
    return data
