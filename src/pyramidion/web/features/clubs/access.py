"""The club of a request's path, for those who may see it."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from pyramidion.web.features.clubs.club import Club
from pyramidion.web.features.clubs.service import Clubs
from pyramidion.web.http.dependencies import Caller
from pyramidion.web.http.services import get_service

SCOPES = ("events",)
"""What an API token must allow to act in clubs."""


async def admit(request: Request, club_id: str, caller: Caller) -> None:
    """Read the club that a request's path names, and keep it for the handler. Raises UnknownClub if it is hidden.

    The code of the club's invitation link opens a private club if it is in the path.
    """
    code = request.path_params.get("code", "")
    request.state.club = await get_service(request, Clubs).get(club_id, caller.visitor, code)


async def _admitted(request: Request) -> Club:
    """Return the club that `admit` has read for the request."""
    return request.state.club


AdmittedClub = Annotated[Club, Depends(_admitted)]
"""A handler's parameter: the club of the path as its visitor meets it, which `admit` has read."""
