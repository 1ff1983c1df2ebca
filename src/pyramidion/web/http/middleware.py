"""Middleware: security headers and a request-size limit."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pyramidion.web.http.bodies import bounded, brings_picture

# Only our own scripts, styles, images and connections; nothing inline; no framing.
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: list[tuple[bytes, bytes]] = [
    (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    # Anyone with a table's address can watch it, so do not send it to other sites.
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
]
OF_PARTS = (b"x-content-type-options", b"cross-origin-resource-policy", b"strict-transport-security")
"""The headers that mean something for a script, a style sheet or a font of a page; the others are for documents.

A page has fifty such parts, and the headers for documents are larger than most of them.
"""
PART_TYPES = (b"text/css", b"text/javascript", b"font/woff2")
NOT_KEPT = (b"cache-control", b"no-store")
CHALLENGE = (b"www-authenticate", b'Bearer realm="pyramidion", Cookie realm="pyramidion"')
"""The ways to authenticate: a seat token, or the cookie of a browser."""
HTTPS_ONLY = (b"strict-transport-security", b"max-age=31536000")


class SecurityMiddleware:
    """ASGI middleware around the whole application: limits request bodies, and adds security headers to the answers."""

    def __init__(self, app: ASGIApp, *, secure: bool = False) -> None:
        self._app = app
        self._headers = [*HEADERS, HTTPS_ONLY] if secure else HEADERS
        self._of_parts = [header for header in self._headers if header[0] in OF_PARTS]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request with a limited body, and add the security headers to the answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        else:
            kind = next((value for name, value in scope["headers"] if name == b"content-type"), b"")
            text = None if brings_picture(scope) else kind
            limited = receive if scope["method"] == "GET" else bounded(scope, receive, text)
            of_parts = self._of_parts if scope["path"].startswith("/static/") else self._headers
            await self._app(scope, limited, _guarded(send, self._headers, of_parts))


def headers_only(send: Send) -> Send:
    """Return a `send` function that drops the body of an answer, for a HEAD request that is handled like a GET."""

    async def sending(message: Message) -> None:
        """Send the head of the answer with an empty body."""
        if message["type"] == "http.response.start":
            await send(message)
            await send({"type": "http.response.body", "body": b""})

    return sending


def _guarded(send: Send, headers: list[tuple[bytes, bytes]], of_parts: list[tuple[bytes, bytes]]) -> Send:
    """Return `send` with the security headers added: `of_parts` to scripts, style sheets and fonts, else `headers`."""

    async def sending(message: Message) -> None:
        """Send a part of the answer, its head with the security headers."""
        if message["type"] == "http.response.start":
            own = [*message.get("headers", ())]
            # Responses are made for one visitor; those that may be cached say so themselves.
            kept = [] if any(name.lower() == b"cache-control" for name, _value in own) else [NOT_KEPT]
            asked = [CHALLENGE] if message["status"] == 401 else []
            kind = next((value for name, value in own if name.lower() == b"content-type"), b"")
            message["headers"] = [*own, *kept, *(of_parts if kind.startswith(PART_TYPES) else headers), *asked]
        await send(message)

    return sending
