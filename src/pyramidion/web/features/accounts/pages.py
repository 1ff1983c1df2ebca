"""The pages of accounts: sign-in, sign-up and the visitor's account. Everything but passkeys works without scripts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter
from starlette.responses import RedirectResponse, Response

from pyramidion.translation import _, marked
from pyramidion.web.contracts import PushDevices
from pyramidion.web.errors import Refused
from pyramidion.web.features.accounts.browser import RequestBrowser
from pyramidion.web.features.accounts.commands import command_of_form, execute, signed_in
from pyramidion.web.features.accounts.passkeys import missing_for_passkeys
from pyramidion.web.features.accounts.password_resets import PasswordResets
from pyramidion.web.features.accounts.passwords import LONGEST, SHORTEST
from pyramidion.web.features.accounts.service import Account, Accounts
from pyramidion.web.http.dependencies import PostedForm
from pyramidion.web.http.services import Service
from pyramidion.web.names import LONGEST_ADDRESS
from pyramidion.web.pages.visitor_pages import Pages, VisitorPages

router = APIRouter(include_in_schema=False)
DONE = {
    "signed-up": marked(
        "Your account is ready: your games and results are kept under this name, in every browser in which you "
        "sign in. Next, play a game; if you want to be told when it is your turn, give an e-mail address below."
    ),
    "everywhere": marked("All other browsers are signed out. Earlier seat links and tokens no longer work."),
    "password": marked("Password changed. All other browsers are signed out."),
    "email": marked("E-mail address saved."),
    "passkey": marked("Passkey added."),
    "passkey-removed": marked("Passkey removed. Delete it from your device as well."),
}


@router.get("/account")
async def show(pages: Pages, accounts: Service[Accounts], back: str = "", done: str = "") -> Response:
    """Show the visitor's account, or the sign-in page."""
    account = await accounts.of(pages.visitor.holder)
    message = DONE.get(done) if account is not None else None
    return _page(pages, account, back=_safe_return_path(back), message=_(message) if message else None)


@router.post("/account/sign-in")
@router.post("/account/sign-up")
@router.post("/account/sign-out")
@router.post("/account/everywhere")
@router.post("/account/password")
@router.post("/account/email")
@router.post("/account/remove-passkey")
@router.post("/account/delete")
async def act(
    form: PostedForm,
    pages: Pages,
    browser: RequestBrowser,
    accounts: Service[Accounts],
    devices: Service[PushDevices],
) -> Response:
    """Carry out a form of the account's pages; if it is refused, show it again without its passwords."""
    name, visitor = browser.request.url.path.rpartition("/")[2], pages.visitor.holder
    account = None if name.startswith("sign-") else await accounts.mine(visitor)
    try:
        outcome = await execute(command_of_form(name, form), visitor, accounts, devices, browser.count_attempt)
    except Refused as error:
        given = {field: form.get(field, "") for field in ("name", "email")}
        return _page(
            pages, account, back=_safe_return_path(form.get("back", "")), refusal=error, where=name, given=given
        )
    return browser.with_cookies(outcome, RedirectResponse(_next(name, form), 303))


@router.get("/account/reset/{link}")
async def show_reset(link: str, pages: Pages, browser: RequestBrowser, resets: Service[PasswordResets]) -> Response:
    """Show the form for a new password, to somebody who has a link from the server's operator."""
    browser.count_attempt()
    return _reset_page(pages, await resets.account_of(link))


@router.post("/account/reset/{link}")
async def reset(
    link: str, form: PostedForm, pages: Pages, browser: RequestBrowser, resets: Service[PasswordResets]
) -> Response:
    """Set a new password by a link from the server's operator, and sign in."""
    browser.count_attempt()
    account = await resets.account_of(link)
    try:
        account = await resets.use(link, form.get("new", ""))
    except Refused as error:
        return _reset_page(pages, account, error)
    return browser.with_cookies(signed_in(account), RedirectResponse("/account?done=password", 303))


def _reset_page(pages: VisitorPages, account: Account, refusal: Refused | None = None) -> Response:
    """Return the page with the form for a new password."""
    return pages.render("reset.html", name=account.name, shortest=SHORTEST, longest=LONGEST, refusal=refusal)


def _next(name: str, form: Mapping[str, str]) -> str:
    """Return the path to which the browser is redirected after an accepted form."""
    match name:
        case "sign-in":
            return _safe_return_path(form.get("back", ""))
        case "sign-up":
            back = _safe_return_path(form.get("back", ""))
            return "/account?done=signed-up" if back == "/" else back
        case "sign-out" | "delete":
            return "/"
        case "remove-passkey":
            return "/account?done=passkey-removed"
        case _:
            return f"/account?done={name}"


def _page(pages: VisitorPages, account: Account | None, **context: Any) -> Response:
    """Return the account's page, or the sign-in page without an account."""
    address = pages.request.url
    return pages.render(
        "sign.html" if account is None else "account.html",
        **{
            "account": account,
            "shortest": SHORTEST,
            "longest": LONGEST,
            "longest_email": LONGEST_ADDRESS,
            "passkeys_need": missing_for_passkeys(address.scheme, address.hostname or ""),
            "message": None,
            "where": "",
            "given": {},
            **context,
        },
    )


def _safe_return_path(back: str) -> str:
    """Return `back`, where a form wants to lead, if it is a table or an invitation to a season here, else `/`."""
    return back if re.fullmatch(r"/t/[a-z0-9]{1,40}|/seasons/[a-z0-9]{1,40}/join/[a-z0-9-]{1,80}", back) else "/"
