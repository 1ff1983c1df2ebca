"""Who hosts a table, whether it is paused, and what is being asked at it."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from dataclasses import dataclass

from pyramidion.web.errors import TableIsPaused
from pyramidion.web.host.asks import Asks
from pyramidion.web.moves import Standing
from pyramidion.web.seating import House, Seating
from pyramidion.web.seats import hash_code
from pyramidion.web.store import MatchRow, SeatRow
from pyramidion.words import _


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks for something: `seat` is theirs, or None; `host` says that they are the table's host."""

    seat: int | None
    host: bool


class Hosting(Seating):
    """A table's host, and what everybody may know of how it stands.

    Attributes:
        host: the visitor who may do a host's acts, or None; `host_token` the hash of a token that may, too.
        absent: what happens to a person whose time was up: None for the rule's default each time, `bot:LEVEL` where a
            bot plays on until the person is back, `resign:LEVEL` where it has the seat for good.
        asks: what players ask of each other.
    """

    standing: Standing

    def __init__(self, row: MatchRow, seats: Sequence[SeatRow], house: House) -> None:
        super().__init__(row.id, seats, house)
        self.asks = Asks()
        self._set_host(row)

    def _set_host(self, row: MatchRow) -> None:
        self.host, self.host_token, self.absent = row.host, row.host_token, row.absent

    @property
    def paused(self) -> bool:
        """Whether nothing can be played now."""
        return self.standing.paused is not None

    def require_going_on(self) -> None:
        """Raise TableIsPaused while nothing can be played."""
        if self.paused:
            raise TableIsPaused(_("The table is paused; nothing can be played until it goes on."))

    def is_host(self, holder: str | None, token: str | None = None) -> bool:
        """Whether a visitor, or whoever has a token, is the host."""
        if token is not None:
            return self.host_token is not None and hmac.compare_digest(self.host_token, hash_code(token))
        if holder is None or self.host is None:
            return False
        # Another device of whoever hosts from a seat is the host's as well.
        return holder == self.host or any(holder in row.also for row in self._rows if row.holder == self.host)

    @property
    def host_seat(self) -> int | None:
        """The seat that the host plays on, or None for a host who only watches."""
        for row in self._rows:
            if row.kind != "person":
                continue
            if (row.holder is not None and row.holder == self.host) or (
                row.token_hash is not None and row.token_hash == self.host_token
            ):
                return row.seat
        return None

    @property
    def rows(self) -> Sequence[SeatRow]:
        """The seats as they are stored."""
        return self._rows
