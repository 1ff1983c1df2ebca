"""The JSON API for clubs: with a browser's cookie, or an API token."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, Field

from pyramidion.web.features.clubs import commands
from pyramidion.web.features.clubs.access import SCOPES, AdmittedClub
from pyramidion.web.features.clubs.club import MOST_TEXT, ClubSettings, Door, Role
from pyramidion.web.features.clubs.service import Clubs
from pyramidion.web.features.clubs.store import ListedClub
from pyramidion.web.features.clubs.view_models import ClubList, club_json, list_page
from pyramidion.web.http.dependencies import acting_for, api_caller, person_for
from pyramidion.web.http.pagination import ListPage, Offset
from pyramidion.web.http.rate_limits import RateLimits
from pyramidion.web.http.responses import Json
from pyramidion.web.http.schemas import ALLOWED, REFUSALS
from pyramidion.web.http.services import Service
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
    events: list[dict[str, Any]] = Field(
        description="The latest 50 seasons and tournaments, with their standings and coming `dates`."
    )
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


async def _command_runner(
    request: Request, club_id: str, clubs: Service[Clubs], limits: Service[RateLimits]
) -> Callable[[commands.Command], Awaitable[Json]]:
    """Return the function by which a handler carries out a club command and answers with the result."""

    async def run(command: commands.Command) -> Json:
        """Carry out the command, and answer with what it has changed: club, list of clubs, or webhook."""
        if isinstance(command, commands.Join):
            holder = await person_for(request, *SCOPES)
        else:
            holder = (await acting_for(request, *SCOPES, changes=True)).holder
        limits.action(request.scope, f"{club_id} {holder}", 0)
        await commands.execute(command, club_id, holder, clubs)
        match command:
            case commands.Leave():
                return Json(_encoded(await clubs.listed(holder)))
            case commands.SetWebhook():
                return Json(wire.encode({"webhook": await clubs.webhook(await clubs.get(club_id, holder))}))
            case _:
                return Json(wire.encode(await club_json(clubs, await clubs.get(club_id, holder))))

    return run


Run = Annotated[Callable[[commands.Command], Awaitable[Json]], Depends(_command_runner)]


@router.get("", response_model=list[ListedClubOut], responses=REFUSALS, summary="List clubs")
async def list_clubs(request: Request, clubs: Service[Clubs], after: Offset = 0) -> Json:
    """List the clubs that you may see, your own first.

    The header `Link` leads to the next page of a longer list.
    """
    clubs_page = await clubs.listed((await api_caller(request, *SCOPES)).visitor, after)
    return Json(_encoded(clubs_page), headers=clubs_page.headers)


@router.post("", status_code=201, response_model=ClubOut, responses=ALLOWED, summary="Found a club")
async def found_club(order: NewClub, request: Request, clubs: Service[Clubs], limits: Service[RateLimits]) -> Json:
    """Found a club as its owner, who is a person."""
    holder = await person_for(request, *SCOPES)
    limits.action(request.scope, f" {holder}", 0)
    limits.table(request.scope)
    club = await clubs.create(_settings(order), order.member, holder)
    return Json(wire.encode(await club_json(clubs, club)), 201, {"location": f"/api/clubs/{club.id}"})


@router.get("/{club_id}", response_model=ClubOut, responses=REFUSALS, summary="A club")
async def get_club(club_id: str, club: AdmittedClub, clubs: Service[Clubs]) -> Json:
    """Return a club as you may see it."""
    return Json(wire.encode(await club_json(clubs, club)))


@router.get(
    "/{club_id}/{listed}", response_model=list[dict[str, Any]], responses=REFUSALS, summary="A long list of a club"
)
async def get_club_list(
    club_id: str, listed: ClubList, club: AdmittedClub, clubs: Service[Clubs], after: Offset = 0
) -> Json:
    """List a club's announcements (`posts`), seasons and tournaments (`events`) or tables (`tables`).

    The header `Link` leads to the next page of a longer list.
    """
    page = await list_page(clubs, club, listed, after)
    return Json(wire.encode(page.entries), headers=page.headers)


@router.put("/{club_id}", response_model=ClubOut, responses=ALLOWED, summary="Change a club's settings")
async def put_club(order: ClubIn, run: Run) -> Json:
    """Change the settings, as the owner."""
    return await run(commands.ChangeSettings(_settings(order)))


@by_secret.post("/{club_id}/join", response_model=ClubOut, responses=ALLOWED, summary="Join a club")
async def join_club(order: ClubJoinIn, run: Run) -> Json:
    """Join, or ask to join, as a person."""
    return await run(commands.Join(order.name, order.code))


@router.post("/{club_id}/leave", response_model=list[ListedClubOut], responses=ALLOWED, summary="Leave a club")
async def leave_club(run: Run) -> Json:
    """Leave, or withdraw a request; return the first page of the clubs. With its last member a club is deleted."""
    return await run(commands.Leave())


@router.put("/{club_id}/members/{member}", response_model=ClubOut, responses=ALLOWED, summary="Give a member a role")
async def put_role(club_id: str, member: str, order: RoleIn, run: Run) -> Json:
    """Accept a request or remove a member, as an officer; give roles or hand over the club, as the owner."""
    return await run(commands.SetRole(member, order.role))


@router.post("/{club_id}/link", response_model=ClubOut, responses=ALLOWED, summary="Make a new invitation link")
async def renew_club_link(run: Run) -> Json:
    """Replace the invitation link, as an officer."""
    return await run(commands.RenewLink())


@router.post("/{club_id}/posts", response_model=ClubOut, responses=ALLOWED, summary="Post an announcement")
async def add_club_post(order: ClubPostIn, run: Run) -> Json:
    """Post an announcement, as an officer; all members are notified."""
    return await run(commands.AddPost(order.text))


@router.delete("/{club_id}/posts/{number}", response_model=ClubOut, responses=ALLOWED, summary="Delete an announcement")
async def delete_club_post(club_id: str, number: int, run: Run) -> Json:
    """Delete an announcement, as an officer."""
    return await run(commands.DeletePost(number))


@router.put("/{club_id}/webhook", response_model=ClubHookIn, responses=ALLOWED, summary="Set a club's webhook")
async def put_club_hook(order: ClubHookIn, run: Run) -> Json:
    """Store or remove the webhook, as an officer."""
    return await run(commands.SetWebhook(order.webhook))


def _settings(order: ClubIn) -> ClubSettings:
    """Return the settings in a request's body."""
    return ClubSettings(order.name, order.about, order.door)


def _encoded(clubs: ListPage[ListedClub]) -> bytes:
    """Return a page of the list of clubs as JSON."""
    return wire.encode([asdict(club) for club in clubs.entries])
