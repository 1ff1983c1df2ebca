"""A table's page, and what its scripts fetch: positions, the log, chapters and seals. It works without scripts."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from pyramidion import EVERYTHING
from pyramidion.translation import _
from pyramidion.web.durations import duration
from pyramidion.web.errors import BadRequest, HasSecrets
from pyramidion.web.http.authentication import Visitor, Visitors
from pyramidion.web.http.forms import whole_number
from pyramidion.web.http.services import Service
from pyramidion.web.pages.page import html, page
from pyramidion.web.pages.panel import TablePageRequest
from pyramidion.web.pages.position_picture import position_svg
from pyramidion.web.pages.renderer import render_page, titled
from pyramidion.web.play.game_pages import own_cards
from pyramidion.web.play.panels import fragment_of, panels_of
from pyramidion.web.table.log.versions import position_of
from pyramidion.web.table.moves.absence import absence_text
from pyramidion.web.table.seats.host import Requester
from pyramidion.web.table.seats.protocols import secret_options
from pyramidion.web.table.snapshots.snapshot import Snapshot, snapshot_of, unspoiled
from pyramidion.web.table.table import Table
from pyramidion.web.table.tables import Tables

router = APIRouter(include_in_schema=False)
Version = Annotated[int | None, Query(ge=0)]


@router.get("/t/{table_id}")
async def show_table(
    request: Request,
    table_id: str,
    tables: Service[Tables],
    visitors: Service[Visitors],
    version: Version = None,
    open: bool = False,
    at: Version = None,
    seat: str = "",
    until_here: bool = False,
) -> Response:
    """Show a table as the visitor may see it, or an earlier position (`at`), optionally as another `seat` saw it.

    With `until_here` the page of an earlier position tells nothing of what came after it, until the end is reached.
    """
    table = await tables.get(table_id)
    visitor = visitors.of(request)
    requested_view = _requested_view(table, table.seat_of(visitor.holder), seat, open)
    snapshot = position_of_viewer(table, *requested_view, version if at is None else at)
    later = until_here and table.match.over and not snapshot.position_is_current
    if later:
        snapshot = unspoiled(snapshot)
    return visitors.remember(visitor, await table_page(request, snapshot, visitor, later=later))


@router.get("/t/{table_id}/fragment")
async def fragment(
    request: Request,
    table_id: str,
    tables: Service[Tables],
    visitors: Service[Visitors],
    version: Version = None,
    open: bool = False,
    seat: str = "",
    until_here: bool = False,
) -> Response:
    """Return a single position as HTML, for the replay and for a page whose stream is disconnected."""
    table = await tables.get(table_id)
    requested_view = _requested_view(table, visitor_seat(visitors, request, table), seat, open)
    snapshot = position_of_viewer(table, *requested_view, version)
    return html(request, fragment_of(unspoiled(snapshot) if until_here else snapshot))


@router.get("/t/{table_id}/position.svg")
async def position_picture(
    request: Request,
    table_id: str,
    tables: Service[Tables],
    visitors: Service[Visitors],
    at: Version = None,
    open: bool = False,
    seat: str = "",
) -> Response:
    """Return a position as an SVG file, as the visitor may see it; `at` and `seat` are those of `show_table`."""
    table = await tables.get(table_id)
    requested_view = _requested_view(table, visitor_seat(visitors, request, table), seat, open)
    snapshot = unspoiled(position_of_viewer(table, *requested_view, at))
    name = f"pyramidion-{table.id}-{snapshot.position}.svg"
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return Response(position_svg(snapshot), media_type="image/svg+xml; charset=utf-8", headers=headers)


@router.get("/t/{table_id}/log")
async def log(
    request: Request,
    table_id: str,
    tables: Service[Tables],
    visitors: Service[Visitors],
    since: Annotated[int, Query(ge=0)] = 0,
    until: Annotated[int | None, Query(ge=0)] = None,
    open: bool = False,
    seat: str = "",
) -> Response:
    """Return the viewer's events from number `since` on, and before number `until`, as lines of the log."""
    table = await tables.get(table_id)
    snapshot = position_of_viewer(table, *_requested_view(table, visitor_seat(visitors, request, table), seat, open))
    events = list(enumerate(snapshot.events))[since:until]
    return html(request, render_page("log.html", events=events, undone=snapshot.undone, game=table.game))


