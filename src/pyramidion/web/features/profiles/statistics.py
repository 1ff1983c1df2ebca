"""Statistics of one person, computed from results by query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import sqlalchemy as sa

from pyramidion import Game
from pyramidion.bots import ALL_LEVELS
from pyramidion.engine import registry
from pyramidion.web.db.result_visibility import result_is_public
from pyramidion.web.db.schema import ACCOUNTS, MATCHES, RESULTS, SEATS
from pyramidion.web.db.store import Store

MOST_OPPONENTS = 12


@dataclass(frozen=True, slots=True)
class SeatCountResults:
    """A person's results in a game with one number of seats; a shared win counts as a fraction."""

    seats: int
    played: int
    won: float
    points: float | None

    @property
    def share(self) -> float:
        """The share of games won."""
        return self.won / self.played


@dataclass(slots=True)
class GameStatistics:
    """A person's results in one game; `beaten` is the strongest level of bots that lost a game to this person."""

    game: Game
    lines: list[SeatCountResults] = field(default_factory=list[SeatCountResults])
    beaten: str | None = None


@dataclass(frozen=True, slots=True)
class Opponent:
    """A person with whom a visitor has played.

    Attributes:
        name: the name to show.
        account: the name of the account, None without one.
        played: the number of games together.
        last: the id of the latest table together.
        seat: the opponent's seat there.
    """

    name: str
    account: str | None
    played: int
    last: str
    seat: int


def unknown_results(store: Store, holder: str, limit: int) -> Sequence[str]:
    """Return the ids of up to `limit` finished matches of a visitor whose results are not stored; blocks."""
    m = MATCHES.c
    has_result = sa.exists().where(RESULTS.c.match == m.id, RESULTS.c.payoff.is_not(None))
    query = sa.select(m.id).distinct().join(SEATS, SEATS.c.match == m.id)
    query = query.where(SEATS.c.holder == holder, m.finished.is_not(None), ~has_result).limit(limit)
    return [row.id for row in store.query(query)]


def statistics(store: Store, holder: str, now: int | None) -> list[GameStatistics]:
    """Return a visitor's results, the game played most first, each by number of seats; blocks.

    If `now` (milliseconds since 1970) is given, only results that are public by then are counted, otherwise all.
    """
    m, r = MATCHES.c, RESULTS.c
    visible = result_is_public(r.match, now) if now is not None else sa.true()
    scored = sa.case((r.points >= 0, r.points))
    query = (
        sa.select(
            m.game,
            m.seat_count,
            sa.func.count().label("played"),
            sa.func.sum(r.won).label("won"),
            sa.func.avg(scored).label("points"),
        )
        .join(MATCHES, m.id == r.match)
        .where(r.person == holder, r.payoff.is_not(None), visible)
        .group_by(m.game, m.seat_count)
        .order_by(m.seat_count)
    )
    games, by_game = registry.all_games(), dict[str, GameStatistics]()
    for row in store.query(query):
        if row.game in games:
            game_statistics = by_game.setdefault(row.game, GameStatistics(games[row.game]))
            points = None if row.points is None else float(row.points)
            game_statistics.lines.append(SeatCountResults(row.seat_count, row.played, float(row.won), points))
    for game_id, level in _beaten(store, holder, visible).items():
        if game_id in by_game:
            by_game[game_id].beaten = level
    return sorted(by_game.values(), key=lambda game_statistics: -sum(line.played for line in game_statistics.lines))


def _beaten(store: Store, holder: str, visible: sa.ColumnElement[bool]) -> dict[str, str]:
    """Return the strongest level of bots that a visitor has beaten in each game, by game id; blocks."""
    m, r, bots = MATCHES.c, RESULTS.c, RESULTS.alias()
    query = (
        sa.select(m.game, bots.c.bot)
        .distinct()
        .select_from(RESULTS)
        .join(MATCHES, m.id == r.match)
        .join(bots, bots.c.match == r.match)
        .where(r.person == holder, r.won > 0, bots.c.bot.in_(list(ALL_LEVELS)), bots.c.won == 0, visible)
    )
    levels, best = list(ALL_LEVELS), dict[str, str]()
    for row in store.query(query):
        if row.game not in best or levels.index(row.bot) > levels.index(best[row.game]):
            best[row.game] = row.bot
    return best


def opponents(store: Store, holder: str) -> list[Opponent]:
    """Return the people with whom a visitor has finished games, the latest first; blocks."""
    m, mine, other = MATCHES.c, RESULTS.alias(), RESULTS.alias()
    query = (
        sa.select(other.c.person, other.c.match, other.c.seat, SEATS.c.name, ACCOUNTS.c.name.label("account"))
        .select_from(mine)
        .join(MATCHES, m.id == mine.c.match)
        .join(other, sa.and_(other.c.match == mine.c.match, other.c.person != holder))
        .join(SEATS, sa.and_(SEATS.c.match == other.c.match, SEATS.c.seat == other.c.seat))
        .join(ACCOUNTS, ACCOUNTS.c.holder == other.c.person, isouter=True)
        .where(mine.c.person == holder, m.finished.is_not(None))
        .order_by(m.finished.desc())
    )
    by_person: dict[str, Opponent] = {}
    for row in store.query(query):
        counted = by_person.get(row.person)
        name = row.account or row.name
        if counted is not None:
            by_person[row.person] = replace(counted, played=counted.played + 1)
        elif name is not None and len(by_person) < MOST_OPPONENTS:
            by_person[row.person] = Opponent(name, row.account, 1, row.match, row.seat)
    return list(by_person.values())
