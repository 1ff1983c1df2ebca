"""Ratings of people and bots at rated tables."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import sqlalchemy as sa

from pyramidion.bots.labels import label
from pyramidion.lab.statistics.skill import Skill
from pyramidion.translation import _
from pyramidion.web.db.schema import ACCOUNTS, RATINGS, SEATS
from pyramidion.web.errors import BadTable, Refused
from pyramidion.web.features.ratings.calculation import Rated, beginner, latest, newest, rate
from pyramidion.web.features.ratings.starting_ratings import BOT_PREFIX, measured_levels

if TYPE_CHECKING:
    from pyramidion.web.db.store import Store
    from pyramidion.web.db.writer import Change
    from pyramidion.web.table.seats.plans import SeatPlan, TableProperties
    from pyramidion.web.table.seats.protocols import TableOrRoom
    from pyramidion.web.table.settings.declarations import TableSettings
    from pyramidion.web.table.snapshots.snapshot import Snapshot
    from pyramidion.web.table.table import Table
    from pyramidion.web.table.tables import Tables

KEPT = "ratings"
CENTRE, POINTS = 1500, 40
"""What an average player is rated, and how many points are one unit of skill."""
SURE_ENOUGH = 200
"""The largest uncertainty, in points, with which a player is on the leaderboard."""


class NeedsAccount(Refused):
    """The seat is at a rated table, and the visitor has no account."""

    status = 403
    code = "needs-account"


class OwnBot(Refused):
    """The seat is at a rated table where a bot and its owner, or two bots of one owner, would meet."""

    status = 403
    code = "own-bot"


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating as people read it: points, their standard deviation, and the number of rated games."""

    points: int
    uncertainty: int
    games: int

    @classmethod
    def of(cls, rated: Rated) -> Rating:
        """Return a skill converted to points."""
        return cls(points_of(rated.skill), round(POINTS * rated.skill.deviation), rated.games)


@dataclass(frozen=True, slots=True)
class RatingChange:
    """The rating of a seat's player after a match, and by how much the match has changed it."""

    rating: Rating
    change: int

    @property
    def text(self) -> str:
        """The change with its sign: `+12`."""
        return f"{self.change:+d}".replace("-", "−") if self.change else "±0"


@dataclass(frozen=True, slots=True)
class LeaderboardEntry:
    """A line of a leaderboard: a person by the name of their account, or a bot by its level.

    `owner` is the name of the account to which somebody else's bot belongs.
    """

    rank: int
    name: str
    bot: str | None
    owner: str | None
    rating: Rating


