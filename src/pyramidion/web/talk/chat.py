"""What people say at a table: lines for everybody and for some, who may read which, and notes to oneself.

A line goes to seats, and every answer about lines is made for one seat from those that it may read: others learn
nothing of a private line, not even from the name it has, or from how many there are.
"""

from __future__ import annotations

import asyncio
import secrets
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

import sqlalchemy as sa

from pyramidion.web.errors import BadRequest, NotSaved, Refused
from pyramidion.web.schema import CHAT_LINES, CHAT_RULES, CHAT_SEATS
from pyramidion.web.seats import clean_name
from pyramidion.web.store import ID_ALPHABET, ID_LENGTH, Store
from pyramidion.web.writer import Change, Conflict, WriteFailed, Writer
from pyramidion.words import _, listed

if TYPE_CHECKING:
    from pyramidion.web.fanout import Listener
    from pyramidion.web.table import Table
    from pyramidion.web.tables import Tables

LONGEST_LINE = 1_000
LONGEST_NOTES = 10_000
MOST_LINES = 2_000
"""Lines that one seat, or all who watch together, can write at a table."""
AT_ONCE = 200
"""Lines that one answer holds at most."""
CHANNEL = "pyramidion_chat"
Wrote = Callable[["Table", int, Sequence[int]], None]
"""Called with a table, the number of a private line there, and the seats it is for but its maker's."""
Private = Literal["none", "pairs", "groups"]
Closes = Literal["never", "secret"]
PRIVATE: tuple[Private, ...] = ("none", "pairs", "groups")
CLOSES: tuple[Closes, ...] = ("never", "secret")
# Signs that turn the direction of what follows them, and would do it to the page around a line.
TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


class NotAllowed(Refused):
    """Something that this table's chat, or the moment, does not allow."""

    status = 403
    code = "chat"


class UnknownLine(Refused, LookupError):
    """No line with this id that the asker may read."""

    status = 404
    code = "unknown-line"


@dataclass(frozen=True, slots=True)
class Rules:
    """What a table allows.

    Attributes:
        private: lines to some only: `none`, `pairs` (between two seats) or `groups` (among any seats).
        closes: when nobody may write: `never`, or `secret`, while a phase is open in which several decide in secret.
        watchers: whether those who watch may write, for everybody.
    """

    private: Private = "none"
    closes: Closes = "never"
    watchers: bool = False

    @staticmethod
    def accept(private: str | None, closes: str | None, watchers: bool) -> Rules:
        """Return rules that a form or program has asked for. Raises BadRequest with a sentence."""
        one: Private | None = next((known for known in PRIVATE if known == (private or "none")), None)
        other: Closes | None = next((known for known in CLOSES if known == (closes or "never")), None)
        if one is None or other is None:
            raise BadRequest(
                _("Private lines can be {private}; the chat can close {closes}.").format(
                    private=", ".join(PRIVATE), closes=", ".join(CLOSES)
                )
            )
        return Rules(one, other, watchers)

    def stored(self, match: str) -> Change:
        """Return what stores these rules for a match."""

        def change(connection: sa.Connection) -> None:
            connection.execute(sa.delete(CHAT_RULES).where(CHAT_RULES.c.match == match))
            connection.execute(sa.insert(CHAT_RULES).values(match=match, **asdict(self)))

        return change


@dataclass(frozen=True, slots=True)
class Line:
    """A line as one viewer knows it.

    Attributes:
        at: when it was said, milliseconds since 1970.
        seat: who has said it; None for somebody who watches, whose `name` it has.
        readers: the seats that may read it, with its maker's; None for everybody.
        fresh: whether the viewer has not seen it yet.
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
        """Return what programs are given."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Chat:
    """What a viewer is shown: the lines from the oldest to the newest, and whether there are older ones.

    Attributes:
        unread: how many lines of others the viewer's seat has not seen.
        closed: a sentence that says why the viewer cannot write now, or None.
    """

    lines: Sequence[Line]
    older: bool
    unread: int
    closed: str | None
    rules: Rules


