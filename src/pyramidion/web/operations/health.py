"""The server's health, for load balancers and monitoring."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter

import pyramidion
from pyramidion.web.db.database import StoreError
from pyramidion.web.db.store import Store
from pyramidion.web.db.writer import Writer
from pyramidion.web.errors import Unreadable
from pyramidion.web.http.responses import Json
from pyramidion.web.http.schemas import HealthOut, ReadyOut
from pyramidion.web.http.services import Service
from pyramidion.web.operations.warm_up import WarmUp
from pyramidion.web.table.snapshots import json_encoder as wire
from pyramidion.web.table.tables import Tables

router = APIRouter(tags=["server"])
READY_SECONDS = 3


@router.get(
    "/health",
    summary="Check the server's health",
    response_model=HealthOut,
    responses={503: {"model": HealthOut, "description": "Actions cannot be stored."}},
)
async def health(
    writer: Service[Writer], store: Service[Store], tables: Service[Tables], warm_up: Service[WarmUp]
) -> Json:
    """Return 200 while actions can be stored; tries a write if there has been none recently."""
    works = await writer.works() and not await asyncio.to_thread(store.is_gone)
    body = {
        "status": "ok" if works else "not-saving",
        "version": pyramidion.__version__,
        "tables": tables.in_memory,
        "compiling": warm_up.running,
    }
    return Json(wire.encode(body), 200 if works else 503)


@router.get(
    "/ready",
    summary="Check whether the server is ready",
    response_model=ReadyOut,
    responses={503: {"model": ReadyOut, "description": "It should not; `wrong` says why."}},
)
async def ready(writer: Service[Writer], store: Service[Store], tables: Service[Tables]) -> Json:
    """Return 200 while the database answers, actions can be stored, and changes by other servers arrive."""
    wrong: list[str] = []
    if not await writer.works():
        wrong.append("actions cannot be stored")
    if await asyncio.to_thread(store.is_gone):
        wrong.append("the database file has been deleted or moved away")
        return _readiness(wrong)
    try:
        async with asyncio.timeout(READY_SECONDS):
            await asyncio.to_thread(store.ping)
            newest = await asyncio.to_thread(store.has_newest_layout)
    except (StoreError, Unreadable, TimeoutError):
        wrong.append("the database does not answer")
    else:
        if not newest:
            wrong.append("the database has been upgraded by a newer version; restart this server with that version")
    if not tables.listener.connected:
        wrong.append("the database does not tell what other servers do")
    return _readiness(wrong)


def _readiness(wrong: list[str]) -> Json:
    """Return the answer on what is wrong; nothing is, if the server is ready."""
    return Json(wire.encode({"status": "ok" if not wrong else "not-ready", "wrong": wrong}), 503 if wrong else 200)
