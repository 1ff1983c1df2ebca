"""Messages as a viewer may read them, and the queries for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from pyramidion.translation import _, listed, marked
from pyramidion.web.db.schema import BLOCKS, CHAT_LINES, CHAT_SEATS, SEATS
from pyramidion.web.db.store import Store
from pyramidion.web.errors import Refused
from pyramidion.web.table.seats.chat_rules import ReadMarks, marks_of, readers_of
from pyramidion.web.table.settings.declarations import ChatSettings
from pyramidion.web.table.table import Table

if TYPE_CHECKING:
    from pyramidion.web.table.seats.protocols import TableOrRoom

AT_ONCE = 200
"""Maximum number of messages in one response."""
PLAYER, HOST, WATCHER = "player", "host", "watcher"
_ROLES = {HOST: marked("{name} (host)"), WATCHER: marked("{name} (watching)")}


class UnknownLine(Refused, LookupError):
    """There is no message with this id, or the requester may not read it."""

    status = 404
    code = "unknown-line"


@dataclass(frozen=True, slots=True)
class Message:
    """A chat message as one viewer sees it.

    Attributes:
        at: when it was written, milliseconds since 1970.
        seat: the author's seat; None for spectators, a host who does not play, and players who have left.
        readers: the seats that may read it, including the author's; None for everybody.
        fresh: whether the viewer has not read it yet.
    """

    id: str
    at: int
    seat: int | None
    name: str
    text: str
    readers: tuple[int, ...] | None
    removed: bool
    fresh: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return the message's fields, JSON-ready."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Conversation:
    """The messages that the same seats can read, taken together, with the number of unread ones.

    Attributes:
        readers: the seats that may read it; None for everybody.
        unread: how many lines of others the viewer's seat has not seen.
    """

    readers: tuple[int, ...] | None
    unread: int = 0


@dataclass(frozen=True, slots=True)
class Chat:
    """The chat as one viewer sees it: messages, the oldest first, and whether there are still older ones.

    Attributes:
        conversations: those with at least one message that the viewer may read, the one with everybody first.
        closed: why the viewer cannot write now, or None.
    """

    lines: Sequence[Message]
    older: bool
    conversations: Sequence[Conversation]
    closed: str | None
    rules: ChatSettings

    @property
    def unread(self) -> int:
        """How many messages of others the viewer's seat has not read, in all conversations."""
        return sum(conversation.unread for conversation in self.conversations)


