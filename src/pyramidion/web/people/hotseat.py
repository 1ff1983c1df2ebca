"""Several people at one screen: one browser holds several seats, and one of them, or none, is open.

Which one is a cookie for this table's address alone (`Holder.open`); while none is, the browser is a spectator's, and
what it is sent is what a spectator is sent, byte for byte. So the curtain between two people is closed on the server:
nothing of the next seat leaves it before somebody has said that they are there.
"""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from pyramidion.web.errors import NotYourSeat, StaleVersion
from pyramidion.web.parts import settings_of, tables_of, visitors_of
from pyramidion.web.render import render_page
from pyramidion.web.seats import OPEN_SEAT, Visitor
from pyramidion.web.tables import Table
from pyramidion.words import _

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class Screen:
    """A screen that several people share.

    Attributes:
        seats: their seats, with names.
        open: the seat that is open, None while the curtain is closed.
        next: the seat here that is to decide, the open one first; None where nobody here is.
        direct: whether the next seat may see no more than the open one and no less, so that no curtain is needed.
    """

    seats: list[tuple[int, str]]
    open: int | None
    next: int | None
    direct: bool

    @property
    def next_name(self) -> str | None:
        """The name of whoever is to decide."""
        return next((name for seat, name in self.seats if seat == self.next), None)

    @property
    def open_name(self) -> str | None:
        """The name of whoever has their seat open."""
        return next((name for seat, name in self.seats if seat == self.open), None)


def screen_of(table: Table, holder: str | None) -> Screen | None:
    """Return the screen that a visitor's browser is at a table, or None where only one person sits there."""
    mine = table.seats_of(holder)
    if len(mine) < 2 or table.match.over:
        return None
    opened = table.seat_of(holder)
    due = next_due(table, mine, opened)
    direct = opened is not None and due is not None and alike(table, opened, due)
    return Screen([(seat, table.names[seat]) for seat in mine], opened, due, direct)


def next_due(table: Table, mine: list[int], opened: int | None) -> int | None:
    """Return which of a screen's seats is to decide, as each of them knows: the open one, else the next after it."""
    start = mine.index(opened) if opened in mine else 0
    return next((seat for seat in mine[start:] + mine[:start] if seat in table.due(seat)), None)


def alike(table: Table, one: int, other: int) -> bool:
    """Whether two seats know the same, now and of all that has happened."""
    shown = table.shown
    return shown.redacted(one) == shown.redacted(other) and list(table.told(one)) == list(table.told(other))


def after_acting(request: Request, table: Table, visitor: Visitor, seat: int | None, answer: Response) -> bool:
    """Close the curtain with an answer to the last decision of the open seat; return whether the page has to change.

    Where the next person may see just what this one sees, their seat is opened at once.
    """
    mine = table.seats_of(visitor.holder)
    if seat is None or len(mine) < 2 or table.match.over or seat in table.due(seat):
        return False
    due = next_due(table, mine, seat)
    if due is None and all(alike(table, seat, other) for other in mine):
        return False
    _open(request, answer, table, due if due is not None and alike(table, seat, due) else None)
    return True


def require_open(table: Table, seat: int | None, said: str | None) -> None:
    """Raise StaleVersion where a page acts for a seat that is not the one that is open by now."""
    if said is not None and said != str(seat):
        raise StaleVersion(_("Another seat is open at this screen by now, so this was not done; load the page again."))


@router.post("/t/{table_id}/open")
async def open_seat(table_id: str, request: Request) -> Response:
    """Open one of the seats at this screen."""
    visitors = visitors_of(request)
    form = await visitors.checked_form(request)
    table = await tables_of(request).get(table_id)
    mine = {str(seat): seat for seat in table.seats_of(visitors.holder(request.scope))}
    if form.get("seat") not in mine:
        raise NotYourSeat(_("This seat is not at this screen."))
    answer = RedirectResponse(f"/t/{table_id}", 303)
    _open(request, answer, table, mine[form["seat"]])
    return answer


@router.post("/t/{table_id}/curtain")
async def close_curtain(table_id: str, request: Request) -> Response:
    """Close the seat that is open at this screen."""
    visitors = visitors_of(request)
    await visitors.checked_form(request)
    table = await tables_of(request).get(table_id)
    answer = RedirectResponse(f"/t/{table_id}", 303)
    _open(request, answer, table, None)
    return answer


@router.get("/t/{table_id}/screen")
async def show_screen(table_id: str, request: Request) -> Response:
    """Answer with who is next at this screen, for a page whose position has changed."""
    table = await tables_of(request).get(table_id)
    visitor = visitors_of(request).of(request)
    screen = screen_of(table, visitor.holder)
    text = render_page("hotseat.html", screen=screen, table_id=table_id, csrf=visitor.csrf, fresh=False)
    return HTMLResponse(text, headers={"cache-control": "no-store"})


def _open(request: Request, answer: Response, table: Table, seat: int | None) -> None:
    path, secure = f"/t/{table.id}", settings_of(request).secure_cookies
    if seat is None:
        answer.delete_cookie(OPEN_SEAT, path=path, secure=secure, httponly=True, samesite="lax")
    else:
        # Without an age: when the browser is closed, so is the curtain.
        answer.set_cookie(OPEN_SEAT, str(seat), path=path, secure=secure, httponly=True, samesite="lax")
