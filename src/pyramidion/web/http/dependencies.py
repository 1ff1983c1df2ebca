"""Who makes a request, and the services that handlers of all features use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request
from starlette.datastructures import ImmutableMultiDict

from pyramidion.translation import _
from pyramidion.web import contracts
from pyramidion.web.errors import NotSignedIn, NotYours
from pyramidion.web.http.actors import Actor
from pyramidion.web.http.authentication import Visitors, require_same_origin
from pyramidion.web.http.responses import token_of
from pyramidion.web.http.services import Service, get_service
from pyramidion.web.tokens import API_PREFIX


async def _posted_form(request: Request, visitors: Service[Visitors]) -> ImmutableMultiDict[str, str]:
    """Return the fields of a form that a page of ours has sent, for the annotation `PostedForm`."""
    return await visitors.checked_form(request)


PostedForm = Annotated[ImmutableMultiDict[str, str], Depends(_posted_form)]
"""A handler's parameter: the fields of a form that a page of ours has sent; Forged is raised for any other."""


async def acting_for(request: Request, *scopes: str, changes: bool = False) -> Actor:
    """Return the person or bot for whom a request to the JSON API acts, by its API token or else by its cookie.

    An API token needs one of the `scopes`. Raises NotSignedIn, NoSuchToken, OutOfScope, or Forged for a change by a
    cookie without the CSRF token.
    """
    token = token_of(request.scope)
    if token is not None:
        account = await get_service(request, contracts.ApiTokens).by_token(token, *scopes)
        return Actor(account.holder, account.name if account.owner is not None else None)
    require_same_origin(request.scope)
    visitors = get_service(request, Visitors)
    holder = visitors.require_csrf(request) if changes else visitors.holder(request.scope)
    if holder is None:
        raise NotSignedIn(_("Send an API token, or the cookie of a browser."))
    return Actor(holder)


async def person_for(request: Request, *scopes: str) -> str:
    """Return the visitor id of the person for whom a request to the JSON API founds, joins or hosts something.

    Raises NotYours for a bot: people would take it for a person, and it could disappear.
    """
    acting = await acting_for(request, *scopes, changes=True)
    if acting.bot is not None:
        raise NotYours(
            _("A bot cannot join or found clubs, nor host seasons or tournaments. Use a token of your own account.")
        )
    return acting.holder


def browser_of(request: Request) -> str | None:
    """Return the visitor id of a request that one of our pages sent, with cookie and CSRF token; None for a program's.

    Raises Forged for a wrong CSRF token, or a request from another site.
    """
    visitors = get_service(request, Visitors)
    if token_of(request.scope) is not None or "x-csrf" not in request.headers:
        return None
    require_same_origin(request.scope)
    return visitors.require_csrf(request)


@dataclass(frozen=True, slots=True)
class Caller:
    """Who sends a request: the visitor id of a browser or account, or a program's `token`, such as a seat's."""

    visitor: str | None
    token: str | None = None


async def page_caller(request: Request, *_scopes: str) -> Caller:
    """Return who requests a page, by the cookie only. Pages take no tokens, so the scopes are ignored."""
    return Caller(get_service(request, Visitors).holder(request.scope))


async def api_caller(request: Request, *scopes: str) -> Caller:
    """Return who calls the JSON API: an account by API token, a program by seat token, or a browser by its cookie.

    An API token needs one of the `scopes`. Raises NoSuchToken or OutOfScope.
    """
    token = token_of(request.scope)
    if token is None:
        return await page_caller(request)
    if token.startswith(API_PREFIX):
        return Caller((await acting_for(request, *scopes)).holder)
    return Caller(None, token)


def push_key(request: Request) -> str:
    """Return the public key with which the sender's browser can subscribe to push notifications."""
    return get_service(request, contracts.Reachability).push_key


async def can_be_notified(request: Request, person: str | None) -> bool:
    """Return whether any notification, such as push or e-mail, can reach a person."""
    return await get_service(request, contracts.Reachability).reachable(person)
