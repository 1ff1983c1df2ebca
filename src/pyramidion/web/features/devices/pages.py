"""The pages for continuing on another device, and the one that opens a seat by its code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends
from starlette.responses import RedirectResponse, Response

from pyramidion.translation import _
from pyramidion.web.errors import NotYourSeat, Refused
from pyramidion.web.features.devices.service import come, give_code, only_here
from pyramidion.web.http.dependencies import PostedForm
from pyramidion.web.http.rate_limits import RateLimits
from pyramidion.web.http.responses import full_url
from pyramidion.web.http.services import Service
from pyramidion.web.pages import qr
from pyramidion.web.pages.panel import TableVisit
from pyramidion.web.pages.visitor_pages import VisitorPages
from pyramidion.web.table.table import Table

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class SeatedVisitor:
    """A visitor with a seat at the table that a request is about; shows the page to continue on another device."""

    pages: VisitorPages
    table: Table
    seat: int

    def page(self, *, code: str | None = None, message: str | None = None) -> Response:
        """Return the page for continuing on another device; `code` is a personal code that has just been made."""
        address = full_url(self.pages.request, f"/t/{self.table.id}/come")
        link = f"{address}#{code.replace('-', '')}" if code else None
        return self.pages.render(
            "elsewhere.html",
            table=self.table,
            name=self.table.names[self.seat],
            code=code,
            link=link,
            qr=qr.picture(link, _("QR code for your personal link")) if link else None,
            address=address,
            message=message,
        )


async def _seated(visit: TableVisit) -> SeatedVisitor:
    """Return the visitor with the seat that their browser shows. Raises NotYourSeat without a seat."""
    if visit.seat is None:
        raise NotYourSeat(_("Only seated players can continue on another device."))
    return SeatedVisitor(visit.pages, visit.table, visit.seat)


Seated = Annotated[SeatedVisitor, Depends(_seated)]


@router.get("/t/{table_id}/elsewhere")
async def show(seated: Seated, done: str = "") -> Response:
    """Show the page for continuing on another device."""
    return seated.page(message=_("Your seat is now open in this browser only.") if done else None)


@router.post("/t/{table_id}/elsewhere")
async def make(_form: PostedForm, seated: Seated) -> Response:
    """Make a personal code and link for the visitor's seat, and show them once."""
    return seated.page(code=await give_code(seated.table, seated.seat))


@router.post("/t/{table_id}/only-here")
async def close(_form: PostedForm, seated: Seated) -> Response:
    """Close the visitor's seat in all other browsers."""
    await only_here(seated.table, seated.seat, str(seated.pages.visitor.holder))
    return RedirectResponse(f"/t/{seated.table.id}/elsewhere?done=1", 303)


@router.get("/t/{table_id}/come")
async def arrive(visit: TableVisit) -> Response:
    """Show the form in which to enter a code on another device.

    A script fills it in from the fragment of a personal link, which browsers never send to a server.
    """
    return visit.pages.render("come.html", table=visit.table)


@router.post("/t/{table_id}/come")
async def sit_down(form: PostedForm, visit: TableVisit, limits: Service[RateLimits]) -> Response:
    """Open a seat in this browser by the code in the form."""
    try:
        # Counting attempts per address is enough: nobody can guess 79 random bits, from however many addresses.
        limits.attempt(visit.request.scope)
        await come(visit.table, form.get("code", ""), visit.holder, form.get("name"))
    except Refused as error:
        return visit.pages.render("come.html", table=visit.table, refusal=error)
    return RedirectResponse(f"/t/{visit.table.id}", 303)