class Chats:
    """The chats of all tables of this server, kept in its database."""

    def __init__(self, store: Store, writer: Writer, tables: Tables, wrote: Wrote) -> None:
        self._store, self._writer, self._tables, self._wrote = store, writer, tables, wrote
        _listen(tables.listener, self)
        before = writer.others_wrote

        def others_wrote() -> None:
            before()
            self.heard(None)

        writer.others_wrote = others_wrote

    def heard(self, what: str | None) -> None:
        """Take note of a line that another server has stored, `MATCH READERS`, or that there may be any."""
        known = self._tables.in_house()
        if what is None:
            for table in known.values():
                _tell(table, None)
        else:
            match, _space, readers = what.partition(" ")
            if (table := known.get(match)) is not None:
                _tell(table, int(readers) if readers else None)

    async def rules(self, table: str) -> Rules:
        """Return what a table or a room allows."""
        return await asyncio.to_thread(self._rules, table)

    async def show(self, table: Table, viewer: int | None, before: str | None = None) -> Chat:
        """Return the newest lines that a viewer may read, or the newest before one of them. Raises UnknownLine."""
        rules, lines, older, unread = await asyncio.to_thread(self._read, table, viewer, before)
        return Chat(lines, older, unread, self.closed(table, viewer, rules), rules)

    def closed(self, table: Table, viewer: int | None, rules: Rules) -> str | None:
        """Return why a viewer cannot write now, or None."""
        if viewer is None and not rules.watchers:
            return _("Here only the players write.")
        if rules.closes == "secret" and not table.match.over and table.steps.together:
            return _("The chat is closed while a phase with secret submissions is open.")
        return None

    async def say(self, table: Table, viewer: int | None, text: str, to: Sequence[int], name: str | None) -> str:
        """Store a line and tell its readers; return its id. `to` are the seats that it is for, none for everybody.

        `name` is what somebody who watches is called. Raises BadRequest, NotAllowed or NotSaved with a sentence.
        """
        text = clean_text(text, LONGEST_LINE)
        if not text:
            raise BadRequest(_("There is nothing in this line."))
        rules = await self.rules(table.id)
        closed = self.closed(table, viewer, rules)
        if closed is not None:
            raise NotAllowed(closed)
        readers = _readers(table, viewer, to, rules)
        if await asyncio.to_thread(self._made, table.id, viewer) >= MOST_LINES:
            raise NotAllowed(_("You have written as much as there is room for at this table."))
        called = clean_name(name) if viewer is None else None
        if viewer is None and called is None:
            raise BadRequest(_("Say what you are called, since you hold no seat here."))
        line = "".join(secrets.choice(ID_ALPHABET) for _place in range(ID_LENGTH))
        row: dict[str, Any] = {
            "match": table.id,
            "id": line,
            "at": self._tables.now(),
            "seat": viewer,
            "name": called,
            "text": text,
            "readers": readers,
            "removed": False,
        }
        number: list[int] = []
        await self._write(lambda connection: number.append(_insert(connection, row)), tries=3)
        _tell(table, readers)
        if readers is not None:
            self._wrote(table, number[-1], [seat for seat in readers_of(readers) or () if seat != viewer])
        return line

    async def remove(self, table: Table, viewer: int | None, line: str) -> None:
        """Let the host remove a line that they may read; a trace stays. Raises UnknownLine or NotSaved."""
        readers = await asyncio.to_thread(self._readers_of, table.id, viewer, line)
        where = CHAT_LINES.c.match == table.id, CHAT_LINES.c.id == line

        def change(connection: sa.Connection) -> None:
            connection.execute(sa.update(CHAT_LINES).where(*where).values(text="", removed=True))
            _notify(connection, table.id, readers)

        await self._write(change)
        _tell(table, readers)

    async def seen(self, table: Table, seat: int, line: str | None) -> None:
        """Note that a seat has seen everything up to a line, or all there is. Raises UnknownLine or NotSaved."""
        number = await asyncio.to_thread(self._number_of, table.id, seat, line)
        await self._write(lambda connection: _keep(connection, table.id, seat, seen=number))

    async def looked(self, table: Table, seat: int) -> None:
        """Note that whoever sits on a seat has the table before their eyes."""
        at = self._tables.now()
        await self._write(lambda connection: _keep(connection, table.id, seat, looked=at))

    async def notes(self, table: Table, seat: int) -> str:
        """Return a seat's notes to itself."""
        return await asyncio.to_thread(self._notes, table.id, seat)

    async def keep_notes(self, table: Table, seat: int, text: str) -> None:
        """Store a seat's notes in the place of the former ones. Raises BadRequest or NotSaved with a sentence."""
        text = clean_text(text, LONGEST_NOTES)
        await self._write(lambda connection: _keep(connection, table.id, seat, notes=text))

    # Reading; these block.

    def _rules(self, match: str) -> Rules:
        r = CHAT_RULES.c
        with self._store.reading() as connection:
            row = connection.execute(sa.select(r.private, r.closes, r.watchers).where(r.match == match)).one_or_none()
        return Rules(*row) if row is not None else Rules()

    def _read(self, table: Table, viewer: int | None, before: str | None) -> tuple[Rules, list[Line], bool, int]:
        c = CHAT_LINES.c
        rules = self._rules(table.id)
        with self._store.reading() as connection:
            seen, may_read = _reading(connection, table.id, viewer)
            query = sa.select(CHAT_LINES).where(may_read)
            if before is not None:
                number = connection.execute(sa.select(c.number).where(may_read, c.id == before)).scalar_one_or_none()
                if number is None:
                    raise _unknown()
                query = query.where(c.number < number)
            rows = connection.execute(query.order_by(c.number.desc()).limit(AT_ONCE + 1)).all()
            unread = 0
            if viewer is not None:
                others = sa.or_(c.seat.is_(None), c.seat != viewer)
                unread = connection.execute(
                    sa.select(sa.func.count()).where(may_read, others, c.number > seen, ~c.removed)
                ).scalar_one()
        return (
            rules,
            [_line(row, table.names, viewer, seen) for row in rows[:AT_ONCE]][::-1],
            len(rows) > AT_ONCE,
            unread,
        )

    def _number_of(self, match: str, viewer: int | None, line: str | None) -> int:
        with self._store.reading() as connection:
            _seen, may_read = _reading(connection, match, viewer)
            if line is None:
                query = sa.select(sa.func.coalesce(sa.func.max(CHAT_LINES.c.number), 0)).where(may_read)
            else:
                query = sa.select(CHAT_LINES.c.number).where(may_read, CHAT_LINES.c.id == line)
            number = connection.execute(query).scalar_one_or_none()
        if number is None:
            raise _unknown()
        return number

    def _readers_of(self, match: str, viewer: int | None, line: str) -> int | None:
        with self._store.reading() as connection:
            _seen, may_read = _reading(connection, match, viewer)
            query = sa.select(CHAT_LINES.c.readers).where(may_read, CHAT_LINES.c.id == line)
            row = connection.execute(query).one_or_none()
        if row is None:
            raise _unknown()
        return row.readers

    def _made(self, match: str, viewer: int | None) -> int:
        c = CHAT_LINES.c
        mine = c.seat.is_(None) if viewer is None else c.seat == viewer
        with self._store.reading() as connection:
            return connection.execute(sa.select(sa.func.count()).where(c.match == match, mine)).scalar_one()

    def _notes(self, match: str, seat: int) -> str:
        query = sa.select(CHAT_SEATS.c.notes).where(CHAT_SEATS.c.match == match, CHAT_SEATS.c.seat == seat)
        with self._store.reading() as connection:
            return connection.execute(query).scalar_one_or_none() or ""

    async def _write(self, change: Change, tries: int = 1) -> None:
        """Store something. Raises NotSaved with a sentence."""
        while True:
            tries -= 1
            try:
                await self._writer.write(change)
                return
            except (Conflict, WriteFailed) as error:
                # Another server may have taken the same number.
                if tries <= 0 or isinstance(error, WriteFailed):
                    raise NotSaved(_("This could not be saved, so it was not done.")) from error


