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
from pyramidion.web.http.authentication import Visitor, Visitors, require_same_origin
from pyramidion.web.http.rate_limits import RateLimits
from pyramidion.web.http.responses import token_of
from pyramidion.web.http.services import Service, get_service
from pyramidion.web.tokens import API_PREFIX


def visitors_of(request: Request) -> Visitors:
    """Return the object that identifies visitors by their cookies."""
    return get_service(request, Visitors)


async def posted(request: Request) -> tuple[Visitor, ImmutableMultiDict[str, str]]:
    """Return the visitor who sends a form of a page, and its fields. Raises Forged."""
    visitors = visitors_of(request)
    form = await visitors.checked_form(request)
    return visitors.of(request), form


async def _posted_form(request: Request, visitors: Service[Visitors]) -> ImmutableMultiDict[str, str]:
    return await visitors.checked_form(request)


PostedForm = Annotated[ImmutableMultiDict[str, str], Depends(_posted_form)]
"""A handler's parameter: the fields of a form that a page of ours has sent; Forged is raised for any other."""


def limits_of(request: Request) -> RateLimits:
    """Return the rate limits."""
    return get_service(request, RateLimits)


async def acting_for(request: Request, *scopes: str, changes: bool = False) -> Actor:
    """Return for whom a request to the JSON API acts: an API token with one of these scopes, or a browser's cookie.

    Raises NotSignedIn, NoSuchToken, OutOfScope, or Forged for a change by a cookie without the CSRF token.
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
    """Return the visitor for whom a request founds or announces something, as `acting_for` does for changes.

    Raises NotYours for a bot: people would take it for a person, and it could disappear.
    """
    acting = await acting_for(request, *scopes, changes=True)
    if acting.bot is not None:
        raise NotYours(
            _("A bot cannot join or found clubs, nor host seasons or tournaments. Use a token of your own account.")
        )
    return acting.holder


def browser_of(request: Request) -> str | None:
    """Return the visitor of a cookie that comes with its CSRF token, as pages send it; None for a program.

    Raises Forged for a wrong CSRF token, or a request from another site.
    """
    visitors = get_service(request, Visitors)
    if token_of(request.scope) is not None or "x-csrf" not in request.headers:
        return None
    require_same_origin(request.scope)
    return visitors.require_csrf(request)


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks for something: a visitor, None for nobody, or a program with a `token` that is no account's."""

    visitor: str | None
    token: str | None = None


async def page_caller(request: Request, *_scopes: str) -> Caller:
    """Return who asks for a page: a cookie's visitor. Pages take no tokens."""
    return Caller(get_service(request, Visitors).holder(request.scope))


async def api_caller(request: Request, *scopes: str) -> Caller:
    """Return who asks the JSON API: an API token with one of these scopes, another token, or a cookie's visitor.

    Raises NoSuchToken or OutOfScope.
    """
    token = token_of(request.scope)
    if token is None:
        return await page_caller(request)
    if token.startswith(API_PREFIX):
        return Caller((await acting_for(request, *scopes)).holder)
    return Caller(None, token)


def homes_of(request: Request) -> contracts.ClubHomes:
    """Return the clubs as the homes of events."""
    return get_service(request, contracts.ClubHomes)


def channels_of(request: Request) -> contracts.CompetitionWebhooks:
    """Return the webhooks of seasons and tournaments."""
    return get_service(request, contracts.CompetitionWebhooks)


async def account_of(request: Request, holder: str | None) -> contracts.AccountHolder | None:
    """Return a visitor's account, or None."""
    return await get_service(request, contracts.AccountLookup).of(holder)


async def can_be_notified(request: Request, person: str | None) -> bool:
    """Return whether a person has any way of being notified."""
    return await get_service(request, contracts.Reachability).reachable(person)
