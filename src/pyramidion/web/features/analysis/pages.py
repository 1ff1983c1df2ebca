"""The page with the analysis of a finished game."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from pyramidion.translation import _
from pyramidion.web.features.analysis.retry import try_again
from pyramidion.web.features.analysis.service import HEIGHT, WIDTH, Analyses, shown_analysis
from pyramidion.web.http.authentication import Visitors
from pyramidion.web.http.forms import whole_number
from pyramidion.web.http.rate_limits import RateLimits
from pyramidion.web.http.services import Service
from pyramidion.web.pages.page import page
from pyramidion.web.pages.renderer import titled
from pyramidion.web.table.tables import Tables

router = APIRouter(include_in_schema=False)


@router.get("/t/{table_id}/analysis")
async def show(
    request: Request,
    table_id: str,
    visitors: Service[Visitors],
    tables: Service[Tables],
    analyses: Service[Analyses],
    part: bool = False,
) -> Response:
    """Show a finished game's analysis, or its progress; with `part`, only the fragment for scripts."""
    table = await tables.get(table_id)
    visitor = visitors.of(request)
    progress, viewer = await analyses.of(table), table.seat_of(visitor.holder)
    made = page(
        request,
        "analysis.html" if part else "analysis_page.html",
        title=titled(table.title, table.game),
        game=table.game,
        table_id=table.id,
        csrf=visitor.csrf,
        me=viewer,
        names=table.names,
        progress=progress,
        chart=shown_analysis(table, viewer, progress.result) if progress.result is not None else None,
        width=WIDTH,
        height=HEIGHT,
    )
    return visitors.remember(visitor, made)


@router.post("/t/{table_id}/analysis")
async def start(
    request: Request, table_id: str, visitors: Service[Visitors], tables: Service[Tables], analyses: Service[Analyses]
) -> Response:
    """Start the analysis of a finished game."""
    await visitors.checked_form(request)
    await analyses.start(await tables.get(table_id))
    return RedirectResponse(f"/t/{table_id}/analysis", 303)


@router.post("/t/{table_id}/analysis/try")
async def retry(
    request: Request, table_id: str, visitors: Service[Visitors], tables: Service[Tables], limits: Service[RateLimits]
) -> Response:
    """Open a table at which a decision of a finished game is made again, against bots."""
    form = await visitors.checked_form(request)
    visitor, table = visitors.of(request), await tables.get(table_id)
    limits.table(request.scope)
    ply = whole_number(form.get("ply"), _("The position must be a whole number."))
    again = await try_again(tables, table, ply, visitor.holder)
    return visitors.remember(visitor, RedirectResponse(f"/t/{again.id}", 303))
