"""Hints and analyses for people: what the buttons of a table's page do, and the analysis as a page of its own."""

from __future__ import annotations

from dataclasses import asdict

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from pyramidion.web.bots.analysis import HEIGHT, WIDTH, chart_of
from pyramidion.web.pages import page
from pyramidion.web.render import titled
from pyramidion.web.seats import Visitors
from pyramidion.web.tables import Tables
from pyramidion.words import _

router = APIRouter(include_in_schema=False)


@router.post("/t/{table_id}/hint")
async def hint(request: Request, table_id: str) -> Response:
    """Say what Expert would do at the visitor's seat: JSON for scripts, a page without them."""
    visitors = _visitors(request)
    await visitors.checked_form(request)
    table = await _tables(request).get(table_id)
    told = await _tables(request).advisor.hint(table, table.seat_of(visitors.of(request).holder))
    if "json" in request.headers.get("accept", ""):
        return JSONResponse(asdict(told))
    return page(request, "message.html", title=_("A hint"), sentence=told.sentence, back=f"/t/{table_id}")


@router.get("/t/{table_id}/analysis")
async def show(request: Request, table_id: str, part: bool = False) -> Response:
    """Show the analysis of a finished game, or how far it has come; `part` of a page for scripts."""
    table = await _tables(request).get(table_id)
    visitor = _visitors(request).of(request)
    progress, viewer = await _tables(request).analyses.of(table), table.seat_of(visitor.holder)
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
    return _visitors(request).remember(visitor, made)


@router.post("/t/{table_id}/analysis")
async def start(request: Request, table_id: str) -> Response:
    """Begin the analysis of a finished game."""
    await _visitors(request).checked_form(request)
    await _tables(request).analyses.start(await _tables(request).get(table_id))
    return RedirectResponse(f"/t/{table_id}/analysis", 303)


def _visitors(request: Request) -> Visitors:
    return request.app.state.visitors


def _tables(request: Request) -> Tables:
    return request.app.state.tables
