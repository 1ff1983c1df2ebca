"""Responses for programs, and the token of a request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import Scope

from pyramidion import IllegalAction
from pyramidion.translation import _
from pyramidion.web.errors import Forged, NoSuchToken, Refused, problem

NEEDING_A_TOKEN = ("not-your-seat", "not-the-host", "chat", "forged")
"""Codes of the errors that a program without a token gets where it needs one."""


class Json(Response):
    """A response whose body is JSON that is already encoded, and that is never cached."""

    media_type = "application/json"

    def __init__(self, body: bytes, status_code: int = 200, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(body, status_code, {"cache-control": "no-store", **(headers or {})})


class Csv(Response):
    """A response whose body is a table as CSV."""

    media_type = "text/csv"


class Problem(Json):
    """An error answer of the JSON API in the format "problem details" (RFC 9457)."""

    media_type = "application/problem+json"


def wants_json(request: Request) -> bool:
    """Return whether the sender of a request expects JSON, as programs and scripts do, rather than a page."""
    api = request.url.path.startswith(("/api/", "/health", "/ready"))
    return api or "json" in request.headers.get("accept", "")


def form_answer(request: Request, path: str, body: Mapping[str, Any] | None = None) -> Response:
    """Answer an accepted form: redirect a page to `path`, or send a script `body` as JSON, by default an empty one."""
    return JSONResponse(body or {}) if wants_json(request) else RedirectResponse(path, 303)


def full_url(request: Request, path: str) -> str:
    """Return the URL of a path on this server, as the sender of a request reaches it."""
    return str(request.url.replace(path=path, query=""))


def _is_tokenless_program(scope: Scope) -> bool:
    """Return whether a program sent the JSON API a request without a token; a browser sends one of these headers."""
    names = {name for name, _value in scope["headers"]}
    return scope["path"].startswith("/api/") and names.isdisjoint((b"authorization", b"cookie", b"origin"))


def token_of(scope: Scope) -> str | None:
    """Return the token in the header `Authorization: Bearer`, or None. Raises NoSuchToken for another scheme."""
    for name, value in scope["headers"]:
        if name == b"authorization":
            scheme, _space, token = value.partition(b" ")
            if scheme.lower() != b"bearer":
                raise NoSuchToken(_("Send your seat token in the header 'Authorization: Bearer TOKEN'."))
            return token.strip().decode("latin-1")
    return None


def require_page(request: Request, error: Refused) -> None:
    """Raise the error again unless it can be answered by the form's page with the reason.

    A script gets no page, and neither does a fault of the server.
    """
    if error.status >= 500 or wants_json(request):
        raise error


def retry_after(error: Exception) -> dict[str, str]:
    """Return the header `Retry-After` for an error that says how long to wait, else no header."""
    seconds = error.more.get("retry_after") if isinstance(error, Refused) else None
    return {} if seconds is None else {"retry-after": str(seconds)}


def refusal(error: Refused | IllegalAction, scope: Scope) -> tuple[int, dict[str, Any]]:
    """Return the HTTP status and the JSON-ready body (problem details) that answer an error of a request.

    A program that is refused because it sent no token reads how to get one.
    """
    if isinstance(error, Refused):
        body = error.as_json()
        if error.code in NEEDING_A_TOKEN and _is_tokenless_program(scope):
            seat = _("Creating a table or taking a seat returns a token. Send it as 'Authorization: Bearer TOKEN'.")
            account = _("Create an API token on your account's page, and send it as 'Authorization: Bearer TOKEN'.")
            advice = seat if scope["path"].startswith("/api/tables/") else account
            # What a page would read about its form says nothing to a program.
            body["detail"] = advice if isinstance(error, Forged) else f"{body['detail']} {advice}"
        return error.status, body
    return 422, problem(422, "illegal-action", str(error), rule=error.rule, reason=error.reason)
