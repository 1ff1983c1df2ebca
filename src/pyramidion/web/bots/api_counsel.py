"""The JSON API for hints and analyses."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from pyramidion.web import wire
from pyramidion.web.answers import Json
from pyramidion.web.api import CHANGES, REFUSALS, Fault
from pyramidion.web.parts import seat_at, tables_of
from pyramidion.web.seats import require_same_origin

router = APIRouter(prefix="/api")


class HintChoice(BaseModel):
    """An action that can be compared with others."""

    text: str
    label: str
    chance: float = Field(description="What your seat may expect after it, its share of the win, 0 to 1.")
    share: float = Field(description="How often to play it, where several seats decide at once.")
    simulations: int


class HintOut(BaseModel):
    """What Expert would do at your seat and why."""

    version: int
    action: str
    label: str
    sentence: str
    close: bool = Field(description="Whether something else is as good, as far as the numbers tell.")
    mixed: bool = Field(description="Whether the action is drawn from several, since several seats decide at once.")
    chance: float | None = Field(description="Null where there was nothing to choose.")
    simulations: int
    choices: list[HintChoice]


class DecisionOut(BaseModel):
    """A decision that cost something, judged by what its seat knew."""

    ply: int = Field(description="How many actions had been made before it.")
    seat: int
    played: str
    better: str
    chance_played: float
    chance_better: float
    error: float = Field(description="Standard error of the difference.")


class AnalysisOut(BaseModel):
    """How far the analysis of a finished game has come, and what it says when it is ready."""

    state: Literal["none", "waiting", "running", "ready", "failed"]
    done: int
    total: int
    curve: list[list[float]] = Field(default=[], description="Every seat's chance to win, for every ply from 0 on.")
    decisions: list[DecisionOut] = []
    judged: int = Field(default=0, description="How many decisions had more than one legal action.")
    iterations: int = Field(default=0, description="Simulated games for each position.")


OVER: dict[int | str, dict[str, Any]] = {
    **REFUSALS,
    403: {"model": Fault, "description": "The game is not over."},
}


@router.post(
    "/tables/{table_id}/hint",
    response_model=HintOut,
    responses={
        **CHANGES,
        401: {"model": Fault},
        403: {"model": Fault, "description": "Not your seat, or no hints at this table."},
        409: {"model": Fault, "description": "Nothing is due from you, or the table has changed meanwhile."},
    },
    summary="What Expert would do",
)
async def hint(table_id: str, request: Request) -> Json:
    """Think about your decision as Expert does, from what your seat sees; one at a time for each seat."""
    require_same_origin(request.scope)
    table, viewer = await seat_at(request, table_id)
    return Json(wire.encode(asdict(await tables_of(request).advisor.hint(table, viewer))))


@router.get("/tables/{table_id}/analysis", response_model=AnalysisOut, responses=OVER, summary="The analysis")
async def get_analysis(table_id: str, request: Request) -> Json:
    """Return how far the analysis of a finished game has come, and the analysis when it is ready."""
    table, _ = await seat_at(request, table_id)
    return Json(wire.encode((await tables_of(request).analyses.of(table)).as_json()))


@router.post(
    "/tables/{table_id}/analysis",
    status_code=202,
    response_model=AnalysisOut,
    responses=OVER,
    summary="Analyse a finished game",
)
async def start_analysis(table_id: str, request: Request) -> Json:
    """Begin the analysis of a finished game, unless it is made or being made."""
    require_same_origin(request.scope)
    table, _ = await seat_at(request, table_id)
    return Json(wire.encode((await tables_of(request).analyses.start(table)).as_json()), 202)
