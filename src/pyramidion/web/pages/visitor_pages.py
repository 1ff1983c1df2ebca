"""Pages for the visitor of a request: with the token for their forms, and the cookie by which they are known again."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Request
from starlette.responses import Response

from pyramidion.web.contracts import AccountHolder, AccountLookup
from pyramidion.web.db import restrictions
from pyramidion.web.db.restrictions import Closable
from pyramidion.web.db.store import Store
from pyramidion.web.http.authentication import Visitor, Visitors
from pyramidion.web.http.services import Service
from pyramidion.web.pages.page import page


@dataclass(frozen=True, slots=True)
class VisitorPages:
    """Renders pages for the visitor who sent a request, and sets the visitor's cookie.

    `closed` has a sentence for everything that operators have closed, which pages show in place of the form for it.
    """

    request: Request
    visitor: Visitor
    visitors: Visitors
    accounts: AccountLookup
    closed: Mapping[Closable, str]

    def render(self, template: str, **context: Any) -> Response:
        """Render a template as a page with the visitor's CSRF token; set the visitor's cookie if there is none yet."""
        return self.remember(page(self.request, template, csrf=self.visitor.csrf, closed=self.closed, **context))

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
    request: Request, visitors: Service[Visitors], accounts: Service[AccountLookup], store: Service[Store]
) -> VisitorPages:
    """Return the pages for the visitor who sends a request, for the annotation `Pages`."""
    return VisitorPages(
        request, visitors.of(request), visitors, accounts, await asyncio.to_thread(restrictions.closed, store)
    )


Pages = Annotated[VisitorPages, Depends(_visitor_pages)]
"""A handler's parameter: what renders pages for whoever sends the request."""
