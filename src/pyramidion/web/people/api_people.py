"""The JSON API of accounts: signing up and in, passkeys, and one's own account. The pages' scripts use it, too.

Whoever has the visitor's cookie sends `X-CSRF` with every change; the answer to signing in holds the new token.
"""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from pyramidion.web import wire
from pyramidion.web.answers import Json
from pyramidion.web.api import Fault
from pyramidion.web.parts import accounts_of, limits_of, passkeys_of, visitors_of
from pyramidion.web.people.accounts import Account, key_of
from pyramidion.web.people.passkeys import Site
from pyramidion.web.seats import Holder, require_same_origin

router = APIRouter(prefix="/api")
REFUSALS: dict[int | str, dict[str, Any]] = {
    401: {"model": Fault, "description": "Not signed in, or not the right name and password."},
    403: {"model": Fault, "description": "The token of the visitor's own pages is missing (X-CSRF)."},
    409: {"model": Fault, "description": "The name is taken."},
    422: {"model": Fault, "description": "Not allowed: the answer says why."},
    429: {"model": Fault, "description": "Too many attempts; the answer says how long to wait."},
}


class SignIn(BaseModel):
    """A name and its password."""

    name: str = Field(max_length=200)
    password: str = Field(max_length=1000)


class NewPassword(BaseModel):
    """The password there was, empty where there was none, and the one to be."""

    old: str = Field(default="", max_length=1000)
    new: str = Field(max_length=1000)


class Email(BaseModel):
    """An address, or null to have none."""

    email: str | None = Field(default=None, max_length=1000)


class Confirm(BaseModel):
    """One's password once more, where the account has one."""

    password: str = Field(default="", max_length=1000)


class Offered(BaseModel):
    """For whom a passkey is to be made: a new account's name, or null for one's own account."""

    name: str | None = Field(default=None, max_length=200)


class Made(BaseModel):
    """A browser's answer: the public key credential as JSON, and the state that came with the options."""

    state: str = Field(max_length=2000)
    credential: dict[str, Any]
    label: str = Field(default="", max_length=200, description="What to call a new passkey.")


class PasskeyOut(BaseModel):
    """A passkey of your account."""

    id: str
    label: str
    created: int


class AccountOut(BaseModel):
    """Your account."""

    name: str
    email: str | None = Field(description="Not confirmed.")
    password: bool = Field(description="Whether there is a password.")
    created: int = Field(description="Milliseconds since 1970.")
    passkeys: list[PasskeyOut]
    csrf: str = Field(description="Send it as X-CSRF with every change.")


class Ceremony(BaseModel):
    """What to hand to the browser (`options`), and what to send back with its answer (`state`)."""

    options: dict[str, Any]
    state: str


@router.post("/account", status_code=201, response_model=AccountOut, responses=REFUSALS, summary="Sign up")
async def sign_up(order: SignIn, request: Request) -> Json:
    """Make an account and sign in: the answer sets the cookie. What this browser held is the account's."""
    visitor = _visitor(request)
    limits_of(request).attempt(request.scope)
    account = await accounts_of(request).sign_up(order.name, order.password, visitor)
    return signed_in(request, account, 201)


@router.post("/session", response_model=AccountOut, responses=REFUSALS, summary="Sign in")
async def sign_in(order: SignIn, request: Request) -> Json:
    """Sign in with name and password: the answer sets the cookie. What this browser held is the account's."""
    visitor = _visitor(request)
    limits_of(request).attempt(request.scope, key_of(order.name))
    return signed_in(request, await accounts_of(request).sign_in(order.name, order.password, visitor))


@router.delete("/session", status_code=204, responses=REFUSALS, summary="Sign out")
async def sign_out(request: Request) -> Response:
    """Sign out: this browser is somebody new. Copies of its cookie end with signing out everywhere."""
    _visitor(request)
    return forgotten(request, Response(status_code=204))


@router.get("/account", response_model=AccountOut, responses=REFUSALS, summary="Your account")
async def get_account(request: Request) -> Json:
    """Return your account."""
    return _shown(request, await _mine(request, changing=False))


@router.post("/account/deletion", status_code=204, responses=REFUSALS, summary="Delete your account")
async def delete_account(order: Confirm, request: Request) -> Response:
    """Delete the account. Its seats stay with this browser, as somebody's without an account."""
    account = await _mine(request)
    limits_of(request).attempt(request.scope, key_of(account.name))
    await accounts_of(request).require_password(account, order.password)
    return await deleted(request, account, Response(status_code=204))


