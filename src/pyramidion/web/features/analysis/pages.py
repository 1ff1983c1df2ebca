"""The page with the analysis of a finished game."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from pyramidion.web.features.analysis.service import HEIGHT, WIDTH, analyses_of, shown_analysis
from pyramidion.web.http.dependencies import visitors_of
from pyramidion.web.pages.page import page
from pyramidion.web.pages.renderer import titled
from pyramidion.web.table_requests.access import tables_of

router = APIRouter(include_in_schema=False)


@router.get("/t/{table_id}/analysis")
async def show(request: Request, table_id: str, part: bool = False) -> Response:
    """Show a finished game's analysis, or its progress; with `part`, only the fragment for scripts."""
    table = await tables_of(request).get(table_id)
    visitor = visitors_of(request).of(request)
    progress, viewer = await analyses_of(request).of(table), table.seat_of(visitor.holder)
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
    return visitors_of(request).remember(visitor, made)


@router.post("/t/{table_id}/analysis")
async def start(request: Request, table_id: str) -> Response:
    """Start the analysis of a finished game."""
    await visitors_of(request).checked_form(request)
    await analyses_of(request).start(await tables_of(request).get(table_id))
    return RedirectResponse(f"/t/{table_id}/analysis", 303)
