"""Links with which somebody who has lost a password sets a new one, once. An operator makes them.

A link names the account and when it expires, signed together with the account's visitor id. A new password replaces
that id, so the link works once, and nothing has to be stored.
"""

from __future__ import annotations

from pyramidion.translation import _
from pyramidion.web.db.store import now
from pyramidion.web.errors import Refused
from pyramidion.web.features.accounts.service import Account, Accounts
from pyramidion.web.tokens import same, signature

PURPOSE = "password reset"
HOURS = 48
"""How long a link works."""


class NoSuchReset(Refused):
    """The link to reset a password is wrong, has expired, or was used."""

    status = 404
    code = "unknown-link"


def reset_path(key: str, account: str, holder: str, at: int) -> str:
    """Return the path of a new link for an account, by its id and its visitor id; `at` is the time in milliseconds."""
    until = at + HOURS * 3_600_000
    return f"/account/reset/{account}.{until}.{_signed(key, account, holder, until)}"


class PasswordResets:
    """Checks links to reset passwords, and sets the new passwords."""

    def __init__(self, key: str, accounts: Accounts) -> None:
        self._key, self._accounts = key, accounts

    async def account_of(self, link: str) -> Account:
        """Return the account whose password a link resets. Raises NoSuchReset."""
        account_id, _dot, rest = link.partition(".")
        until, _dot, signed = rest.partition(".")
        account = await self._accounts.with_id(account_id)
        in_time = until.isdecimal() and len(until) < 20 and now() < int(until)
        if account and in_time and same(_signed(self._key, account.id, account.holder, int(until)), signed):
            return account
        raise NoSuchReset(
            _("This link has expired or was used already. Ask the operators of this server for a new one.")
        )

    async def use(self, link: str, password: str) -> Account:
        """Set a new password by a link and sign out all browsers; return the account with its new visitor id.

        Raises NoSuchReset or BadAccount.
        """
        return await self._accounts.reset_password(await self.account_of(link), password)


def _signed(key: str, account: str, holder: str, until: int) -> str:
    """Return the secret part of a link."""
    return signature(key, PURPOSE, f"{account} {holder} {until}")