class Ratings:
    """Rates matches when their results are stored, reads ratings, and enforces the conditions of rated tables."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._tasks: set[asyncio.Task[None]] = set()
        tables.events.opening.append(self._opening)
        tables.events.arriving.append(self._arriving)
        tables.events.concluding.append(self._concluding)
        tables.events.concluded.append(self._concluded)
        tables.events.kept[KEPT] = changes

    async def _opening(self, settings: TableSettings, seats: Sequence[SeatPlan], about: TableProperties) -> None:
        """Raise BadTable or NeedsAccount before a rated table is created that does not meet the conditions."""
        if not settings.rated:
            return
        if about.get("seed") is not None or about.get("cards") is not None:
            raise BadTable(_("A rated table uses a random seed and the game's own cards."))
        if any(seat.kind == "here" for seat in seats):
            raise BadTable(_("At a rated table everyone plays on their own device."))
        if all(seat.kind == "bot" for seat in seats):
            raise BadTable(_("A rated table needs at least one player."))
        if any(seat.kind == "me" for seat in seats):
            await self._require_account(about.get("holder"))

    async def _arriving(self, table: TableOrRoom, holder: str | None, _invited: bool) -> None:
        """Raise NeedsAccount or OwnBot before a visitor sits down at a rated table without meeting the conditions."""
        if table.settings.rated:
            visitor = await self._require_account(holder)
            others = [row.holder for row in table.seating.rows if row.kind == "person" and row.holder is not None]
            await self._require_stranger(visitor, others)

    async def _require_stranger(self, holder: str, others: Sequence[str]) -> None:
        """Raise OwnBot if a visitor and another player are a bot and its owner, or two bots of one owner."""
        a = ACCOUNTS.c
        query = sa.select(a.holder, sa.func.coalesce(a.owner, a.id).label("owner"))
        rows = await asyncio.to_thread(self._tables.store.query, query.where(a.holder.in_([holder, *others])))
        owners = {row.holder: row.owner for row in rows}
        if any(owners.get(other) == owners[holder] for other in others if other != holder):
            sentence = _(
                "A bot cannot play at a rated table with its owner or the owner's other bots, who could help it."
            )
            raise OwnBot(sentence)

    async def _require_account(self, holder: str | None) -> str:
        """Return the visitor's id if the visitor has an account. Raises NeedsAccount otherwise, also for a program."""
        if holder is None:
            raise NeedsAccount(
                _("This table is rated, so only accounts can play. Sign in, and send the browser's cookie with X-CSRF.")
            )
        query = sa.select(ACCOUNTS.c.id).where(ACCOUNTS.c.holder == holder)
        if await asyncio.to_thread(self._tables.store.query, query):
            return holder
        raise NeedsAccount(_("This table is rated, so you need an account to play. Create one or sign in first."))

    def _concluding(self, table: Table) -> Change | None:
        """Return the change that rates a finished match, to be stored with its results; None if it is not rated."""
        if not table.settings.rated:
            return None

        def rate_match(connection: sa.Connection) -> None:
            rate(connection, table.id)
            # Other servers learn of changed seats.
            connection.execute(sa.update(SEATS).where(SEATS.c.match == table.id).values(seat=SEATS.c.seat))

        return rate_match

    def _concluded(self, table: Table) -> None:
        """Begin to load the changes of the ratings for the pages of a finished rated match."""
        if table.settings.rated and not table.kept.get(KEPT):
            task = asyncio.create_task(self._keep_changes(table))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _keep_changes(self, table: Table) -> None:
        """Load the changes of the ratings, and keep them with the table for its pages."""
        table.keep(KEPT, await asyncio.to_thread(changes, self._tables.store, table.id))

    async def of(self, game: str, table: TableOrRoom) -> dict[int, Rating]:
        """Return the ratings of the players at a table or in a waiting room, by seat."""
        players = {
            row.seat: row.holder if row.kind == "person" else f"{BOT_PREFIX}{row.bot}"
            for row in table.seating.rows
            if row.kind == "bot" or (row.kind == "person" and row.holder is not None)
        }
        names = {player for player in players.values() if player is not None}

        def read_latest(connection: sa.Connection) -> dict[str, Rated]:
            return latest(connection, game, names)

        rated = await asyncio.to_thread(self._tables.store.read, read_latest)
        return {
            seat: Rating.of(rated.get(player or "") or beginner(game, player or "")) for seat, player in players.items()
        }

    async def points(self, game: str, players: Collection[str]) -> dict[str, int]:
        """Return the ratings in points of players in a game, by player: a visitor id or `bot:LEVEL`."""

        def read_latest(connection: sa.Connection) -> dict[str, Rated]:
            return latest(connection, game, set(players))

        rated = await asyncio.to_thread(self._tables.store.read, read_latest)
        return {player: Rating.of(rated.get(player) or beginner(game, player)).points for player in players}

    async def of_person(self, holder: str) -> dict[str, Rating]:
        """Return a visitor's ratings by game id."""
        n = newest().c
        query = sa.select(n.game, n.mean, n.deviation, n.games).where(n.number == 1, n.player == holder)
        rows = await asyncio.to_thread(self._tables.store.query, query)
        return {row.game: _rating(row) for row in rows}

    async def leaderboard(self, game: str, limit: int, after: int = 0) -> list[LeaderboardEntry]:
        """Return up to `limit` players of a game, the best first, without the first `after` of them.

        Only players whose ratings are certain enough are listed. The measured levels of bots are always among them, so
        that everybody's rating means something.
        """
        n, owner = newest().c, ACCOUNTS.alias().c
        query = (
            sa.select(n.player, n.mean, n.deviation, n.games, ACCOUNTS.c.name, owner.name.label("owner"))
            .join(ACCOUNTS, ACCOUNTS.c.holder == n.player, isouter=True)
            .join(owner.id.table, owner.id == ACCOUNTS.c.owner, isouter=True)
            .where(n.number == 1, n.game == game, n.deviation <= SURE_ENOUGH / POINTS)
            .order_by(n.mean.desc(), n.player)
        )
        people = query.where(ACCOUNTS.c.name.is_not(None)).limit(after + limit)
        # All bots with a rating of their own, wherever they stand: a level has none but that one.
        bots = query.where(ACCOUNTS.c.name.is_(None), n.player.startswith(BOT_PREFIX))
        levels = {
            level: Rated(skill)
            for level, skill in measured_levels(game).items()
            if skill.deviation <= SURE_ENOUGH / POINTS
        }
        ranked: list[tuple[str, str | None, str | None, Rated]] = []
        store = self._tables.store
        for row in await asyncio.to_thread(lambda: [*store.query(people), *store.query(bots)]):
            bot = None if row.name is not None else row.player.removeprefix(BOT_PREFIX)
            levels.pop(bot or "", None)
            ranked.append((row.name or label(bot), bot, row.owner, Rated(Skill(row.mean, row.deviation), row.games)))
        ranked += [(label(level), level, None, rated) for level, rated in levels.items()]
        ranked.sort(key=lambda player: -player[3].skill.mean)
        return [
            LeaderboardEntry(rank, name, bot, owner, Rating.of(rated))
            for rank, (name, bot, owner, rated) in enumerate(ranked[: after + limit], 1)
        ][after:]

    async def close(self) -> None:
        """Wait until the changes of all ratings have been loaded."""
        await asyncio.gather(*self._tasks, return_exceptions=True)


def points_of(skill: Skill) -> int:
    """Return a skill's mean converted to points."""
    return round(CENTRE + POINTS * (skill.mean - 25))


def _rating(row: sa.Row[tuple[object, ...]]) -> Rating:
    """Return the rating in a row of the database."""
    return Rating.of(Rated(Skill(row.mean, row.deviation), row.games))


def changes(store: Store, match: str) -> dict[int, RatingChange]:
    """Return the ratings after a finished match and how it changed them, by seat; empty if it is not rated; blocks."""
    r = RATINGS.c
    query = sa.select(r.seat, r.mean, r.deviation, r.old_mean, r.old_deviation, r.games).where(r.match == match)
    return {
        row.seat: RatingChange(_rating(row), _rating(row).points - points_of(Skill(row.old_mean, row.old_deviation)))
        for row in store.query(query)
    }


def changes_shown(snapshot: Snapshot) -> dict[int, RatingChange]:
    """Return the changes of the ratings to show on the page of a table, by seat; empty during the game."""
    return snapshot.table.kept.get(KEPT, {}) if snapshot.over else {}
