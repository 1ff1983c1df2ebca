"""A visitor's own games: whose turn it is, which tables wait for players, and past results."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from pyramidion import Game
from pyramidion.translation import _
from pyramidion.web.db.own_tables import OwnTable
from pyramidion.web.db.store import now
from pyramidion.web.durations import duration
from pyramidion.web.errors import Refused
from pyramidion.web.http.pagination import PAGE, ListPage, numbered_page
from pyramidion.web.table.new_table import find_game
from pyramidion.web.table.seats.seating import name_of
from pyramidion.web.table.tables import Tables
from pyramidion.web.table.view_models import Seat

MOST_GOING, MOST_FINISHED = 6, 3
MOST_KEPT = 10_000
"""Tables whose acting seats are kept."""
MINUTE = 60
ORDER = ("invited", "turn", "room", "waiting", "paused", "finished")

SeatsToAct = Mapping[int | None, Sequence[int]]
"""The seats whose turn it is, by viewer."""
_Mark = tuple[int | None, str | None]
"""The number of the last action log entry, and the submission that is held back."""


@dataclass(frozen=True, slots=True)
class YourGame:
    """A game in the list of games on the home page of one of its players.

    Attributes:
        state: `invited` (a seat is kept for you), `turn` (yours), `waiting` (for others), `paused`, `room` (not
            started) or `finished`.
        others: each other player, with a name.
        waiting_for: the names of the players whose turn it is, or for whom a seat is kept.
        left: the time left for the current decision, in words; empty without a clock.
        since: the time since the last move, or since the table was created, in words.
        winners: the names of the winners of a finished game.
        won: whether the visitor is one of them.
        again: whether the visitor can ask for a rematch.
        leaves: whether the visitor has a seat there and can leave it.
    """

    id: str
    title: str
    game: Game
    state: str
    others: Sequence[tuple[Seat, str]]
    since: str
    waiting_for: Sequence[str] = ()
    left: str = ""
    winners: Sequence[str] = ()
    won: bool = False
    again: bool = False
    leaves: bool = False
    open_seats: int = 0


class YourGames:
    """Lists visitors' own games, with whose turn it is, from one database query.

    Whose turn it is follows from the rules, so a table that is not in memory is loaded for it, but only once for each
    change: what its players may know is kept, with the action log's last entry.
    """

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._acting: OrderedDict[str, tuple[_Mark, SeatsToAct]] = OrderedDict()

    async def of(self, holder: str) -> list[YourGame]:
        """Return a visitor's games for their home page, those waiting for this visitor first; finished games come last.

        Games with other people are all listed; those with bots alone only fill the list. `page` has them all.
        """
        rows = await self._tables.own_tables(holder)
        going = [row for row in rows if row.finished is None]
        going = going[: max(MOST_GOING, sum(row.with_others for row in going))]
        finished = [row for row in rows if row.finished is not None][:MOST_FINISHED]
        return await self._sorted(going + finished)

    async def page(self, holder: str, after: int) -> ListPage[YourGame]:
        """Return a page of all of a visitor's games: those with other people, those with bots, and finished ones."""
        listing = numbered_page(await self._tables.own_tables(holder, PAGE + 1, after), after)
        return ListPage(await self._sorted(listing.entries), listing.following)

    async def _sorted(self, rows: Sequence[OwnTable]) -> list[YourGame]:
        """Return the list entries of some tables, in the order of their states."""
        games: list[YourGame] = []
        for row in rows:
            # A game that is no longer installed is left out.
            with suppress(Refused):
                games.append(await self._entry(row))
        return sorted(games, key=lambda game: ORDER.index(game.state))

    async def _entry(self, row: OwnTable) -> YourGame:
        """Return the list entry of a visitor's table."""
        game, own = find_game(row.game), set(row.mine)
        names = [name_of(seat.seat, seat.kind, seat.name) for seat in row.seats]
        entry = YourGame(
            id=row.id,
            title=row.title,
            game=game,
            state="room",
            others=[
                (Seat(seat.seat, seat.kind, seat.name, seat.bot, face=seat.face), names[seat.seat])
                for seat in row.seats
                if not seat.mine and seat.kind != "open"
            ],
            since=_time_since(row.finished or row.moved or row.started or row.created),
        )
        if row.started is None:
            empty = [seat for seat in row.seats if seat.kind == "open"]
            awaited = [seat.name for seat in empty if seat.name is not None and not seat.mine]
            state = "invited" if any(seat.mine for seat in empty) else "room"
            return replace(entry, state=state, open_seats=len(empty), waiting_for=awaited)
        if row.finished is not None:
            winners = await self._winners(row)
            won = bool(own & set(winners))
            return replace(entry, state="finished", winners=[names[seat] for seat in winners], won=won, again=bool(own))
        by_viewer = await self._seats_to_act(row)
        # Each viewer may know only as much of who has decided as the table shows them.
        acting = {seat for viewer in own or {None} for seat in by_viewer[viewer]}
        state = "paused" if row.paused is not None else "turn" if own & acting else "waiting"
        waiting_for = [names[seat] for seat in sorted(acting - own)]
        return replace(entry, state=state, waiting_for=waiting_for, left=_time_left(row), leaves=bool(own))

    async def _winners(self, row: OwnTable) -> Sequence[int]:
        """Return the seats that won a finished game; the game is loaded only if the results name nobody."""
        if all(seat.won is not None for seat in row.seats) and any(seat.won for seat in row.seats):
            return [seat.seat for seat in row.seats if seat.won]
        outcome = (await self._tables.get(row.id)).match.outcome
        return outcome.winners if outcome is not None else ()

    async def _seats_to_act(self, row: OwnTable) -> SeatsToAct:
        """Return the seats whose turn it is, by viewer, since not everybody may know who has decided.

        The table is loaded only if it has changed since the last call.
        """
        cached = self._acting.get(row.id)
        if cached is not None and cached[0] == (row.last, row.held):
            self._acting.move_to_end(row.id)
            return cached[1]
        table = await self._tables.get(row.id)
        held = table.clock.state.held
        mark = (table.action_log.last_entry, held.as_text() if held is not None else None)
        acting = {
            viewer: table.visibility.shown_match.acting_for(viewer) for viewer in (None, *range(table.match.seats))
        }
        self._acting[table.id] = mark, acting
        while len(self._acting) > MOST_KEPT:
            self._acting.popitem(last=False)
        return acting


def turns(games: Sequence[YourGame]) -> int:
    """Return in how many of a visitor's games it is their turn."""
    return sum(game.state == "turn" for game in games)


def _time_since(moment: int) -> str:
    """Format in words how long ago a moment (milliseconds since 1970) was."""
    seconds = max(0, now() - moment) // 1000
    return _("{time} ago").format(time=_rounded(seconds)) if seconds >= MINUTE else _("just now")


def _time_left(row: OwnTable) -> str:
    """Format in words how much time is left for the decision at a table; empty without a running clock."""
    if row.deadline is None or row.paused is not None:
        return ""
    return time_left(row.deadline)


def time_left(deadline: int) -> str:
    """Format in words how much time is left until a deadline (milliseconds since 1970)."""
    return _("{time} left").format(time=_rounded(max(0, deadline - now()) // 1000))


def _rounded(seconds: int) -> str:
    """Format a number of seconds in words, in the largest unit that fits: `3 hours`."""
    unit = next((unit for unit in (86400, 3600, MINUTE) if seconds >= unit), 1)
    return duration(seconds // unit * unit)
