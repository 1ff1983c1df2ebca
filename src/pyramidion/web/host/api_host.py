"""The JSON API of hosts, and of what players ask of each other."""

from __future__ import annotations

from typing import Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from pyramidion.web import wire
from pyramidion.web.answers import Json
from pyramidion.web.api import CHANGES, REFUSALS, Fault
from pyramidion.web.errors import BadRequest, NotTheHost
from pyramidion.web.host.console import console_of
from pyramidion.web.host.desk import Desk
from pyramidion.web.host.transcript import transcript
from pyramidion.web.parts import asker_at, limits_of
from pyramidion.web.seats import require_same_origin
from pyramidion.words import _

router = APIRouter(prefix="/api")
HOSTS: dict[int | str, dict[str, Any]] = {
    **CHANGES,
    401: {"model": Fault},
    403: {"model": Fault, "description": "Only the host can do that, or only a player."},
    409: {"model": Fault, "description": "Not now: the table is paused, over, or not in the state that this needs."},
}


class HostSeatOut(BaseModel):
    """A player, as the host may see them."""

    seat: int
    state: Literal["due", "saved", "done", "waiting"] = Field(
        description="Whether it has to decide; `saved` and `done` in secret phases only for a host who does not play."
    )
    present: bool
    stand_in: str | None


class ConsoleOut(BaseModel):
    """What the host sees of a table."""

    plays: bool = Field(description="Whether the host plays, and so is shown no more than a player.")
    seats: list[HostSeatOut]
    step: int = Field(description="The number of the current step; a host can step back to any from 0 on.")
    paused: bool


class HostOrder(BaseModel):
    """An act of the host; which fields it needs depends on `act`."""

    act: Literal["pause", "resume", "extend", "close", "act-for", "replace", "hand-over", "step-back"]
    seconds: int | None = Field(default=None, description="For `extend`: 30 to 604800.")
    seat: int | None = Field(default=None, description="For `act-for`, `replace` and `hand-over`.")
    bot: str | None = Field(default=None, description="For `replace`: a bot, or null to open the seat to anybody.")
    step: int | None = Field(default=None, description="For `step-back`: the step to begin anew, from 0.")


class AskOrder(BaseModel):
    """What a player asks all others for, or answers."""

    do: Literal["ask", "agree", "refuse", "resume", "back"] = Field(
        description="`refuse` of whoever has asked withdraws it; `resume` ends a pause that was agreed on; `back` "
        "takes the seat back from the bot that stands in."
    )
    what: Literal["undo", "pause"] | None = Field(default=None, description="For `ask`, `agree` and `refuse`.")
    version: int | None = Field(default=None, description="The position that you mean, if you want it checked.")


class StandsOut(BaseModel):
    """Your version after what was done."""

    version: int


@router.get("/tables/{table_id}/host", response_model=ConsoleOut, responses=HOSTS, summary="What the host sees")
async def get_console(table_id: str, request: Request) -> Json:
    """Return who is waited for, as far as the host may know; send the host's token."""
    table, asker = await asker_at(request, table_id)
    if not asker.host:
        raise NotTheHost(_("Only the host of this table can do that."))
    shown = console_of(table, asker)
    seats = [{"seat": s.seat, "state": s.state, "present": s.present, "stand_in": s.stand_in} for s in shown.seats]
    return Json(wire.encode({"plays": shown.plays, "seats": seats, "step": shown.step, "paused": table.paused}))


@router.post("/tables/{table_id}/host", response_model=StandsOut, responses=HOSTS, summary="Do an act of the host")
async def act(table_id: str, given: HostOrder, request: Request) -> Json:
    """Pause, resume, extend the time, close the phase, let the rules decide for one player, replace a player, hand the
    host's role over, or step back. Everybody is told; after a step back versions go on from a higher number.
    """
    require_same_origin(request.scope)
    table, asker = await asker_at(request, table_id)
    limits_of(request).action(request.scope, table_id, -1)
    desk = Desk(table, asker)
    match given.act:
        case "pause":
            await desk.pause()
        case "resume":
            await desk.resume()
        case "extend":
            await desk.extend(_needed(given.seconds, "seconds"))
        case "close":
            await desk.close()
        case "act-for":
            await desk.act_for(_needed(given.seat, "seat"))
        case "replace":
            await desk.replace_player(_needed(given.seat, "seat"), given.bot)
        case "hand-over":
            await desk.hand_over(_needed(given.seat, "seat"))
        case "step-back":
            await desk.step_back(_needed(given.step, "step"))
    return Json(wire.encode({"version": table.version(asker.seat)}))


@router.post("/tables/{table_id}/asks", response_model=StandsOut, responses=HOSTS, summary="Ask, agree or refuse")
async def ask(table_id: str, given: AskOrder, request: Request) -> Json:
    """Ask all others to take your last action back, or for a pause; answer what somebody asks."""
    require_same_origin(request.scope)
    table, asker = await asker_at(request, table_id)
    limits_of(request).action(request.scope, table_id, asker.seat)
    desk, what = Desk(table, asker), given.what or ""
    match given.do:
        case "ask":
            await desk.ask(what, given.version)
        case "agree" | "refuse":
            await desk.answer(what, given.do == "agree", given.version)
        case "resume":
            await desk.resume()
        case "back":
            await desk.back()
    return Json(wire.encode({"version": table.version(asker.seat)}))


@router.get(
    "/tables/{table_id}/transcript",
    response_model=None,
    responses={**REFUSALS, 200: {"content": {"text/markdown": {}}, "description": "Markdown."}},
    summary="What has happened, to read",
)
async def get_transcript(table_id: str, request: Request) -> Response:
    """Return the transcript as you may read it; once the game is over, everything."""
    table, asker = await asker_at(request, table_id)
    return Response(transcript(table, asker.seat), media_type="text/markdown; charset=utf-8")


def _needed(value: int | None, name: str) -> int:
    if value is None:
        raise BadRequest(_("This act needs the field {name}.").format(name=name))
    return value