class Reader:
    """Reads messages and notes from the database, as far as a viewer may see them; its methods block."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def newest(
        self, table: TableOrRoom, viewer: int | None, before: str | None, to: Sequence[int] | None
    ) -> tuple[list[Message], bool, list[Conversation]]:
        """Return (messages, whether there are older ones, conversations) as a viewer may read them.

        The messages are the newest ones, or those just before the message `before`, the oldest first. `to` selects a
        conversation as for `Chats.show`.
        """
        c = CHAT_LINES.c
        with self._store.reading() as connection:
            marks, may_read = _reading(connection, table.id, viewer)
            query = sa.select(CHAT_LINES).where(may_read)
            if to is not None:
                query = query.where(c.readers == bits_of(viewer, to) if to else c.readers.is_(None))
            if before is not None:
                number = connection.execute(sa.select(c.number).where(may_read, c.id == before)).scalar_one_or_none()
                if number is None:
                    raise UnknownLine(_("Message not found."))
                query = query.where(c.number < number)
            rows = connection.execute(query.order_by(c.number.desc()).limit(AT_ONCE + 1)).all()
            others = sa.or_(c.seat.is_(None), c.seat != viewer)
            new = sa.case((sa.and_(others, marks.unseen(), ~c.removed), 1), else_=0)
            counts = sa.select(c.readers, sa.func.sum(new)).where(may_read).group_by(c.readers)
            unread: dict[int | None, int] = {row[0]: row[1] for row in connection.execute(counts)}
        conversations = [
            Conversation(readers_of(bits), unread[bits] if viewer is not None else 0)
            for bits in sorted(unread, key=lambda bits: bits or 0)
        ]
        return (
            [_line(row, table.names, viewer, marks) for row in rows[:AT_ONCE]][::-1],
            len(rows) > AT_ONCE,
            conversations,
        )

    def locate(self, match: str, viewer: int | None, line: str | None) -> tuple[int, int | None]:
        """Return (number, bit mask of the readers) of a message that a viewer may read, by default of the newest.

        Without any message the result is (0, None). Raises UnknownLine.
        """
        c = CHAT_LINES.c
        with self._store.reading() as connection:
            _marks, may_read = _reading(connection, match, viewer)
            query = sa.select(c.number, c.readers).where(may_read)
            query = query.order_by(c.number.desc()).limit(1) if line is None else query.where(c.id == line)
            row = connection.execute(query).one_or_none()
        if row is None:
            if line is None:
                return 0, None
            raise UnknownLine(_("Message not found."))
        return row.number, row.readers

    def made(self, match: str, viewer: int | None) -> int:
        """Return how many messages a seat, or all spectators together (None), have written at a table."""
        c = CHAT_LINES.c
        mine = c.seat.is_(None) if viewer is None else c.seat == viewer
        with self._store.reading() as connection:
            return connection.execute(sa.select(sa.func.count()).where(c.match == match, mine)).scalar_one()

    def willing(self, table: Table, viewer: int | None, others: Sequence[int]) -> list[int]:
        """Return those of the seats `others` whose people have not blocked the person who writes."""
        persons = table.seating.persons()
        b = BLOCKS.c
        query = sa.select(b.person).where(b.blocked == persons.get(-1 if viewer is None else viewer, ""))
        with self._store.reading() as connection:
            unwilling = set(connection.execute(query).scalars())
        return [seat for seat in others if persons.get(seat) not in unwilling]

    def notes(self, match: str, seat: int) -> str:
        """Return the private notes of a seat, an empty text without any."""
        query = sa.select(CHAT_SEATS.c.notes).where(CHAT_SEATS.c.match == match, CHAT_SEATS.c.seat == seat)
        with self._store.reading() as connection:
            return connection.execute(query).scalar_one_or_none() or ""


def bits_of(viewer: int | None, others: Iterable[int]) -> int:
    """Return the bit mask of the seats that can read a private message: its author `viewer` and the `others`."""
    return sum(1 << seat for seat in {viewer, *others} if seat is not None)


def to_whom(line: Message, names: Sequence[str], viewer: int | None) -> str:
    """Describe in words to whom a message is addressed, for a viewer who is called "you"."""
    if line.readers is None:
        return _("to everyone")
    others = [_("you") if seat == viewer else names[seat] for seat in line.readers if seat != line.seat]
    return _("to {names}").format(names=listed(others))


def _reading(connection: sa.Connection, match: str, viewer: int | None) -> tuple[ReadMarks, sa.ColumnElement[bool]]:
    """Return what a viewer has read, and the SQL condition for the messages that the viewer may read."""
    c = CHAT_LINES.c
    if viewer is None:
        return ReadMarks(), sa.and_(c.match == match, c.readers.is_(None))
    marks = marks_of(connection, match, viewer)
    mine = sa.and_(c.readers.bitwise_and(1 << viewer) != 0, c.number > marks.since, ~_from_blocked(match, viewer))
    return marks, sa.and_(c.match == match, sa.or_(c.readers.is_(None), mine))


def _from_blocked(match: str, viewer: int) -> sa.ColumnElement[bool]:
    """Return the SQL condition for messages whose author the person at the viewer's seat has blocked."""
    reader, writer, b = SEATS.alias(), SEATS.alias(), BLOCKS.c
    return sa.exists(
        sa.select(b.person)
        .join(reader, reader.c.holder == b.person)
        .join(writer, writer.c.holder == b.blocked)
        .where(reader.c.match == match, reader.c.seat == viewer)
        .where(writer.c.match == match, writer.c.seat == CHAT_LINES.c.seat)
        .correlate(CHAT_LINES)
    )


def _line(row: Any, names: Sequence[str], viewer: int | None, marks: ReadMarks) -> Message:
    """Return the message of a database row, as a viewer sees it."""
    name: str = row.name or (names[int(row.seat)] if row.seat is not None else "?")
    if row.role in _ROLES:
        name = _(_ROLES[row.role]).format(name=name)
    fresh = (
        viewer is not None and row.seat != viewer and not row.removed and not marks.has_seen(row.number, row.readers)
    )
    return Message(row.id, row.at, row.seat, name, row.text, readers_of(row.readers), bool(row.removed), fresh)
