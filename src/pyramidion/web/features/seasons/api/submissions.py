"""The JSON API for secret submissions to matches of the host's own."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel, Field

from pyramidion.seasons.submissions import Submitted
from pyramidion.web.features.seasons.api.schemas import Keyed, SeasonOut
from pyramidion.web.features.seasons.api.season_call import Call
from pyramidion.web.features.seasons.commands import Reveal, Submit
from pyramidion.web.http.responses import Json
from pyramidion.web.http.schemas import ALLOWED

router = APIRouter(prefix="/api/seasons")


class SubmissionIn(Keyed):
    """A submission to the round of a match."""

    match: str = Field(description="The match, by its id.", max_length=20)
    round: int = Field(default=1, ge=1, le=100, description="The round, counted from 1.")
    values: dict[str, int | str] = Field(description="The value of each field, by its name.", max_length=20)
    confirmed: bool = Field(default=True, description="Whether you are done. You can change it until it is sealed.")


class RevealIn(BaseModel):
    """What to reveal of a match whose submissions are sealed."""

    match: str = Field(description="The match, by its id.", max_length=20)
    contestant: str | None = Field(default=None, description="A contestant, by id; null for all that are left.")


@router.post("/{season_id}/submissions", response_model=SeasonOut, responses=ALLOWED, summary="Submit in secret")
async def submit(order: SubmissionIn, call: Call) -> Json:
    """Save or confirm your submission to a match of the host's own. It takes your own token."""
    event = Submitted(order.match, order.round, order.values, order.confirmed)
    return await call.answer(Submit(event, order.request_key))


@router.post("/{season_id}/reveal", response_model=SeasonOut, responses=ALLOWED, summary="Reveal submissions")
async def reveal(order: RevealIn, call: Call) -> Json:
    """As a host, reveal the sealed submission of a contestant, or all that are left.

    With the last one the result is entered, if the scores decide it.
    """
    return await call.answer(Reveal(order.match, order.contestant))
