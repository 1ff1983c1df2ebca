"""What is written, read and removed in a chat, as values: forms and JSON bodies are parsed into them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pyramidion.translation import _
from pyramidion.web.errors import BadRequest, NotTheHost, NotYourSeat
from pyramidion.web.features.chat.service import Chats
from pyramidion.web.http.forms import whole_number
from pyramidion.web.table.seats.host import Requester
from pyramidion.web.table.seats.protocols import TableOrRoom


@dataclass(frozen=True, slots=True)
class Write:
    """Write a message to the seats `to`, or to everybody if empty; a spectator writes under a `name`."""

    text: str
    to: Sequence[int]
    name: str | None


@dataclass(frozen=True, slots=True)
class MarkRead:
    """Mark a conversation as read up to the message with this id."""

    line: str


@dataclass(frozen=True, slots=True)
class Remove:
    """Remove the message with this id, as the host."""

    line: str


@dataclass(frozen=True, slots=True)
class KeepNotes:
    """Replace the private notes of the requester's seat."""

    text: str


Command = Write | MarkRead | Remove | KeepNotes


def command_of_form(name: str, form: Mapping[str, str], to: Sequence[str], seats: int) -> Command:
    """Return the command that a form of the chat stands for, by the form's name, at a table with so many seats.

    `to` are the values of the form's field `to`. Raises BadRequest.
    """
    match name:
        case "seen":
            return MarkRead(form.get("line", ""))
        case "remove":
            return Remove(form.get("line", ""))
        case "notes":
            return KeepNotes(form.get("notes", ""))
        case _:
            return Write(form.get("text", ""), seats_of(to, seats), form.get("name"))


def seats_of(numbers: Sequence[str], count: int) -> list[int]:
    """Parse the seat numbers that a query or a form contains, for `count` seats. Raises BadRequest for other ones."""
    seats = sorted({whole_number(number, _("The seat must be a whole number.")) for number in numbers if number})
    if seats and seats[-1] >= count:
        raise BadRequest(_("This table has no such seat."))
    return seats


async def execute(command: Command, table: TableOrRoom, requester: Requester, chats: Chats) -> str:
    """Carry out a command in the chat; return the id of its message, or the notes as stored. Raises Refused."""
    match command:
        case Write(text, to, name):
            return await chats.say(table, requester, text, to, name)
        case MarkRead(line):
            await chats.seen(table, seat_of(requester), line)
            return line
        case Remove(line):
            if not requester.host:
                raise NotTheHost(_("Only the host can remove messages."))
            await chats.remove(table, requester.seat, line)
            return line
        case KeepNotes(text):
            seat = seat_of(requester)
            await chats.keep_notes(table, seat, text)
            return await chats.notes(table, seat)


def seat_of(requester: Requester) -> int:
    """Return the requester's seat. Raises NotYourSeat for somebody without a seat."""
    if requester.seat is None:
        raise NotYourSeat(_("You do not have a seat at this table."))
    return requester.seat
