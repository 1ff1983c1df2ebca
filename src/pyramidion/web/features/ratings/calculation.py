"""Computes ratings from the stored results of rated matches: one match at a time, or all of them anew."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import sqlalchemy as sa

from pyramidion.lab.statistics.skill import DEFAULT_SKILL, Skill, updated_skills
from pyramidion.web.db.schema import IS_RATED, MATCHES, RATINGS, RESULTS
from pyramidion.web.features.ratings.starting_ratings import BOT_PREFIX, starting_skill

LOCK = 0x72617465
"""The advisory lock that makes servers which share a PostgreSQL database rate one match after another."""


@dataclass(frozen=True, slots=True)
class Rated:
    """A player's skill in a game, and the number of rated matches from which it is known."""

    skill: Skill = DEFAULT_SKILL
    games: int = 0


def beginner(game: str, player: str) -> Rated:
    """Return the skill of a player (a visitor id or `bot:LEVEL`) before any rated match in a game."""
    return Rated(starting_skill(game, player))


def rate(connection: sa.Connection, match: str) -> None:
    """Compute and store the ratings after a finished match whose results are stored, unless that was done before.

    Matches count in the order in which they finished. If later ones have been rated already, they are rated again.
    """
    _lock(connection)
    m, r = MATCHES.c, RATINGS.c
    if connection.execute(sa.select(r.seat).where(r.match == match).limit(1)).first() is not None:
        return
    game, finished = connection.execute(sa.select(m.game, m.finished).where(m.id == match)).one()
    if finished is None:
        return
    later = (r.game == game, sa.or_(r.at > finished, sa.and_(r.at == finished, r.match > match)))
    if connection.execute(sa.delete(RATINGS).where(*later)).rowcount:
        from_it_on = sa.or_(m.finished > finished, sa.and_(m.finished == finished, m.id >= match))
        _rate(connection, game, from_it_on)
    else:
        _rate(connection, game, m.id == match)


def rated_matches(connection: sa.Connection) -> list[str]:
    """Return the ids of the finished rated matches in the order in which they are rated."""
    m = MATCHES.c
    query = sa.select(m.id).where(IS_RATED, m.finished.is_not(None)).order_by(m.finished, m.id)
    return list(connection.execute(query).scalars())


def rebuild(connection: sa.Connection) -> None:
    """Delete all ratings and compute them anew from the stored results."""
    _lock(connection)
    connection.execute(sa.delete(RATINGS))
    for game in connection.execute(sa.select(MATCHES.c.game).distinct().where(IS_RATED)).scalars().all():
        _rate(connection, game, sa.true())


def _lock(connection: sa.Connection) -> None:
    """Take the lock under which only one server rates matches, until the transaction ends (PostgreSQL)."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(LOCK)))


def _rate(connection: sa.Connection, game: str, condition: sa.ColumnElement[bool]) -> None:
    """Compute and store the ratings after the matches of a game that meet a condition.

    Neither they nor any later match of the game may have ratings yet.
    """
    m, r = MATCHES.c, RESULTS.c
    player = sa.func.coalesce(r.person, BOT_PREFIX + r.bot).label("player")
    results = connection.execute(
        sa.select(m.id, m.finished, r.seat, player, r.payoff)
        .join(RESULTS, r.match == m.id)
        .where(m.game == game, m.finished.is_not(None), IS_RATED, r.payoff.is_not(None), player.is_not(None), condition)
        .order_by(m.finished, m.id, r.seat)
    ).all()
    rated = latest(connection, game, {row.player for row in results})
    rows: list[dict[str, Any]] = []
    for match, group in groupby(results, key=lambda row: row.id):
        seats = list(group)
        before = {row.player: rated.get(row.player) or beginner(game, row.player) for row in seats}
        skills = {name: player_rating.skill for name, player_rating in before.items()}
        after = updated_skills(skills, [row.player for row in seats], [row.payoff for row in seats])
        rated |= {name: Rated(skill, before[name].games + 1) for name, skill in after.items()}
        rows += [
            {
                "match": match,
                "seat": row.seat,
                "game": game,
                "player": row.player,
                "at": row.finished,
                "mean": after[row.player].mean,
                "deviation": after[row.player].deviation,
                "old_mean": skills[row.player].mean,
                "old_deviation": skills[row.player].deviation,
                "games": rated[row.player].games,
            }
            for row in seats
        ]
    if rows:
        connection.execute(sa.insert(RATINGS), rows)


def newest() -> sa.Subquery:
    """Return a subquery of all ratings, numbered from 1 for the newest of each player in each game."""
    r = RATINGS.c
    order = r.at.desc(), r.match.desc(), r.seat
    number = sa.func.row_number().over(partition_by=(r.game, r.player), order_by=order)
    return sa.select(r.game, r.player, r.mean, r.deviation, r.games, number.label("number")).subquery()


def latest(connection: sa.Connection, game: str, players: Collection[str]) -> dict[str, Rated]:
    """Return the latest skill of these players in a game, by player; those without a rated match are left out."""
    n = newest().c
    query = sa.select(n.player, n.mean, n.deviation, n.games)
    query = query.where(n.number == 1, n.game == game, n.player.in_(players))
    return {row.player: Rated(Skill(row.mean, row.deviation), row.games) for row in connection.execute(query)}
