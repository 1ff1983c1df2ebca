"""When people were last seen in seasons: kept in memory, and found in the season's log after a restart."""

from __future__ import annotations

from pyramidion.web.features.seasons.loaded import LoadedSeason

MOST = 20_000


class Sightings:
    """When the visitors of seasons last asked for one of their pages, the latest `MOST` of them."""

    def __init__(self) -> None:
        self._at: dict[tuple[str, str], int] = {}

    def note(self, season: str, holder: str, now: int) -> None:
        """Note that a visitor has asked for a page of a season at the time `now`, milliseconds since 1970."""
        self._at.pop((season, holder), None)
        self._at[season, holder] = now
        if len(self._at) > MOST:
            del self._at[next(iter(self._at))]

    def last(self, loaded: LoadedSeason, who: str) -> int | None:
        """Return when the present player of a contestant was last seen, or last did something that hosts know of.

        What contestants write and submit in private does not count: its time would tell hosts of it. The time is in
        milliseconds since 1970; None if they never were.
        """
        season, person = loaded.season, loaded.people.get(who)
        seen = self._at.get((loaded.id, person.holder), 0) if person is not None and person.holder is not None else 0
        did = next((entry.at for entry in reversed(season.log) if entry.by == who), 0)
        return max(seen, did if did > season.cast[who].since else 0) or None
