"""The seats of a table and the players in them."""

from __future__ import annotations

import hmac
from collections.abc import Sequence

from pyramidion.translation import _, language
from pyramidion.web.db.store import SeatRow
from pyramidion.web.names import SEAT_NAMES
from pyramidion.web.table.view_models import Seat
from pyramidion.web.tokens import hash_code


class Seating:
    """Holds a table's seats as stored and as shown, and finds the seats of visitors and tokens.

    Attributes:
        rows: the seats as stored.
        seats: the seats as shown to viewers.
    """

    def __init__(self, rows: Sequence[SeatRow]) -> None:
        self.rows: Sequence[SeatRow] = []
        self.seats: list[Seat] = []
        self.set(rows)

    def set(self, rows: Sequence[SeatRow]) -> None:
        """Replace all seats, once they have been stored. A player who keeps a seat stays present or away."""
        before = {_held(row): seat.present for row, seat in zip(self.rows, self.seats, strict=True)}
        self.rows = list(rows)
        self.seats = [
            Seat(
                s.seat,
                s.kind,
                s.name,
                s.bot,
                present=s.kind == "bot" or before.get(_held(s), False),
                stand_in=s.stand_in,
                reserved=s.reserved,
                colour=colour,
                face=s.face,
            )
            for s, colour in zip(rows, colours_of(rows), strict=True)
        ]
        self._names: dict[str, list[str]] = {}

    def follow(self, rows: Sequence[SeatRow]) -> bool:
        """Replace the seats by those in the database; return whether viewers see a difference."""
        if [row.public_fields for row in rows] != [row.public_fields for row in self.rows]:
            self.set(rows)
            return True
        self.rows = list(rows)
        return False

    def change(self, rows: Sequence[SeatRow]) -> None:
        """Replace the seats of these rows, once they have been stored."""
        new = {row.seat: row for row in rows}
        self.set([new.get(row.seat, row) for row in self.rows])

    def put(self, row: SeatRow) -> None:
        """Put a player in an open seat, once that has been stored."""
        self.rows = [row if other.seat == row.seat else other for other in self.rows]
        self.seats[row.seat] = Seat(row.seat, row.kind, row.name, row.bot, colour=self.seats[row.seat].colour)
        self._names = {}

    @property
    def names(self) -> list[str]:
        """A name for each seat, never empty."""
        names = self._names.get(language())
        if names is None:
            names = [name_of(s.number, s.kind, s.name) for s in self.seats]
            self._names[language()] = names
        return names

    @property
    def open_seats(self) -> list[int]:
        """The seats that anybody may take."""
        return [seat.number for seat in self.seats if seat.kind == "open" and not seat.reserved]

    @property
    def has_persons(self) -> bool:
        """Whether anybody but bots holds a seat, so that `persons` is not empty."""
        return any(row.kind == "person" and (row.holder is not None or row.token_hash is not None) for row in self.rows)

    def persons(self) -> dict[int, str]:
        """Return the person id at each seat: the visitor id, or for a program's seat one from its token's hash."""
        persons: dict[int, str] = {}
        for row in self.rows:
            if row.kind == "person" and row.holder is not None:
                persons[row.seat] = row.holder
            elif row.kind == "person" and row.token_hash is not None:
                persons[row.seat] = f"token:{row.token_hash.hex()[:32]}"
        return persons

    def seat_of(self, holder: str | None) -> int | None:
        """Return the seat that a visitor holds, or None for a spectator.

        If the visitor holds several seats, which share a screen, return the open one (`Holder.open`), if any.
        """
        mine = self.seats_of(holder)
        if len(mine) <= 1:
            return mine[0] if mine else None
        opened = getattr(holder, "open", None)
        return opened if opened in mine else None

    def seats_of(self, holder: str | None) -> list[int]:
        """Return all seats that a visitor holds."""
        if holder is None:
            return []
        return [row.seat for row in self.rows if row.kind == "person" and (row.holder == holder or holder in row.also)]

    def seat_of_token(self, token: str) -> int | None:
        """Return the seat held by a token, or None."""
        return self._opened_by(token, "person")

    def _opened_by(self, token: str, kind: str) -> int | None:
        """Return the seat of this kind whose stored hash is that of the token or code, or None."""
        given = hash_code(token)
        for row in self.rows:
            if row.kind == kind and row.token_hash is not None and hmac.compare_digest(row.token_hash, given):
                return row.seat
        return None

    def reserved_for(self, holder: str | None, code: str | None = None) -> int | None:
        """Return the open seat reserved for a visitor, or for the holder of a code; else None."""
        if code is not None:
            return self._opened_by(code, "open")
        if holder is None:
            return None
        return next((row.seat for row in self.rows if row.reserved and row.holder == holder), None)


def _held(row: SeatRow) -> tuple[int, str, str | None, bytes | None]:
    """Return what identifies a seat and its player: number, kind, visitor id, hash of the token."""
    return row.seat, row.kind, row.holder, row.token_hash


def name_of(seat: int, kind: str, name: str | None) -> str:
    """Return the name of a seat's player, or a default in the reader's language."""
    return name or _(SEAT_NAMES[kind]).format(number=seat + 1)


def colours_of(rows: Sequence[SeatRow]) -> list[int]:
    """Return the index of each seat's colour: the chosen one, else the seat's number, or the first that nobody has."""
    chosen = {row.colour for row in rows if row.colour is not None}
    taken = chosen | {row.seat for row in rows if row.colour is None}
    colours: list[int] = []
    for row in rows:
        colour = row.seat if row.colour is None else row.colour
        if row.colour is None and row.seat in chosen:
            colour = next(free for free in range(2 * len(rows)) if free not in taken)
            taken.add(colour)
        colours.append(colour)
    return colours
