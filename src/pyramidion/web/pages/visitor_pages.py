"""Pages for the visitor of a request: with the token for their forms, and the cookie by which they are known again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Request
from starlette.responses import Response

from pyramidion.web.contracts import AccountHolder, AccountLookup
from pyramidion.web.http.authentication import Visitor, Visitors
from pyramidion.web.http.services import Service
from pyramidion.web.pages.page import page


@dataclass(frozen=True, slots=True)
class VisitorPages:
    """Renders pages for the visitor who sent a request, and sets the visitor's cookie."""

    request: Request
    visitor: Visitor
    visitors: Visitors
    accounts: AccountLookup

    def render(self, template: str, **context: Any) -> Response:
        """Render a template as a page with the visitor's CSRF token; set the visitor's cookie if there is none yet."""
        return self.remember(page(self.request, template, csrf=self.visitor.csrf, **context))

    def remember(self, response: Response) -> Response:
        """Set the visitor's cookie on a response if there is none yet; return the response."""
        return self.visitors.remember(self.visitor, response)

    async def account(self) -> AccountHolder | None:
        """Return the visitor's account, or None."""
        return None if self.visitor.new else await self.accounts.of(self.visitor.holder)

    async def account_name(self) -> str:
        """Return the name of the visitor's account, or an empty text without an account."""
        account = await self.account()
        return account.name if account is not None else ""


async def _visitor_pages(
    request: Request, visitors: Service[Visitors], accounts: Service[AccountLookup]
) -> VisitorPages:
    """Return the pages for the visitor who sends a request, for the annotation `Pages`."""
    return VisitorPages(request, visitors.of(request), visitors, accounts)


Pages = Annotated[VisitorPages, Depends(_visitor_pages)]
"""A handler's parameter: what renders pages for whoever sends the request."""
