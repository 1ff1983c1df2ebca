"""The page with the analysis of a finished game."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import RedirectResponse, Response

from pyramidion.bots.interpretation import percent
from pyramidion.translation import _
from pyramidion.web.features.analysis.retry import trial_of, try_again
from pyramidion.web.features.analysis.service import HEIGHT, WIDTH, Analyses, shown_analysis
from pyramidion.web.http.dependencies import PostedForm
from pyramidion.web.http.forms import whole_number
from pyramidion.web.http.rate_limits import RateLimits
from pyramidion.web.http.services import Service
from pyramidion.web.pages.page import html
from pyramidion.web.pages.panel import TableVisit
from pyramidion.web.pages.renderer import render_page, titled
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
        share=percent(progress.done / max(1, progress.total)),
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
    return visit.pages.remember(RedirectResponse(f"/t/{again.id}#trial={visit.table.id}.{ply}", 303))


@router.get("/t/{table_id}/analysis/trial")
async def trial(
    visit: TableVisit,
    tables: Service[Tables],
    analyses: Service[Analyses],
    table: str,
    ply: Annotated[int, Query(ge=0)],
) -> Response:
    """Return for a table that goes on from a decision of this finished game how it compares, as a part of its page."""
    again = await tables.get(table)
    result = (await analyses.of(visit.table)).result
    tried = trial_of(visit.table, again, ply, again.seat_of(visit.holder), result)
    return html(visit.request, render_page("trial.html", trial=tried, table_id=visit.table.id))
