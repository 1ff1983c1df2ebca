"""The JSON API of accounts: sign-up, sign-in, passkeys and the requester's account; also used by the pages' scripts.

Clients with a visitor's cookie send `X-CSRF` with every change; the response to signing in contains the new token.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from fastapi import APIRouter, Depends
from pydantic import BaseModel, Field
from starlette.responses import Response

from pyramidion.web.contracts import PushDevices
from pyramidion.web.features.accounts import commands
from pyramidion.web.features.accounts.browser import Browser, OwnAccount, RequestBrowser
from pyramidion.web.features.accounts.passkeys import Passkeys, RelyingParty
from pyramidion.web.features.accounts.service import Account, Accounts
from pyramidion.web.http.responses import Json
from pyramidion.web.http.schemas import Fault
from pyramidion.web.http.services import Service
from pyramidion.web.table.snapshots import json_encoder as wire

router = APIRouter(prefix="/api")
REFUSALS: dict[int | str, dict[str, Any]] = {
    401: {"model": Fault, "description": "Not signed in, or not the right name and password."},
    403: {"model": Fault, "description": "The CSRF token is missing or wrong (X-CSRF)."},
    409: {"model": Fault, "description": "The name is taken."},
    422: {"model": Fault, "description": "Not allowed; the message says why."},
    429: {"model": Fault, "description": "Too many attempts; the message says how long to wait."},
}


class SignIn(BaseModel):
    """A name and its password."""

    name: str = Field(max_length=200)
    password: str = Field(max_length=1000)


class NewPassword(BaseModel):
    """The old password, empty if there is none, and the new one."""

    old: str = Field(default="", max_length=1000)
    new: str = Field(max_length=1000)


class Email(BaseModel):
    """An e-mail address, or null to remove it."""

    email: str | None = Field(default=None, max_length=1000)


class Confirm(BaseModel):
    """The account's password, if it has one, for confirmation."""

    password: str = Field(default="", max_length=1000)


class Offered(BaseModel):
    """Whom a new passkey is for: the name of a new account, or null for your own account."""

    name: str | None = Field(default=None, max_length=200)


class Made(BaseModel):
    """The browser's response: the public-key credential as JSON, and the state that came with the options."""

    state: str = Field(max_length=2000)
    credential: dict[str, Any]
    label: str = Field(default="", max_length=200, description="The label of a new passkey.")


class PasskeyOut(BaseModel):
    """A passkey of your account."""

    id: str
    label: str
    created: int


class AccountOut(BaseModel):
    """Your account."""

    name: str
    email: str | None = Field(description="Your e-mail address; not confirmed.")
    password: bool = Field(description="Whether the account has a password.")
    created: int = Field(description="Milliseconds since 1970.")
    passkeys: list[PasskeyOut]
    csrf: str = Field(description="Send it as X-CSRF with every change.")


class Ceremony(BaseModel):
    """The `options` to pass to the browser, and the `state` to return with its response."""

    options: dict[str, Any]
    state: str


async def _command_runner(
    browser: RequestBrowser, accounts: Service[Accounts], devices: Service[PushDevices]
) -> Callable[[commands.Command], Awaitable[Response]]:
    """Return the function by which a handler carries out an account command and answers with the account."""

    async def run(command: commands.Command) -> Response:
        """Carry out the command, and answer with the account, or with nothing if there is none afterwards."""
        visitor = browser.changing_visitor()
        outcome = await commands.execute(command, visitor, accounts, devices, browser.count_attempt)
        if outcome.account is None:
            return browser.with_cookies(outcome, Response(status_code=204))
        return _answer(browser, outcome, outcome.account, 201 if isinstance(command, commands.SignUp) else 200)

    return run


Run = Annotated[Callable[[commands.Command], Awaitable[Response]], Depends(_command_runner)]


@router.post("/account", status_code=201, response_model=AccountOut, responses=REFUSALS, summary="Sign up")
async def sign_up(body: SignIn, run: Run) -> Response:
    """Create an account and sign in; the response sets the cookie. This browser's tables move to the account."""
    return await run(commands.SignUp(body.name, body.password))


@router.post("/session", response_model=AccountOut, responses=REFUSALS, summary="Sign in")
async def sign_in(body: SignIn, run: Run) -> Response:
    """Sign in with name and password; the response sets the cookie. This browser's tables move to the account."""
    return await run(commands.SignIn(body.name, body.password))


@router.delete("/session", status_code=204, responses=REFUSALS, summary="Sign out")
async def sign_out(run: Run) -> Response:
    """Sign out this browser. Copies of its cookie remain valid until you sign out everywhere."""
    return await run(commands.SignOut())


