"""The page of an account's bots and their API tokens."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from pyramidion.translation import _, marked
from pyramidion.web.errors import Refused
from pyramidion.web.features.accounts.bot_accounts import OWN_SCOPES, SCOPES, USUAL_SCOPES, bot_accounts_of
from pyramidion.web.features.accounts.service import Account, accounts_of
from pyramidion.web.http.dependencies import limits_of, visitors_of
from pyramidion.web.pages.page import page

router = APIRouter(include_in_schema=False)
PATH = "/account/bots"
SCOPE_WORDS = {
    "invitations": marked("See and decline invitations"),
    "play": marked("Accept invitations and play"),
    "blocks": marked("Block and unblock people"),
    "events": marked("Take part in seasons and tournaments"),
}
OWN_SCOPE_WORDS = {"events": marked("Take part in and host seasons, tournaments and clubs")}


@router.get(PATH)
async def show(request: Request) -> Response:
    """Show the visitor's bots, or the sign-in page."""
    visitor = visitors_of(request).of(request)
    account = await accounts_of(request).of(visitor.holder)
    if account is None:
        return RedirectResponse("/account", 303)
    return await _page(request, account)


@router.post(PATH)
async def create(request: Request) -> Response:
    """Create a bot and show its first token."""
    form = await visitors_of(request).checked_form(request)
    account = await _mine(request)
    limits_of(request).attempt(request.scope)
    try:
        bot, token = await bot_accounts_of(request).create(account, form.get("name", ""))
    except Refused as error:
        return await _page(request, account, error, given=form.get("name", ""))
    return await _page(request, account, token=token, name=bot.name)


@router.post(f"{PATH}/token")
async def issue(request: Request) -> Response:
    """Create a token of a bot and show it."""
    form = await visitors_of(request).checked_form(request)
    account = await _mine(request)
    limits_of(request).attempt(request.scope)
    bot = form.get("bot", "")
    try:
        token = await bot_accounts_of(request).issue(account, bot, form.getlist("scope"))
    except Refused as error:
        return await _page(request, account, error)
    bots = await bot_accounts_of(request).of_owner(account)
    name = next((owned.name for owned in bots if owned.id == bot), account.name)
    return await _page(request, account, token=token, name=name)


@router.post(f"{PATH}/revoke")
async def revoke(request: Request) -> Response:
    """Revoke a token."""
    form = await visitors_of(request).checked_form(request)
    await bot_accounts_of(request).revoke(await _mine(request), form.get("bot", ""), form.get("token", ""))
    return RedirectResponse(PATH, 303)


@router.post(f"{PATH}/delete")
async def delete(request: Request) -> Response:
    """Delete a bot."""
    form = await visitors_of(request).checked_form(request)
    await bot_accounts_of(request).delete(await _mine(request), form.get("bot", ""))
    return RedirectResponse(PATH, 303)


async def _mine(request: Request) -> Account:
    return await accounts_of(request).mine(visitors_of(request).holder(request.scope))


async def _page(request: Request, account: Account, error: Refused | None = None, **more: Any) -> Response:
    if error is not None and error.status >= 500:
        raise error
    response = page(
        request,
        "bots.html",
        status=error.status if error is not None else 200,
        **{
            "csrf": visitors_of(request).of(request).csrf,
            "account": account,
            "bots": await bot_accounts_of(request).of_owner(account),
            "scopes": [(scope, _(SCOPE_WORDS[scope]), scope in USUAL_SCOPES) for scope in SCOPES],
            "own": await bot_accounts_of(request).own_tokens(account),
            "own_scopes": [(scope, _(OWN_SCOPE_WORDS[scope])) for scope in OWN_SCOPES],
            "error": error.sentence if error is not None else None,
            "token": None,
            "name": "",
            "given": "",
            **more,
        },
    )
    response.headers["cache-control"] = "no-store"
    return response
