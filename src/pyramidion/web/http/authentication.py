"""Authentication: visitor cookies, CSRF tokens and form parsing.

A page route that changes something reads its form with `checked_form`, which refuses what our own pages did not send:

    visitor = visitors.of(request)
    form = await visitors.checked_form(request)
    ...
    return visitors.remember(visitor, response)
"""

from __future__ import annotations

import hmac
import re
import secrets
from dataclasses import dataclass
from functools import lru_cache
from http.cookies import CookieError, SimpleCookie
from typing import TypeVar
from urllib.parse import parse_qsl

from itsdangerous import BadSignature, Signer
from starlette.datastructures import ImmutableMultiDict
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import Scope

from pyramidion.web.errors import BadRequest, Forged, TooLarge
from pyramidion.web.table.new_table import MOST_CARDS
from pyramidion.web.tokens import CODE_GROUP, CODE_LENGTH, ID_ALPHABET
from pyramidion.words import _

COOKIE = "pyramidion_visitor"
OPEN_SEAT = "pyramidion_open"
"""The cookie, restricted to one table's path, that says which of the browser's seats is open."""
YEAR = 365 * 24 * 3600
LARGEST_BODY = 64 * 1024
LARGEST_TABLE = LARGEST_BODY + 12 * MOST_CARDS
"""Maximum size of the request for a new table: forms and JSON need at most twelve bytes per character of a card
file."""
LARGEST_PICTURE = 4 * 1024 * 1024
MOST_FIELDS, MOST_CARD_FIELDS = 200, 600
"""Maximum number of fields of a form, and of the lab's form, which has all cards of a game."""
AnyResponse = TypeVar("AnyResponse", bound=Response)


def keep_cookie(response: Response, name: str, value: str, *, secure: bool) -> None:
    """Set a cookie for a year that scripts cannot read."""
    response.set_cookie(name, value, max_age=YEAR, path="/", httponly=True, samesite="lax", secure=secure)


class Holder(str):
    """A visitor's id, with the seat that is open in this browser if several players share it (hotseat)."""

    __slots__ = ("open",)

    def __new__(cls, text: str, open: int | None = None) -> Holder:
        """Return the id. `open` comes from the browser and counts only among the seats that the visitor holds."""
        made = super().__new__(cls, text)
        made.open = open
        return made

    open: int | None


@dataclass(frozen=True, slots=True)
class Visitor:
    """A browser: `holder` is its visitor id, `csrf` the token for its forms; `new` if it has no cookie yet."""

    holder: Holder
    csrf: str
    new: bool


class Visitors:
    """Identifies visitors by their signed cookie."""

    def __init__(self, key: str, *, secure: bool = False) -> None:
        self._signer = Signer(key, salt="pyramidion.visitor", digest_method="sha256", key_derivation="hmac")
        self._csrf_key = hmac.digest(key.encode(), b"pyramidion.csrf", "sha256")
        self._secure = secure
        # The prefix makes browsers accept the cookie only over HTTPS, from this host, for the whole host.
        self._cookie = f"__Host-{COOKIE}" if secure else COOKIE
        self._unsign = lru_cache(maxsize=4096)(self._unsigned)

    def of(self, request: HTTPConnection) -> Visitor:
        """Return the requester's visitor, or a new one, who is recognised later only if `remember` sets the cookie."""
        holder = self.holder(request.scope)
        if holder is not None:
            return Visitor(holder, self.csrf(holder), new=False)
        return self.newcomer()

    def newcomer(self) -> Visitor:
        """Return a new visitor; call `remember` to set the cookie."""
        return self.somebody(secrets.token_urlsafe(18))

    def somebody(self, holder: str) -> Visitor:
        """Return a visitor whose cookie still has to be set, for example after signing in."""
        return Visitor(Holder(holder), self.csrf(holder), new=True)

    def holder(self, scope: Scope) -> Holder | None:
        """Return the visitor's id if the request has our cookie with a valid signature, else None."""
        for name, value in scope["headers"]:
            if name == b"cookie" and COOKIE.encode() in value:
                cookies = SimpleCookie()
                try:
                    cookies.load(value.decode("latin-1"))
                except CookieError:
                    return None
                known = self._unsign(cookies[self._cookie].value) if self._cookie in cookies else None
                return None if known is None else Holder(known, _seat_in(cookies))
        return None

    def remember(self, visitor: Visitor, response: AnyResponse) -> AnyResponse:
        """Set the visitor's cookie on the response if the browser has none; return the response."""
        if visitor.new:
            keep_cookie(response, self._cookie, self._signer.sign(visitor.holder).decode(), secure=self._secure)
        return response

    def csrf(self, holder: str) -> str:
        """Return the CSRF token for a visitor's forms."""
        return hmac.digest(self._csrf_key, holder.encode(), "sha256").hex()[:40]

    async def checked_form(self, request: Request) -> ImmutableMultiDict[str, str]:
        """Return the fields of a posted form. Raises Forged if it was not sent by one of our own pages.

        The token is the field `csrf` or the header `X-CSRF`.
        """
        require_same_origin(request.scope)
        form = await read_form(request)
        self.require_csrf(request, form.get("csrf"))
        return form

    def require_csrf(self, request: HTTPConnection, token: str | None = None) -> Holder:
        """Return the visitor's id. Raises Forged unless the request has the visitor's CSRF token."""
        holder = self.holder(request.scope)
        given = token or request.headers.get("x-csrf", "")
        if holder is None or not hmac.compare_digest(given.encode(), self.csrf(holder).encode()):
            raise Forged(_("This page has expired, or cookies are disabled. Reload it and try again."))
        return holder

    def _unsigned(self, signed: str) -> str | None:
        try:
            return self._signer.unsign(signed).decode()
        except (BadSignature, UnicodeError):
            return None


