"""Forms: play again with some people, block and unblock."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import RedirectResponse, Response

from pyramidion.translation import _
from pyramidion.web.contracts import AccountLookup
from pyramidion.web.features.companions.commands import BlockAccount, BlockOpponent, Unblock, execute, named
from pyramidion.web.features.companions.service import Companions
from pyramidion.web.http.dependencies import PostedForm
from pyramidion.web.http.forms import whole_number
from pyramidion.web.http.rate_limits import RateLimits
from pyramidion.web.http.services import Service
from pyramidion.web.pages.visitor_pages import Pages

router = APIRouter(include_in_schema=False)


@router.post("/people/play")
async def play_again(
    form: PostedForm,
    pages: Pages,
    companions: Service[Companions],
    accounts: Service[AccountLookup],
    limits: Service[RateLimits],
) -> Response:
    """Open a waiting room with seats reserved for the opponents that a form names, and redirect to it."""
    holder = pages.visitor.holder
    limits.attempt(pages.request.scope)
    people = await companions.met(holder, form.getlist("with"))
    if form.get("account"):
        people = [*people, await named(form["account"], accounts)]
    name = form.get("me") or await pages.account_name() or None
    room = await companions.play_again(holder, name, form.get("game", ""), people)
    return RedirectResponse(f"/t/{room}", 303)


@router.post("/people/block")
async def block(
    form: PostedForm, pages: Pages, companions: Service[Companions], accounts: Service[AccountLookup]
) -> Response:
    """Block a recent opponent, or an account by its name."""
    account = form.get("account")
    command = BlockAccount(account) if account else BlockOpponent(form.get("block", ""))
    await execute(command, pages.visitor.holder, companions, accounts)
    return RedirectResponse("/people/me#blocked", 303)


@router.post("/people/unblock")
async def unblock(
    form: PostedForm, pages: Pages, companions: Service[Companions], accounts: Service[AccountLookup]
) -> Response:
    """End the block that the form names by its time."""
    at = whole_number(form.get("at"), _("The request is missing."), digits=15)
    await execute(Unblock(at), pages.visitor.holder, companions, accounts)
    return RedirectResponse("/people/me", 303)
