"""The one place that decides, for every address of a season, tournament or club, whether its requester may know it.

It also refuses what operators have hidden, and everything that would create something new while they have closed that.

`play/routes.py` makes this a dependency of all routes, so that it decides for new ones as well. An id is recognised by
the name of its parameter in the path. Routes that open something by a secret in the body of the request, which cannot
be read before the route is known, are in routers called `by_secret`, and decide themselves who may know it; what
operators have hidden is refused there as everywhere (`refuse_hidden`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from fastapi import Request

from pyramidion.translation import _
from pyramidion.web.db.restrictions import is_hidden, require_open
from pyramidion.web.db.store import Store
from pyramidion.web.errors import HiddenByOperators
from pyramidion.web.features.clubs import access as clubs
from pyramidion.web.features.seasons import access as seasons
from pyramidion.web.features.tournaments import access as tournaments
from pyramidion.web.http.dependencies import Caller, api_caller, page_caller
from pyramidion.web.http.services import get_service

Admit = Callable[[Request, str, Caller], Awaitable[None]]
"""Reads what has an id. Raises the error of one that does not exist where it is hidden from the caller."""
ADMITTING: dict[str, tuple[Admit, tuple[str, ...]]] = {
    "season_id": (seasons.admit, seasons.SCOPES),
    "tournament_id": (tournaments.admit, tournaments.SCOPES),
    "club_id": (clubs.admit, clubs.SCOPES),
}
"""By the name of the parameter: what admits to it, and the scopes of which an API token must have one."""

CREATING = {
    "/play",
    "/tables",
    "/api/tables",
    "/people/play",
    "/t/{table_id}/rematch",
    "/t/{table_id}/analysis/try",
    "/learn/{game_id}",
    "/clubs",
    "/api/clubs",
    "/seasons",
    "/api/seasons",
    "/tournaments",
    "/api/tournaments",
}
"""The paths of routes that create a table, club, season or tournament by POST."""


async def refuse_hidden(request: Request) -> None:
    """Refuse every request about a season, tournament or club that operators have hidden. Raises HiddenByOperators."""
    store = get_service(request, Store)
    for name in ADMITTING.keys() & request.path_params.keys():
        if await asyncio.to_thread(is_hidden, store, name.removesuffix("_id"), request.path_params[name]):
            raise HiddenByOperators(_("The operators of this server have hidden this page."))


async def admit_to_page(request: Request) -> None:
    """Refuse a page of a season, tournament or club that is hidden from the visitor, as if it did not exist."""
    await _admit(request, page_caller)


async def admit_to_api(request: Request) -> None:
    """Refuse an API request about a season, tournament or club that is hidden from the caller, as if it did not exist.

    Raises NoSuchToken or OutOfScope first, whether it exists or not.
    """
    await _admit(request, api_caller)


async def _admit(request: Request, caller: Callable[..., Awaitable[Caller]]) -> None:
    """Check access to the season, tournament or club in a request's path, for the caller that `caller` returns."""
    if request.method == "POST" and request.scope["route"].path in CREATING:
        await asyncio.to_thread(require_open, get_service(request, Store), "creation")
    await refuse_hidden(request)
    for name, (admit, scopes) in ADMITTING.items():
        if name in request.path_params:
            await admit(request, request.path_params[name], await caller(request, *scopes))
