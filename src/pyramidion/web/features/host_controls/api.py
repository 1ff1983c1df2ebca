"""The JSON API of host commands and proposals."""

from __future__ import annotations

from typing import Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.responses import PlainTextResponse, Response

from pyramidion.translation import _
from pyramidion.web.contracts import AccountLookup
from pyramidion.web.errors import NotTheHost
from pyramidion.web.features.host_controls.commands import execute, parse_command, parse_proposal
from pyramidion.web.features.host_controls.console import console_of
from pyramidion.web.features.host_controls.service import HostControls
from pyramidion.web.features.host_controls.transcript import transcript
from pyramidion.web.http.rate_limits import RateLimits
from pyramidion.web.http.responses import Json
from pyramidion.web.http.schemas import CHANGES, REFUSALS, Fault
from pyramidion.web.http.services import Service
from pyramidion.web.table.snapshots import json_encoder as wire
from pyramidion.web.table_requests.access import changer_at, requester_at

router = APIRouter(prefix="/api")


class Markdown(PlainTextResponse):
    """A Markdown response."""

    media_type = "text/markdown"


HOSTS: dict[int | str, dict[str, Any]] = {
    **CHANGES,
    401: {"model": Fault},
    403: {"model": Fault, "description": "Only the host, or only a player, can do this."},
    409: {"model": Fault, "description": "Not possible now: for example, the table is paused or the game is over."},
}


class HostSeatOut(BaseModel):
    """A seat as the host sees it."""

    seat: int
    state: Literal["due", "saved", "done", "waiting"] = Field(
        description="The seat's status. In secret phases only a host who does not play sees `saved` and `done`."
    )
    present: bool
    stand_in: str | None


class ConsoleOut(BaseModel):
    """A table as the host sees it."""

    plays: bool = Field(description="Whether the host plays, and so sees no more than a player.")
    seats: list[HostSeatOut]
    late: list[int] = Field(
        description="The seats that missed the end of the latest incomplete phase; only for a host who does not play."
    )
    step: int = Field(description="The number of the current step; the host can rewind to any earlier one, from 0.")
    paused: bool


class HostCommandIn(BaseModel):
    """A host command; the fields it needs depend on `command`."""

    command: Literal["pause", "resume", "extend", "close", "apply-default", "replace", "hand-over", "rewind", "release"]
    seconds: int | None = Field(default=None, description="For `extend`: 5 to 604800.")
    seat: int | None = Field(default=None, description="For `apply-default`, `replace` and `hand-over`.")
    bot: str | None = Field(default=None, description="For `replace`: a bot, or null to invite a player.")
    account: str | None = Field(
        default=None, description="For `replace` without a bot: the name of an account to invite."
    )
    step: int | None = Field(default=None, description="For `rewind`: the step to return to, from 0.")
    everything: bool = Field(
        default=False, description="For `release`: reveal all results that are left, not only the next one."
    )


class ProposalIn(BaseModel):
    """A proposal to the other players, or an answer to one."""

    do: Literal["propose", "agree", "refuse", "resume", "back", "leave"] = Field(
        description="`refuse` withdraws your own proposal; `resume` ends an agreed pause; `back` takes your seat "
        "back from the bot that stands in; `leave` gives it up for good: a bot takes over, and a rated game is lost."
    )
    what: Literal["takeback", "pause", "extension"] | None = Field(
        default=None, description="For `propose`, `agree` and `refuse`. Only the host can grant an `extension`."
    )
    version: int | None = Field(default=None, description="Your version, if you want the server to check it.")


class StandsOut(BaseModel):
    """Your version after the change."""

    version: int
    code: str | None = Field(
        default=None,
        description="After `replace` by invitation: the code with which the new player takes the seat, also at "
        "/t/{id}/come. It is shown only once.",
    )


@router.get("/tables/{table_id}/host", response_model=ConsoleOut, responses=HOSTS, summary="Get the host's information")
async def get_console(table_id: str, request: Request) -> Json:
    """Get the status of the table as the host may see it. Send the host's token."""
    table, requester = await requester_at(request, table_id)
    if not requester.host:
        raise NotTheHost(_("Only the host of this table can do that."))
    console = console_of(table, requester)
    seats = [{"seat": s.seat, "state": s.state, "present": s.present, "stand_in": s.stand_in} for s in console.seats]
    body = {
        "plays": console.plays,
        "seats": seats,
        "late": console.late,
        "step": console.step,
        "paused": table.clock.paused,
    }
    return Json(wire.encode(body))


@router.post("/tables/{table_id}/host", response_model=StandsOut, responses=HOSTS, summary="Give a host command")
async def command_as_host(
    table_id: str, given: HostCommandIn, request: Request, limits: Service[RateLimits], accounts: Service[AccountLookup]
) -> Json:
    """Give a host command. It is announced to everybody.

    Commands pause or resume the game, extend the time, close the phase, apply a player's default move, replace a
    player, hand over the host's role, rewind the game, or release the results of a phase. After a rewind, versions
    continue from a higher number.
    """
    table, requester = await changer_at(request, table_id)
    limits.action(request.scope, table_id, -1 if requester.host else requester.seat)
    command = parse_command(given.command, given.model_dump())
    code = await execute(command, HostControls(table, requester), accounts)
    return Json(wire.encode({"version": table.version(requester.seat)} | ({"code": code} if code else {})))


@router.post(
    "/tables/{table_id}/proposals", response_model=StandsOut, responses=HOSTS, summary="Propose, agree or refuse"
)
async def propose(
    table_id: str, given: ProposalIn, request: Request, limits: Service[RateLimits], accounts: Service[AccountLookup]
) -> Json:
    """Propose to undo your last action or to pause, ask the host for more time, or answer a proposal."""
    table, requester = await changer_at(request, table_id)
    limits.action(request.scope, table_id, requester.seat)
    proposal = parse_proposal(given.do, given.what or "", given.version)
    await execute(proposal, HostControls(table, requester), accounts)
    return Json(wire.encode({"version": table.version(requester.seat)}))


@router.get(
    "/tables/{table_id}/transcript",
    response_class=Markdown,
    response_model=None,
    responses={**REFUSALS, 200: {"description": "Markdown."}},
    summary="Get the transcript",
)
async def get_transcript(table_id: str, request: Request) -> Response:
    """Get the transcript as you may read it; after the game, with everything revealed."""
    table, requester = await requester_at(request, table_id)
    return Markdown(transcript(table, requester.seat))
