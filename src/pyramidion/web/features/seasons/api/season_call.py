"""A call of the JSON API about a season: who makes it, and what carries out its commands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from pyramidion.web.features.seasons.access import AdmittedRequester, AdmittedSeason
from pyramidion.web.features.seasons.commands import Command, TakeStep, execute
from pyramidion.web.features.seasons.loaded import LoadedSeason, SeasonRequester
from pyramidion.web.features.seasons.service import Seasons
from pyramidion.web.http.authentication import Visitors, require_same_origin
from pyramidion.web.http.rate_limits import RateLimits
from pyramidion.web.http.responses import Json, token_of
from pyramidion.web.http.services import Service
from pyramidion.web.table.snapshots import json_encoder as wire


@dataclass(frozen=True, slots=True)
class SeasonCall:
    """Serves one call of the JSON API about a season: carries out its commands and answers it.

    `loaded` is the season as it was when the request came. The caller may know it.
    """

    request: Request
    loaded: LoadedSeason
    requester: SeasonRequester
    seasons: Seasons
    visitors: Visitors
    limits: RateLimits

    def count_change(self) -> None:
        """Count a change against the rate limit. Raises TooMany, or Forged if another site may have sent it."""
        require_same_origin(self.request.scope)
        if token_of(self.request.scope) is None:
            self.visitors.require_csrf(self.request)
        # The personal link has an allowance of its own: hosts know it, and others have no place.
        who = self.requester.who if self.requester.private else f"{self.requester.who} by link"
        sender = who or self.visitors.holder(self.request.scope)
        self.limits.action(self.request.scope, f"{self.loaded.id} {sender}", 0)

    async def carry_out(self, command: Command) -> LoadedSeason:
        """Carry out the caller's command and return the season afterwards. Raises Refused, also as `count_change`."""
        self.count_change()
        if isinstance(command, TakeStep):
            self.limits.table(self.request.scope)
        return await execute(command, self.loaded, self.requester, self.seasons)

    async def answer(self, command: Command) -> Json:
        """Carry out the caller's command and answer with what the caller may know of the season afterwards."""
        return self.view(await self.carry_out(command))

    def view(self, loaded: LoadedSeason) -> Json:
        """Answer with what the caller may know of a season."""
        return Json(wire.encode(self.seasons.view(loaded, self.requester)))


async def _season_call(
    request: Request,
    season_id: str,
    loaded: AdmittedSeason,
    requester: AdmittedRequester,
    seasons: Service[Seasons],
    visitors: Service[Visitors],
    limits: Service[RateLimits],
) -> SeasonCall:
    return SeasonCall(request, loaded, requester, seasons, visitors, limits)


Call = Annotated[SeasonCall, Depends(_season_call)]
"""A handler's parameter: the call that it answers."""
