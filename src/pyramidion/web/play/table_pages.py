"""A table's page, and what its scripts fetch: positions, the log, chapters and seals. It works without scripts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from starlette.responses import JSONResponse, PlainTextResponse, Response

from pyramidion import EVERYTHING
from pyramidion.translation import _
from pyramidion.web.durations import duration
from pyramidion.web.errors import BadRequest, HasSecrets
from pyramidion.web.http.forms import whole_number
from pyramidion.web.http.responses import full_url
from pyramidion.web.http.services import Service
from pyramidion.web.pages.page import html, page
from pyramidion.web.pages.panel import TablePageRequest, TableVisit
from pyramidion.web.pages.position_picture import position_svg
from pyramidion.web.pages.renderer import render_page, titled
from pyramidion.web.play.game_pages import own_cards
from pyramidion.web.play.panels import fragment_of, panels_of
from pyramidion.web.table.log.versions import position_of
from pyramidion.web.table.moves.absence import absence_text
from pyramidion.web.table.seats.protocols import secret_options
from pyramidion.web.table.snapshots.snapshot import Snapshot, snapshot_of, unspoiled
from pyramidion.web.table.table import Table
from pyramidion.web.table.tables import Tables

router = APIRouter(include_in_schema=False)
Version = Annotated[int | None, Query(ge=0)]


@dataclass(frozen=True, slots=True)
class RequestedView:
    """The view of a table that a request is for: its `viewer` (a seat, None for a spectator), or everything."""

    visit: TablePageRequest
    viewer: int | None
    everything: bool

    def position(self, version: int | None = None) -> Snapshot:
        """Return the snapshot of a position in this view, by default the latest. Raises BadRequest."""
        reader = self.visit.seat if self.viewer == self.visit.seat else None
        return position_of_viewer(self.visit.table, self.viewer, self.everything, version, reader=reader)


async def _requested_view(visit: TableVisit, open: bool = False, seat: str = "") -> RequestedView:
    """Return the view that a request is for, for the annotation `View`.

    `seat` is the request's choice: a number, `spectator`, `all`, or empty for the visitor's own view. `open` reveals
    everything, like `all`.

    Raises HasSecrets for another seat's view during the game, and BadRequest for a seat that does not exist.
    """
    if open or seat in ("", "all"):
        return RequestedView(visit, visit.seat, open or seat == "all")
    wanted = None if seat == "spectator" else whole_number(seat, _("The seat must be a whole number."))
    if wanted is not None and not 0 <= wanted < visit.table.match.seats:
        raise BadRequest(_("This table has no such seat."))
    if wanted not in (None, visit.seat) and not visit.table.match.over:
        raise HasSecrets(_("You can see the game from another player's seat once it is over."))
    return RequestedView(visit, wanted, everything=False)


View = Annotated[RequestedView, Depends(_requested_view)]
"""A handler's parameter: the view that the request is for."""


@router.get("/t/{table_id}")
async def show_table(view: View, version: Version = None, at: Version = None, until_here: bool = False) -> Response:
    """Show a table as the visitor may see it, or an earlier position (`at`), optionally as another `seat` saw it.

    With `until_here` the page of an earlier position tells nothing of what came after it, until the end is reached.
    """
    snapshot = view.position(version if at is None else at)
    later = until_here and snapshot.table.match.over and not snapshot.position_is_current
    if later:
        snapshot = unspoiled(snapshot)
    return view.visit.pages.remember(await table_page(view.visit, snapshot, later=later))


@router.get("/t/{table_id}/fragment")
async def fragment(view: View, version: Version = None, until_here: bool = False) -> Response:
    """Return a single position as HTML, for the replay and for a page whose stream is disconnected."""
    snapshot = view.position(version)
    return html(view.visit.request, fragment_of(unspoiled(snapshot) if until_here else snapshot))


@router.get("/t/{table_id}/position.svg")
async def position_picture(view: View, at: Version = None) -> Response:
    """Return a position as an SVG file, as the visitor may see it; `at` and `seat` are those of `show_table`."""
    snapshot = unspoiled(view.position(at))
    name = f"pyramidion-{snapshot.table.id}-{snapshot.position}.svg"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(position_svg(snapshot), media_type="image/svg+xml; charset=utf-8", headers=headers)


@router.get("/t/{table_id}/log")
async def log(view: View, since: Annotated[int, Query(ge=0)] = 0, until: Version = None) -> Response:
    """Return the viewer's events from number `since` on, and before number `until`, as lines of the log."""
    snapshot = view.position()
    events = list(enumerate(snapshot.events))[since:until]
    text = render_page("log.html", events=events, undone=snapshot.undone, game=snapshot.table.game)
    return html(view.visit.request, text)


@router.get("/t/{table_id}/chapters")
async def chapters(view: View) -> Response:
    """Return for the replay where the chapters of a game begin, as {"plies", "chapters": [{"at", "text"}]}.

    `plies` contains the number of actions at each position after the game; it is empty before, since it would reveal
    who has decided.
    """
    table, snapshot = view.visit.table, view.position()
    kinds = table.game.presentation.chapters
    events = [event for number, event in enumerate(snapshot.events) if number not in snapshot.undone]
    beginnings = [{"at": position_of(event.position), "text": event.text} for event in events if event.name in kinds]
    # Results that the host is releasing belong to a position that is yet to come.
    beginnings = [chapter for chapter in beginnings if chapter["at"] <= snapshot.last_position]
    plies = table.match.positions(EVERYTHING if view.everything else view.viewer) if table.match.over else []
    return JSONResponse({"plies": plies, "chapters": beginnings})


@router.get("/t/{table_id}/seals")
async def seals(visit: TableVisit) -> Response:
    """Show the seals that the visitor may see, and how to verify them."""
    table, viewer = visit.table, visit.seat
    return page(
        visit.request,
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


def position_of_viewer(
    table: Table,
    viewer: int | None,
    everything: bool = False,
    version: int | None = None,
    *,
    reader: int | None = None,
) -> Snapshot:
    """Return the snapshot of a position, by default the latest, as a viewer saw it.

    `reader` is the seat that the log calls "you".

    Raises BadRequest with a sentence if the position does not exist, or may not be revealed.
    """
    try:
        return snapshot_of(table, viewer, version, everything=everything, reader=reader)
    except ValueError as error:
        raise BadRequest(str(error)) from error


async def table_page(
    visit: TablePageRequest, snapshot: Snapshot, message: str | None = None, status: int = 200, *, later: bool = False
) -> Response:
    """Render a table's page at a position, with a message if an action was refused.

    With `later` the page says nothing of what came after the position.
    """
    table, settings = snapshot.table, snapshot.table.settings
    events = list(enumerate(snapshot.events))
    return page(
        visit.request,
        "table.html",
        status=status,
        title=titled(table.title, table.game),
        game=table.game,
        table_id=table.id,
        link=full_url(visit.request, f"/t/{table.id}"),
        me=visit.seat,
        eyes=snapshot.viewer,
        csrf=visit.visitor.csrf,
        fragment=fragment_of(snapshot),
        message=message,
        since=snapshot.stream_id,
        hosting=visit.requester.host,
        **await panels_of(visit),
        own_cards=table.own_cards,
        seeded=table.seeded,
        reserved=table.seating.reserved_for(visit.holder),
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
