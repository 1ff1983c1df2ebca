"""What people do with their accounts, as values: forms and JSON are parsed into them, `execute` carries them out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from pyramidion import names
from pyramidion.translation import _
from pyramidion.web.contracts import PushDevices
from pyramidion.web.errors import BadRequest
from pyramidion.web.features.accounts.service import Account, Accounts
from pyramidion.web.http.forms import INCOMPLETE
from pyramidion.web.tokens import new_visitor_id


@dataclass(frozen=True, slots=True)
class SignUp:
    """Create an account with a name and a password, and sign in."""

    name: str
    password: str


@dataclass(frozen=True, slots=True)
class SignIn:
    """Sign in with a name and its password."""

    name: str
    password: str


@dataclass(frozen=True, slots=True)
class SignOut:
    """Sign out this browser, and send it no more push notifications if `device`, its push endpoint, is given."""

    device: str = ""


@dataclass(frozen=True, slots=True)
class SignOutEverywhere:
    """Sign out all other browsers."""


@dataclass(frozen=True, slots=True)
class SetPassword:
    """Change the password, or set a first one, and sign out all other browsers."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class SetEmail:
    """Set or remove the e-mail address."""

    email: str | None


@dataclass(frozen=True, slots=True)
class RemovePasskey:
    """Remove a passkey."""

    key_id: str


@dataclass(frozen=True, slots=True)
class DeleteAccount:
    """Delete the account, confirmed by its password if it has one."""

    password: str


Command = SignUp | SignIn | SignOut | SignOutEverywhere | SetPassword | SetEmail | RemovePasskey | DeleteAccount


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command leads to: the account afterwards, or None, and the visitor id that the browser gets.

    `visitor` is None if the browser keeps its id.
    """

    account: Account | None
    visitor: str | None = None


class CountAttempt(Protocol):
    """Counts an attempt to enter a secret, and raises TooMany after too many.

    The secret is the password of the account called `name`, or another one if `name` is None. `account` is the
    requester's own account, if signed in.
    """

    def __call__(self, name: str | None = None, account: Account | None = None) -> None:
        """Count an attempt. Raises TooMany."""
        ...


def command_of_form(name: str, form: Mapping[str, str]) -> Command:
    """Return the command that a form of the account's pages stands for, by the form's name. Raises BadRequest."""
    match name:
        case "sign-up":
            return SignUp(form.get("name", ""), form.get("password", ""))
        case "sign-in":
            return SignIn(form.get("name", ""), form.get("password", ""))
        case "sign-out":
            return SignOut(form.get("device", ""))
        case "everywhere":
            return SignOutEverywhere()
        case "password":
            return SetPassword(form.get("old", ""), form.get("new", ""))
        case "email":
            return SetEmail(form.get("email"))
        case "remove-passkey":
            return RemovePasskey(form.get("key", ""))
        case "delete":
            return DeleteAccount(form.get("password", ""))
        case _:
            raise BadRequest(_(INCOMPLETE))


async def execute(
    command: Command, visitor: str | None, accounts: Accounts, devices: PushDevices, count_attempt: CountAttempt
) -> Outcome:
    """Carry out a visitor's account command and return the outcome. Raises Refused."""
    match command:
        case SignUp(name, password):
            count_attempt()
            return signed_in(await accounts.sign_up(name, password, visitor))
        case SignIn(name, password):
            count_attempt(name)
            return signed_in(await accounts.sign_in(names.key(name), password, visitor))
        case SignOut(device):
            if device:
                await devices.forget(device)
            return Outcome(None, new_visitor_id())
        case SignOutEverywhere():
            return signed_in(await accounts.everywhere(await accounts.mine(visitor)))
        case SetPassword(old, new):
            account = await accounts.mine(visitor)
            count_attempt(account.name, account)
            return signed_in(await accounts.set_password(account, old, new))
        case SetEmail(email):
            return Outcome(await accounts.set_email(await accounts.mine(visitor), email))
        case RemovePasskey(key_id):
            return Outcome(await accounts.remove_passkey(await accounts.mine(visitor), key_id))
        case DeleteAccount(password):
            account = await accounts.mine(visitor)
            count_attempt(account.name, account)
            await accounts.require_password(account, password)
            return Outcome(None, await accounts.delete(account))


def signed_in(account: Account) -> Outcome:
    """Return the outcome of signing in to an account: the browser gets the account's visitor id."""
    return Outcome(account, account.holder)
