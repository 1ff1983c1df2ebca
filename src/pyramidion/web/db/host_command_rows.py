"""Host commands as stored in a table's action log."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

NOBODY = -1
"""The seat of a row of `plies` that is a host command."""


TAKES_BACK = ("rewound", "taken-back")
GIVES_SEAT_AWAY = ("replaced", "resigned")
"""Kinds of commands after which somebody else has a seat; `was` in their data is the name of who had it before."""


@dataclass(frozen=True, slots=True)
class HostCommand:
    """A host command, or something that players have agreed on; not an action of the game.

    Attributes:
        kind: the kind of command, a key of `table.command_texts.TEXTS`.
        by: who gave it: `host`, `clock`, or a seat's number.
        data: JSON-ready details, without secrets; a rewind or takeback has `ply`, the ply to go back to.
        at: the time, milliseconds since 1970.
        number: its number in the table's action log; -1 until it is stored.
    """

    kind: str
    by: int | str
    data: dict[str, Any] = field(default_factory=dict[str, Any])
    at: int = 0
    number: int = -1

    @property
    def back_to(self) -> int | None:
        """The ply that the match goes back to; None unless the command is a rewind or a takeback."""
        return int(self.data["ply"]) if self.kind in TAKES_BACK else None

    def values(self, match: str) -> dict[str, Any]:
        """Return the row to insert into `host_commands`."""
        return {
            "match": match,
            "number": self.number,
            "at": self.at,
            "kind": self.kind,
            "who": str(self.by),
            "data": json.dumps(self.data),
        }

    @staticmethod
    def stored(number: int, at: int, kind: str, who: str, data: str) -> HostCommand:
        """Return a command from its columns in `host_commands`."""
        return HostCommand(kind, int(who) if who.isdigit() else who, json.loads(data), at, number)

    def public_data(self) -> dict[str, Any]:
        """Return what everybody may see of the command, JSON-ready: `by`, and the data without plies."""
        return {"by": self.by} | {name: value for name, value in self.data.items() if name != "ply"}
