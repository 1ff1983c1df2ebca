"""The JSON API for analyses of finished games."""

from __future__ import annotations

from typing import Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from pyramidion.web.features.analysis.service import Analyses
from pyramidion.web.http.authentication import require_same_origin
from pyramidion.web.http.responses import Json
from pyramidion.web.http.schemas import REFUSALS, Fault
from pyramidion.web.http.services import Service
from pyramidion.web.table.snapshots import json_encoder as wire
from pyramidion.web.table_requests.access import seat_at

router = APIRouter(prefix="/api")


class DecisionOut(BaseModel):
    """A costly decision, judged by what its seat knew."""

    ply: int = Field(description="The number of actions before it.")
    seat: int
    played: str
    better: str
    chance_played: float
    chance_better: float
    error: float = Field(description="Standard error of the difference.")


class AnalysisOut(BaseModel):
    """The progress of an analysis and, when it is ready, its result."""

    state: Literal["none", "waiting", "running", "ready", "failed"]
    done: int
    total: int
    curve: list[list[float]] = Field(default=[], description="Every seat's chance to win at every ply, from 0.")
    decisions: list[DecisionOut] = []
    judged: int = Field(default=0, description="The number of decisions with more than one legal action.")
    iterations: int = Field(default=0, description="Search iterations per position.")


OVER: dict[int | str, dict[str, Any]] = {
    **REFUSALS,
    403: {"model": Fault, "description": "The game is not over."},
}


@router.get("/tables/{table_id}/analysis", response_model=AnalysisOut, responses=OVER, summary="Get the analysis")
async def get_analysis(table_id: str, request: Request, analyses: Service[Analyses]) -> Json:
    """Get the progress of a finished game's analysis and, when it is ready, the result."""
    table, _ = await seat_at(request, table_id)
    return Json(wire.encode((await analyses.of(table)).as_json()))


@router.post(
    "/tables/{table_id}/analysis",
    status_code=202,
    response_model=AnalysisOut,
    responses=OVER,
    summary="Analyse a finished game",
)
async def start_analysis(table_id: str, request: Request, analyses: Service[Analyses]) -> Json:
    """Start the analysis of a finished game, unless it exists or is under way."""
    require_same_origin(request.scope)
    table, _ = await seat_at(request, table_id)
    return Json(wire.encode((await analyses.start(table)).as_json()), 202)
