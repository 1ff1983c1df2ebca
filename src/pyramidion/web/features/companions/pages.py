"""Forms: play again with some people, block and unblock."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from pyramidion.translation import _
from pyramidion.web.features.companions.service import Companion, companions_of
from pyramidion.web.http.dependencies import account_named, account_of, limits_of, visitors_of
from pyramidion.web.http.forms import whole_number

router = APIRouter(include_in_schema=False)


@router.post("/people/play")
async def play_again(request: Request) -> Response:
    """Open a waiting room for some of the visitor's recent opponents and go there."""
    form = await visitors_of(request).checked_form(request)
    visitor, companions = visitors_of(request).of(request), companions_of(request)
    limits_of(request).attempt(request.scope)
    people = await companions.met(visitor.holder, form.getlist("with"))
    account = await account_of(request, visitor.holder)
    if form.get("account"):
        invited = await account_named(request, form["account"])
        people = [*people, Companion(invited.holder, invited.name)]
    name = form.get("me") or (account.name if account is not None else None)
    room = await companions.play_again(visitor.holder, name, form.get("game", ""), people)
    return RedirectResponse(f"/t/{room}", 303)


@router.post("/people/block")
async def block(request: Request) -> Response:
    """Block a recent opponent, or an account by its name."""
    form = await visitors_of(request).checked_form(request)
    holder, companions = visitors_of(request).of(request).holder, companions_of(request)
    if form.get("account"):
        account = await account_named(request, form["account"])
        blocked = [Companion(account.holder, account.name)]
    else:
        blocked = await companions.met(holder, [form.get("block", "")])
    for companion in blocked:
        await companions.block(holder, companion)
    return RedirectResponse("/people/me#blocked", 303)


@router.post("/people/unblock")
async def unblock(request: Request) -> Response:
    """End a block."""
    form = await visitors_of(request).checked_form(request)
    at = whole_number(form.get("at"), _("The request is missing."), digits=15)
    await companions_of(request).unblock(visitors_of(request).of(request).holder, at)
    return RedirectResponse("/people/me", 303)