def new_holder(connection: sa.Connection, match: str, seat: int) -> None:
    """Note that somebody else sits on a seat from now on: neither notes nor private lines of before are theirs."""
    newest = sa.select(sa.func.coalesce(sa.func.max(CHAT_LINES.c.number), 0)).where(CHAT_LINES.c.match == match)
    number = connection.execute(newest).scalar_one()
    _keep(connection, match, seat, since=number, seen=number, notes="", looked=0)


def clean_text(text: str, longest: int) -> str:
    """Return a text with its ends tidied. Raises BadRequest with a sentence for what cannot be kept or shown."""
    tidy = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    if len(tidy) > longest:
        raise BadRequest(
            _("This has {count} characters; at most {most} are possible.").format(
                count=f"{len(tidy):,}", most=f"{longest:,}"
            )
        )
    for sign in tidy:
        if sign in TURNING or (unicodedata.category(sign) in ("Cc", "Cs") and sign not in "\n\t"):
            raise BadRequest(
                _("This holds a control sign ({sign}), which is not shown; leave it out.").format(
                    sign=f"U+{ord(sign):04X}"
                )
            )
    return tidy


def readers_of(bits: int | None) -> tuple[int, ...] | None:
    """Return the seats that may read a line, None for everybody."""
    return None if bits is None else tuple(seat for seat in range(bits.bit_length()) if bits >> seat & 1)


