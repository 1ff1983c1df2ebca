"""The server's health, for load balancers and monitoring."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request

import pyramidion
from pyramidion.web.errors import Unreadable
from pyramidion.web.http.responses import Json
from pyramidion.web.http.schemas import HealthOut, ReadyOut
from pyramidion.web.table.snapshots import json_encoder as wire

router = APIRouter(tags=["server"])
READY_SECONDS = 3


@router.get(
    "/health",
    summary="Check the server's health",
    response_model=HealthOut,
    responses={503: {"model": HealthOut, "description": "Actions cannot be stored."}},
)
async def health(request: Request) -> Json:
    """Return 200 while actions can be stored; tries a write if there has been none recently."""
    state = request.app.state
    works = await state.writer.works()
    body = {
        "status": "ok" if works else "not-saving",
        "version": pyramidion.__version__,
        "tables": state.tables.in_memory,
        "compiling": state.warming is not None and state.warming.is_alive(),
    }
    return Json(wire.encode(body), 200 if works else 503)


@router.get(
    "/ready",
    summary="Check whether the server is ready",
    response_model=ReadyOut,
    responses={503: {"model": ReadyOut, "description": "It should not; `wrong` says why."}},
)
async def ready(request: Request) -> Json:
    """Return 200 while the database answers, actions can be stored, and changes by other servers arrive."""
    state = request.app.state
    wrong: list[str] = []
    if not await state.writer.works():
        wrong.append("actions cannot be stored")
    try:
        async with asyncio.timeout(READY_SECONDS):
            await asyncio.to_thread(state.store.ping)
    except (Unreadable, TimeoutError):
        wrong.append("the database does not answer")
    if not state.tables.listener.connected:
        wrong.append("the database does not tell what other servers do")
    return Json(wire.encode({"status": "ok" if not wrong else "not-ready", "wrong": wrong}), 503 if wrong else 200)
