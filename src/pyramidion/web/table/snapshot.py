"""A snapshot: everything that one viewer sees of a table at one position, from which pages and responses are made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pyramidion.bots.labels import label

if TYPE_CHECKING:
    from pyramidion.engine.seals import Seal
    from pyramidion.web.table.clock import Timing
    from pyramidion.web.table.status import TableStatus
    from pyramidion.web.table.table import Table


@dataclass(slots=True)
class Seat:
    """A seat at a table.

    Attributes:
        kind: `person`, `bot` or `open`.
        name: the player's name; None for an open seat and for a player without a name.
        bot: the bot of a bot's seat.
        present: whether the player's page or program is connected; bots always are.
        stand_in: the bot that plays until the player returns, or None.
        reserved: whether only an invited player can take the open seat.
        colour: index of the colour on the board; None for the seat's default.
        face: the face that the player chose (`faces.Face.text`), or None.
    """

    number: int
    kind: str
    name: str | None
    bot: str | None
    present: bool = False
    stand_in: str | None = None
    reserved: bool = False
    colour: int | None = None
    face: str | None = None

    @property
    def player(self) -> str | None:
        """The bot that currently plays this seat, permanently or as a stand-in; None if a person plays."""
        return (self.bot or "") if self.kind == "bot" else self.stand_in

    @property
    def level(self) -> str | None:
        """The display name of the seat's bot, `Easy`; None unless the seat is a bot's."""
        return label(self.bot) if self.kind == "bot" else None


@dataclass(frozen=True, slots=True)
class LegalAction:
    """A legal action of the viewer.

    A range of numbers, such as an amount, is one entry from `low` to `high`: `id` is the action of `low`, and `path`
    only the first word (`("amount",)`); the chosen number is appended to the path and the notation.
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
    """The status of a seat's submission in the current step.

    Attributes:
        open: whether it can still be changed and confirmed.
        saved: notations of the saved parts, one per family; they count when time is up.
        confirmed: whether the seat has confirmed.
    """

    open: bool
    saved: list[str]
    confirmed: bool


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """A position as one viewer sees it.

    Attributes:
        viewer: the seat, or None for a spectator.
        version: the viewer's version of this position; actions send it back.
        last_version: the version of the latest position.
        position, last_position: index of this and of the latest position among those that can be replayed, from 0.
        view: the game's view for this viewer; use nothing else of the position.
        events: the viewer's events up to this position, oldest first.
        undone: numbers of those events, and of later ones, that were undone.
        acting: seats whose decision is due; `free`: seats that may act but are not waited for.
        legal: the viewer's legal actions; empty for a past position, a spectator, or when it is not their turn.
        names: a name for each seat, never empty.
        position_is_current: whether this is the latest position.
        everything: whether everything is revealed, after the game; versions then count actions.
        timing: the clock; None without one, at a past position, and after the game.
        submission: the status of the viewer's submission; None if there is none to make.
        confirmed: who has submitted, if the table shows it, else None.
        hints: whether players can ask for hints.
        queued: the position of the due bot in the queue for thinking, from 1; None if it is not waiting.
        receipt: the seal of the viewer's submission in the current step; `seals`: the number of public seals.
        table_status: the table's status; None at a past position.
        releasing: whether the step has ended and the host is releasing its results.
        stream_id: where an event stream should continue, for `?since=`; it also identifies the current players.
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
    undone: frozenset[int] = frozenset()
    seats: Sequence[Seat] = field(default_factory=tuple[Seat, ...])
    timing: Timing | None = None
    submission: Submission | None = None
    confirmed: tuple[int, ...] | None = None
    hints: bool = False
    queued: int | None = None
    receipt: Seal | None = None
    seals: int = 0
    table_status: TableStatus | None = None
    releasing: bool = False
