"""The JSON API for clubs: with a browser's cookie, or an API token."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from pyramidion.web.db.group_webhooks import club_channel
from pyramidion.web.features.clubs.club import MOST_TEXT, ClubSettings, Door, Role
from pyramidion.web.features.clubs.service import SCOPES, club_at, clubs_of
from pyramidion.web.features.clubs.view_models import ClubList, club_json, list_page
from pyramidion.web.http.dependencies import acting_for, api_caller, channels_of, limits_of, person_for
from pyramidion.web.http.pagination import Seen
from pyramidion.web.http.responses import Json
from pyramidion.web.http.schemas import ALLOWED, REFUSALS
from pyramidion.web.table.snapshots import json_encoder as wire

router = APIRouter(prefix="/api/clubs")
by_secret = APIRouter(prefix="/api/clubs")


class ClubIn(BaseModel):
    """The settings of a club."""

    name: str
    about: str = Field(default="", max_length=MOST_TEXT)
    door: Door = Field(
        default="request",
        description="Who can join: everybody, those whose request is accepted, or those with the invitation link. "
        "A private club is seen by its members only, and joined with the link.",
    )


class NewClub(ClubIn):
    """A club to found."""

    member: str = Field(description="What you are called in the club.")


class ListedClubOut(BaseModel):
    """A club in the list."""

    id: str
    name: str
    about: str
    members: int = Field(description="How many members it has.")
    role: Role | None = Field(description="Your role in it; `asked` while your request is open.")


class ClubOut(BaseModel):
    """A club as you may see it."""

    id: str
    name: str
    about: str
    door: Door
    you: str | None = Field(description="Your id as a member.")
    role: Role | None = Field(description="Your role; `asked` while your request is open.")
    members: list[dict[str, Any]]
    asking: list[dict[str, Any]] | None = Field(description="For officers: who asks to join.")
    invitation: str | None = Field(description="For officers: the path of the invitation link.")
    posts: list[dict[str, Any]] = Field(description="For members: the latest 50 announcements.")
    events: list[dict[str, Any]] = Field(description="The latest 50 seasons and tournaments, with their standings.")
    tables: list[dict[str, Any]] = Field(description="The first 50 tables in the club's lobby, unfinished ones first.")


class ClubJoinIn(BaseModel):
    """Joining a club, or asking to."""

    name: str = Field(description="What you are called in the club.")
    code: str = Field(default="", description="The last part of the invitation link, if you have one.")


class RoleIn(BaseModel):
    """A role for a member; `member` accepts a request, and null removes somebody."""

    role: Role | None


class ClubPostIn(BaseModel):
    """An announcement."""

    text: str = Field(max_length=MOST_TEXT)


class ClubHookIn(BaseModel):
    """A club's webhook, which reports announcements and new seasons and tournaments."""

    webhook: str = Field(description="The webhook's URL; empty for none.")


@router.get("", response_model=list[ListedClubOut], responses=REFUSALS, summary="List clubs")
async def list_clubs(request: Request, after: Seen = 0) -> Json:
    """List the clubs that you may see, your own first.

    The header `Link` leads to the next page of a longer list.
    """
    visitor = (await api_caller(request, *SCOPES)).visitor
    clubs_page = await clubs_of(request).listed(visitor, after)
    return Json(wire.encode([_listed(club) for club in clubs_page.entries]), headers=clubs_page.headers)


@router.post("", status_code=201, response_model=ClubOut, responses=ALLOWED, summary="Found a club")
async def found_club(order: NewClub, request: Request) -> Json:
    """Found a club as its owner, who is a person."""
    holder = await person_for(request, *SCOPES)
    limits_of(request).action(request.scope, f" {holder}", 0)
    limits_of(request).table(request.scope)
    club = await clubs_of(request).create(_settings(order), order.member, holder)
    return Json(await _encoded(request, club.id, holder), 201, {"location": f"/api/clubs/{club.id}"})


@router.get("/{club_id}", response_model=ClubOut, responses=REFUSALS, summary="A club")
async def get_club(club_id: str, request: Request) -> Json:
    """Return a club as you may see it."""
    return Json(wire.encode(await club_json(clubs_of(request), club_at(request))))


@router.get(
    "/{club_id}/{listed}", response_model=list[dict[str, Any]], responses=REFUSALS, summary="A long list of a club"
)
async def get_club_list(club_id: str, listed: ClubList, request: Request, after: Seen = 0) -> Json:
    """Return all announcements, seasons and tournaments, or tables of a club, like the latest ones in the club itself.

    The header `Link` leads to the next page of a longer list.
    """
    page = await list_page(clubs_of(request), club_at(request), listed, after)
    return Json(wire.encode(page.entries), headers=page.headers)


