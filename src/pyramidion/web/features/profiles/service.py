"""What the pages of people show: their results, ratings and recent opponents."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from pyramidion.web.contracts import Blocks, PersonRating, PersonRatings
from pyramidion.web.errors import Refused
from pyramidion.web.features.profiles.results import Results
from pyramidion.web.features.profiles.statistics import (
    GameStatistics,
    Opponent,
    opponents,
    statistics,
    unknown_results,
)
from pyramidion.web.table.tables import Tables

MOST_AT_ONCE = 50
"""Maximum number of old games whose results are computed for one page."""


@dataclass(frozen=True, slots=True)
class Profile:
    """What the page of a person shows: statistics and ratings by game.

    Only people themselves are also shown their opponents, and whom they have blocked: pairs of a name and the time of
    blocking.
    """

    games: Sequence[GameStatistics] = ()
    ratings: Mapping[str, PersonRating] = field(default_factory=dict[str, PersonRating])
    opponents: Sequence[Opponent] = ()
    blocked: Sequence[tuple[str, int]] = ()


class Profiles:
    """Puts together the profiles of people; it first stores the results of old games where they are missing."""

    def __init__(self, tables: Tables, results: Results, ratings: PersonRatings, blocks: Blocks) -> None:
        self._tables, self._results, self._ratings, self._blocks = tables, results, ratings, blocks

    async def of(self, holder: str, *, own: bool) -> Profile:
        """Return a visitor's profile: all of it if it is the requester's `own`, otherwise what everybody may see."""
        store = self._tables.store
        # Load games that ended before results were stored, which stores their results.
        for table_id in await asyncio.to_thread(unknown_results, store, holder, MOST_AT_ONCE):
            with suppress(Refused):
                await self._tables.get(table_id)
        await self._results.close()
        return Profile(
            await asyncio.to_thread(statistics, store, holder, None if own else self._tables.now()),
            await self._ratings.of_person(holder),
            await asyncio.to_thread(opponents, store, holder) if own else (),
            await self._blocks.blocked_by(holder) if own else (),
        )
