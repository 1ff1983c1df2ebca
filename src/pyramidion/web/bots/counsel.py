"""Hints and analyses for people: what the buttons of a table's page do, and the analysis as a page of its own."""

from __future__ import annotations

from dataclasses import asdict

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from pyramidion.web.bots.analysis import HEIGHT, WIDTH, chart_of
from pyramidion.web.pages import page
from pyramidion.web.parts import tables_of, visitors_of
from pyramidion.web.render import titled
from pyramidion.words import _

router = APIRouter(include_in_schema=False)


@router.post("/t/{table_id}/hint")
async def hint(request: Request, table_id: str) -> Response:
    """Say what Expert would do at the visitor's seat: JSON for scripts, a page without them."""
    visitors = visitors_of(request)
    await visitors.checked_form(request)
    table = await tables_of(request).get(table_id)
    told = await tables_of(request).advisor.hint(table, table.seat_of(visitors.of(request).holder))
    if "json" in request.headers.get("accept", ""):
        return JSONResponse(asdict(told))
    return page(request, "message.html", title=_("A hint"), sentence=told.sentence, back=f"/t/{table_id}")


@router.get("/t/{table_id}/analysis")
async def show(request: Request, table_id: str, part: bool = False) -> Response:
    """Show the analysis of a finished game, or how far it has come; `part` of a page for scripts."""
    table = await tables_of(request).get(table_id)
    visitor = visitors_of(request).of(request)
    progress, viewer = await tables_of(request).analyses.of(table), table.seat_of(visitor.holder)
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
        chart=chart_of(table, viewer, progress.result) if progress.result is not None else None,
        width=WIDTH,
        height=HEIGHT,
    )
    return visitors_of(request).remember(visitor, made)


@router.post("/t/{table_id}/analysis")
async def start(request: Request, table_id: str) -> Response:
    """Begin the analysis of a finished game."""
    await visitors_of(request).checked_form(request)
    await tables_of(request).analyses.start(await tables_of(request).get(table_id))
    return RedirectResponse(f"/t/{table_id}/analysis", 303)
