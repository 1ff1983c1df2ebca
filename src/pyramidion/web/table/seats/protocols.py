"""What tables and waiting rooms have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from pyramidion import Game
from pyramidion.engine.options import is_hidden
from pyramidion.translation import _, listed
from pyramidion.web.db.host_command_rows import HostCommand
from pyramidion.web.table.seats.host import Host, Requester
from pyramidion.web.table.seats.seating import Seating
from pyramidion.web.table.settings.declarations import TableSettings


class TableOrRoom(Protocol):
    """What a table and a waiting room have in common."""

    id: str
    title: str
    game: Game
    settings: TableSettings
    seating: Seating
    host: Host

    @property
    def names(self) -> list[str]:
        """A name for each seat, never empty."""
        ...

    @property
    def open_seats(self) -> list[int]:
        """The seats that anybody may take."""
        ...

    @property
    def is_over(self) -> bool:
        """Whether nobody can sit down any more."""
        ...

    @property
    def commands(self) -> Sequence[HostCommand]:
        """The host commands so far, in order."""
        ...

    def seat_of(self, holder: str | None) -> int | None:
        """Return the seat that a visitor's browser plays, or None."""
        ...

    def options_for(self, requester: Requester) -> dict[str, Any]:
        """Return the game's options as a requester may see them. Everything that shows options calls this."""
        ...


def former_names(table: TableOrRoom) -> list[str]:
    """Return the names of players who have been replaced or have left; nobody else at the table may take them."""
    return [command.data["was"] for command in table.commands if "was" in command.data]


def secret_options(table: TableOrRoom) -> str | None:
    """Return a sentence for everybody on which secret options were set and who knows them; None if none were set."""
    options = table.options_for(Requester(None, False))
    labels = [_(option.label) for name, option in table.game.options.items() if is_hidden(options[name])]
    if not labels:
        return None
    seat = None if any(command.kind == "host-changed" for command in table.commands) else table.host.seat
    if seat is None:
        sentence = _("Secret options: {options}. Players see only their own; the table's creator knows them all.")
    else:
        sentence = _(
            "Secret options: {options}. Players see only their own; {name} created the table, plays and knows them all."
        )
    return sentence.format(options=listed(labels), name="" if seat is None else table.names[seat])
