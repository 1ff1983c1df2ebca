"""Followers of seasons: visitors who are notified when an episode can be watched."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

import sqlalchemy as sa

from pyramidion.event_log import HOUR
from pyramidion.seasons.season import Season
from pyramidion.translation import _
from pyramidion.web.db.changes import save
from pyramidion.web.db.schema import SEASON_FOLLOWERS, SEASONS, hidden
from pyramidion.web.errors import NotPossibleNow
from pyramidion.web.http.pagination import PAGE, ListPage, numbered_page
from pyramidion.web.table.events import Notice

if TYPE_CHECKING:
    from pyramidion.web.db.store import Store
    from pyramidion.web.db.writer import Writer

F = SEASON_FOLLOWERS.c
MOST_FOLLOWED = 100


class Followers:
    """Stores and reads who follows which season."""

    def __init__(self, store: Store, writer: Writer) -> None:
        self._store, self._writer = store, writer

    async def of(self, season: str) -> list[str]:
        """Return the ids of the visitors who follow a season."""
        rows = await asyncio.to_thread(self._store.query, sa.select(F.holder).where(F.season == season))
        return [row.holder for row in rows]

    async def followed_by(self, holder: str, after: int = 0) -> ListPage[str]:
        """Return a page of the ids of the seasons that a visitor follows, the newest first."""
        query = sa.select(F.season).join(SEASONS, SEASONS.c.id == F.season).where(F.holder == holder)
        query = query.order_by(SEASONS.c.created.desc(), F.season).offset(after).limit(PAGE + 1)
        rows = await asyncio.to_thread(self._store.query, query)
        return numbered_page([str(row.season) for row in rows], after)

    async def follows(self, season: str, holder: str) -> bool:
        """Return whether a visitor follows a season."""
        query = sa.select(F.holder).where(F.season == season, F.holder == holder)
        return bool(await asyncio.to_thread(self._store.query, query))

    async def keep(self, season: str, holder: str, *, follow: bool) -> None:
        """Let a visitor follow a season, or no longer. Raises NotPossibleNow or NotSaved.

        Seasons that operators have hidden do not count: their followers cannot open them.
        """
        others = sa.select(sa.func.count()).where(F.holder == holder, F.season != season, ~hidden("season", F.season))
        full = False

        def store_follower(connection: sa.Connection) -> None:
            nonlocal full
            full = follow and (connection.execute(others).scalar() or 0) >= MOST_FOLLOWED
            if not full:
                connection.execute(sa.delete(SEASON_FOLLOWERS).where(F.season == season, F.holder == holder))
            if follow and not full:
                connection.execute(sa.insert(SEASON_FOLLOWERS).values(season=season, holder=holder))

        await save(self._writer, store_follower)
        if full:
            message = _("You can follow up to {limit} seasons. Stop following one of them first.")
            raise NotPossibleNow(message.format(limit=MOST_FOLLOWED))


def watchable(season: Season) -> Mapping[int, int]:
    """Return when viewers can watch each closed episode, by its number: milliseconds since 1970."""
    if season.settings.audience == "none":
        return {}
    delay = season.settings.delay * HOUR
    return {episode.number: episode.ended + delay for episode in season.episodes if episode.ended is not None}


def episode_notices(season_id: str, before: Season, after: Season, followers: Iterable[str]) -> list[Notice]:
    """Return the notices to followers about the episodes that can be watched since a season grew from `before`.

    Where an episode is open again, or its time has changed, the notice that was not sent yet is withdrawn or replaced.
    """
    old, new, now = watchable(before), watchable(after), after.log[-1].at if after.log else 0
    title, notices = after.settings.title, list[Notice]()
    for number in old.keys() - new.keys():
        notices.append(Notice(f"{season_id}.episode.{number}", "", "episode", "", None, ""))
    for number, due in new.items():
        if number not in old or now < old[number] != due:
            link, text = f"/seasons/{season_id}/show/{number}", partial(_episode_text, title, number)
            mark = f"{season_id}.episode.{number}"
            notices += [Notice(mark, follower, "episode", title, text, link, due) for follower in followers]
    return notices


def _episode_text(title: str, number: int) -> str:
    """Return the notice that an episode can be watched."""
    return _("{season}: episode {number} can be watched.").format(season=title, number=number)
