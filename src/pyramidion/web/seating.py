"""Who sits at a table, and who is there."""

from __future__ import annotations

import asyncio
import hmac
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import sqlalchemy as sa

from pyramidion.web.errors import NotSaved, SeatTaken, UnknownSeat
from pyramidion.web.schema import SEATS
from pyramidion.web.seats import clean_name, hash_code, new_token
from pyramidion.web.snapshot import Seat
from pyramidion.web.store import SeatRow, Store, hash_token, now
from pyramidion.web.stream import Channel
from pyramidion.web.writer import Change, Conflict, WriteFailed, Writer
from pyramidion.words import _, language, marked

if TYPE_CHECKING:
    from pyramidion.web.clock import Timekeeper
    from pyramidion.web.table import Table

PRESENCE_DELAY = 1.0
_NAMELESS = {"open": marked("Open seat {number}"), "person": marked("Player {number}"), "bot": marked("Bot {number}")}


class House(Protocol):
    """What a table needs of the house it stands in."""

    @property
    def store(self) -> Store:
        """What tables are read from."""
        ...

    @property
    def writer(self) -> Writer:
        """What everything is stored with."""
        ...

    @property
    def keeper(self) -> Timekeeper:
        """Who keeps the deadlines."""
        ...

    def now(self) -> int:
        """Return the time, milliseconds since 1970."""
        ...

    def moved(self, table: Table) -> None:
        """Take note that a table has a new position: it may be a bot's turn."""
        ...