@router.get("/account", response_model=AccountOut, responses=REFUSALS, summary="Get your account")
async def get_account(browser: RequestBrowser, account: OwnAccount) -> Json:
    """Get your account."""
    return _answer(browser, commands.Outcome(account), account)


@router.post("/account/deletion", status_code=204, responses=REFUSALS, summary="Delete your account")
async def delete_account(body: Confirm, run: Run) -> Response:
    """Delete the account. This browser keeps its seats, without an account."""
    return await run(commands.DeleteAccount(body.password))


@router.put("/account/password", response_model=AccountOut, responses=REFUSALS, summary="Change your password")
async def set_password(body: NewPassword, run: Run) -> Response:
    """Change the password, or set a first one. All other browsers are signed out."""
    return await run(commands.SetPassword(body.old, body.new))


@router.put("/account/email", response_model=AccountOut, responses=REFUSALS, summary="Set your e-mail address")
async def set_email(body: Email, run: Run) -> Response:
    """Set or remove the e-mail address."""
    return await run(commands.SetEmail(body.email))


@router.post("/account/sign-out", response_model=AccountOut, responses=REFUSALS, summary="Sign out everywhere else")
async def sign_out_everywhere(run: Run) -> Response:
    """Sign out all other browsers and revoke the links and tokens of your seats. This browser stays signed in."""
    return await run(commands.SignOutEverywhere())


@router.post(
    "/account/passkeys/options", response_model=Ceremony, responses=REFUSALS, summary="Start creating a passkey"
)
async def offer_passkey(
    body: Offered, browser: RequestBrowser, accounts: Service[Accounts], passkeys: Service[Passkeys]
) -> Json:
    """Get the options for `navigator.credentials.create`, to add a passkey or to sign up with one."""
    visitor = browser.changing_visitor()
    browser.count_attempt()
    account = await accounts.of(visitor)
    return Json(wire.encode(passkeys.registration_options(_site(browser), visitor, account, body.name)))


@router.post("/account/passkeys", response_model=AccountOut, responses=REFUSALS, summary="Finish creating a passkey")
async def make_passkey(
    body: Made, browser: RequestBrowser, accounts: Service[Accounts], passkeys: Service[Passkeys]
) -> Json:
    """Store a new passkey. If you are not signed in, this creates an account and signs you in."""
    visitor = browser.changing_visitor()
    account = await accounts.of(visitor)
    made = body.state, body.credential, body.label
    return _signed_in(browser, await passkeys.register(_site(browser), visitor, account, *made))


@router.delete("/account/passkeys/{key_id}", response_model=AccountOut, responses=REFUSALS, summary="Remove a passkey")
async def remove_passkey(key_id: str, run: Run) -> Response:
    """Remove a passkey. The last way to sign in cannot be removed."""
    return await run(commands.RemovePasskey(key_id))


@router.post(
    "/session/passkey/options", response_model=Ceremony, responses=REFUSALS, summary="Start signing in with a passkey"
)
async def ask_for_passkey(browser: RequestBrowser, passkeys: Service[Passkeys]) -> Json:
    """Get the options for `navigator.credentials.get`."""
    visitor = browser.changing_visitor()
    return Json(wire.encode(passkeys.authentication_options(_site(browser), visitor)))


@router.post("/session/passkey", response_model=AccountOut, responses=REFUSALS, summary="Sign in with a passkey")
async def enter_with_passkey(body: Made, browser: RequestBrowser, passkeys: Service[Passkeys]) -> Json:
    """Sign in with a passkey; the response sets the cookie."""
    visitor = browser.changing_visitor()
    browser.count_attempt()
    return _signed_in(browser, await passkeys.authenticate(_site(browser), visitor, body.state, body.credential))


def _site(browser: Browser) -> RelyingParty:
    """Return the site that passkeys are bound to, from a request's address. Raises BadAccount."""
    return RelyingParty.of(str(browser.request.url))


def _answer(browser: Browser, outcome: commands.Outcome, account: Account, status: int = 200) -> Json:
    """Return the JSON answer with an account, and with the cookies that the browser gets."""
    body = {**account.as_json(), "csrf": browser.visitors.csrf(account.holder)}
    return browser.with_cookies(
        outcome, Json(wire.encode(body), status, {"location": "/api/account"} if status == 201 else None)
    )


def _signed_in(browser: Browser, account: Account) -> Json:
    """Return the answer for a browser that has signed in to an account."""
    return _answer(browser, commands.signed_in(account), account)
