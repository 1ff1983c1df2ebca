"""The page of an account's bots and their API tokens."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.responses import RedirectResponse, Response

from pyramidion.translation import _, marked
from pyramidion.web.errors import Refused
from pyramidion.web.features.accounts.bot_accounts import OWN_SCOPES, SCOPES, USUAL_SCOPES, BotAccounts
from pyramidion.web.features.accounts.browser import OwnAccount, RequestBrowser
from pyramidion.web.features.accounts.service import Account, Accounts
from pyramidion.web.http.dependencies import PostedForm
from pyramidion.web.http.services import Service
from pyramidion.web.pages.visitor_pages import Pages, VisitorPages

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
async def show(pages: Pages, accounts: Service[Accounts], bots: Service[BotAccounts]) -> Response:
    """Show the bots of the visitor's account, or the sign-in page to a visitor without one."""
    account = await accounts.of(pages.visitor.holder)
    return RedirectResponse("/account", 303) if account is None else await _page(pages, bots, account)


@router.post(PATH)
async def create(
    form: PostedForm, account: OwnAccount, pages: Pages, browser: RequestBrowser, bots: Service[BotAccounts]
) -> Response:
    """Create a bot from the form, and show its first API token."""
    browser.count_attempt()
    try:
        bot, token = await bots.create(account, form.get("name", ""))
    except Refused as error:
        return await _page(pages, bots, account, refusal=error, given=form.get("name", ""))
    return await _page(pages, bots, account, token=token, name=bot.name)


@router.post(f"{PATH}/token")
async def issue(
    form: PostedForm, account: OwnAccount, pages: Pages, browser: RequestBrowser, bots: Service[BotAccounts]
) -> Response:
    """Create an API token of a bot, or of the account itself, and show it."""
    browser.count_attempt()
    bot_id = form.get("bot", "")
    try:
        token = await bots.issue(account, bot_id, form.getlist("scope"))
    except Refused as error:
        return await _page(pages, bots, account, refusal=error)
    name = next((bot.name for bot in await bots.of_owner(account) if bot.id == bot_id), account.name)
    return await _page(pages, bots, account, token=token, name=name)


@router.post(f"{PATH}/revoke")
async def revoke(form: PostedForm, account: OwnAccount, bots: Service[BotAccounts]) -> Response:
    """Revoke an API token."""
    await bots.revoke(account, form.get("bot", ""), form.get("token", ""))
    return RedirectResponse(PATH, 303)


@router.post(f"{PATH}/delete")
async def delete(form: PostedForm, account: OwnAccount, bots: Service[BotAccounts]) -> Response:
    """Delete a bot."""
    await bots.delete(account, form.get("bot", ""))
    return RedirectResponse(PATH, 303)


async def _page(pages: VisitorPages, bots: BotAccounts, account: Account, **context: Any) -> Response:
    """Return the page with an account's bots and tokens; `context` has more template variables."""
    return pages.render(
        "bots.html",
        **{
            "account": account,
            "bots": await bots.of_owner(account),
            "scopes": [(scope, _(SCOPE_WORDS[scope]), scope in USUAL_SCOPES) for scope in SCOPES],
            "own": await bots.own_tokens(account),
            "own_scopes": [(scope, _(OWN_SCOPE_WORDS[scope])) for scope in OWN_SCOPES],
            "token": None,
            "name": "",
            "given": "",
            **context,
        },
    )
