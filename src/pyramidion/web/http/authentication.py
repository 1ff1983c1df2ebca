"""Authentication: visitor cookies, CSRF tokens and form parsing.

A page route that changes something takes its form as a `PostedForm` (`dependencies.py`), which refuses what our own
pages did not send, and answers with the `Pages` of its visitor (`pages/visitor_pages.py`), which set the cookie.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from itsdangerous import BadSignature, Signer
from starlette.datastructures import ImmutableMultiDict
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import Scope

from pyramidion.translation import _
from pyramidion.web.errors import Forged
from pyramidion.web.http.bodies import read_form
from pyramidion.web.http.cookies import cookies_of
from pyramidion.web.http.forms import parse_number
from pyramidion.web.tokens import new_visitor_id

COOKIE = "pyramidion_visitor"
OPEN_SEAT = "pyramidion_open"
"""The cookie, restricted to one table's path, that says which of the browser's seats is open."""
YEAR = 365 * 24 * 3600
LONGEST_SIGNED = 200
"""Maximum characters of a signed visitor id."""
AnyResponse = TypeVar("AnyResponse", bound=Response)


def keep_cookie(response: Response, name: str, value: str, *, secure: bool) -> None:
    """Set a cookie on a response for one year, hidden from scripts; `secure` sends it over HTTPS only."""
    response.set_cookie(name, value, max_age=YEAR, path="/", httponly=True, samesite="lax", secure=secure)


class Holder(str):
    """A visitor id, which holds seats; `open` is the seat that this browser shows if it holds several (hotseat)."""

    __slots__ = ("open",)

    def __new__(cls, text: str, open: int | None = None) -> Holder:
        """Return the id. `open` comes from a cookie, so it counts only if the visitor holds that seat."""
        made = super().__new__(cls, text)
        made.open = open
        return made

    open: int | None


@dataclass(frozen=True, slots=True)
class Visitor:
    """A browser that sends requests: its visitor id, the CSRF token for its forms, and `new` if it has no cookie."""

    holder: Holder
    csrf: str
    new: bool


class Visitors:
    """Recognises visitors by a signed cookie, sets it for new ones, and checks that our own pages sent a form."""

    def __init__(self, key: str, *, secure: bool = False) -> None:
        self._signer = Signer(key, salt="pyramidion.visitor", digest_method="sha256", key_derivation="hmac")
        self._csrf_key = hmac.digest(key.encode(), b"pyramidion.csrf", "sha256")
        self._secure = secure
        # The prefix makes browsers accept the cookie only over HTTPS, from this host, for the whole host.
        self._cookie = f"__Host-{COOKIE}" if secure else COOKIE
        self._unsign = lru_cache(maxsize=4096)(self._unsigned)

    def of(self, request: HTTPConnection) -> Visitor:
        """Return the visitor who makes a request; a browser without a valid cookie becomes a new visitor.

        The new visitor is recognised later only if `remember` sets the cookie.
        """
        holder = self.holder(request.scope)
        if holder is not None:
            return Visitor(holder, self.csrf(holder), new=False)
        return self.newcomer()

    def newcomer(self) -> Visitor:
        """Return a visitor with a new id, whose cookie `remember` has to set."""
        return self.somebody(new_visitor_id())

    def somebody(self, holder: str) -> Visitor:
        """Return the visitor with a given id, such as an account's at signing in; `remember` has to set the cookie."""
        return Visitor(Holder(holder), self.csrf(holder), new=True)

    def holder(self, scope: Scope) -> Holder | None:
        """Return the visitor id in a request's cookie if its signature is valid, else None."""
        cookies = cookies_of(scope)
        signed = cookies.get(self._cookie, "")
        holder = self._unsign(signed) if len(signed) <= LONGEST_SIGNED else None
        return None if holder is None else Holder(holder, _seat_in(cookies))

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
        self.require_sender(request)
        form = await read_form(request)
        self.require_csrf(request, form.get("csrf"))
        return form

    def require_sender(self, request: HTTPConnection) -> Holder:
        """Return the visitor id of a form's sender, before the body is read.

        Raises Forged if no page of ours can have sent the form.
        """
        require_same_origin(request.scope)
        holder = self.holder(request.scope)
        if holder is None:
            raise _expired()
        return holder

    def require_csrf(self, request: HTTPConnection, token: str | None = None) -> Holder:
        """Return a request's visitor id, after a check of the CSRF token in `token` or `X-CSRF`. Raises Forged."""
        holder = self.holder(request.scope)
        given = token or request.headers.get("x-csrf", "")
        if holder is None or not hmac.compare_digest(given.encode(), self.csrf(holder).encode()):
            raise _expired()
        return holder

    def _unsigned(self, signed: str) -> str | None:
        """Return the visitor id in a cookie's value, or None if the signature is wrong."""
        try:
            return self._signer.unsign(signed).decode()
        except (BadSignature, UnicodeError):
            return None


def _expired() -> Forged:
    """Return the error for a form without the visitor's cookie or CSRF token."""
    return Forged(_("This page has expired, or cookies are disabled. Reload it and try again."))


def _seat_in(cookies: Mapping[str, str]) -> int | None:
    """Return the seat that the browser shows if it holds several (hotseat), from the cookie `OPEN_SEAT`, or None."""
    return parse_number(cookies.get(OPEN_SEAT), 2)


def require_same_origin(scope: Scope) -> None:
    """Raise Forged if the browser's headers say that another site made this request; programs send no such headers."""
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
