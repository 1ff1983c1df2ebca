"""Quick play: the number of seats and the bots' level of a game started with one click."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from pyramidion import Game
from pyramidion.bots import WEAKEST, levels_at
from pyramidion.web.db.schema import MATCHES, RESULTS, SEATS
from pyramidion.web.db.store import Store
from pyramidion.web.table.bots import LESSON_BOT, settled_bot


@dataclass(frozen=True, slots=True)
class QuickPlay:
    """How a game that is started with one click is set up.

    Attributes:
        seats: the number of seats.
        level: the bots' level that is proposed.
        levels: all that can be chosen.
    """

    seats: int
    level: str
    levels: Sequence[str]


def quick_games(store: Store, holder: str | None, games: Sequence[Game]) -> Mapping[str, QuickPlay]:
    """Return by game id how the next one-click game of a visitor is to be set up; blocks.

    It is set up as the visitor's last game of that kind against bots alone, one level higher if the visitor won it.
    `holder` is the visitor id.
    """
    last: dict[str, list[sa.Row[Any]]] = defaultdict(list)
    if holder is not None:
        for seat in store.query(_last_against_bots(holder, games)):
            last[seat.game].append(seat)
    return {game.id: _next_game(game, last[game.id]) for game in games}


def _next_game(game: Game, seats: Sequence[sa.Row[Any]]) -> QuickPlay:
    """Return how a visitor's next one-click game is set up, given the rows of the seats in the last one."""
    levels = Counter(seat.bot for seat in seats if seat.bot is not None and seat.bot != LESSON_BOT)
    if not levels or len(seats) not in game.seats:
        return _quick_play(game, game.usual_seats, WEAKEST)
    level = settled_bot(game, levels.most_common(1)[0][0], len(seats))
    won = any(seat.kind == "person" and seat.won for seat in seats)
    return _quick_play(game, len(seats), _harder(game, level, len(seats)) if won else level)


def _quick_play(game: Game, seats: int, level: str) -> QuickPlay:
    """Return a game at which all levels can be chosen, and the proposed bots where they are of no level."""
    return QuickPlay(seats, level, tuple(dict.fromkeys((*levels_at(game, seats), level))))


def _harder(game: Game, level: str, seats: int) -> str:
    """Return the level one above `level` at a number of seats; the highest level, and other bots, are returned as they
    are.
    """
    levels = list(levels_at(game, seats))
    if level not in levels:
        return level
    return levels[min(levels.index(level) + 1, len(levels) - 1)]


def _last_against_bots(holder: str, games: Sequence[Game]) -> sa.Executable:
    """Return a query for the seats in a visitor's latest match against bots alone, for each game."""
    m, s, other = MATCHES.c, SEATS.c, SEATS.alias().c
    not_mine = sa.or_(other.holder.is_(None), other.holder != holder)
    people = sa.exists().where(other.match == m.id, other.kind != "bot", not_mine)
    place = sa.func.row_number().over(partition_by=m.game, order_by=(m.created.desc(), m.id)).label("place")
    mine = sa.select(m.id, m.game, place).where(
        m.id.in_(sa.select(s.match).where(s.holder == holder)),
        m.game.in_([game.id for game in games]),
        m.started.is_not(None),
        ~people,
    )
    last = mine.subquery()
    result = sa.and_(RESULTS.c.match == s.match, RESULTS.c.seat == s.seat)
    return (
        sa.select(last.c.game, s.kind, s.bot, RESULTS.c.won)
        .join(SEATS, s.match == last.c.id)
        .outerjoin(RESULTS, result)
        .where(last.c.place == 1)
    )
