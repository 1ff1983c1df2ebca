"""A snapshot: everything that one viewer sees of a table at one position, from which pages and responses are made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from pyramidion import EVERYTHING, Match
from pyramidion.engine.layout import seen
from pyramidion.translation import _
from pyramidion.web.table.log import versions
from pyramidion.web.table.snapshots.status import TableStatus, table_status
from pyramidion.web.table.table import WENT_BACK, Table
from pyramidion.web.table.view_models import LegalAction, Seat, Submission

if TYPE_CHECKING:
    from pyramidion.engine.seals import Seal
    from pyramidion.web.table.settings.time_controls import Timing


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """All that a page or program shows one viewer of a position.

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
    queued: int | None = None
    receipt: Seal | None = None
    seals: int = 0
    table_status: TableStatus | None = None
    releasing: bool = False


def snapshot_of(
    table: Table,
    viewer: int | None,
    version: int | None = None,
    *,
    everything: bool = False,
    reader: int | None = None,
) -> Snapshot:
    """Return what `viewer` sees now, or saw at an earlier version.

    `reader` is the seat of the person who reads it, if it is theirs to see: the events call it "you".
    `everything` reveals all hidden information once the match is over; `version` then counts actions. Raises
    ValueError for a version that does not exist, and for `everything` before the end.
    """
    match, names = table.match, table.names
    if everything and not match.over:
        raise ValueError(_("Hidden information is shown only after the game."))
    perspective = EVERYTHING if everything else viewer
    plies = match.positions(perspective)
    last = len(plies) - 1
    if version is not None and version >= versions.SIZE:
        if versions.era_of(version) != table.action_log.era:
            raise ValueError(_(WENT_BACK))
        version = versions.position_of(version)
    index = last if version is None else version
    if not 0 <= index <= last:
        sentence = _("There is no position {number}. The latest is {newest}.")
        raise ValueError(sentence.format(number=index, newest=last))
    current = index == last
    position = table.visibility.shown_match if current else match.at(plies[index])
    events = table.events(perspective, reader)
    mine = viewer if current else None
    then = table.action_log.viewer_log.version(index, plies[index])
    return Snapshot(
        table=table,
        viewer=viewer,
        version=table.version(viewer) if current and not everything else index,
        last_version=last if everything else table.version(viewer),
        position=index,
        last_position=last,
        view=position.view(perspective) if current or not everything else _opened(position),
        undone=table.action_log.viewer_log.undone(perspective),
        events=list(events) if current else [event for event in events if event.position <= then],
        acting=position.acting
        if everything
        else table.visibility.due(viewer)
        if current
        else position.acting_for(viewer),
        free=() if current and table.clock.releasing else position.free,
        legal=table.visibility.legal(mine, names) if mine is not None else [],
        over=position.over,
        outcome=position.outcome,
        names=names,
        position_is_current=current,
        everything=everything,
        stream_id=table.stream_id(viewer),
        seats=table.seats,
        timing=table.timing
        if current and not match.over and (not table.clock.paused or table.clock.state.opens)
        else None,
        table_status=table_status(table, viewer) if current and not everything else None,
        submission=table.visibility.submission(mine) if mine is not None else None,
        confirmed=table.visibility.confirmed(viewer) if current else None,
        queued=table.visibility.queued if current else None,
        receipt=table.visibility.receipt(mine) if mine is not None else None,
        seals=table.action_log.opened,
        releasing=current and table.clock.releasing,
    )


def unspoiled(snapshot: Snapshot) -> Snapshot:
    """Return a snapshot without what gives away the moves after its position, such as how long the game was."""
    if snapshot.position_is_current:
        return snapshot
    return replace(
        snapshot,
        last_version=snapshot.version,
        last_position=snapshot.position,
        undone=frozenset(number for number in snapshot.undone if number < len(snapshot.events)),
        stream_id="",
        seals=0,
    )


def _opened(position: Match) -> dict[str, Any]:
    """Return the game's view of an earlier position with everything revealed, as it is shown after the match."""
    revealed = position.game.layout.redact(position.state_copy(), EVERYTHING)
    return position.game.view.view(seen(position.box), seen(revealed), EVERYTHING)
