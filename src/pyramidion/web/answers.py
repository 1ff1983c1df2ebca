"""How programs are answered: who is asking, the door for actions, and every refusal as JSON."""

from __future__ import annotations

import json
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from pyramidion import IllegalAction
from pyramidion.web import wire
from pyramidion.web.errors import BadRequest, Forged, NoSuchToken, NotYourSeat, Refused, StaleVersion, TooLarge
from pyramidion.web.seats import LARGEST_BODY, Visitors, require_same_origin
from pyramidion.web.table import Table
from pyramidion.web.tables import Tables

JSON_HEADERS = [
    (b"content-type", b"application/json"),
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
]
LARGEST_NUMBER = 2**31


class Json(Response):
    """JSON that is made already."""

    media_type = "application/json"

    def __init__(self, body: bytes, status_code: int = 200) -> None:
        super().__init__(body, status_code, {"cache-control": "no-store"})


def token_of(scope: Scope) -> str | None:
    """Return the seat token in the `Authorization: Bearer` header."""
    for name, value in scope["headers"]:
        if name == b"authorization":
            scheme, _, token = value.partition(b" ")
            if scheme.lower() != b"bearer":
                raise NoSuchToken("Seats are held with the header 'Authorization: Bearer TOKEN'.")
            return token.strip().decode("latin-1")
    return None


def viewer_of(table: Table, scope: Scope, visitors: Visitors) -> int | None:
    """Return the seat of whoever asks, by token or cookie, or None for a spectator. Raises NoSuchToken."""
    token = token_of(scope)
    if token is None:
        return table.seat_of(visitors.holder(scope))
    seat = table.seat_of_token(token)
    if seat is None:
        raise NoSuchToken("This token holds no seat at this table.")
    return seat


def refusal(error: Refused | IllegalAction) -> tuple[int, dict[str, Any]]:
    """Return the status and the body for something refused."""
    if isinstance(error, Refused):
        return error.status, error.as_json()
    return 422, {"error": "illegal-action", "detail": str(error), "rule": error.rule, "reason": error.reason}


def position(table: Table, viewer: int | None) -> dict[str, Any]:
    """Return what a program needs to decide anew: the newest version, board and legal actions."""
    data: dict[str, Any] = {
        "version": table.version(viewer),
        "view": table.match.view(viewer),
        "acting": table.match.acting,
        "over": table.match.over,
    }
    if viewer is not None:
        data["legal"] = json.loads(wire.legal(table, viewer))
    return data


class ActionDoor:
    """`POST /api/tables/{id}/actions`, as a bare ASGI application: it is where a busy server spends its time."""

    PREFIX, SUFFIX = "/api/tables/", "/actions"

    def __init__(self, tables: Tables, visitors: Visitors) -> None:
        self._tables, self._visitors = tables, visitors

    def takes(self, scope: Scope) -> bool:
        """Whether a request is for this door."""
        if scope["method"] != "POST":
            return False
        path: str = scope["path"]
        return path.startswith(self.PREFIX) and path.endswith(self.SUFFIX) and path.count("/") == 4

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        table: Table | None = None
        viewer: int | None = None
        try:
            body = await _body(receive)
            table_id = scope["path"][len(self.PREFIX) : -len(self.SUFFIX)]
            table = self._tables.known(table_id) or await self._tables.get(table_id)
            viewer = self._actor(table, scope)
            action, version, seat = _order(body)
            if seat is not None and seat != viewer:
                raise NotYourSeat(_not_yours(table, viewer, seat))
            accepted = await table.act(viewer, action, version)
            status, answer = 200, b'{"version":%d}' % accepted.version
        except (Refused, IllegalAction) as error:
            status, said = refusal(error)
            if isinstance(error, StaleVersion) and table is not None:
                said |= position(table, viewer)
            answer = wire.encode(said)
        headers = [*JSON_HEADERS, (b"content-length", b"%d" % len(answer))]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": answer})

    def _actor(self, table: Table, scope: Scope) -> int | None:
        """Return the seat of whoever acts. Raises NoSuchToken, or Forged for a cookie that another site's page rides on."""
        seat = viewer_of(table, scope, self._visitors)
        if token_of(scope) is None:
            require_same_origin(scope)
            if seat is not None:
                _require_csrf(scope, self._visitors)
        return seat


def _require_csrf(scope: Scope, visitors: Visitors) -> None:
    from starlette.requests import HTTPConnection

    visitors.require_csrf(HTTPConnection(scope))


def _not_yours(table: Table, viewer: int | None, seat: int) -> str:
    if viewer is None:
        return f"Seat {seat} is not yours: you hold no seat at this table."
    return f"Seat {seat} is not yours: you hold seat {viewer}, {table.names[viewer]}."


async def _body(receive: Receive) -> bytes:
    """Return a request's body. Raises TooLarge."""
    message = await receive()
    body: bytes = message.get("body", b"")
    while message.get("more_body", False):
        if len(body) > LARGEST_BODY:
            raise TooLarge(f"The body is longer than {LARGEST_BODY // 1024} kB.")
        message = await receive()
        body += message.get("body", b"")
    return body


def _order(body: bytes) -> tuple[int | str, int, int | None]:
    """Return (action, version, seat) of a posted action. Raises BadRequest with a sentence."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        raise BadRequest("The body is not JSON; an action is posted as {\"action\": \"pass\", \"version\": 3}.") from None
    if not isinstance(data, dict):
        raise BadRequest("The body must be a JSON object with 'action' and 'version'.")
    action, version, seat = data.get("action"), data.get("version"), data.get("seat")
    if isinstance(action, bool) or not isinstance(action, (int, str)):
        raise BadRequest("'action' must be an action's id or its notation.")
    if type(version) is not int:
        raise BadRequest("'version' must be the version of the position that the action was chosen at.")
    if seat is not None and type(seat) is not int:
        raise BadRequest("'seat' must be a seat's number, if it is given.")
    if isinstance(action, int) and abs(action) >= LARGEST_NUMBER:
        raise BadRequest("'action' is no action's id.")
    return action, version, seat


__all__ = ["ActionDoor", "Forged", "Json", "position", "refusal", "token_of", "viewer_of"]
