"""The pages of accounts: sign-in, sign-up and the visitor's account. Everything but passkeys works without scripts."""

from __future__ import annotations

import re
from typing import Any

from fastapi import APIRouter, Request
from starlette.datastructures import ImmutableMultiDict
from starlette.responses import RedirectResponse, Response

from pyramidion.translation import _, marked
from pyramidion.web.errors import Refused
from pyramidion.web.features.accounts.api import attempt, deleted, entered, forgotten
from pyramidion.web.features.accounts.passwords import LONGEST, SHORTEST
from pyramidion.web.features.accounts.service import Account, accounts_of
from pyramidion.web.http.authentication import Visitor
from pyramidion.web.http.dependencies import forget_device, limits_of, posted, visitors_of
from pyramidion.web.names import LONGEST_ADDRESS
from pyramidion.web.pages.page import page

router = APIRouter(include_in_schema=False)
Form = ImmutableMultiDict[str, str]


@router.get("/account")
async def show(request: Request, back: str = "", done: str = "") -> Response:
    """Show the visitor's account, or the sign-in page."""
    visitor = visitors_of(request).of(request)
    account = await accounts_of(request).of(visitor.holder)
    message = _DONE.get(done) if account is not None else None
    answer = _page(request, visitor, account, back=_inside(back), message=_(message) if message else None)
    return visitors_of(request).remember(visitor, answer)


@router.post("/account/sign-in")
async def sign_in(request: Request) -> Response:
    """Sign in with a name and a password."""
    visitor, form = await posted(request)
    name, password = form.get("name", ""), form.get("password", "")
    try:
        key = attempt(request, name)
        account = await accounts_of(request).sign_in(key, password, visitor.holder)
    except Refused as error:
        return _refused(request, visitor, None, error, form, "sign-in")
    return _entered(request, account, _inside(form.get("back", "")))


@router.post("/account/sign-up")
async def sign_up(request: Request) -> Response:
    """Create an account with a password."""
    visitor, form = await posted(request)
    try:
        limits_of(request).attempt(request.scope)
        account = await accounts_of(request).sign_up(form.get("name", ""), form.get("password", ""), visitor.holder)
    except Refused as error:
        return _refused(request, visitor, None, error, form, "sign-up")
    return _entered(request, account, _inside(form.get("back", "")))


@router.post("/account/sign-out")
async def sign_out(request: Request) -> Response:
    """Sign out this browser."""
    _visitor, form = await posted(request)
    if form.get("device"):
        await forget_device(request, form["device"])
    return forgotten(request, RedirectResponse("/", 303))


@router.post("/account/everywhere")
async def sign_out_everywhere(request: Request) -> Response:
    """Sign out all other browsers."""
    visitor, _form = await posted(request)
    account = await accounts_of(request).mine(visitor.holder)
    return _entered(request, await accounts_of(request).everywhere(account), "/account?done=everywhere")


@router.post("/account/password")
async def set_password(request: Request) -> Response:
    """Change the visitor's password."""
    visitor, form = await posted(request)
    account = await accounts_of(request).mine(visitor.holder)
    try:
        attempt(request, account.name, account)
        account = await accounts_of(request).set_password(account, form.get("old", ""), form.get("new", ""))
    except Refused as error:
        return _refused(request, visitor, account, error, form, "password")
    return _entered(request, account, "/account?done=password")


@router.post("/account/email")
async def set_email(request: Request) -> Response:
    """Set or remove the visitor's e-mail address."""
    visitor, form = await posted(request)
    account = await accounts_of(request).mine(visitor.holder)
    try:
        await accounts_of(request).set_email(account, form.get("email"))
    except Refused as error:
        return _refused(request, visitor, account, error, form, "email")
    return RedirectResponse("/account?done=email", 303)


@router.post("/account/remove-passkey")
async def remove_passkey(request: Request) -> Response:
    """Remove one of the visitor's passkeys."""
    visitor, form = await posted(request)
    account = await accounts_of(request).mine(visitor.holder)
    try:
        await accounts_of(request).remove_passkey(account, form.get("key", ""))
    except Refused as error:
        return _refused(request, visitor, account, error, form, "passkeys")
    return RedirectResponse("/account?done=passkey-removed", 303)


@router.post("/account/delete")
async def delete(request: Request) -> Response:
    """Delete the visitor's account."""
    visitor, form = await posted(request)
    account = await accounts_of(request).mine(visitor.holder)
    try:
        attempt(request, account.name, account)
        await accounts_of(request).require_password(account, form.get("password", ""))
    except Refused as error:
        return _refused(request, visitor, account, error, form, "delete")
    return await deleted(request, account, RedirectResponse("/", 303))


_DONE = {
    "everywhere": marked("All other browsers are signed out. Earlier seat links and tokens no longer work."),
    "password": marked("Password changed. All other browsers are signed out."),
    "email": marked("E-mail address saved."),
    "passkey": marked("Passkey added."),
    "passkey-removed": marked("Passkey removed. Delete it from your device as well."),
}


def _entered(request: Request, account: Account, back: str) -> Response:
    return entered(request, account, RedirectResponse(back, 303))


def _refused(
    request: Request, visitor: Visitor, account: Account | None, error: Refused, form: Form, where: str
) -> Response:
    """Show the form again with the reason, keeping what was typed except passwords."""
    if error.status >= 500:
        raise error
    kept = {name: form.get(name, "") for name in ("name", "email")}
    answer = _page(
        request,
        visitor,
        account,
        back=_inside(form.get("back", "")),
        error=error.sentence,
        where=where,
        given=kept,
        status=error.status,
    )
    if "retry_after" in error.more:
        answer.headers["retry-after"] = str(error.more["retry_after"])
    return answer


def _page(request: Request, visitor: Visitor, account: Account | None, *, status: int = 200, **more: Any) -> Response:
    return page(
        request,
        "sign.html" if account is None else "account.html",
        status=status,
        **{
            "account": account,
            "csrf": visitor.csrf,
            "shortest": SHORTEST,
            "longest": LONGEST,
            "longest_email": LONGEST_ADDRESS,
            "message": None,
            "error": None,
            "where": "",
            "given": {},
            **more,
        },
    )


def _inside(back: str) -> str:
    """Return the path to continue at: a table of ours, an invitation to a season, or the home page."""
    return back if re.fullmatch(r"/t/[a-z0-9]{1,40}|/seasons/[a-z0-9]{1,40}/join/[a-z0-9-]{1,80}", back) else "/"