@router.put("/account/password", response_model=AccountOut, responses=REFUSALS, summary="Change your password")
async def set_password(order: NewPassword, request: Request) -> Json:
    """Change the password, or set a first one. Every other browser is signed out."""
    account = await _mine(request)
    limits_of(request).attempt(request.scope, key_of(account.name))
    return signed_in(request, await accounts_of(request).set_password(account, order.old, order.new))


@router.put("/account/email", response_model=AccountOut, responses=REFUSALS, summary="Set your e-mail address")
async def set_email(order: Email, request: Request) -> Json:
    """Set or forget the address."""
    account = await _mine(request)
    await accounts_of(request).set_email(account, order.email)
    return _shown(request, await accounts_of(request).mine(account.holder))


@router.post("/account/sign-out", response_model=AccountOut, responses=REFUSALS, summary="Sign out everywhere else")
async def sign_out_everywhere(request: Request) -> Json:
    """Sign out every other browser, and end the links and tokens of your seats; this browser stays signed in."""
    return signed_in(request, await accounts_of(request).everywhere(await _mine(request)))


@router.post(
    "/account/passkeys/options", response_model=Ceremony, responses=REFUSALS, summary="Begin to make a passkey"
)
async def offer_passkey(order: Offered, request: Request) -> Json:
    """Return what `navigator.credentials.create` needs, to add a passkey or to sign up with one."""
    visitor = _visitor(request)
    limits_of(request).attempt(request.scope)
    account = await accounts_of(request).of(visitor)
    return Json(wire.encode(passkeys_of(request).offer(Site.of(request), visitor, account, order.name)))


@router.post("/account/passkeys", response_model=AccountOut, responses=REFUSALS, summary="Keep a new passkey")
async def make_passkey(order: Made, request: Request) -> Json:
    """Keep a passkey. Whoever was not signed in has a new account now, and is."""
    visitor = _visitor(request)
    account = await accounts_of(request).of(visitor)
    more = order.state, order.credential, order.label
    return signed_in(request, await passkeys_of(request).accept(Site.of(request), visitor, account, *more))


@router.delete("/account/passkeys/{key_id}", response_model=AccountOut, responses=REFUSALS, summary="Remove a passkey")
async def remove_passkey(key_id: str, request: Request) -> Json:
    """Remove a passkey; the last way to sign in stays."""
    account = await _mine(request)
    await accounts_of(request).remove_passkey(account, key_id)
    return _shown(request, await accounts_of(request).mine(account.holder))


@router.post("/session/passkey/options", response_model=Ceremony, responses=REFUSALS, summary="Begin with a passkey")
async def ask_for_passkey(request: Request) -> Json:
    """Return what `navigator.credentials.get` needs."""
    visitor = _visitor(request)
    return Json(wire.encode(passkeys_of(request).ask(Site.of(request), visitor)))


@router.post("/session/passkey", response_model=AccountOut, responses=REFUSALS, summary="Sign in with a passkey")
async def enter_with_passkey(order: Made, request: Request) -> Json:
    """Sign in with a passkey: the answer sets the cookie."""
    visitor = _visitor(request)
    limits_of(request).attempt(request.scope)
    return signed_in(
        request, await passkeys_of(request).enter(Site.of(request), visitor, order.state, order.credential)
    )


def signed_in(request: Request, account: Account, status: int = 200) -> Json:
    """Answer with an account whose cookie this browser gets."""
    visitors = visitors_of(request)
    return visitors.remember(visitors.somebody(account.holder), _shown(request, account, status))


def forgotten(request: Request, answer: Response) -> Response:
    """Let an answer make this browser somebody new."""
    visitors = visitors_of(request)
    return visitors.remember(visitors.newcomer(), answer)


async def deleted(request: Request, account: Account, answer: Response) -> Response:
    """Delete an account, and let the answer make this browser somebody without one, who has its seats."""
    visitors = visitors_of(request)
    somebody = visitors.newcomer()
    await accounts_of(request).delete(account, somebody.holder)
    return visitors.remember(somebody, answer)


def _shown(request: Request, account: Account, status: int = 200) -> Json:
    return Json(wire.encode({**account.as_json(), "csrf": visitors_of(request).csrf(account.holder)}), status)


def _visitor(request: Request) -> Holder | None:
    """Return who asks for a change, None for somebody without a cookie. Raises Forged."""
    require_same_origin(request.scope)
    visitors = visitors_of(request)
    return None if visitors.holder(request.scope) is None else visitors.require_csrf(request)


async def _mine(request: Request, *, changing: bool = True) -> Account:
    visitors = visitors_of(request)
    return await accounts_of(request).mine(_visitor(request) if changing else visitors.holder(request.scope))
