"""Which chat messages a seat may read and has read, and which follow a player to another seat."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from pyramidion.web.db.schema import CHAT_LINES, CHAT_SEATS

if TYPE_CHECKING:
    from pyramidion.web.db.store import SeatRow


@dataclass(frozen=True, slots=True)
class ReadMarks:
    """How far a seat has read the chat, by numbers of lines.

    Attributes:
        seen: everything up to this line; `read` goes further in single conversations, by the bits of their readers.
        since: the line after which private lines are for the seat's present player.
    """

    seen: int = 0
    since: int = 0
    read: Mapping[int, int] = field(default_factory=dict[int, int])

    def has_seen(self, number: int, readers: int | None) -> bool:
        """Return whether the seat has seen a line; `readers` is the line's bit mask of readers, None for everybody."""
        return number <= max(self.seen, self.since, self.read.get(readers or 0, 0))

    def unseen(self) -> sa.ColumnElement[bool]:
        """Return the SQL condition for lines that the seat has not seen."""
        c = CHAT_LINES.c
        number = sa.case(dict(self.read), value=sa.func.coalesce(c.readers, 0), else_=0) if self.read else 0
        return sa.and_(c.number > self.seen, c.number > number)


def marks_of(connection: sa.Connection, match: str, seat: int) -> ReadMarks:
    """Return how far a seat has read a table's chat."""
    s = CHAT_SEATS.c
    row = connection.execute(sa.select(s.seen, s.since, s.read).where(s.match == match, s.seat == seat)).one_or_none()
    return ReadMarks() if row is None else ReadMarks(row.seen, row.since, _parsed(row.read))


def has_seen(connection: sa.Connection, match: str, seat: int, number: int) -> bool:
    """Return whether a seat has seen the line `number` of a table's chat."""
    c = CHAT_LINES.c
    line = sa.select(c.readers).where(c.match == match, c.number == number)
    return marks_of(connection, match, seat).has_seen(number, connection.execute(line).scalar_one_or_none())


def keep_read(connection: sa.Connection, match: str, seat: int, readers: int | None, number: int) -> None:
    """Store that a seat has read the conversation of these `readers` (a bit mask) up to a line."""
    read = {**marks_of(connection, match, seat).read, readers or 0: number}
    keep_marks(connection, match, seat, read=json.dumps(read))


def _parsed(read: str) -> dict[int, int]:
    """Return the last line that was read of each conversation, by the bit mask of its readers."""
    return {int(readers): number for readers, number in json.loads(read).items()}


def new_holder(connection: sa.Connection, match: str, was: SeatRow) -> None:
    """Clear a seat's chat for a new player, who can read neither the notes nor the private messages of `was`."""
    seat = was.seat
    own = CHAT_LINES.c.match == match, CHAT_LINES.c.seat == seat
    connection.execute(sa.update(CHAT_LINES).where(*own).values(seat=None))
    newest = sa.select(sa.func.coalesce(sa.func.max(CHAT_LINES.c.number), 0)).where(CHAT_LINES.c.match == match)
    number = connection.execute(newest).scalar_one()
    keep_marks(connection, match, seat, since=number, seen=number, notes="", looked=0, read="{}")


def keep_marks(connection: sa.Connection, match: str, seat: int, **values: Any) -> None:
    """Store values of a seat's row of `CHAT_SEATS`, by column name."""
    s = CHAT_SEATS.c
    if connection.execute(sa.update(CHAT_SEATS).where(s.match == match, s.seat == seat).values(**values)).rowcount == 0:
        first = {"seen": 0, "since": 0, "notes": "", "looked": 0, "read": "{}"} | values
        connection.execute(sa.insert(CHAT_SEATS).values(match=match, seat=seat, **first))


def renumbered(connection: sa.Connection, match: str, moved: Mapping[int, int]) -> None:
    """Let private messages follow their readers to other seats: `moved` maps each old seat to the new one."""
    c, s = CHAT_LINES.c, CHAT_SEATS.c
    private = c.match == match, c.readers.is_not(None)
    for number, readers in connection.execute(sa.select(c.number, c.readers).where(*private)).all():
        values = {"readers": _moved(readers, moved)}
        connection.execute(sa.update(CHAT_LINES).where(c.match == match, c.number == number).values(values))
    for seat, read in connection.execute(sa.select(s.seat, s.read).where(s.match == match)).all():
        values = {"read": json.dumps({_moved(readers, moved): line for readers, line in _parsed(read).items()})}
        connection.execute(sa.update(CHAT_SEATS).where(s.match == match, s.seat == seat).values(values))


def _moved(readers: int, moved: Mapping[int, int]) -> int:
    """Return the bit mask of the same readers at their new seats."""
    return sum(1 << moved[seat] for seat in readers_of(readers) or () if seat in moved)


def readers_of(bits: int | None) -> tuple[int, ...] | None:
    """Return the seats that may read a message, from its bit mask; None for everybody."""
    return None if bits is None else tuple(seat for seat in range(bits.bit_length()) if bits >> seat & 1)