@router.get("/t/{table_id}/chapters")
async def chapters(
    request: Request,
    table_id: str,
    tables: Service[Tables],
    visitors: Service[Visitors],
    open: bool = False,
    seat: str = "",
) -> Response:
    """Return for the replay where the chapters of a game begin, as {"plies", "chapters": [{"at", "text"}]}.

    `plies` contains the number of actions at each position after the game; it is empty before, since it would reveal
    who has decided.
    """
    table = await tables.get(table_id)
    viewer, everything = _requested_view(table, visitor_seat(visitors, request, table), seat, open)
    kinds, snapshot = table.game.presentation.chapters, position_of_viewer(table, viewer, everything)
    events = [event for number, event in enumerate(snapshot.events) if number not in snapshot.undone]
    beginnings = [{"at": position_of(event.position), "text": event.text} for event in events if event.name in kinds]
    # Results that the host is releasing belong to a position that is yet to come.
    beginnings = [chapter for chapter in beginnings if chapter["at"] <= snapshot.last_position]
    plies = table.match.positions(EVERYTHING if everything else viewer) if table.match.over else []
    return JSONResponse({"plies": plies, "chapters": beginnings})


@router.get("/t/{table_id}/seals")
async def seals(request: Request, table_id: str, tables: Service[Tables], visitors: Service[Visitors]) -> Response:
    """Show the seals that the visitor may see, and how to verify them."""
    table = await tables.get(table_id)
    viewer = visitor_seat(visitors, request, table)
    return page(
        request,
        "seals.html",
        table=table,
        game=table.game,
        seals=table.visibility.seals_for(viewer)[::-1],
        names=table.names,
        origin=table.origin,
        opened=table.match.over,
        me=viewer,
    )


@router.get("/t/{table_id}/cards.toml")
async def cards(table_id: str, tables: Service[Tables]) -> Response:
    """Return the card file in use at a table, which everybody may read."""
    table = await tables.get(table_id)
    return PlainTextResponse(table.match.cards) if table.match.cards is not None else await own_cards(table.game.id)


def visitor_seat(visitors: Visitors, request: Request, table: Table) -> int | None:
    """Return the seat that a visitor's browser shows at a table, or None if the visitor has none."""
    return table.seat_of(visitors.holder(request.scope))


def _requested_view(table: Table, viewer: int | None, seat: str, everything: bool) -> tuple[int | None, bool]:
    """Return the seat from which a requested position is viewed, None for a spectator, and whether all is revealed.

    `seat` is the request's choice: a number, `spectator`, `all`, or empty for the visitor's own view `viewer`.

    Raises HasSecrets for another seat's view during the game, and BadRequest for a seat that does not exist.
    """
    if everything or seat in ("", "all"):
        return viewer, everything or seat == "all"
    wanted = None if seat == "spectator" else whole_number(seat, _("The seat must be a whole number."))
    if wanted is not None and not 0 <= wanted < table.match.seats:
        raise BadRequest(_("This table has no such seat."))
    if wanted not in (None, viewer) and not table.match.over:
        raise HasSecrets(_("You can see the game from another player's seat once it is over."))
    return wanted, False


def position_of_viewer(
    table: Table, viewer: int | None, everything: bool = False, version: int | None = None
) -> Snapshot:
    """Return the snapshot of a position, by default the latest, as a viewer saw it.

    Raises BadRequest with a sentence if the position does not exist, or may not be revealed.
    """
    try:
        return snapshot_of(table, viewer, version, everything=everything)
    except ValueError as error:
        raise BadRequest(str(error)) from error


async def table_page(
    request: Request,
    snapshot: Snapshot,
    visitor: Visitor,
    message: str | None = None,
    status: int = 200,
    *,
    later: bool = False,
) -> Response:
    """Render a table's page at a position, with a message if an action was refused.

    With `later` the page says nothing of what came after the position.
    """
    table, settings = snapshot.table, snapshot.table.settings
    me = table.seat_of(visitor.holder)
    requester = Requester(me, table.host.is_visitor(visitor.holder))
    events = list(enumerate(snapshot.events))
    return page(
        request,
        "table.html",
        status=status,
        title=titled(table.title, table.game),
        game=table.game,
        table_id=table.id,
        link=str(request.url.replace(path=f"/t/{table.id}", query="")),
        me=me,
        eyes=snapshot.viewer,
        csrf=visitor.csrf,
        fragment=fragment_of(snapshot),
        message=message,
        since=snapshot.stream_id,
        hosting=requester.host,
        **await panels_of(TablePageRequest(request, table, requester, visitor.holder)),
        own_cards=table.own_cards,
        seeded=table.seeded,
        reserved=table.seating.reserved_for(visitor.holder),
        secret_options=secret_options(table),
        host_text=table.host.described(),
        host_name=table.host.name,
        clock=duration(settings.clock) if settings.clock is not None else None,
        close_early=settings.close_early,
        absent=absence_text(settings.absent),
        hints=settings.hints,
        coached=settings.coach,
        table_settings=settings,
        events=events[::-1],
        undone=snapshot.undone,
        over=table.match.over,
        later=later,
        position=snapshot.position,
        last_position=snapshot.last_position,
        names=snapshot.names,
        everything=snapshot.everything,
        refresh=not snapshot.over and snapshot.viewer not in snapshot.acting,
    )
