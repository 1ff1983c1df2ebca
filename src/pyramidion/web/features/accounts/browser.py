"""The browser that sends a request: who it is, its attempts at passwords, and the cookies that it gets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from pyramidion import names
from pyramidion.web.features.accounts.commands import Outcome
from pyramidion.web.features.accounts.known_browsers import KnownBrowsers
from pyramidion.web.features.accounts.service import Account, Accounts
from pyramidion.web.http.authentication import AnyResponse, Holder, Visitors, require_same_origin
from pyramidion.web.http.rate_limits import RateLimits
from pyramidion.web.http.services import Service


@dataclass(frozen=True, slots=True)
class Browser:
    """The browser that sends a request about an account: identifies it, counts its attempts, and sets its cookies."""

    request: Request
    visitors: Visitors
    known_browsers: KnownBrowsers
    limits: RateLimits

    def changing_visitor(self) -> Holder | None:
        """Return the visitor id of an API request that makes a change, or None without a cookie.

        Raises Forged if another site may have sent the request.
        """
        require_same_origin(self.request.scope)
        return None if self.visitors.holder(self.request.scope) is None else self.visitors.require_csrf(self.request)

    def count_attempt(self, name: str | None = None, account: Account | None = None) -> None:
        """Count an attempt at a password or another secret, as `commands.CountAttempt` says. Raises TooMany."""
        key = browser_id = None
        if name is not None:
            key = names.key(name)
            browser_id = account.holder if account is not None else self.known_browsers.id_of(self.request, name)
        self.limits.attempt(self.request.scope, key, browser_id)

    def with_cookies(self, outcome: Outcome, response: AnyResponse) -> AnyResponse:
        """Add the cookies to a response that follow from a command's outcome; return the response."""
        if outcome.visitor is None:
            return response
        if outcome.account is not None:
            self.known_browsers.remember(self.request, outcome.account.name, response)
        return self.visitors.remember(self.visitors.somebody(outcome.visitor), response)


async def _browser(
    request: Request, visitors: Service[Visitors], known_browsers: Service[KnownBrowsers], limits: Service[RateLimits]
) -> Browser:
    """Return the browser that sends a request, for the annotation `RequestBrowser`."""
    return Browser(request, visitors, known_browsers, limits)


RequestBrowser = Annotated[Browser, Depends(_browser)]
"""A handler's parameter: the browser that sends the request."""


async def _own_account(request: Request, visitors: Service[Visitors], accounts: Service[Accounts]) -> Account:
    """Return the account of whoever sends a request, for the annotation `OwnAccount`. Raises NoAccount."""
    return await accounts.mine(visitors.holder(request.scope))


OwnAccount = Annotated[Account, Depends(_own_account)]
"""A handler's parameter: the account of whoever sends the request; NoAccount is raised for somebody without one."""