def _seat_in(cookies: SimpleCookie) -> int | None:
    value = cookies[OPEN_SEAT].value if OPEN_SEAT in cookies else ""
    return int(value) if value.isascii() and value.isdigit() and len(value) <= 2 else None


def require_same_origin(scope: Scope) -> None:
    """Raise Forged if the browser says that another site made this request; programs send no such headers."""
    host = origin = site = b""
    for name, value in scope["headers"]:
        if name == b"host":
            host = value
        elif name == b"origin":
            origin = value
        elif name == b"sec-fetch-site":
            site = value
    if origin:
        if origin.partition(b"://")[2].lower() != host.lower():
            raise Forged(_("This request came from another site."))
    elif site not in (b"", b"same-origin", b"none"):
        raise Forged(_("This request came from another site."))


def brings_picture(scope: Scope) -> bool:
    """Return whether the body of a request is, or contains, a picture instead of text."""
    return scope["path"].endswith("/picture")


def largest_body(scope: Scope) -> int:
    """Return the maximum size of a request's body in bytes; a new table may include a card file."""
    if brings_picture(scope):
        return LARGEST_PICTURE + LARGEST_BODY
    return LARGEST_TABLE if scope["path"] in ("/tables", "/api/tables") else LARGEST_BODY


async def read_body(request: Request) -> bytes:
    """Return the body. Raises TooLarge if it exceeds `largest_body`."""
    body, largest = bytearray(), largest_body(request.scope)
    async for chunk in request.stream():
        body += chunk
        if len(body) > largest:
            raise TooLarge(_("The request is larger than {limit} kB.").format(limit=largest // 1024))
    return bytes(body)


async def read_form(request: Request) -> ImmutableMultiDict[str, str]:
    """Return the fields of a URL-encoded form, with LF for the CRLF that browsers send. Raises BadRequest."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise BadRequest(_("The form must be sent as application/x-www-form-urlencoded."))
    body = await read_body(request)
    most = MOST_CARD_FIELDS if request.scope["path"].startswith("/lab/") else MOST_FIELDS
    try:
        fields = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=most, errors="strict")
        return ImmutableMultiDict([(name, value.replace("\r\n", "\n")) for name, value in fields])
    except ValueError as error:
        raise BadRequest(_("The form could not be read: it is not valid UTF-8 or has too many fields.")) from error


def new_code() -> str:
    """Return a new device code, in groups: `k7m3-q9xw-2htd-5bcn`."""
    letters = "".join(secrets.choice(ID_ALPHABET) for _nth in range(CODE_LENGTH))
    return "-".join(re.findall("." * CODE_GROUP, letters))
