"""The chat: public and private messages, and private notes.

Every response is built for one seat, from the messages that it may read. Nobody else learns anything about a private
message, not even from ids or counts.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from pyramidion.translation import _
from pyramidion.web.db.schema import CHAT_LINES
from pyramidion.web.db.store import Store
from pyramidion.web.db.writer import Change, Conflict, WriteFailed, Writer
from pyramidion.web.errors import BadRequest, NotSaved, Refused
from pyramidion.web.features.chat.messages import HOST, PLAYER, WATCHER, Chat, Reader, bits_of
from pyramidion.web.names import clean_text, player_name
from pyramidion.web.table.seats.admission import lookalike
from pyramidion.web.table.seats.chat_rules import keep_marks, keep_read, readers_of
from pyramidion.web.table.seats.host import Requester
from pyramidion.web.table.table import Table
from pyramidion.web.tokens import ID_ALPHABET, ID_LENGTH

if TYPE_CHECKING:
    from pyramidion.web.db.fanout import Listener
    from pyramidion.web.table.seats.protocols import TableOrRoom
    from pyramidion.web.table.tables import Tables

LONGEST_LINE = 1_000
LONGEST_NOTES = 10_000
MOST_LINES = 2_000
"""Maximum number of messages of one seat, or of all spectators together, at a table."""
CHANNEL = "pyramidion_chat"
Wrote = Callable[["Table", int, Sequence[int]], None]
"""Called with a table, the number of a private message, and its readers' seats without the author's."""


class NotAllowed(Refused):
    """The table's rules for the chat do not allow this, or do not allow it now."""

    status = 403
    code = "chat"


class Chats:
    """Stores and shows the chat of every table, and tells open pages of new messages."""

    def __init__(self, store: Store, writer: Writer, tables: Tables, wrote: Wrote) -> None:
        self._reader, self._writer, self._tables, self._wrote = Reader(store), writer, tables, wrote
        _listen(tables.listener, self)
        writer.others_wrote.append(lambda: self.heard(None))

    def heard(self, what: str | None) -> None:
        """Tell the readers of a message that another server has stored, as its notification `MATCH READERS` says.

        None stands for messages of which nothing is known.
        """
        cached = self._tables.cached_tables()
        if what is None:
            for table in cached.values():
                _announce(table, None)
        else:
            match, _space, readers = what.partition(" ")
            if (table := cached.get(match)) is not None:
                _announce(table, int(readers) if readers else None)

    async def show(
        self, table: TableOrRoom, requester: Requester, before: str | None = None, to: Sequence[int] | None = None
    ) -> Chat:
        """Return the chat for a requester: the newest messages, or those before the message `before`.

        `to` selects a conversation by its other seats; it is empty for the one with everybody, and None for all
        messages. Raises UnknownLine.
        """
        lines, older, conversations = await asyncio.to_thread(self._reader.newest, table, requester.seat, before, to)
        return Chat(lines, older, conversations, self.closed(table, requester, to or ()), table.settings.chat)

    def closed(self, table: TableOrRoom, requester: Requester, to: Sequence[int] = ()) -> str | None:
        """Return why a requester cannot write now, or None; `to` are the seats to write to, empty for everybody."""
        rules = table.settings.chat
        if requester.seat is None and not requester.host and not rules.watchers:
            return _("Only players can chat at this table.")
        if rules.closes == "secret" and isinstance(table, Table) and table.visibility.deciding_secretly:
            return _("The chat is closed while players choose in secret.")
        try:
            _readers(table, requester.seat, to)
        except Refused as refused:
            return refused.sentence
        return None

    async def say(
        self, table: TableOrRoom, requester: Requester, text: str, to: Sequence[int], name: str | None
    ) -> str:
        """Store a message, announce it to its readers, and return its id; `to` are the recipients, empty for everybody.

        `name` is a spectator's name. Raises BadRequest, NotAllowed or NotSaved with a sentence.
        """
        viewer = requester.seat
        text = clean_text(text, LONGEST_LINE)
        if not text:
            raise BadRequest(_("The message is empty."))
        closed = self.closed(table, requester)
        if closed is not None:
            raise NotAllowed(closed)
        readers = _readers(table, viewer, to)
        if await asyncio.to_thread(self._reader.made, table.id, viewer) >= MOST_LINES:
            raise NotAllowed(_("You have reached this table's message limit."))
        role, called = _author(table, requester, name)
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
            "role": role,
        }
        number: list[int] = []
        await self._write(lambda connection: number.append(_insert(connection, row)), tries=3)
        _announce(table, readers)
        if readers is not None and (cached := self._tables.cached_tables().get(table.id)) is not None:
            others = [seat for seat in readers_of(readers) or () if seat != viewer]
            self._wrote(cached, number[-1], await asyncio.to_thread(self._reader.willing, cached, viewer, others))
        return line

    async def remove(self, table: TableOrRoom, viewer: int | None, line: str) -> None:
        """Remove a message that the host may read; a placeholder remains. Raises UnknownLine or NotSaved."""
        _number, readers = await asyncio.to_thread(self._reader.locate, table.id, viewer, line)
        where = CHAT_LINES.c.match == table.id, CHAT_LINES.c.id == line

        def empty_message(connection: sa.Connection) -> None:
            connection.execute(sa.update(CHAT_LINES).where(*where).values(text="", removed=True))
            _notify(connection, table.id, readers)

        await self._write(empty_message)
        _announce(table, readers)

    async def seen(self, table: TableOrRoom, seat: int, line: str | None) -> None:
        """Mark a conversation as read up to the message `line`; None marks all. Raises UnknownLine or NotSaved."""
        number, readers = await asyncio.to_thread(self._reader.locate, table.id, seat, line)

        def store_mark(connection: sa.Connection) -> None:
            if line is None:
                keep_marks(connection, table.id, seat, seen=number)
            else:
                keep_read(connection, table.id, seat, readers, number)

        await self._write(store_mark)

    async def notes(self, table: TableOrRoom, seat: int) -> str:
        """Return the private notes of a seat, an empty text without any."""
        return await asyncio.to_thread(self._reader.notes, table.id, seat)

    async def keep_notes(self, table: TableOrRoom, seat: int, text: str) -> None:
        """Replace a seat's private notes. Raises BadRequest or NotSaved with a sentence."""
        text = clean_text(text, LONGEST_NOTES)
        await self._write(lambda connection: keep_marks(connection, table.id, seat, notes=text))

    async def _write(self, change: Change, tries: int = 1) -> None:
        """Store a change, with several tries if other servers change the same. Raises NotSaved with a sentence."""
        while True:
            tries -= 1
            try:
                await self._writer.write(change)
                return
            except (Conflict, WriteFailed) as error:
                # Another server may have used the same number.
                if tries <= 0 or isinstance(error, WriteFailed):
                    raise NotSaved(_("This could not be saved.")) from error


