"""The language of a request: chosen on a page, or else requested by the browser or program."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse
from starlette.types import Scope

from pyramidion.translation import LANGUAGES, SOURCE, _, wanted
from pyramidion.web.errors import BadRequest
from pyramidion.web.http.authentication import keep_cookie, require_same_origin
from pyramidion.web.http.bodies import read_form
from pyramidion.web.http.cookies import cookies_of
from pyramidion.web.http.referer import came_from
from pyramidion.web.http.services import Service
from pyramidion.web.settings import Settings

COOKIE = "pyramidion_language"
router = APIRouter(include_in_schema=False)


def language_of(scope: Scope) -> str:
    """Return the language in which to answer a request: from its cookie, else from `Accept-Language`, else English."""
    chosen = cookies_of(scope).get(COOKIE)
    if chosen in LANGUAGES:
        return chosen
    accepted = next((value for name, value in scope["headers"] if name == b"accept-language"), b"")
    return wanted(accepted.decode("latin-1")) if accepted else SOURCE


@router.post("/language")
async def choose(request: Request, settings: Service[Settings]) -> RedirectResponse:
    """Store the language that a visitor chose in a cookie, and return to the page where it was chosen."""
    require_same_origin(request.scope)
    chosen = (await read_form(request)).get("language", "")
    if chosen not in LANGUAGES:
        offered = ", ".join(LANGUAGES)
        raise BadRequest(_("Unknown language {name!r}. Available: {known}.").format(name=chosen[:20], known=offered))
    answer = RedirectResponse(came_from(request) or "/", 303)
    keep_cookie(answer, COOKIE, chosen, secure=settings.secure_cookies)
    return answer
