"""The moments of a season's finished main matches, read from their tables, for its story."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from pyramidion.engine.outcome import SeasonMoment
from pyramidion.seasons.story import Moment
from pyramidion.web.errors import Refused
from pyramidion.web.table.tables import Tables

MOST_KEPT = 500


class MatchMoments:
    """Reads the moments of finished matches from the public events of their tables, and caches the latest."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._cached: dict[str, Sequence[SeasonMoment]] = {}

    async def of(self, episode: Mapping[str, Any]) -> list[Moment]:
        """Return the moments of an episode's main match in order; `episode` is part of a view of a season.

        Tables of which the view has no result yet are left out.
        """
        moments: list[Moment] = []
        for played in episode["tables"]:
            cast = played["cast"]
            if played["part"] == "main" and played["winners"] is not None:
                moments += [
                    Moment(moment.kind, cast[moment.seat], cast[moment.other], moment.count, moment.last)
                    for moment in await self._of_table(played["table"])
                ]
        return moments

    async def _of_table(self, table_id: str) -> Sequence[SeasonMoment]:
        """Return the moments of a finished table's match, none where the table cannot be read."""
        if table_id not in self._cached:
            moments: Sequence[SeasonMoment] = ()
            with suppress(Refused):
                table = await self._tables.get(table_id)
                tell = table.game.season_moments
                if not table.match.over:
                    return ()
                moments = tell(table.match.events(None)) if tell is not None else ()
            while len(self._cached) >= MOST_KEPT:
                del self._cached[next(iter(self._cached))]
            self._cached[table_id] = moments
        return self._cached[table_id]
