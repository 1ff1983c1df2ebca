"""Hotseat: a browser that holds several seats and shows at most one of them at a time.

A cookie for the table's path says which seat is open (`Holder.open`). While none is, the browser is a spectator and
receives exactly what a spectator receives. So the curtain between two players is closed on the server: nothing of the
next seat is sent before that player has confirmed being there.
"""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter
from starlette.responses import HTMLResponse, RedirectResponse, Response

from pyramidion.translation import _
from pyramidion.web.errors import NotYourSeat
from pyramidion.web.http.authentication import OPEN_SEAT
from pyramidion.web.http.dependencies import PostedForm
from pyramidion.web.http.services import get_service
from pyramidion.web.pages.panel import TablePageRequest, TableVisit
from pyramidion.web.pages.renderer import render_page
from pyramidion.web.settings import Settings
from pyramidion.web.table.seats.faces import Face, face_of
from pyramidion.web.table.table import Table

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class Screen:
    """A browser that several players of a table share: their seats, which one it shows, and who is next.

    Attributes:
        seats: its seats, with names.
        open: the open seat; None while the curtain is closed.
        next: the seat at this screen that decides next, the open one first; None if none has to decide.
        direct: whether the next seat sees exactly what the open one sees, so that no curtain is needed.
        next_face: the face of the player who decides next.
    """

    seats: list[tuple[int, str]]
    open: int | None
    next: int | None
    direct: bool
    next_face: Face | None

    @property
    def next_name(self) -> str | None:
        """The name of the player at this screen who decides next."""
        return next((name for seat, name in self.seats if seat == self.next), None)

    @property
    def open_name(self) -> str | None:
        """The name of the player whose seat the screen shows now."""
        return next((name for seat, name in self.seats if seat == self.open), None)


def screen_of(table: Table, holder: str | None) -> Screen | None:
    """Return the screen that a visitor's players share at a table.

    None if the visitor holds fewer than two seats, or the game is over. `holder` is the visitor id.
    """
    mine = table.seating.seats_of(holder)
    if len(mine) < 2 or table.match.over:
        return None
    opened = table.seat_of(holder)
    due = next_due(table, mine, opened)
    direct = opened is not None and due is not None and alike(table, opened, due)
    face = None if due is None else face_of(due, table.names[due], table.seats[due].face)
    return Screen([(seat, table.names[seat]) for seat in mine], opened, due, direct, face)


def next_due(table: Table, mine: list[int], opened: int | None) -> int | None:
    """Return which seat of a shared screen decides next, or None if none has to.

    The search goes through `mine`, the seats of the screen, from the seat `opened` on. A seat that is not allowed to
    know yet that it has to decide is passed over.
    """
    start = mine.index(opened) if opened in mine else 0
    return next((seat for seat in mine[start:] + mine[:start] if seat in table.visibility.due(seat)), None)


def alike(table: Table, seat: int, other: int) -> bool:
    """Return whether two seats may see exactly the same: position and game log."""
    match = table.visibility.shown_match
    return match.redacted(seat) == match.redacted(other) and list(table.log_entries(seat)) == list(
        table.log_entries(other)
    )


def after_acting(page_request: TablePageRequest, answer: Response) -> bool:
    """Hide the open seat after its last decision; return whether the page has to be reloaded.

    The cookie in `answer` says so. If the next player sees exactly the same, their seat is opened at once.
    """
    table, seat = page_request.table, page_request.seat
    mine = table.seating.seats_of(page_request.holder)
    if seat is None or len(mine) < 2 or table.match.over or seat in table.visibility.due(seat):
        return False
    due = next_due(table, mine, seat)
    if due is None and all(alike(table, seat, other) for other in mine):
        return False
    _set_open_seat(page_request, answer, due if due is not None and alike(table, seat, due) else None)
    return True


@router.post("/t/{table_id}/open")
async def open_seat(form: PostedForm, visit: TableVisit) -> Response:
    """Show one seat of a shared screen, after its player has confirmed being there."""
    mine = {str(seat): seat for seat in visit.table.seating.seats_of(visit.holder)}
    if form.get("seat") not in mine:
        raise NotYourSeat(_("This seat is not played on this screen."))
    return _set_open_seat(visit, RedirectResponse(f"/t/{visit.table.id}", 303), mine[form["seat"]])


@router.post("/t/{table_id}/curtain")
async def close_curtain(_form: PostedForm, visit: TableVisit) -> Response:
    """Hide the seat that a shared screen shows, so that nobody is shown anything private."""
    return _set_open_seat(visit, RedirectResponse(f"/t/{visit.table.id}", 303), None)


@router.get("/t/{table_id}/screen")
async def show_screen(visit: TableVisit) -> Response:
    """Return the HTML fragment that says which of this screen's players is next."""
    screen = screen_of(visit.table, visit.holder)
    text = render_page("hotseat.html", screen=screen, table_id=visit.table.id, csrf=visit.visitor.csrf, fresh=False)
    return HTMLResponse(text)


def _set_open_seat(page_request: TablePageRequest, answer: Response, seat: int | None) -> Response:
    """Store in the cookie of a response which seat the screen shows, None to hide all of them; return the response."""
    path = f"/t/{page_request.table.id}"
    secure = get_service(page_request.request, Settings).secure_cookies
    if seat is None:
        answer.delete_cookie(OPEN_SEAT, path=path, secure=secure, httponly=True, samesite="lax")
    else:
        # A session cookie: closing the browser closes the curtain.
        answer.set_cookie(OPEN_SEAT, str(seat), path=path, secure=secure, httponly=True, samesite="lax")
    return answer
