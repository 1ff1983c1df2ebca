"""Host commands: everything public that happens at a table besides actions, such as a pause.

Commands and actions share the numbers of the table's journal. A command also takes a row in `plies`, with no seat, so
that the database decides which of two servers was first, and every server sees a command between the same two actions.
Its details are in `host_commands`. A command of kind `rewound` or `taken-back` returns the match to an earlier ply; the
rows of the undone actions stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pyramidion.web.db.journal import HostCommand

if TYPE_CHECKING:
    from pyramidion.web.db.store import StoredPly
    from pyramidion.web.table.table import Table


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The actions that a command has undone, as stored; for the record."""

    command: HostCommand
    plies: Sequence[StoredPly]


def recorded(table: Table) -> dict[str, Any]:
    """Return the entries about host commands in a finished match's record; empty if there were none.

    Each has `ply`, the number of recorded actions before it. A rewind also has `taken_back`, the undone actions (seat,
    notation, and the seal and nonce of a submission), and `back_to`, the number of actions left.
    """
    if not table.commands:
        return {}
    gone = {one.command.number: one.plies for one in table.taken_back}
    commands: list[dict[str, Any]] = []
    for command, ply in zip(table.commands, table.command_places, strict=True):
        told = {"ply": ply, "at": command.at, "kind": command.kind, **command.told()}
        if command.number in gone:
            told["back_to"] = command.back_to
            told["taken_back"] = [
                [one.seat, one.action, *([one.seal, one.nonce] if one.seal else [])] for one in gone[command.number]
            ]
        commands.append(told)
    return {"host_commands": commands}
