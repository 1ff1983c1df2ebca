"""Who has decided at a table: how far each seat has got, as its host or anybody else may know it."""

from __future__ import annotations

from dataclasses import dataclass

from pyramidion.translation import _, marked
from pyramidion.web.table.seats.host import Requester
from pyramidion.web.table.table import Table

DUE, SAVED, DONE, WAITING = "due", "saved", "done", "waiting"
STATES = {
    DUE: marked("Not submitted"),
    SAVED: marked("Saved, not confirmed"),
    DONE: marked("Submitted"),
    WAITING: marked("Waiting"),
}


@dataclass(frozen=True, slots=True)
class SeatProgress:
    """A seat and how far its player has got; `state` is a key of `STATES`."""

    seat: int
    name: str
    kind: str
    present: bool
    stand_in: str | None
    state: str

    @property
    def words(self) -> str:
        """The seat's state in words."""
        return _(STATES[self.state])


def progress_of(table: Table, requester: Requester) -> list[SeatProgress]:
    """Return how far each seat has got, as the requester may know it.

    A host who does not play learns who has saved and who has submitted in a phase, but never what. A host who plays,
    and anybody else, learns what their seat, or a spectator, sees.
    """
    oversees = requester.host and not table.host.plays
    viewer = None if oversees else requester.seat
    due = tuple(table.visibility.waited_for) if oversees else table.visibility.due(viewer)
    asked = table.visibility.shown_match.acting_for(None)
    confirmed = table.visibility.confirmed(None) or ()
    seats: list[SeatProgress] = []
    for seat, name in zip(table.seats, table.names, strict=True):
        number, state = seat.number, WAITING
        if not table.match.over and number in due:
            state = SAVED if oversees and table.steps.saved.get(number) else DUE
        elif number in confirmed or (number in asked and (oversees or number == viewer)):
            state = DONE
        seats.append(SeatProgress(number, name, seat.kind, seat.present, seat.stand_in, state))
    return seats
