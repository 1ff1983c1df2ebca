"""Proposals: players' requests for a takeback, a pause or more time, derived from the host commands alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pyramidion.web.db.journal import HostCommand

if TYPE_CHECKING:
    from pyramidion.web.table.table import Table

TAKEBACK, PAUSE, EXTENSION = "takeback", "pause", "extension"
WHAT = (TAKEBACK, PAUSE, EXTENSION)


@dataclass(slots=True)
class Proposal:
    """An open proposal.

    Attributes:
        what: `takeback`, `pause` or `extension`.
        seat: who made it.
        agreed: the seats that have agreed.
    """

    what: str
    seat: int
    agreed: set[int] = field(default_factory=set[int])


class Proposals:
    """The open proposals at a table, and the refused ones, which cannot be repeated before the next action."""

    def __init__(self) -> None:
        self.open: dict[str, Proposal] = {}
        self.refused: set[tuple[str, int]] = set()

    def played(self, ended: bool) -> None:
        """Record an action, and whether it ended a step: it cancels earlier proposals."""
        self.open.pop(TAKEBACK, None)
        if ended:
            self.open.pop(EXTENSION, None)
        self.refused.clear()

    def close(self) -> None:
        """Cancel all proposals, because the game is over."""
        self.open.clear()

    def note_command(self, command: HostCommand) -> None:
        """Open, answer or close the proposal that a host command is about."""
        what = str(command.data.get("what", ""))
        if command.kind.endswith("-proposed") and isinstance(command.by, int):
            what = command.kind.partition("-")[0]
            self.open[what] = Proposal(what, command.by)
        elif command.kind == "agreed" and isinstance(command.by, int) and what in self.open:
            self.open[what].agreed.add(command.by)
        elif command.kind in ("refused", "withdrawn") and what in self.open:
            self.refused.add((what, self.open.pop(what).seat))
        elif command.kind == "paused":
            self.open.pop(PAUSE, None)
        elif command.kind == "extended":
            self.open.pop(EXTENSION, None)
        elif command.back_to is not None:
            self.open.pop(TAKEBACK, None)
            self.open.pop(EXTENSION, None)
            self.refused.clear()


def must_agree(table: Table, proposal: Proposal) -> list[int | None]:
    """Return the seats that have to agree: all other people, or [None], a host who does not play, if there are none.

    Only the host decides about more time.
    """
    if proposal.what == EXTENSION:
        return [table.host_seat]
    requester = table.rows[proposal.seat]
    others: list[int | None] = [
        row.seat
        for row in table.rows
        if row.kind == "person"
        and row.stand_in is None
        and row.seat != proposal.seat
        and (row.holder is None or row.holder != requester.holder)
    ]
    if not others and table.host_seat is None and table.has_host:
        return [None]
    return others


def can_take_back(table: Table, seat: int | None) -> bool:
    """Return whether a seat may propose a takeback: of its own last action, not by the clock, revealing nothing."""
    if seat is None or table.paused or table.settings.rated or table.rows[seat].kind != "person":
        return False
    if (TAKEBACK, seat) in table.journal.proposals.refused or TAKEBACK in table.journal.proposals.open:
        return False
    ply = taken_back_to(table, seat)
    return ply is not None and table.takeback_is_fair(ply)


def taken_back_to(table: Table, seat: int) -> int | None:
    """Return the ply of a seat's last action if nobody has acted since.

    Where nobody has to agree, bots may have.
    """
    ply = len(table.journal.line) - 1
    if takes_back_alone(table, seat):
        while ply >= 0 and table.rows[table.journal.line[ply].seat].kind == "bot":
            ply -= 1
    if ply < 0 or table.journal.line[ply].seat != seat or any(one.by_clock for one in table.journal.line[ply:]):
        return None
    return ply


def takes_back_alone(table: Table, seat: int) -> bool:
    """Whether nobody has to agree to a takeback of a seat: all other seats are bots'."""
    return not must_agree(table, Proposal(TAKEBACK, seat))


def can_extend(table: Table, seat: int | None) -> bool:
    """Return whether a seat may ask the host for more time."""
    if seat is None or table.settings.clock is None or table.match.over or table.paused or seat == table.host_seat:
        return False
    hosted = table.host is not None or table.host_token is not None
    asked = EXTENSION in table.journal.proposals.open or (EXTENSION, seat) in table.journal.proposals.refused
    return hosted and not asked and table.rows[seat].kind == "person"
