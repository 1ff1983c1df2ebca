"""The JSON API of accounts: sign-up, sign-in, passkeys and the requester's account; also used by the pages' scripts.

Clients with a visitor's cookie send `X-CSRF` with every change; the response to signing in contains the new token.
"""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from pyramidion import names
from pyramidion.web.features.accounts.known_browsers import known_browsers_of
from pyramidion.web.features.accounts.passkeys import RelyingParty, passkeys_of
from pyramidion.web.features.accounts.service import Account, accounts_of
from pyramidion.web.http.authentication import AnyResponse, Holder, require_same_origin
from pyramidion.web.http.dependencies import limits_of, visitors_of
from pyramidion.web.http.responses import Json
from pyramidion.web.http.schemas import Fault
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


@router.post("/account", status_code=201, response_model=AccountOut, responses=REFUSALS, summary="Sign up")
async def sign_up(body: SignIn, request: Request) -> Json:
    """Create an account and sign in; the response sets the cookie. This browser's tables move to the account."""
    visitor = _visitor(request)
    limits_of(request).attempt(request.scope)
    account = await accounts_of(request).sign_up(body.name, body.password, visitor)
    return signed_in(request, account, 201)


@router.post("/session", response_model=AccountOut, responses=REFUSALS, summary="Sign in")
async def sign_in(body: SignIn, request: Request) -> Json:
    """Sign in with name and password; the response sets the cookie. This browser's tables move to the account."""
    visitor = _visitor(request)
    key = attempt(request, body.name)
    return signed_in(request, await accounts_of(request).sign_in(key, body.password, visitor))


@router.delete("/session", status_code=204, responses=REFUSALS, summary="Sign out")
async def sign_out(request: Request) -> Response:
    """Sign out this browser. Copies of its cookie remain valid until you sign out everywhere."""
    _visitor(request)
    return forgotten(request, Response(status_code=204))


@router.get("/account", response_model=AccountOut, responses=REFUSALS, summary="Get your account")
async def get_account(request: Request) -> Json:
    """Get your account."""
    return _shown(request, await _mine(request, changing=False))


@router.post("/account/deletion", status_code=204, responses=REFUSALS, summary="Delete your account")
async def delete_account(body: Confirm, request: Request) -> Response:
    """Delete the account. This browser keeps its seats, without an account."""
    account = await _mine(request)
    attempt(request, account.name, account)
    await accounts_of(request).require_password(account, body.password)
    return await deleted(request, account, Response(status_code=204))


@router.put("/account/password", response_model=AccountOut, responses=REFUSALS, summary="Change your password")
async def set_password(body: NewPassword, request: Request) -> Json:
    """Change the password, or set a first one. All other browsers are signed out."""
    account = await _mine(request)
    attempt(request, account.name, account)
    return signed_in(request, await accounts_of(request).set_password(account, body.old, body.new))


@router.put("/account/email", response_model=AccountOut, responses=REFUSALS, summary="Set your e-mail address")
async def set_email(body: Email, request: Request) -> Json:
    """Set or remove the e-mail address."""
    account = await _mine(request)
    await accounts_of(request).set_email(account, body.email)
    return _shown(request, await accounts_of(request).mine(account.holder))


@router.post("/account/sign-out", response_model=AccountOut, responses=REFUSALS, summary="Sign out everywhere else")
async def sign_out_everywhere(request: Request) -> Json:
    """Sign out all other browsers and revoke the links and tokens of your seats. This browser stays signed in."""
    return signed_in(request, await accounts_of(request).everywhere(await _mine(request)))


@router.post(
    "/account/passkeys/options", response_model=Ceremony, responses=REFUSALS, summary="Start creating a passkey"
)
async def offer_passkey(body: Offered, request: Request) -> Json:
    """Get the options for `navigator.credentials.create`, to add a passkey or to sign up with one."""
    visitor = _visitor(request)
    limits_of(request).attempt(request.scope)
    account = await accounts_of(request).of(visitor)
    return Json(
        wire.encode(passkeys_of(request).registration_options(RelyingParty.of(request), visitor, account, body.name))
    )


