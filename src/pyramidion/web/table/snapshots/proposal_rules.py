"""Who may make a proposal, and who has to agree to it."""

from __future__ import annotations

from pyramidion.web.table.log.proposals import EXTENSION, PAUSE, TAKEBACK, Proposal
from pyramidion.web.table.moves.absence import has_choice
from pyramidion.web.table.table import Table


def must_agree(table: Table, proposal: Proposal) -> list[int | None]:
    """Return the seats that must agree to a proposal: all other people's.

    If there are no other people, a host without a seat must agree, as [None]. Only the host decides about more time.
    """
    if proposal.what == EXTENSION:
        return [table.host.seat]
    requester = table.seating.rows[proposal.seat]
    others: list[int | None] = [
        row.seat
        for row in table.seating.rows
        if row.kind == "person"
        and row.stand_in is None
        and row.seat != proposal.seat
        and (row.holder is None or row.holder != requester.holder)
    ]
    if not others and table.host.seat is None and table.host.exists:
        return [None]
    return others


def takeback_is_fair(table: Table, ply: int) -> bool:
    """Return whether the actions since a ply reveal nothing but themselves, and so can be taken back."""
    return table.clock.state.held is None and table.action_log.revealed_nothing_since(ply)


def can_take_back(table: Table, seat: int | None) -> bool:
    """Return whether a seat may propose to take back its last action: no default move, and one that reveals nothing."""
    if seat is None or table.clock.paused or table.settings.rated or table.seating.rows[seat].kind != "person":
        return False
    if (TAKEBACK, seat) in table.action_log.proposals.refused or TAKEBACK in table.action_log.proposals.open:
        return False
    ply = taken_back_to(table, seat)
    return ply is not None and takeback_is_fair(table, ply)


def taken_back_to(table: Table, seat: int) -> int | None:
    """Return the ply to which a seat's takeback leads: that of its last choice, or None if others have acted since.

    Where nobody has to agree, bots may have. An action that everybody knows to have been forced is no choice: it would
    only be played again.
    """
    alone = takes_back_alone(table, seat)
    for ply, action in reversed(list(enumerate(table.action_log.line))):
        if action.by_clock or (action.seat != seat and not (alone and table.seating.rows[action.seat].kind == "bot")):
            return None
        if action.seat == seat and has_choice(table.match.at(ply), seat):
            return ply
    return None


def takes_back_alone(table: Table, seat: int) -> bool:
    """Return whether a seat can take back without anybody's consent, because all other seats are bots'."""
    return not must_agree(table, Proposal(TAKEBACK, seat))


def can_extend(table: Table, seat: int | None) -> bool:
    """Return whether a seat may ask the host for more time."""
    if (
        seat is None
        or table.settings.clock is None
        or table.match.over
        or table.clock.paused
        or seat == table.host.seat
    ):
        return False
    asked = EXTENSION in table.action_log.proposals.open or (EXTENSION, seat) in table.action_log.proposals.refused
    return table.host.exists and not asked and table.seating.rows[seat].kind == "person"


def can_pause(table: Table, seat: int | None) -> bool:
    """Return whether a seat may propose a pause to other people."""
    if seat is None or table.match.over or table.clock.paused or table.clock.releasing:
        return False
    proposals = table.action_log.proposals
    if PAUSE in proposals.open or (PAUSE, seat) in proposals.refused:
        return False
    return any(other.kind == "person" and other.number != seat and other.stand_in is None for other in table.seats)
