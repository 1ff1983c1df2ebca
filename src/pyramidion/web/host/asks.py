"""What players ask of each other: to take the last action back, and for a pause. It follows from the acts alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pyramidion.web.host.acts import Act

if TYPE_CHECKING:
    from pyramidion.web.table import Table

UNDO, PAUSE = "undo", "pause"
WHAT = (UNDO, PAUSE)


@dataclass(slots=True)
class Ask:
    """Something that is asked for and not yet decided.

    Attributes:
        what: `undo` or `pause`.
        seat: who asks.
        agreed: the seats that have agreed.
    """

    what: str
    seat: int
    agreed: set[int] = field(default_factory=set[int])


class Asks:
    """What is being asked for at a table, and what was refused and may not be asked for again at once."""

    def __init__(self) -> None:
        self.open: dict[str, Ask] = {}
        self.refused: set[tuple[str, int]] = set()

    def played(self) -> None:
        """Take note of an action: it withdraws the question whether the one before it is taken back."""
        self.open.pop(UNDO, None)
        self.refused.clear()

    def acted(self, act: Act) -> None:
        """Take note of an act."""
        what = str(act.data.get("what", ""))
        if act.kind in ("undo-asked", "pause-asked") and isinstance(act.by, int):
            what = act.kind.partition("-")[0]
            self.open[what] = Ask(what, act.by)
        elif act.kind == "agreed" and isinstance(act.by, int) and what in self.open:
            self.open[what].agreed.add(act.by)
        elif act.kind in ("refused", "withdrawn") and what in self.open:
            self.refused.add((what, self.open.pop(what).seat))
        elif act.kind == "paused":
            self.open.pop(PAUSE, None)
        elif act.back_to is not None:
            self.open.pop(UNDO, None)
            self.refused.clear()


def must_agree(table: Table, ask: Ask) -> list[int | None]:
    """Return the seats that have to agree: all other people's. Where there are none, [None] for a host who watches."""
    asker = table.rows[ask.seat]
    others: list[int | None] = [
        row.seat
        for row in table.rows
        if row.kind == "person"
        and row.stand_in is None
        and row.seat != ask.seat
        and (row.holder is None or row.holder != asker.holder)
    ]
    if not others and table.host_seat is None and (table.host is not None or table.host_token is not None):
        return [None]
    return others


def undoable(table: Table, seat: int | None) -> bool:
    """Whether a seat may ask to take the last action back; its own, made by hand, and nothing learnt from it."""
    last = table.last_ply
    if seat is None or last is None or last.seat != seat or last.by_clock or table.paused:
        return False
    if table.rows[seat].kind != "person" or (UNDO, seat) in table.asks.refused or UNDO in table.asks.open:
        return False
    return table.undo_is_fair()
