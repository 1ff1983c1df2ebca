"""The host of a table or waiting room."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from pyramidion.translation import _
from pyramidion.web.db.store import MatchRow
from pyramidion.web.table.seats.seating import Seating
from pyramidion.web.tokens import hash_code


@dataclass(frozen=True, slots=True)
class Requester:
    """Who makes a request: their `seat`, if any, and whether they are the table's `host`."""

    seat: int | None
    host: bool


class HostRow(NamedTuple):
    """The columns of a match's row that say who hosts the table.

    `holder` is a visitor id, `token_hash` the hash of a token with the same rights, `name` is that of a host who does
    not play.
    """

    holder: str | None
    token_hash: bytes | None = None
    name: str | None = None

    def values(self) -> dict[str, Any]:
        """Return the host as values of columns of `MATCHES`, by column name."""
        return {"host": self.holder, "host_token": self.token_hash, "host_name": self.name}

    @staticmethod
    def of(row: MatchRow) -> HostRow:
        """Return the host in a match's row."""
        return HostRow(row.host, row.host_token, row.host_name)


class Host:
    """Tells who hosts a table, whether the host plays, and whether a visitor or a token is the host's.

    At an `impartial` table, one of a season or tournament, nobody who plays is the host: a host who takes a seat, or
    opens one on another device, has no more rights than other players.

    Attributes:
        row: the host as stored.
    """

    def __init__(self, seating: Seating, row: HostRow, impartial: Callable[[], bool] = lambda: False) -> None:
        self._seating, self.row, self._impartial = seating, row, impartial

    def set(self, row: HostRow) -> None:
        """Replace the host, once the new one has been stored."""
        self.row = row

    @property
    def impartial(self) -> bool:
        """Whether nobody who plays at this table can be its host."""
        return self._impartial()

    @property
    def _steps_aside(self) -> bool:
        """Return whether the host has no rights now: they play here, and the table wants an impartial host."""
        return self.impartial and (self._own_seat is not None or bool(self._seating.seats_of(self.row.holder)))

    @property
    def holder(self) -> str | None:
        """The host's visitor id; None for a program, or without a host."""
        return None if self._steps_aside else self.row.holder

    @property
    def name(self) -> str | None:
        """The name of a host who does not play, if it was given."""
        return self.row.name

    @property
    def exists(self) -> bool:
        """Whether the table has a host."""
        return not self._steps_aside and (self.row.holder is not None or self.row.token_hash is not None)

    @property
    def seat(self) -> int | None:
        """The host's seat; None if the host does not play."""
        return None if self._steps_aside else self._own_seat

    @property
    def _own_seat(self) -> int | None:
        """The seat that the stored host holds, or None."""
        for row in self._seating.rows:
            if row.kind != "person":
                continue
            if (row.holder is not None and row.holder == self.row.holder) or (
                row.token_hash is not None and row.token_hash == self.row.token_hash
            ):
                return row.seat
        return None

    @property
    def plays(self) -> bool:
        """Whether the host plays, or might: a seat held by a token alone could be the host's own program."""
        by_token = any(row.kind == "person" and row.holder is None for row in self._seating.rows)
        return by_token or self.seat is not None

    def is_visitor(self, holder: str | None) -> bool:
        """Return whether a visitor is the host."""
        if holder is None or self.holder is None:
            return False
        # Other devices that share the host's seat are the host's, too.
        return holder == self.holder or any(
            holder in row.also for row in self._seating.rows if row.holder == self.holder
        )

    def has_token(self, token: str) -> bool:
        """Return whether a token is the host's."""
        stored = self.row.token_hash
        return not self._steps_aside and stored is not None and hmac.compare_digest(stored, hash_code(token))

    def described(self) -> str | None:
        """Return a sentence for everybody on a host who does not play and what the host can see, or None."""
        if not self.exists or self.seat is not None:
            return None
        if self.plays:
            return _("{name} hosts this table.").format(name=self.name) if self.name else None
        if self.name:
            sentence = _(
                "{name} hosts this table without playing and can see who has saved and confirmed, but not the choices."
            )
            return sentence.format(name=self.name)
        return _("The host is not playing. The host can see who has saved and confirmed, but not the choices.")
