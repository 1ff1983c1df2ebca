"""The tournament of a request's path, for those who may know it."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from pyramidion.web.features.tournaments.loaded import LoadedTournament
from pyramidion.web.features.tournaments.service import Tournaments
from pyramidion.web.http.dependencies import Caller
from pyramidion.web.http.services import get_service

SCOPES = ("events", "play")
"""What an API token must allow to act in tournaments: one of these."""


async def admit(request: Request, tournament_id: str, caller: Caller) -> None:
    """Load the tournament named in a request's path for the handlers. Raises UnknownTournament if it is hidden.

    It is kept in `request.state`.
    """
    tournaments = get_service(request, Tournaments)
    loaded = request.state.tournament = await tournaments.get(tournament_id)
    await tournaments.require_known(loaded, caller.visitor)


async def _admitted(request: Request) -> LoadedTournament:
    """Return the tournament of the path, for `AdmittedTournament`."""
    return request.state.tournament


AdmittedTournament = Annotated[LoadedTournament, Depends(_admitted)]
"""A handler's parameter: the tournament of the path, as `admit` has read it when the request came."""