@router.post("/account/passkeys", response_model=AccountOut, responses=REFUSALS, summary="Finish creating a passkey")
async def make_passkey(body: Made, request: Request) -> Json:
    """Store a new passkey. If you are not signed in, this creates an account and signs you in."""
    visitor = _visitor(request)
    account = await accounts_of(request).of(visitor)
    more = body.state, body.credential, body.label
    return signed_in(request, await passkeys_of(request).register(RelyingParty.of(request), visitor, account, *more))


@router.delete("/account/passkeys/{key_id}", response_model=AccountOut, responses=REFUSALS, summary="Remove a passkey")
async def remove_passkey(key_id: str, request: Request) -> Json:
    """Remove a passkey. The last way to sign in cannot be removed."""
    account = await _mine(request)
    await accounts_of(request).remove_passkey(account, key_id)
    return _shown(request, await accounts_of(request).mine(account.holder))


@router.post(
    "/session/passkey/options", response_model=Ceremony, responses=REFUSALS, summary="Start signing in with a passkey"
)
async def ask_for_passkey(request: Request) -> Json:
    """Get the options for `navigator.credentials.get`."""
    visitor = _visitor(request)
    return Json(wire.encode(passkeys_of(request).authentication_options(RelyingParty.of(request), visitor)))


@router.post("/session/passkey", response_model=AccountOut, responses=REFUSALS, summary="Sign in with a passkey")
async def enter_with_passkey(body: Made, request: Request) -> Json:
    """Sign in with a passkey; the response sets the cookie."""
    visitor = _visitor(request)
    limits_of(request).attempt(request.scope)
    return signed_in(
        request, await passkeys_of(request).authenticate(RelyingParty.of(request), visitor, body.state, body.credential)
    )


def attempt(request: Request, name: str, account: Account | None = None) -> str:
    """Count an attempt at an account's password, and return the key by which the account is found.

    `account` is the requester's own, if signed in. Raises TooMany.
    """
    key = names.key(name)
    browser_id = account.holder if account is not None else known_browsers_of(request).id_of(request, name)
    limits_of(request).attempt(request.scope, key, browser_id)
    return key


def signed_in(request: Request, account: Account, status: int = 200) -> Json:
    """Return an account as JSON, and set its cookies."""
    return entered(request, account, _shown(request, account, status))


def entered(request: Request, account: Account, answer: AnyResponse) -> AnyResponse:
    """Set the cookies of an account on a response."""
    visitors = visitors_of(request)
    known_browsers_of(request).remember(request, account.name, answer)
    return visitors.remember(visitors.somebody(account.holder), answer)


def forgotten(request: Request, answer: Response) -> Response:
    """Give this browser a new visitor's cookie."""
    visitors = visitors_of(request)
    return visitors.remember(visitors.newcomer(), answer)


async def deleted(request: Request, account: Account, answer: Response) -> Response:
    """Delete an account and move its seats to a new visitor without an account, whose cookie the response sets."""
    visitors = visitors_of(request)
    somebody = visitors.newcomer()
    await accounts_of(request).delete(account, somebody.holder)
    return visitors.remember(somebody, answer)


def _shown(request: Request, account: Account, status: int = 200) -> Json:
    body = {**account.as_json(), "csrf": visitors_of(request).csrf(account.holder)}
    return Json(wire.encode(body), status, {"location": "/api/account"} if status == 201 else None)


def _visitor(request: Request) -> Holder | None:
    """Return the visitor who requests a change, or None without a cookie. Raises Forged."""
    require_same_origin(request.scope)
    visitors = visitors_of(request)
    return None if visitors.holder(request.scope) is None else visitors.require_csrf(request)


async def _mine(request: Request, *, changing: bool = True) -> Account:
    visitors = visitors_of(request)
    return await accounts_of(request).mine(_visitor(request) if changing else visitors.holder(request.scope))
