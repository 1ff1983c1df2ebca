"""Acts: what happens at a table that is not an action of the game, such as a pause. Everybody at the table is told.

Acts and plies share one row of numbers, the places in the table's journal: an act takes a number as an action does, in
`plies` too (with no seat), so that the database settles which of two servers was first, and that everybody finds an act
between the same two actions. What an act says is in `acts`. An act of kind `stepped-back` or `undone` takes the match
back to an earlier ply; the rows of what was taken back stay where they are.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyramidion.web.store import StoredPly
    from pyramidion.web.table import Table

NOBODY = -1
"""The seat of a row of `plies` that is an act."""
TAKES_BACK = ("stepped-back", "undone")


@dataclass(frozen=True, slots=True)
class Act:
    """Something that happened at a table.

    Attributes:
        kind: one of the words that `texts` knows.
        by: whose act it was: `host`, `clock`, or a seat's number.
        data: JSON-ready facts, no secrets among them; what takes back has `ply`, the ply that it goes back to.
        at: when, milliseconds since 1970.
        number: its place in the table's journal; -1 before it has one.
    """

    kind: str
    by: int | str
    data: dict[str, Any] = field(default_factory=dict[str, Any])
    at: int = 0
    number: int = -1

    @property
    def back_to(self) -> int | None:
        """The ply that the match goes back to, or None for an act that takes nothing back."""
        return int(self.data["ply"]) if self.kind in TAKES_BACK else None

    def values(self, match: str) -> dict[str, Any]:
        """Return the row of `ACTS` to insert."""
        return {
            "match": match,
            "number": self.number,
            "at": self.at,
            "kind": self.kind,
            "who": str(self.by),
            "data": json.dumps(self.data),
        }

    @staticmethod
    def stored(number: int, at: int, kind: str, who: str, data: str) -> Act:
        """Return an act from its columns."""
        return Act(kind, int(who) if who.isdigit() else who, json.loads(data), at, number)

    def told(self) -> dict[str, Any]:
        """Return what everybody may know of it, JSON-ready: who, and its data without plies, which may be hidden."""
        return {"by": self.by} | {name: value for name, value in self.data.items() if name != "ply"}


@dataclass(frozen=True, slots=True)
class TakenBack:
    """What an act took back, for the record: each is a ply as it is stored."""

    act: Act
    plies: Sequence[StoredPly]


def recorded(table: Table) -> dict[str, Any]:
    """Return what a finished match's record says of the acts at its table: nothing where there were none.

    Each has `ply`, the number of actions of the record that had been made before it; one that took actions back has
    them as `taken_back`: seat, notation, and the seal and nonce of a submission; and how many it left as `back_to`.
    """
    if not table.acts:
        return {}
    gone = {one.act.number: one.plies for one in table.taken_back}
    acts: list[dict[str, Any]] = []
    for act, ply in zip(table.acts, table.act_places, strict=True):
        told = {"ply": ply, "at": act.at, "kind": act.kind, **act.told()}
        if act.number in gone:
            told["back_to"] = act.back_to
            told["taken_back"] = [
                [one.seat, one.action, *([one.seal, one.nonce] if one.seal else [])] for one in gone[act.number]
            ]
        acts.append(told)
    return {"acts": acts}
