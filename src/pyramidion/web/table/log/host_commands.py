"""Host commands: everything public that happens at a table besides actions, such as a pause.

Commands and actions share the numbers of the table's action log. A command also takes a row in `plies`, with no seat,
so that the database decides which of two servers was first, and every server sees a command between the same two
actions. Its details are in `host_commands`. A command of kind `rewound` or `taken-back` returns the match to an earlier
ply; the rows of the undone actions stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pyramidion.web.db.host_command_rows import HostCommand

if TYPE_CHECKING:
    from pyramidion.web.db.store import StoredPly


@dataclass(frozen=True, slots=True)
class TakenBack:
    """A rewind or takeback and the actions that it has undone, as stored; for the record."""

    command: HostCommand
    plies: Sequence[StoredPly]


def recorded(commands: Sequence[HostCommand], places: Sequence[int], gone: Sequence[TakenBack]) -> dict[str, Any]:
    """Return the part of a finished match's record that is about host commands; an empty dict if there were none.

    Each has `ply`, the number of recorded actions before it. A rewind also has `taken_back`, the undone actions (seat,
    notation, and the seal and nonce of a submission), and `back_to`, the number of actions left.

    `places` are the numbers of recorded actions before the commands.
    """
    if not commands:
        return {}
    undone = {undoing.command.number: undoing.plies for undoing in gone}
    entries: list[dict[str, Any]] = []
    for command, ply in zip(commands, places, strict=True):
        entry = {"ply": ply, "at": command.at, "kind": command.kind, **command.public_data()}
        if command.number in undone:
            entry["back_to"] = command.back_to
            entry["taken_back"] = [
                [ply.seat, ply.action, *([ply.seal, ply.nonce] if ply.seal else [])] for ply in undone[command.number]
            ]
        entries.append(entry)
    return {"host_commands": entries}