def _author(table: TableOrRoom, requester: Requester, name: str | None) -> tuple[str, str]:
    """Return the requester's role as an author, and the name to show. Raises BadRequest with a sentence."""
    if requester.seat is not None:
        return PLAYER, table.names[requester.seat]
    called = player_name(name)
    if requester.host:
        return HOST, table.host.name or called or _("Host")
    if called is None:
        raise BadRequest(_("Enter a name to chat."))
    if (other := lookalike(table, called, *filter(None, [table.host.name]))) is not None:
        raise BadRequest(_("The name {name} is already taken at this table.").format(name=other))
    return WATCHER, called


def _readers(table: TableOrRoom, viewer: int | None, to: Iterable[int]) -> int | None:
    """Return the bit mask of the seats that can read a message, or None if everybody can.

    Raises NotAllowed or BadRequest if the table's rules do not allow these recipients.
    """
    others = sorted({seat for seat in to if seat != viewer})
    if not others:
        if any(True for _seat in to):
            raise BadRequest(_("You cannot send a message to yourself. Use your notes instead."))
        return None
    if viewer is None:
        raise NotAllowed(_("Spectators can only write to everyone."))
    rules = table.settings.chat
    if rules.private == "none":
        raise NotAllowed(_("Private messages are turned off at this table."))
    if rules.private == "pairs" and len(others) > 1:
        raise NotAllowed(_("Private messages at this table can have only one recipient."))
    for seat in others:
        if not 0 <= seat < len(table.seating.seats):
            raise BadRequest(_("There is no seat {seat} at this table.").format(seat=str(seat)[:9]))
        if table.seating.seats[seat].kind != "person":
            raise BadRequest(_("{name} is not a person and cannot read messages.").format(name=table.names[seat]))
    return bits_of(viewer, others)


def _insert(connection: sa.Connection, row: dict[str, Any]) -> int:
    """Store a message with the next number at its table, and return the number."""
    c = CHAT_LINES.c
    newest = sa.select(sa.func.coalesce(sa.func.max(c.number), 0)).where(c.match == row["match"])
    number = connection.execute(newest).scalar_one() + 1
    connection.execute(sa.insert(CHAT_LINES).values(**row, number=number))
    _notify(connection, row["match"], row["readers"])
    return number


def _notify(connection: sa.Connection, match: str, readers: int | None) -> None:
    """Let the database notify the other servers of a message once it is committed."""
    if connection.dialect.name == "postgresql":
        what = match if readers is None else f"{match} {readers}"
        connection.execute(sa.select(sa.func.pg_notify(CHANNEL, what)))


def _announce(table: TableOrRoom, readers: int | None) -> None:
    """Tell the open pages and programs that can read a message that there is something new.

    `readers` has a bit for each seat that can read it; None stands for everybody, spectators included.
    """
    # The pages of a waiting room have no streams.
    for viewer, channel in table.viewers.channels.items() if isinstance(table, Table) else ():
        if readers is None or (viewer is not None and readers >> viewer & 1):
            channel.announce()


def _listen(listener: Listener, chats: Chats) -> None:
    """Let a listener pass other servers' notifications of messages on to the chats."""
    listener.others[CHANNEL] = chats.heard
