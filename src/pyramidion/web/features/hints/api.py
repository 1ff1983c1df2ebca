"""The JSON API for hints."""

from __future__ import annotations

from dataclasses import asdict

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from pyramidion.web.features.hints.service import Hints
from pyramidion.web.http.authentication import require_same_origin
from pyramidion.web.http.responses import Json
from pyramidion.web.http.schemas import CHANGES, Fault
from pyramidion.web.http.services import Service
from pyramidion.web.table.snapshots import json_encoder as wire
from pyramidion.web.table_requests.access import seat_at

router = APIRouter(prefix="/api")


class HintChoice(BaseModel):
    """An action that the search has considered, with its evaluation."""

    text: str
    label: str
    chance: float = Field(description="Your expected share of the win after this action, 0 to 1.")
    share: float = Field(description="How often to play it, in a simultaneous decision.")
    simulations: int = Field(description="Iterations that tried this action.")


class HintOut(BaseModel):
    """What the strongest bot would do in your seat, and why."""

    version: int
    action: str
    label: str
    sentence: str
    close: bool = Field(description="Whether another action is statistically as good.")
    mixed: bool = Field(description="Whether the action was drawn from a mixed strategy, in a simultaneous decision.")
    chance: float | None = Field(description="Your expected share of the win, 0 to 1; null if there was no choice.")
    simulations: int = Field(description="Iterations of the search.")
    choices: list[HintChoice]
    pieces: list[str] = Field(description="Ids of the pieces on the board that make up the action.")
    why: str = Field(
        description="How the position after it differs from the one after the next best action; may be empty."
    )


@router.post(
    "/tables/{table_id}/hint",
    response_model=HintOut,
    responses={
        **CHANGES,
        401: {"model": Fault},
        403: {"model": Fault, "description": "You hold no seat, or the table has no hints."},
        409: {"model": Fault, "description": "You have no decision to make, or the table has changed meanwhile."},
    },
    summary="Get a hint",
)
async def get_hint(table_id: str, request: Request, hints: Service[Hints]) -> Json:
    """Get what the strongest bot would do in your seat, from what your seat sees. One request per seat at a time."""
    require_same_origin(request.scope)
    table, viewer = await seat_at(request, table_id)
    return Json(wire.encode(asdict(await hints.hint(table, viewer))))
