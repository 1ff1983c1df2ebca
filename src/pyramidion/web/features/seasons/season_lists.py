"""The lists of a visitor's own seasons and of those they follow, page by page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

from pyramidion.web.features.seasons.followers import Followers
from pyramidion.web.features.seasons.loaded import LoadedSeason, UnknownSeason, season_requester_of
from pyramidion.web.features.seasons.view_models import visible_season
from pyramidion.web.http.pagination import ListPage
from pyramidion.web.table.tables import Tables


@dataclass(frozen=True, slots=True)
class ListedSeason:
    """An entry of a visitor's list of seasons.

    Attributes:
        id, title: the id and the title of the season.
        hosts: whether the visitor is one of its hosts.
        episodes: how many episodes the visitor may know of.
    """

    id: str
    title: str
    hosts: bool
    episodes: int


@dataclass(frozen=True, slots=True)
class SeasonLists:
    """Lists the seasons of a visitor.

    `page_of` returns a page of the ids of those in which a visitor has a place, `read` loads a season, and `is_known`
    returns whether a visitor may know of one.
    """

    tables: Tables
    followers: Followers
    page_of: Callable[[str, int], Awaitable[ListPage[str]]]
    read: Callable[[str], Awaitable[LoadedSeason]]
    is_known: Callable[[LoadedSeason, str], Awaitable[bool]]

    async def mine(self, holder: str, after: int = 0) -> ListPage[ListedSeason]:
        """Return a page of the seasons in which a visitor is a host or contestant, the newest first."""
        # A host who was removed has a row there, but no part any more.
        return await self._listed(await self.page_of(holder, after), holder, taking_part=True)

    async def followed(self, holder: str, after: int = 0) -> ListPage[ListedSeason]:
        """Return a page of the seasons that a visitor follows, the newest first, without those of `mine`."""
        return await self._listed(await self.followers.followed_by(holder, after), holder, taking_part=False)

    async def _listed(self, ids: ListPage[str], holder: str, *, taking_part: bool) -> ListPage[ListedSeason]:
        """Return the entries for seasons in which a visitor takes part, or does not; hidden ones are left out."""
        entries = list[ListedSeason]()
        for season_id in ids.entries:
            loaded = await self.read(season_id)
            requester = season_requester_of(loaded, holder)
            if (requester.who is not None) == taking_part and await self.is_known(loaded, holder):
                with suppress(UnknownSeason):
                    visible, hosts = visible_season(loaded, requester, self.tables.now()), loaded.season.hosts
                    title = loaded.season.settings.title
                    entries.append(ListedSeason(loaded.id, title, requester.who in hosts, len(visible.episodes)))
        return ListPage(entries, ids.following)
