"""Changes of a waiting room as values: forms and JSON bodies are parsed into them, and `execute` carries them out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pyramidion import Game
from pyramidion.engine.seeds import Contribution
from pyramidion.translation import _, marked
from pyramidion.web.contracts import AccountLookup, SeatInvitations
from pyramidion.web.errors import BadRequest, NotYourSeat, UnknownSeat
from pyramidion.web.features.waiting_room import changes
from pyramidion.web.features.waiting_room.service import Rooms
from pyramidion.web.http.forms import whole_number
from pyramidion.web.table.room import Room
from pyramidion.web.table.seats.faces import PARTS, Face
from pyramidion.web.table.seats.host import Requester
from pyramidion.web.table.seeds import OfferedContribution
from pyramidion.web.table.settings.declarations import RoomSettings
from pyramidion.web.table_requests.forms import options_of, room_settings_of

NO_SEAT = marked("The seat must be a whole number.")


@dataclass(frozen=True, slots=True)
class Sit:
    """Take an open seat."""

    seat: int
    name: str | None
    contribution: OfferedContribution


@dataclass(frozen=True, slots=True)
class Contribute:
    """Replace the requester's contribution to the seed."""

    contribution: OfferedContribution


@dataclass(frozen=True, slots=True)
class SetReady:
    """Set whether the requester is ready."""

    ready: bool


@dataclass(frozen=True, slots=True)
class ChooseColour:
    """Choose the colour of the requester's seat; None restores the default."""

    colour: str | None


@dataclass(frozen=True, slots=True)
class ChooseFace:
    """Choose the face of the requester's seat; None restores the default."""

    face: Face | None


@dataclass(frozen=True, slots=True)
class Rename:
    """Change the requester's name."""

    name: str | None


@dataclass(frozen=True, slots=True)
class Leave:
    """Free the requester's seat if `seat` is None or, as the host, any seat."""

    seat: int | None


@dataclass(frozen=True, slots=True)
class Release:
    """Open a reserved seat to everybody, as the host or as the visitor for whom it is reserved."""

    seat: int


@dataclass(frozen=True, slots=True)
class Invite:
    """Reserve a seat for the account with this name, and notify the account."""

    account: str


@dataclass(frozen=True, slots=True)
class ChangeOptions:
    """As the host, change options and settings."""

    options: Mapping[str, Any]
    settings: RoomSettings | None


@dataclass(frozen=True, slots=True)
class Start:
    """As the host, start the match now; `fill` is the bot for the open seats, or REMOVE to remove them."""

    fill: str | None


Command = (
    Sit | Contribute | SetReady | ChooseColour | ChooseFace | Rename | Leave | Release | Invite | ChangeOptions | Start
)


def command_of_form(name: str, form: Mapping[str, str], game: Game) -> Command | None:
    """Return the command that the form `name` of a waiting room asks for, or None for other forms.

    Raises BadRequest.
    """
    match name:
        case "sit":
            return Sit(whole_number(form.get("seat"), _(NO_SEAT)), form.get("name"), _contribution(form))
        case "contribution":
            return Contribute(_contribution(form))
        case "ready":
            return SetReady(form.get("ready") == "yes")
        case "colour":
            return ChooseColour(form.get("colour") or None)
        case "face":
            return ChooseFace(_face(form))
        case "name":
            return Rename(form.get("name"))
        case "leave":
            return Leave(whole_number(form["seat"], _(NO_SEAT)) if "seat" in form else None)
        case "release":
            return Release(whole_number(form.get("seat"), _(NO_SEAT)))
        case "invite":
            return Invite(form.get("account", ""))
        case "options":
            # Numbers missing from the form have been removed by the host.
            none = {name: () for name, option in game.options.items() if option.kind == "numbers"}
            return ChangeOptions({**none, **options_of(game, form)}, room_settings_of(game, form))
        case "start":
            return Start(form.get("fill") or None)
        case _:
            return None


def _contribution(form: Mapping[str, str]) -> OfferedContribution:
    """Parse the contribution to the seed from a form."""
    return OfferedContribution.of(form.get("contribution"), form.get("drawn"))


def _face(form: Mapping[str, str]) -> Face | None:
    """Parse the face from a form; None restores the default. Raises BadRequest."""
    if form.get("face") == "default":
        return None
    try:
        return Face.parse("".join(form.get(part, "") for part in PARTS))
    except ValueError:
        raise BadRequest(_("There is no such face.")) from None


async def execute(
    command: Command,
    room: Room,
    requester: Requester,
    holder: str | None,
    *,
    rooms: Rooms,
    accounts: AccountLookup,
    invitations: SeatInvitations,
) -> Contribution | None:
    """Carry out a requester's command in a waiting room; return the new contribution if it makes one.

    `holder` is the requester's visitor id, None for a program. Raises Refused.
    """
    table, seat = room.id, requester.seat
    match command:
        case Sit(chosen, name, contribution):
            await rooms.sit(table, chosen, holder, name, contribution)
        case Contribute(contribution):
            return await rooms.contribute(table, seat, contribution)
        case SetReady(ready):
            await rooms.ready(table, seat, ready)
        case ChooseColour(colour):
            await rooms.change(table, lambda room: changes.colour(room, seat, colour))
        case ChooseFace(face):
            await rooms.change(table, lambda room: changes.face(room, seat, face))
        case Rename(name):
            await rooms.change(table, lambda room: changes.rename(room, seat, name))
        case Leave(chosen):
            if chosen not in (None, seat) and not requester.host:
                raise UnknownSeat(_("You can only leave your own seat."))
            leaving = seat if chosen is None else chosen
            await rooms.change(table, lambda room: changes.leave(room, leaving))
        case Release(chosen):
            if not requester.host and room.seating.reserved_for(holder) != chosen:
                raise NotYourSeat(_("Only the host of this table can do that."))
            await rooms.release(table, chosen)
        case Invite(account):
            if holder is None or (seat is None and not requester.host):
                raise NotYourSeat(_("Only players and the host can invite people."))
            await invitations.invite(room, holder, (await accounts.named(account)).holder)
        case ChangeOptions(options, settings):
            host = requester.host
            await rooms.change(table, lambda room: changes.settle(room, options, settings, by_host=host))
        case Start(fill):
            await rooms.start(table, fill, by_host=requester.host)
    return None
