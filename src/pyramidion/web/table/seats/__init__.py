"""A table's seats: who sits where, who may sit down, who is the host."""

from pyramidion.web.table.seats.admission import SEAT_NOT_CHANGED, SEAT_NOT_SAVED, TAKEN, newcomer, take_seat
from pyramidion.web.table.seats.host import Host, HostRow, Requester
from pyramidion.web.table.seats.seating import Seating

__all__ = [
    "SEAT_NOT_CHANGED",
    "SEAT_NOT_SAVED",
    "TAKEN",
    "Host",
    "HostRow",
    "Requester",
    "Seating",
    "newcomer",
    "take_seat",
]
