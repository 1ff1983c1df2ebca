"""Rooms: tables that wait for players before their match starts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from pyramidion import Game
from pyramidion.engine.seeds import Contribution, Origin
from pyramidion.web.db.changes import save
from pyramidion.web.db.host_command_rows import HostCommand
from pyramidion.web.db.schema import MATCHES, ROOMS
from pyramidion.web.db.store import MatchRow, SeatRow
from pyramidion.web.db.writer import Change, Conflict
from pyramidion.web.table import seeds as origins
from pyramidion.web.table.seats import (
    SEAT_NOT_CHANGED,
    SEAT_NOT_SAVED,
    Host,
    HostRow,
    Requester,
    Seating,
    newcomer,
    take_seat,
)
from pyramidion.web.table.seeds import OfferedContribution
from pyramidion.web.table.settings.declarations import WHEN_FULL, TableSettings
from pyramidion.web.table.view_models import Seat

if TYPE_CHECKING:
    from pyramidion.web.table.tables import Tables


@dataclass(frozen=True, slots=True)
class RoomState:
    """The state of a waiting room: the seats that are ready, and the number of changes so far."""

    ready: frozenset[int]
    changes: int


class Room:
    """A waiting room as of the moment it was read: shows its seats, and lets people sit down.

    Attributes:
        row: the match as stored; its seed is empty unless it was chosen.
        seating: who sits where.
        host: who hosts the table.
        state: the seats that are ready, and the number of changes so far.
        origin: secret and contributions; None if the seed was chosen.
    """

    def __init__(
        self,
        row: MatchRow,
        seats: Sequence[SeatRow],
        state: RoomState,
        origin: Origin | None,
        game: Game,
        tables: Tables,
    ) -> None:
        self.row, self.state, self.origin, self.game = row, state, origin, game
        self.id, self.title = row.id, row.title
        self.settings = TableSettings.model_validate(row.settings)
        self.seating = Seating(seats)
        self.host = Host(self.seating, HostRow.of(row))
        self.commands: Sequence[HostCommand] = ()
        self._tables = tables

    @property
    def seats(self) -> list[Seat]:
        """The seats as shown to viewers."""
        return self.seating.seats

    @property
    def names(self) -> list[str]:
        """A name for each seat, never empty."""
        return self.seating.names

    def options_for(self, requester: Requester) -> dict[str, Any]:
        """Return the options as a requester may see them; the host, who can still change them, sees all."""
        if requester.host and not self.begun:
            return self.row.options
        return self.game.options_for(self.row.options, requester.seat)

    @property
    def is_over(self) -> bool:
        """Whether nobody can sit down any more; never true of a room."""
        return False

    @property
    def box(self) -> Any:
        """The box that the match would have with the room's present options."""
        return self.game.make_box(self.row.options, self.row.cards)

    def seat_of(self, holder: str | None) -> int | None:
        """Return the visitor's first seat, or None. Before the game, players at one screen have no secrets to hide."""
        return next(iter(self.seating.seats_of(holder)), None)

    def together(self, seat: int) -> frozenset[int]:
        """Return all seats whose players share a screen with that of `seat`, including `seat` itself."""
        holder = self.seating.rows[seat].holder
        return frozenset(self.seating.seats_of(holder)) | {seat} if holder is not None else frozenset({seat})

    @property
    def begun(self) -> bool:
        """Whether the match has started, so that the room no longer exists."""
        return self.row.started is not None

    @property
    def taken(self) -> list[int]:
        """The seats taken by people."""
        return [seat.number for seat in self.seats if seat.kind == "person"]

    @property
    def open_seats(self) -> list[int]:
        """The open seats, including reserved ones."""
        return [seat.number for seat in self.seats if seat.kind == "open"]

    @property
    def due(self) -> bool:
        """Whether the match should start now by itself."""
        if self.begun or self.open_seats:
            return False
        return self.settings.start == WHEN_FULL or self.state.ready >= set(self.taken)

    def contribution(self, seat: int | None) -> Contribution | None:
        """Return what a seat has contributed to the seed, or None."""
        contributions = self.origin.contributions if self.origin is not None else ()
        return next((contribution for contribution in contributions if contribution.seat == seat), None)

    def gives(self, seat: int, given: OfferedContribution) -> Contribution | None:
        """Return a seat's new contribution to the seed; None if the seed was chosen. Raises BadRequest."""
        return None if self.origin is None else origins.contribution(self.game.id, self.id, seat, given)

    async def take(
        self, seat: int, holder: str | None, name: str | None, given: OfferedContribution, *, bot: bool = False
    ) -> str | None:
        """Take an open seat, with a contribution to the seed; return the token of a program.

        Raises what `admission.newcomer` raises, Conflict if the room has changed, BadRequest or NotSaved.
        """
        gives = self.gives(seat, given) if 0 <= seat < len(self.seats) else None
        row, token = await newcomer(self, self._tables.events, seat, holder, name, bot=bot)
        taking, at = take_seat(self.id, self.seating.rows[seat], row), self._tables.now()

        def fill_seat(connection: sa.Connection) -> None:
            touch(connection, self.id, self.state.changes, at)
            taking(connection)
            if gives is not None:
                origins.put(connection, self.id, gives)

        await save(self._tables.writer, fill_seat, SEAT_NOT_SAVED)
        return token

    async def rewrite(self, change: Change) -> None:
        """Store a change of the seats. Raises Conflict from `change`, or NotSaved."""
        await save(self._tables.writer, change, SEAT_NOT_CHANGED)


def touch(connection: sa.Connection, table: str, seen: int, at: int) -> None:
    """Increase a room's number of changes. Raises Conflict if that is not `seen` any more, or the match has started."""
    waits = sa.exists().where(MATCHES.c.id == table, MATCHES.c.started.is_(None))
    update = sa.update(ROOMS).where(ROOMS.c.match == table, ROOMS.c.changes == seen, waits)
    require_one_row(connection.execute(update.values(changes=ROOMS.c.changes + 1, touched=at)))


def require_one_row(result: sa.CursorResult[Any]) -> None:
    """Raise Conflict unless an SQL statement has changed exactly one row."""
    if result.rowcount != 1:
        raise Conflict("The room has changed.")
