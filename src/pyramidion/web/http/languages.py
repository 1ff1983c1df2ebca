"""The language of a request: chosen on a page, or else requested by the browser or program."""

from __future__ import annotations

from http.cookies import CookieError, SimpleCookie

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse
from starlette.types import Scope

from pyramidion.web.errors import BadRequest
from pyramidion.web.http.authentication import keep_cookie, read_form, require_same_origin
from pyramidion.web.http.came_from import came_from
from pyramidion.web.http.dependencies import settings_of
from pyramidion.words import LANGUAGES, SOURCE, _, wanted

COOKIE = "pyramidion_language"
NAME = COOKIE.encode()
router = APIRouter(include_in_schema=False)


def language_of(scope: Scope) -> str:
    """Return the language of a request: from its cookie, else its `Accept-Language`, else English."""
    accepted = b""
    for name, value in scope["headers"]:
        if name == b"cookie" and NAME in value:
            cookies = SimpleCookie()
            try:
                cookies.load(value.decode("latin-1"))
            except CookieError:
                continue
            if COOKIE in cookies and cookies[COOKIE].value in LANGUAGES:
                return cookies[COOKIE].value
        elif name == b"accept-language":
            accepted = value
    return wanted(accepted.decode("latin-1")) if accepted else SOURCE


@router.post("/language")
async def choose(request: Request) -> RedirectResponse:
    """Remember the chosen language and return to the page where it was chosen."""
    require_same_origin(request.scope)
    chosen = (await read_form(request)).get("language", "")
    if chosen not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise BadRequest(_("Unknown language {name!r}. Available: {known}.").format(name=chosen[:20], known=known))
    answer = RedirectResponse(came_from(request) or "/", 303)
    secure = settings_of(request).secure_cookies
    keep_cookie(answer, COOKIE, chosen, secure=secure)
    return answer
