"""What one viewer of a table is shown at one position: all that a page or an answer of the API is made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pyramidion.bots.labels import label

if TYPE_CHECKING:
    from pyramidion.engine.seals import Seal
    from pyramidion.web.clock import Timing
    from pyramidion.web.host.around import Around
    from pyramidion.web.orders import Ordered
    from pyramidion.web.table import Table


@dataclass(slots=True)
class Seat:
    """A place at a table.

    Attributes:
        kind: `person`, `bot`, or `open` (anybody who has the link may sit down).
        name: the player's own name, None while the seat is open.
        bot: which bot plays, for a bot's seat.
        present: whether the person's page or program is connected now; bots always are.
        stand_in: the bot that plays for the person until they are back, or None.
    """

    number: int
    kind: str
    name: str | None
    bot: str | None
    present: bool = False
    stand_in: str | None = None

    @property
    def player(self) -> str | None:
        """The bot that plays here now, for its own or in the place of the person; None where a person does."""
        return (self.bot or "") if self.kind == "bot" else self.stand_in

    @property
    def level(self) -> str | None:
        """What people call the bot that plays here, `Easy`; None for everybody else."""
        return label(self.bot) if self.kind == "bot" else None


@dataclass(frozen=True, slots=True)
class LegalAction:
    """Something the viewer may do now.

    A family of numbers (an amount) is one entry: `low` to `high`, `id` the action of `low`, `path` its first word only
    (`("amount",)`); the number typed is appended to the path and to the notation.
    """

    id: int
    text: str
    family: str
    path: tuple[str, ...]
    label: str
    low: int | None = None
    high: int | None = None


@dataclass(frozen=True, slots=True)
class Submission:
    """How a seat's own submission stands in the current step.

    Attributes:
        open: whether it can still be changed and confirmed.
        saved: notations of the parts that are saved and count when time is up, one for each family.
        confirmed: whether the seat has confirmed.
    """

    open: bool
    saved: list[str]
    confirmed: bool


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """One viewer's position.

    Attributes:
        viewer: the seat, or None for a spectator.
        version: number of positions this viewer has seen change; a click posts it back.
        last_version: version of the newest position.
        position, last_position: the places of this and of the newest one in what can be looked back at, from 0.
        view: what the game shows this viewer; nothing else about the position may be used.
        events: what has happened up to this position as this viewer knows it, oldest first.
        acting: seats whose decision is due; `free`: seats that may act and are not waited for.
        legal: what this viewer may do; empty for a past position, a spectator, or when it is not their turn.
        names: a name for each seat, never empty.
        position_is_current: whether this is the newest position.
        everything: whether all is open (only once the game is over); versions then count actions.
        timing: the table's clock; None without one, at an earlier position, and when the game is over.
        submission: how the viewer's own submission stands, or None where there is none to make.
        confirmed: who has submitted, where the table shows it; None where it does not.
        hints: whether people at the table may ask for hints.
        queued: the place of the bot that is due in the line of those that wait to think, from 1; mostly None.
        receipt: the seal of what the viewer has submitted in the current step; `seals`: how many are open to everybody.
        around: what stands around the newest position, None at another one.
        ordered: what the viewer has said in advance, or None where there is nothing to say about it.
        stream_id: where an event stream should go on from, for `?since=`; it also tells who sits where.
    """

    table: Table
    viewer: int | None
    version: int
    last_version: int
    view: dict[str, Any]
    events: Sequence[Any]
    acting: tuple[int, ...]
    free: tuple[int, ...]
    legal: Sequence[LegalAction]
    over: bool
    outcome: Any
    names: Sequence[str]
    position: int = 0
    last_position: int = 0
    position_is_current: bool = True
    everything: bool = False
    stream_id: str = ""
    seats: Sequence[Seat] = field(default_factory=tuple[Seat, ...])
    timing: Timing | None = None
    submission: Submission | None = None
    confirmed: tuple[int, ...] | None = None
    hints: bool = False
    queued: int | None = None
    receipt: Seal | None = None
    seals: int = 0
    ordered: Ordered | None = None
    around: Around | None = None
