"""The results of finished games: stored once, when a game ends or is first loaded afterwards."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any
from weakref import WeakSet

import sqlalchemy as sa

from pyramidion.engine.outcome import Outcome
from pyramidion.engine.payoffs import win_share
from pyramidion.web.db.schema import RESULTS, SEATS
from pyramidion.web.db.writer import Change, Conflict, WriteFailed, Writer
from pyramidion.web.table.table import Table
from pyramidion.web.table.tables import Tables

log = logging.getLogger(__name__)


class Results:
    """Stores the results of a game, one for each seat, when the game is over."""

    def __init__(self, tables: Tables, writer: Writer) -> None:
        self._writer, self._events = writer, tables.events
        self._tasks: set[asyncio.Task[None]] = set()
        self._stored: WeakSet[Table] = WeakSet()
        tables.events.moved.append(self._store_once_over)

    def _store_once_over(self, table: Table) -> None:
        """Begin to store the results of a table whose game is over, unless this has been done."""
        if table.match.over and table not in self._stored:
            self._stored.add(table)
            task = asyncio.create_task(self._store(table))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _store(self, table: Table) -> None:
        """Store the results of a finished game, with what other features add (such as ratings), and announce it."""
        outcome = table.match.outcome
        assert outcome is not None
        further = [change for concluding in self._events.concluding if (change := concluding(table)) is not None]
        try:
            await self._writer.write(_storing(table.id, rows_of(table, outcome), further))
            self._events.publish_concluded(table)
        except Conflict:
            pass  # another server has stored the same results
        except WriteFailed as error:
            self._stored.discard(table)
            log.warning("The result of %s could not be stored: %s", table.id, error)

    async def close(self) -> None:
        """Wait until all results are stored."""
        await asyncio.gather(*self._tasks, return_exceptions=True)


def rows_of(table: Table, outcome: Outcome) -> list[dict[str, Any]]:
    """Return the results of a finished game as rows of the database, one for each seat.

    Whoever left a rated game has lost it, however the bot that took over has done.
    """
    left = [command.data["seat"] for command in table.commands if command.kind == "resigned" and command.by != "clock"]
    lost = set(left if table.settings.rated else ())
    people = credited({row.seat: row.holder for row in table.seating.rows if row.kind == "person"})
    return [
        {
            "seat": row.seat,
            "person": people.get(row.seat),
            "bot": row.bot if row.kind == "bot" else None,
            "won": 0.0 if row.seat in lost else win_share(table.match.game.payoff_form, outcome, row.seat),
            "payoff": float(min(outcome.payoffs) if row.seat in lost else outcome.payoffs[row.seat]),
            "points": int(outcome.points[row.seat]),
        }
        for row in table.seating.rows
    ]


def credited(holders: Mapping[int, str | None]) -> dict[int, str]:
    """Return the visitors who are credited with the results of seats, by seat.

    `holders` are visitor ids by seat. A visitor who holds several seats is credited with none of them.
    """
    seats = Counter(holders.values())
    return {seat: holder for seat, holder in holders.items() if holder is not None and seats[holder] == 1}


def correct(connection: sa.Connection, match: str, rows: Sequence[Mapping[str, Any]]) -> bool:
    """Change the stored results of a match to those in `rows`, computed from its record; return whether any differed.

    Who played a seat is kept: the record does not know of a player who resigned it to a bot.
    """
    r = RESULTS.c
    stored = {row.seat: row for row in connection.execute(sa.select(RESULTS).where(r.match == match)).all()}
    wrong = False
    for row in rows:
        outcome = {name: row[name] for name in ("won", "payoff", "points")}
        earlier = stored.get(row["seat"])
        if earlier is None:
            connection.execute(sa.insert(RESULTS).values(match=match, **row))
        elif (earlier.won, earlier.payoff, earlier.points) != tuple(outcome.values()):
            connection.execute(sa.update(RESULTS).where(r.match == match, r.seat == row["seat"]).values(**outcome))
        else:
            continue
        wrong = True
    return wrong


def _storing(match: str, rows: list[dict[str, Any]], further: Sequence[Change]) -> Change:
    """Return the change that stores the results of a match, and then makes the `further` changes."""
    r, s = RESULTS.c, SEATS.c

    def insert_results(connection: sa.Connection) -> None:
        stored = {
            row.seat: row for row in connection.execute(sa.select(r.seat, r.payoff).where(r.match == match)).all()
        }
        # An account may have been signed in to or deleted since the table was read.
        seated = connection.execute(sa.select(s.seat, s.holder).where(s.match == match, s.kind == "person")).all()
        people = credited({row.seat: row.holder for row in seated})
        for row in rows:
            if row["seat"] not in stored:
                connection.execute(sa.insert(RESULTS).values(match=match, **row | {"person": people.get(row["seat"])}))
            elif stored[row["seat"]].payoff is None:
                # A player who resigned to a bot gets the bot's result.
                outcome = {name: row[name] for name in ("won", "payoff", "points")}
                where = sa.update(RESULTS).where(r.match == match, r.seat == row["seat"])
                connection.execute(where.values(**outcome))
        for also in further:
            also(connection)

    return insert_results