class Seating:
    """The people and bots at a table.

    Attributes:
        seats: who sits where.
        people: changes whenever `seats` does.
        channels: the open event streams, by viewer.
        lost: whether it cannot follow what the database holds any more.
        behind: whether the database may hold more than is known here, after a write that failed.
    """

    def __init__(self, table_id: str, seats: Sequence[SeatRow], house: House) -> None:
        self.id = table_id
        # Starts anew with the server, so that a browser of yesterday is told who sits here now.
        self.people = now() % 10**9
        self.channels: dict[int | None, Channel] = {}
        self.behind = self.lost = False
        self._house = house
        self._lock = asyncio.Lock()
        self._names: dict[str, list[str]] = {}
        self._presence: asyncio.TimerHandle | None = None
        self._set_rows(seats)

    def _set_rows(self, rows: Sequence[SeatRow]) -> None:
        self._rows = list(rows)
        self.seats = [Seat(s.seat, s.kind, s.name, s.bot, present=s.kind == "bot", stand_in=s.stand_in) for s in rows]

    @property
    def is_over(self) -> bool:
        """Whether there is nothing to sit down for."""
        raise NotImplementedError

    @property
    def names(self) -> list[str]:
        """A name for each seat, never empty."""
        names = self._names.get(language())
        if names is None:
            names = [s.name or _(_NAMELESS[s.kind]).format(number=s.number + 1) for s in self.seats]
            self._names[language()] = names
        return names

    @property
    def open_seats(self) -> list[int]:
        """The seats that anybody may take."""
        return [seat.number for seat in self.seats if seat.kind == "open"]

    @property
    def has_persons(self) -> bool:
        """Whether there is anybody whom `persons` names."""
        return any(
            row.kind == "person" and (row.holder is not None or row.token_hash is not None) for row in self._rows
        )

    def persons(self) -> dict[int, str]:
        """Return by seat what names the person there: what holds the seat, for a program's the hash of its token."""
        found: dict[int, str] = {}
        for row in self._rows:
            if row.kind == "person" and row.holder is not None:
                found[row.seat] = row.holder
            elif row.kind == "person" and row.token_hash is not None:
                found[row.seat] = f"token:{row.token_hash.hex()[:32]}"
        return found

    def seat_of(self, holder: str | None) -> int | None:
        """Return the seat that a visitor holds, or None for a spectator.

        Of several seats, which share a screen, it is the one that is open there (`Holder.open`), and otherwise none.
        """
        mine = self.seats_of(holder)
        if len(mine) <= 1:
            return mine[0] if mine else None
        opened = getattr(holder, "open", None)
        return opened if opened in mine else None

    def seats_of(self, holder: str | None) -> list[int]:
        """Return all seats that a visitor holds."""
        if holder is None:
            return []
        return [row.seat for row in self._rows if row.holder == holder or holder in row.also]

    def seat_of_token(self, token: str) -> int | None:
        """Return the seat that a program's token holds, or None."""
        given = hash_code(token)
        for row in self._rows:
            if row.token_hash is not None and hmac.compare_digest(row.token_hash, given):
                return row.seat
        return None

    async def sit(self, seat: int, holder: str | None, name: str | None, token: str | None = None) -> str | None:
        """Take an open seat for a visitor, or, where `holder` is None, for whoever has the token that is returned.

        It is a new one, unless one is given.

        Raises SeatTaken, UnknownSeat or BadRequest with a sentence.
        """
        if not 0 <= seat < len(self.seats):
            raise UnknownSeat(
                _("There is no seat {seat}; this table has seats {first} to {last}.").format(
                    seat=seat, first=0, last=len(self.seats) - 1
                )
            )
        called = clean_name(name)
        async with self._lock:
            if self.is_over:
                raise SeatTaken(_("The game is over, so there is nothing to sit down for."))
            if held := self.seats_of(holder):
                said = _("You already sit at this table, as {name}.")
                raise SeatTaken(said.format(name=self.names[held[0]]), seat=held[0])
            if self.seats[seat].kind != "open":
                raise SeatTaken(_("{name} already sits there.").format(name=self.names[seat]), open=self.open_seats)
            called = called or _(_NAMELESS["person"]).format(number=seat + 1)
            if called.casefold() in (other.casefold() for other in self.names):
                said = _("There already is a player called {name} at this table; choose another name.")
                raise SeatTaken(said.format(name=called))
            token = (token or new_token()) if holder is None else None
            row = SeatRow(seat, "person", called, None, holder, hash_token(token) if token else None)
            try:
                await self._house.writer.write(self._taking(row))
            except Conflict:
                self.behind = True
                raise SeatTaken(_("Somebody else has just sat down there.")) from None
            except WriteFailed as error:
                said = _("The seat could not be saved, so it is still open: {cause}.")
                raise NotSaved(said.format(cause=error)) from error
            self._rows[seat] = row
            self.seats[seat] = Seat(seat, "person", called, None)
            self.people_changed()
        return token

    def _taking(self, row: SeatRow) -> Change:
        """Return what stores that somebody sits down."""
        return _take_seat(self.id, row)

    @property
    def rows(self) -> Sequence[SeatRow]:
        """The seats as they are stored."""
        return self._rows

    async def refresh(self) -> None:
        """Bring the table up to the database where it may hold more."""
        raise NotImplementedError

    async def rewrite(self, change: Change) -> None:
        """Change the seats in the database, then read them anew. Raises Conflict from `change`, or NotSaved."""
        async with self._lock:
            try:
                await self._house.writer.write(change)
            except WriteFailed as error:
                said = _("The seat could not be saved, so nothing has changed: {cause}.")
                raise NotSaved(said.format(cause=error)) from error
            finally:
                self.behind = True
        await self.refresh()

    def people_changed(self) -> None:
        """Tell everybody that the seats have changed, and end the streams of those who do not hold theirs any more."""
        self.people += 1
        self._names.clear()
        for viewer, channel in self.channels.items():
            for stream in list(channel.streams) if viewer is not None else ():
                if not stream.allowed():
                    stream.close()
        for channel in self.channels.values():
            channel.wake()

    def presence_changed(self) -> None:
        """Note that a stream has opened or closed; it is told after a moment, since a reload does both."""
        if self._presence is None:
            self._presence = asyncio.get_running_loop().call_later(PRESENCE_DELAY, self._tell_presence)

    def _tell_presence(self) -> None:
        self._presence = None
        changed = False
        here = {stream.holder for channel in self.channels.values() for stream in channel.streams}
        shared = Counter(row.holder for row in self._rows)
        for seat, row in zip(self.seats, self._rows, strict=True):
            channel = self.channels.get(seat.number)
            present = seat.kind == "bot" or bool(channel and channel.streams)
            # Where several share a screen all of them are there, whosever seat is open on it.
            present |= row.holder is not None and shared[row.holder] > 1 and row.holder in here
            changed |= present != seat.present
            seat.present = present
        if changed:
            self.people_changed()


def _take_seat(match: str, row: SeatRow) -> Change:
    def change(connection: sa.Connection) -> None:
        where = (SEATS.c.match == match, SEATS.c.seat == row.seat, SEATS.c.kind == "open")
        if connection.execute(sa.update(SEATS).where(*where).values(row.values(match))).rowcount != 1:
            raise Conflict("The seat is taken.")

    return change
