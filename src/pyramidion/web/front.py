"""What every request passes first: security headers and a bound on bodies."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pyramidion.web.seats import largest_body
from pyramidion.words import _

# Scripts, styles, pictures and connections of our own only, none of them inline, and nobody may frame a page.
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: list[tuple[bytes, bytes]] = [
    (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    # A table's address is what lets one watch it, so it is not told to other sites.
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
]
HTTPS_ONLY = (b"strict-transport-security", b"max-age=31536000")


class Front:
    """ASGI middleware around the whole application."""

    def __init__(self, app: ASGIApp, *, secure: bool = False) -> None:
        self._app = app
        self._headers = [*HEADERS, HTTPS_ONLY] if secure else HEADERS

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        else:
            bounded = receive if scope["method"] == "GET" else _bounded(receive, largest_body(scope))
            await self._app(scope, bounded, _guarded(send, self._headers))


def _guarded(send: Send, headers: list[tuple[bytes, bytes]]) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", ()), *headers]
        await send(message)

    return sending


def _bounded(receive: Receive, largest: int) -> Receive:
    size = 0

    async def receiving() -> Message:
        nonlocal size
        message = await receive()
        if message["type"] == "http.request":
            size += len(message.get("body", b""))
            if size > largest:
                # The only kind of error that gets through to the client when a body is read for a route of the API.
                raise HTTPException(413, _("The body is longer than {limit} kB.").format(limit=largest // 1024))
        return message

    return receiving