@router.put("/{club_id}", response_model=ClubOut, responses=ALLOWED, summary="Change a club's settings")
async def put_club(club_id: str, order: ClubIn, request: Request) -> Json:
    """Change the settings, as the owner."""
    holder = await _changing(request, club_id)
    await clubs_of(request).change(club_id, holder, _settings(order))
    return Json(await _encoded(request, club_id, holder))


@by_secret.post("/{club_id}/join", response_model=ClubOut, responses=ALLOWED, summary="Join a club")
async def join_club(club_id: str, order: ClubJoinIn, request: Request) -> Json:
    """Join, or ask to join, as a person."""
    holder = await person_for(request, *SCOPES)
    limits_of(request).action(request.scope, f"{club_id} {holder}", 0)
    await clubs_of(request).join(club_id, holder, order.name, order.code)
    return Json(await _encoded(request, club_id, holder))


@router.post("/{club_id}/leave", response_model=list[ListedClubOut], responses=ALLOWED, summary="Leave a club")
async def leave_club(club_id: str, request: Request) -> Json:
    """Leave, or withdraw a request; return the first page of the clubs. With its last member a club is deleted."""
    holder = await _changing(request, club_id)
    await clubs_of(request).leave(club_id, holder)
    return Json(wire.encode([_listed(club) for club in (await clubs_of(request).listed(holder)).entries]))


@router.put("/{club_id}/members/{member}", response_model=ClubOut, responses=ALLOWED, summary="Give a member a role")
async def put_role(club_id: str, member: str, order: RoleIn, request: Request) -> Json:
    """Accept a request or remove a member, as an officer; give roles or hand over the club, as the owner."""
    holder = await _changing(request, club_id)
    await clubs_of(request).rank(club_id, holder, member, order.role)
    return Json(await _encoded(request, club_id, holder))


@router.post("/{club_id}/link", response_model=ClubOut, responses=ALLOWED, summary="Make a new invitation link")
async def renew_club_link(club_id: str, request: Request) -> Json:
    """Replace the invitation link, as an officer."""
    holder = await _changing(request, club_id)
    await clubs_of(request).renew(club_id, holder)
    return Json(await _encoded(request, club_id, holder))


@router.post("/{club_id}/posts", response_model=ClubOut, responses=ALLOWED, summary="Post an announcement")
async def add_club_post(club_id: str, order: ClubPostIn, request: Request) -> Json:
    """Post an announcement, as an officer; all members are notified."""
    holder = await _changing(request, club_id)
    await clubs_of(request).post(club_id, holder, order.text)
    return Json(await _encoded(request, club_id, holder))


@router.delete("/{club_id}/posts/{number}", response_model=ClubOut, responses=ALLOWED, summary="Delete an announcement")
async def delete_club_post(club_id: str, number: int, request: Request) -> Json:
    """Delete an announcement, as an officer."""
    holder = await _changing(request, club_id)
    await clubs_of(request).unpost(club_id, holder, number)
    return Json(await _encoded(request, club_id, holder))


@router.put("/{club_id}/webhook", response_model=ClubHookIn, responses=ALLOWED, summary="Set a club's webhook")
async def put_club_hook(club_id: str, order: ClubHookIn, request: Request) -> Json:
    """Store or remove the webhook, as an officer."""
    holder = await _changing(request, club_id)
    club = await clubs_of(request).get(club_id, holder)
    club.require(club.runs)
    assert club.me is not None
    await channels_of(request).keep(club_channel(club_id), order.webhook, club.me.id)
    return Json(wire.encode({"webhook": await channels_of(request).of(club_channel(club_id))}))


async def _changing(request: Request, club_id: str = "") -> str:
    holder = (await acting_for(request, *SCOPES, changes=True)).holder
    limits_of(request).action(request.scope, f"{club_id} {holder}", 0)
    return holder


async def _encoded(request: Request, club_id: str, holder: str) -> bytes:
    clubs = clubs_of(request)
    return wire.encode(await club_json(clubs, await clubs.get(club_id, holder)))


def _settings(order: ClubIn) -> ClubSettings:
    return ClubSettings(order.name, order.about, order.door)


def _listed(club: Any) -> dict[str, Any]:
    return {"id": club.id, "name": club.name, "about": club.about, "members": club.members, "role": club.role}
