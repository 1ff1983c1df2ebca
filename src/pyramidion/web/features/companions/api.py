"""The JSON API of invitations and blocks, for browsers and for bots with an API token."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from pyramidion.web.contracts import AccountLookup
from pyramidion.web.features.companions.commands import BlockAccount, UnblockName, execute
from pyramidion.web.features.companions.service import Companions
from pyramidion.web.http.dependencies import acting_for
from pyramidion.web.http.rate_limits import RateLimits
from pyramidion.web.http.responses import Json, full_url
from pyramidion.web.http.schemas import CHANGES, Fault
from pyramidion.web.http.services import Service
from pyramidion.web.table.snapshots import json_encoder as wire

router = APIRouter(prefix="/api")
SIGNED: dict[int | str, dict[str, Any]] = {
    401: {"model": Fault, "description": "Neither a browser's cookie nor a valid API token."},
    403: {"model": Fault, "description": "The token does not have the scope, or the CSRF token is missing (X-CSRF)."},
}
ANSWERS: dict[int | str, dict[str, Any]] = {
    **CHANGES,
    **SIGNED,
    404: {"model": Fault, "description": "There is no such table, or no invitation to it."},
}
NAMED: dict[int | str, dict[str, Any]] = {
    **SIGNED,
    404: {"model": Fault, "description": "No account has this name, or it is not blocked."},
    429: {"model": Fault, "description": "Too many attempts; the message says how long to wait."},
}


class InvitationOut(BaseModel):
    """An invitation, or a game that you have joined."""

    table: str
    url: str
    game: str
    title: str
    seat: int
    host: str | None = Field(description="The name of the host, or null.")
    rated: bool
    accepted: bool = Field(description="Whether you have taken the seat.")
    started: bool = Field(description="Whether the match has started, so that you can play.")


class AcceptedInvitationOut(BaseModel):
    """Your seat at a table."""

    table: str
    seat: int
    token: str | None = Field(
        description="For a bot, the token of the seat, for `Authorization: Bearer TOKEN` at the table; it replaces an "
        "earlier one. Null for a browser, whose cookie holds the seat."
    )


AFTER_SEAT = Query(
    pattern=r"^([A-Za-z0-9_-]{1,40}\.[0-9]{1,2})?$",
    description="The table and seat of the last entry that you have seen; the header `Link` has it.",
)


class BlockIn(BaseModel):
    """Whom to block."""

    name: str = Field(max_length=200, description="The name of an account.")


class BlockOut(BaseModel):
    """Somebody whom you have blocked."""

    name: str
    at: int = Field(description="When, milliseconds since 1970.")


@router.get("/invitations", response_model=list[InvitationOut], responses=SIGNED, summary="List your invitations")
async def list_invitations(
    request: Request, companions: Service[Companions], after: Annotated[str, AFTER_SEAT] = ""
) -> Json:
    """List the tables with a seat reserved for you, and those that you have joined and that are not over.

    The header `Link` leads to the next page of a longer list.
    """
    acting = await acting_for(request, "invitations")
    table, _dot, seat = after.partition(".")
    invitations = await companions.invitations(acting.holder, (table, int(seat)) if after else None)
    body = [
        {"url": full_url(request, f"/t/{invitation.table}"), **asdict(invitation)} for invitation in invitations.entries
    ]
    return Json(wire.encode(body), headers=invitations.headers)


@router.post(
    "/invitations/{table_id}/accept",
    response_model=AcceptedInvitationOut,
    responses=ANSWERS,
    summary="Accept an invitation",
)
async def accept_invitation(
    table_id: str, request: Request, companions: Service[Companions], accounts: Service[AccountLookup]
) -> Json:
    """Take the seat that is reserved for you and say that you are ready.

    It can be repeated: after a change of options, to be ready again, and after a restart, for a new token.
    """
    acting = await acting_for(request, "play", changes=True)
    name = acting.bot
    if name is None and (account := await accounts.of(acting.holder)) is not None:
        name = account.name
    seat = await companions.accept(table_id, acting.holder, name, bot=acting.bot is not None)
    token = await companions.open_to_programs(table_id, acting.holder, seat) if acting.bot is not None else None
    return Json(wire.encode({"table": table_id, "seat": seat, "token": token}))


@router.post("/invitations/{table_id}/decline", status_code=204, responses=ANSWERS, summary="Decline an invitation")
async def decline_invitation(table_id: str, request: Request, companions: Service[Companions]) -> Response:
    """Free the seat that is reserved for you, for anybody."""
    acting = await acting_for(request, "invitations", changes=True)
    await companions.decline(table_id, acting.holder)
    return Response(status_code=204)


@router.get("/blocks", response_model=list[BlockOut], responses=SIGNED, summary="List whom you have blocked")
async def list_blocks(request: Request, companions: Service[Companions]) -> Json:
    """List whom you have blocked, the latest first."""
    acting = await acting_for(request, "blocks")
    return Json(wire.encode([{"name": name, "at": at} for name, at in await companions.blocked_by(acting.holder)]))


@router.post("/blocks", status_code=204, responses={**CHANGES, **NAMED}, summary="Block somebody")
async def block_person(
    body: BlockIn,
    request: Request,
    companions: Service[Companions],
    accounts: Service[AccountLookup],
    limits: Service[RateLimits],
) -> Response:
    """Block an account. They cannot invite you, join your tables or write to you privately, and do not learn of it."""
    acting = await acting_for(request, "blocks", changes=True)
    limits.attempt(request.scope)
    await execute(BlockAccount(body.name), acting.holder, companions, accounts)
    return Response(status_code=204)


@router.delete("/blocks/{name:path}", status_code=204, responses=NAMED, summary="Unblock somebody")
async def unblock_person(
    name: str, request: Request, companions: Service[Companions], accounts: Service[AccountLookup]
) -> Response:
    """End all blocks under a name, as the list shows it."""
    acting = await acting_for(request, "blocks", changes=True)
    await execute(UnblockName(name), acting.holder, companions, accounts)
    return Response(status_code=204)
