"""The page with the analysis of a finished game."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter
from starlette.responses import RedirectResponse, Response

from pyramidion.translation import _
from pyramidion.web.features.analysis.retry import try_again
from pyramidion.web.features.analysis.service import HEIGHT, WIDTH, Analyses, shown_analysis
from pyramidion.web.http.dependencies import PostedForm
from pyramidion.web.http.forms import whole_number
from pyramidion.web.http.rate_limits import RateLimits
from pyramidion.web.http.services import Service
from pyramidion.web.pages.panel import TableVisit
from pyramidion.web.pages.renderer import titled
from pyramidion.web.table.tables import Tables

router = APIRouter(include_in_schema=False)


@router.get("/t/{table_id}/analysis")
async def show(visit: TableVisit, analyses: Service[Analyses], part: bool = False) -> Response:
    """Show a finished game's analysis, or its progress; with `part`, only the fragment for scripts."""
    table, viewer = visit.table, visit.seat
    progress = await analyses.of(table)
    result = progress.result
    return visit.pages.render(
        "analysis.html" if part else "analysis_page.html",
        title=titled(table.title, table.game),
        game=table.game,
        table_id=table.id,
        me=viewer,
        names=table.names,
        progress=progress,
        chart=await asyncio.to_thread(shown_analysis, table, viewer, result) if result is not None else None,
        width=WIDTH,
        height=HEIGHT,
    )


@router.post("/t/{table_id}/analysis")
async def start(_form: PostedForm, visit: TableVisit, analyses: Service[Analyses]) -> Response:
    """Start the analysis of a finished game."""
    await analyses.start(visit.table)
    return RedirectResponse(f"/t/{visit.table.id}/analysis", 303)


@router.post("/t/{table_id}/analysis/try")
async def retry(form: PostedForm, visit: TableVisit, tables: Service[Tables], limits: Service[RateLimits]) -> Response:
    """Open a table at which a decision of a finished game is made again, against bots."""
    limits.table(visit.request.scope)
    ply = whole_number(form.get("ply"), _("The position must be a whole number."))
    again = await try_again(tables, visit.table, ply, visit.holder)
    return visit.pages.remember(RedirectResponse(f"/t/{again.id}", 303))
