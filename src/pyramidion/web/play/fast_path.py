"""The fast path: actions and event streams as bare ASGI, bypassing routing and middleware."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable
from typing import cast
from urllib.parse import parse_qs

from starlette.requests import HTTPConnection
from starlette.types import Receive, Scope, Send

from pyramidion import IllegalAction
from pyramidion.translation import _
from pyramidion.web.errors import (
    BadRequest,
    NoSuchToken,
    NotYourSeat,
    Refused,
    StaleVersion,
    TimeIsUp,
    problem,
)
from pyramidion.web.http import logging_setup
from pyramidion.web.http.authentication import Visitors, require_same_origin
from pyramidion.web.http.bodies import bounded, read_all
from pyramidion.web.http.middleware import CHALLENGE
from pyramidion.web.http.rate_limits import RateLimits
from pyramidion.web.http.responses import refusal, token_of
from pyramidion.web.operations.metrics import Metrics
from pyramidion.web.play.streams import PageStream, ProgramStream, Stream, StreamPosition, Streams
from pyramidion.web.table.snapshots import json_encoder as wire
from pyramidion.web.table.table import Table
from pyramidion.web.table.tables import Tables
from pyramidion.web.table.view_models import AcceptedAction
from pyramidion.web.table_requests.access import viewer_of
from pyramidion.web.table_requests.refusals import position

HEADERS = [
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
]
LARGEST_NUMBER = 2**31
Open = Callable[[Table, int | None, StreamPosition], Stream]
log = logging.getLogger(__name__)


class FastPath:
    """Answers actions and event streams as bare ASGI, without FastAPI's routing and middleware.

    The addresses are `POST /api/tables/{id}/actions`, `GET /api/tables/{id}/stream` and `GET /t/{id}/stream`.
    """

    def __init__(
        self, tables: Tables, visitors: Visitors, streams: Streams, limits: RateLimits, metrics: Metrics
    ) -> None:
        self._tables, self._visitors, self._streams = tables, visitors, streams
        self._limits, self._metrics = limits, metrics

    async def take(self, scope: Scope, receive: Receive, send: Send) -> bool:
        """Handle a request if it is for one of the fast path's addresses; return whether it was."""
        match scope["path"].split("/"):
            case ["", "api", "tables", table_id, "actions"] if scope["method"] == "POST":
                await self._act(table_id, scope, receive, send)
            case ["", "api", "tables", table_id, "stream"] if scope["method"] == "GET":
                await self._stream(table_id, ProgramStream, scope, receive, send)
            case ["", "t", table_id, "stream"] if scope["method"] == "GET":
                await self._stream(table_id, PageStream, scope, receive, send)
            case _other:
                return False
        return True

    async def _act(self, table_id: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Play the action of a request at a table, and answer with the new version or the refusal."""
        arrived = time.perf_counter()
        table: Table | None = None
        viewer: int | None = None
        try:
            body = await read_all(bounded(scope, receive, b"application/json"))
            table = self._tables.cached(table_id) or await self._tables.get(table_id)
            viewer = await self._actor(table, scope)
            self._limits.action(scope, table_id, viewer)
            action, version, seat = _body_of(body)
            if seat is not None and seat != viewer:
                raise NotYourSeat(_not_yours(table, viewer, seat))
            accepted = await table.act(viewer, action, version)
            status, answer = 200, _accepted(accepted)
            self._metrics.acted(time.perf_counter() - arrived)
        except (Refused, IllegalAction) as error:
            status, problem_body = refusal(error, scope)
            if isinstance(error, (StaleVersion, TimeIsUp)) and table is not None:
                problem_body |= position(table, viewer)
            answer = wire.encode(problem_body)
        except Exception:
            log.exception("An action at table %s could not be answered", table_id)
            sentence = _("Something went wrong on the server. The error has been logged.")
            status, answer = 500, wire.encode(problem(500, "internal", sentence))
        await _send(send, status, answer)
        self._note(scope, status, arrived)

    def _note(self, scope: Scope, status: int, arrived: float) -> None:
        """Count an answered request in the metrics, and log it."""
        self._metrics.answered(scope["method"], status)
        logging_setup.request(scope, status, time.perf_counter() - arrived)

    async def _stream(self, table_id: str, kind: Open, scope: Scope, receive: Receive, send: Send) -> None:
        """Open the table's event stream of this kind for a request, and serve it until it ends."""
        arrived = time.perf_counter()
        try:
            table = await self._tables.get(table_id)
            viewer = viewer_of(table, scope, self._visitors)
        except Refused as error:
            status, body = refusal(error, scope)
            await _send(send, status, wire.encode(body))
            self._note(scope, status, arrived)
            return
        # A reconnecting browser repeats its first address, but `Last-Event-ID` says where it really is.
        last = next((value for name, value in scope["headers"] if name == b"last-event-id"), None)
        asked = parse_qs(scope["query_string"].decode("latin-1")).get("since", [""])[0]
        place = StreamPosition.parse(last.decode("latin-1") if last is not None else asked)
        try:
            if place.version > table.version(viewer):
                table.fall_behind()  # the client has seen a newer version on another server
                await table.refresh()
            with self._limits.stream(scope, table_id):
                self._note(scope, 200, arrived)
                stream = self._opened(kind(table, viewer, place), scope)
                await self._streams.serve(stream, receive, send)
        except Refused as error:
            status, body = refusal(error, scope)
            await _send(send, status, wire.encode(body))
            self._note(scope, status, arrived)

    def _opened(self, stream: Stream, scope: Scope) -> Stream:
        """Tell a stream how to check that its reader still holds the seat, so that it ends when the reader loses it."""
        table, viewer, token = stream.table, stream.viewer, token_of(scope)
        if token is not None:
            stream.allowed = lambda: table.seating.seat_of_token(token) == viewer
        else:
            holder = stream.holder = self._visitors.holder(scope)
            stream.allowed = lambda: viewer is None or viewer in table.seating.seats_of(holder)
        return stream

    async def _actor(self, table: Table, scope: Scope) -> int | None:
        """Return the seat whose token or cookie an action brings, None without a seat.

        Raises NoSuchToken, or Forged if another site may have sent the request.
        """
        try:
            seat = viewer_of(table, scope, self._visitors)
        except NoSuchToken:
            seat = None
        if seat is None:
            # The player may have just sat down through another server.
            table = await self._tables.get(table.id)
            seat = viewer_of(table, scope, self._visitors)
        if token_of(scope) is None:
            require_same_origin(scope)
            if seat is not None:
                self._visitors.require_csrf(HTTPConnection(scope))
        return seat


async def _send(send: Send, status: int, answer: bytes) -> None:
    """Send an answer with JSON and the headers of all such answers."""
    kind = b"application/json" if status < 400 else b"application/problem+json"
    headers = [(b"content-type", kind), (b"content-length", b"%d" % len(answer)), *HEADERS]
    headers += [CHALLENGE] if status == 401 else []
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": answer})


def _accepted(accepted: AcceptedAction) -> bytes:
    """Return the JSON that answers an accepted action."""
    if accepted.receipt is None:
        return b'{"version":%d}' % accepted.version
    return wire.encode({"version": accepted.version, "receipt": accepted.receipt.as_json(opened=True)})


def _not_yours(table: Table, viewer: int | None, seat: int) -> str:
    """Return the sentence for an action that names another seat than the requester's."""
    if viewer is None:
        return _("Seat {seat} is not yours: you hold no seat at this table.").format(seat=seat)
    sentence = _("Seat {seat} is not yours: you hold seat {own}, {name}.")
    return sentence.format(seat=seat, own=viewer, name=table.names[viewer])


def _body_of(body: bytes) -> tuple[int | str, int, int | None]:
    """Parse the body of a posted action into (action, version, seat). Raises BadRequest with a sentence.

    The action is an id or a notation, and the seat is None if the body does not name one.
    """
    try:
        parsed: object = json.loads(body)
    except (ValueError, RecursionError):
        example = '{"action": "pass", "version": 3}'
        raise BadRequest(
            _("The request body is not valid JSON. An action looks like {example}.").format(example=example)
        ) from None
    if not isinstance(parsed, dict):
        raise BadRequest(_("The body must be a JSON object with 'action' and 'version'."))
    data = cast("dict[str, object]", parsed)
    action, version, seat = data.get("action"), data.get("version"), data.get("seat")
    if isinstance(action, bool) or not isinstance(action, (int, str)):
        raise BadRequest(_("'action' must be an action's id or its notation."))
    if isinstance(version, bool) or not isinstance(version, int):
        raise BadRequest(_("'version' must be the version of the position you are acting on."))
    if seat is not None and (isinstance(seat, bool) or not isinstance(seat, int)):
        raise BadRequest(_("'seat', if present, must be a seat number."))
    if isinstance(action, int) and abs(action) >= LARGEST_NUMBER:
        raise BadRequest(_("'action' is not a valid action id."))
    return action, version, seat