def _readers(table: Table, viewer: int | None, to: Iterable[int], rules: Rules) -> int | None:
    """Return the bits of who may read a line. Raises NotAllowed or BadRequest with a sentence."""
    others = sorted({seat for seat in to if seat != viewer})
    if not others:
        if any(True for _seat in to):
            raise BadRequest(_("A line to nobody but yourself is a note; there is a place for notes."))
        return None
    if viewer is None:
        raise NotAllowed(_("Who watches can write for everybody only."))
    if rules.private == "none":
        raise NotAllowed(_("At this table there are no private lines: what is said is for everybody."))
    if rules.private == "pairs" and len(others) > 1:
        raise NotAllowed(_("At this table a private line goes to one other player."))
    for seat in others:
        if not 0 <= seat < len(table.seats):
            raise BadRequest(_("There is no seat {seat} at this table.").format(seat=str(seat)[:9]))
        if table.seats[seat].kind != "person":
            raise BadRequest(_("{name} does not read.").format(name=table.names[seat]))
    return sum(1 << seat for seat in {viewer, *others})


def _reading(connection: sa.Connection, match: str, viewer: int | None) -> tuple[int, sa.ColumnElement[bool]]:
    """Return up to which number a viewer has seen the lines, and what is true of those that they may read."""
    c, s = CHAT_LINES.c, CHAT_SEATS.c
    if viewer is None:
        return 0, sa.and_(c.match == match, c.readers.is_(None))
    row = connection.execute(sa.select(s.seen, s.since).where(s.match == match, s.seat == viewer)).one_or_none()
    seen, since = row if row is not None else (0, 0)
    mine = sa.and_(c.readers.bitwise_and(1 << viewer) != 0, c.number > since)
    return seen, sa.and_(c.match == match, sa.or_(c.readers.is_(None), mine))


def _line(row: Any, names: Sequence[str], viewer: int | None, seen: int) -> Line:
    name: str = names[int(row.seat)] if row.seat is not None else _("{name} (watching)").format(name=row.name)
    fresh = viewer is not None and row.number > seen and row.seat != viewer and not row.removed
    return Line(row.id, row.at, row.seat, name, row.text, readers_of(row.readers), bool(row.removed), fresh)


def _insert(connection: sa.Connection, row: dict[str, Any]) -> int:
    """Store a line and return its number."""
    c = CHAT_LINES.c
    newest = sa.select(sa.func.coalesce(sa.func.max(c.number), 0)).where(c.match == row["match"])
    number = connection.execute(newest).scalar_one() + 1
    connection.execute(sa.insert(CHAT_LINES).values(**row, number=number))
    _notify(connection, row["match"], row["readers"])
    return number


def _keep(connection: sa.Connection, match: str, seat: int, **values: Any) -> None:
    s = CHAT_SEATS.c
    if connection.execute(sa.update(CHAT_SEATS).where(s.match == match, s.seat == seat).values(**values)).rowcount == 0:
        first = {"seen": 0, "since": 0, "notes": "", "looked": 0} | values
        connection.execute(sa.insert(CHAT_SEATS).values(match=match, seat=seat, **first))


def _notify(connection: sa.Connection, match: str, readers: int | None) -> None:
    """Let the other servers hear of a line with the commit that stores it."""
    if connection.dialect.name == "postgresql":
        what = match if readers is None else f"{match} {readers}"
        connection.execute(sa.select(sa.func.pg_notify(CHANNEL, what)))


def _tell(table: Table, readers: int | None) -> None:
    for viewer, channel in table.channels.items():
        if readers is None or (viewer is not None and readers >> viewer & 1):
            channel.hear()


def _listen(listener: Listener, chats: Chats) -> None:
    listener.others[CHANNEL] = chats.heard


def _unknown() -> UnknownLine:
    return UnknownLine(_("There is no such line here."))


def to_whom(line: Line, names: Sequence[str], viewer: int | None) -> str:
    """Return who can read a line, as it stands on it."""
    if line.readers is None:
        return _("for everybody")
    others = [_("you") if seat == viewer else names[seat] for seat in line.readers if seat != line.seat]
    return _("only for {names}").format(names=listed(others))
