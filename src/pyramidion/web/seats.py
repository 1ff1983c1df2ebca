"""Who is asking: visitors (a signed cookie), the tokens of forms, and the seat tokens of programs.

A page route that changes something reads its form with `checked_form`, which refuses what our own pages did not send:

    visitor = visitors.of(request)
    form = await visitors.checked_form(request)
    ...
    return visitors.remember(visitor, response)
"""

from __future__ import annotations

import hmac
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
from pyramidion.web.store import ID_ALPHABET, hash_token
from pyramidion.words import _

COOKIE = "pyramidion_visitor"
OPEN_SEAT = "pyramidion_open"
"""The cookie, for one table's address only, that says which of several seats of this browser is open."""
YEAR = 365 * 24 * 3600
LARGEST_BODY = 64 * 1024
MOST_CARDS = 100_000
"""Characters in a card file."""
LARGEST_TABLE = LARGEST_BODY + 12 * MOST_CARDS
"""A new table's body: neither a form nor JSON spells a character with more than twelve bytes."""
MOST_FIELDS = 200
MAX_NAME = 40
CODE_LENGTH = 16
"""Letters and digits in the code that takes a seat to another device."""
AnyResponse = TypeVar("AnyResponse", bound=Response)


class Holder(str):
    """A visitor's id, with the seat that is open in the browser that asks, where several people share it (hotseat)."""

    __slots__ = ("open",)

    def __new__(cls, text: str, open: int | None = None) -> Holder:
        """Return the id; `open` is what the browser says, and counts only among seats that the visitor holds."""
        made = super().__new__(cls, text)
        made.open = open
        return made

    open: int | None


@dataclass(frozen=True, slots=True)
class Visitor:
    """A browser: `holder` is its id at the tables, `csrf` the token for its forms, `new` that it has no cookie yet."""

    holder: Holder
    csrf: str
    new: bool


class Visitors:
    """Knows visitors by their signed cookie."""

    def __init__(self, key: str, *, secure: bool = False) -> None:
        self._signer = Signer(key, salt="pyramidion.visitor", digest_method="sha256", key_derivation="hmac")
        self._csrf_key = hmac.digest(key.encode(), b"pyramidion.csrf", "sha256")
        self._secure = secure
        # With this prefix browsers take the cookie from this host alone, over https, and for all of it.
        self._cookie = f"__Host-{COOKIE}" if secure else COOKIE
        self._unsign = lru_cache(maxsize=4096)(self._unsigned)

    def of(self, request: HTTPConnection) -> Visitor:
        """Return who is asking; a new visitor is made up and known again only if `remember` sets its cookie."""
        holder = self.holder(request.scope)
        if holder is not None:
            return Visitor(holder, self.csrf(holder), new=False)
        return self.newcomer()

    def newcomer(self) -> Visitor:
        """Return somebody new, whose cookie is still to be set."""
        return self.somebody(secrets.token_urlsafe(18))

    def somebody(self, holder: str) -> Visitor:
        """Return a visitor whose cookie is still to be set, such as whoever has just signed in."""
        return Visitor(Holder(holder), self.csrf(holder), new=True)

    def holder(self, scope: Scope) -> Holder | None:
        """Return the visitor's id if the request carries our cookie with a good signature."""
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
        """Set the visitor's cookie on the response if the browser has none."""
        if visitor.new:
            response.set_cookie(
                self._cookie,
                self._signer.sign(visitor.holder).decode(),
                max_age=YEAR,
                path="/",
                httponly=True,
                samesite="lax",
                secure=self._secure,
            )
        return response

    def csrf(self, holder: str) -> str:
        """Return the token that this visitor's forms carry."""
        return hmac.digest(self._csrf_key, holder.encode(), "sha256").hex()[:40]

    async def checked_form(self, request: Request) -> ImmutableMultiDict[str, str]:
        """Return the fields of a posted form. Raises Forged unless it was sent by one of our own pages.

        The token is the field `csrf` or the header `X-CSRF`.
        """
        require_same_origin(request.scope)
        form = await read_form(request)
        self.require_csrf(request, form.get("csrf"))
        return form

    def require_csrf(self, request: HTTPConnection, token: str | None = None) -> Holder:
        """Return the visitor's id. Raises Forged unless the request carries the token of the visitor's own pages."""
        holder = self.holder(request.scope)
        given = token or request.headers.get("x-csrf", "")
        if holder is None or not hmac.compare_digest(given.encode(), self.csrf(holder).encode()):
            raise Forged(_("This page is from another visit, or cookies are switched off; reload it and try again."))
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
    """Raise Forged where the browser says that another site's page made this request. Programs send no such headers."""
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
            raise Forged(_("This request comes from another site's page."))
    elif site not in (b"", b"same-origin", b"none"):
        raise Forged(_("This request comes from another site's page."))


def largest_body(scope: Scope) -> int:
    """Return how many bytes a request's body may have: more where a new table can bring its cards."""
    return LARGEST_TABLE if scope["path"] in ("/tables", "/api/tables") else LARGEST_BODY


async def read_body(request: Request) -> bytes:
    """Return the body. Raises TooLarge where it is longer than anything a client of ours would send."""
    body, largest = bytearray(), largest_body(request.scope)
    async for chunk in request.stream():
        body += chunk
        if len(body) > largest:
            raise TooLarge(_("The body is longer than {limit} kB.").format(limit=largest // 1024))
    return bytes(body)


async def read_form(request: Request) -> ImmutableMultiDict[str, str]:
    """Return the fields of a form as browsers send it by default."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise BadRequest(_("The form must be sent as application/x-www-form-urlencoded."))
    body = await read_body(request)
    try:
        return ImmutableMultiDict(
            parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=MOST_FIELDS, errors="strict")
        )
    except ValueError as error:
        raise BadRequest(_("The form cannot be read: it is not text in UTF-8, or has too many fields.")) from error


def clean_name(name: str | None) -> str | None:
    """Return a player's name with its spaces tidied, or None for an empty one. Raises BadRequest with a sentence."""
    tidy = " ".join((name or "").split())
    if len(tidy) > MAX_NAME:
        raise BadRequest(
            _("A name has at most {limit} characters; this one has {count}.").format(limit=MAX_NAME, count=len(tidy))
        )
    if not tidy.isprintable():
        raise BadRequest(_("A name can hold letters, digits, signs and spaces only."))
    return tidy or None


def hash_code(code: str) -> bytes:
    """Return what is stored of a seat's token or code: of a code without what people put between its letters."""
    letters = "".join(code.split()).replace("-", "").lower()
    return hash_token(letters if len(letters) == CODE_LENGTH and set(letters) <= set(ID_ALPHABET) else code)


def new_token() -> str:
    """Return a new seat token for a program."""
    return secrets.token_urlsafe(24)
