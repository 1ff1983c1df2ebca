"""The season of a request's path, for those who may know it, and who sends the request."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from pyramidion.translation import _
from pyramidion.web.errors import NoSuchToken
from pyramidion.web.features.seasons.loaded import LoadedSeason, SeasonRequester, season_requester_of
from pyramidion.web.features.seasons.service import Seasons
from pyramidion.web.http.dependencies import Caller
from pyramidion.web.http.services import get_service

SCOPES = ("events",)
"""What an API token must allow to act in seasons."""


async def admit(request: Request, season_id: str, caller: Caller) -> None:
    """Load the season named in a request's path and identify the requester. Raises UnknownSeason if it is hidden.

    Both are kept in `request.state` for the handlers. A valid personal link or calendar address opens a hidden season.
    Raises NoSuchToken if the season is open to everybody but the request's token is not valid in it.
    """
    seasons, path = get_service(request, Seasons), request.path_params
    loaded = request.state.season = await seasons.get(season_id)
    requester = (
        seasons.links.requester(loaded, caller.token)
        if caller.token is not None
        else season_requester_of(loaded, caller.visitor)
    )
    opened = (
        (caller.token is not None and requester is not None)
        or ("code" in path and seasons.links.opens(loaded, path["code"]) is not None)
        or ("secret" in path and seasons.links.opens_calendar(loaded, path["secret"]))
    )
    if not opened:
        await seasons.require_known(loaded, caller.visitor)
    if requester is None:
        raise NoSuchToken(_("This token is not valid in this season."))
    if caller.token is None:
        seasons.saw(loaded, caller.visitor)
    elif requester.private and requester.who is not None:
        seasons.saw(loaded, loaded.people[requester.who].holder)
    request.state.requester = requester


async def _admitted(request: Request) -> LoadedSeason:
    """Return the season of the path, for `AdmittedSeason`."""
    return request.state.season


async def _requester(request: Request) -> SeasonRequester:
    """Return who asks, for `AdmittedRequester`."""
    return request.state.requester


AdmittedSeason = Annotated[LoadedSeason, Depends(_admitted)]
"""A handler's parameter: the season of the path, as `admit` has read it when the request came."""
AdmittedRequester = Annotated[SeasonRequester, Depends(_requester)]
"""A handler's parameter: who sends the request, by a link's token, an API token or a cookie."""
