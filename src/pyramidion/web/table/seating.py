"""The seats of a table: their players, and who is present."""

from __future__ import annotations

import asyncio
import hmac
from collections import Counter
from collections.abc import Sequence

import sqlalchemy as sa

from pyramidion.names import looks
from pyramidion.web.db.schema import SEATS
from pyramidion.web.db.store import SeatRow, now
from pyramidion.web.db.writer import Change, Conflict, WriteFailed, Writer
from pyramidion.web.errors import NotSaved, SeatTaken, UnknownSeat
from pyramidion.web.names import clean_name, player_name
from pyramidion.web.table.channels import Channel
from pyramidion.web.table.shown import Seat
from pyramidion.web.tokens import hash_code, hash_token, new_token
from pyramidion.words import _, language, marked

PRESENCE_DELAY = 1.0
_NAMELESS = {"open": marked("Open seat {number}"), "person": marked("Player {number}"), "bot": marked("Bot {number}")}


class Seating:
    """The people and bots at a table.

    Attributes:
        seats: the seats as shown to viewers.
        people: a number that changes whenever `seats` does.
        channels: the open event streams by viewer.
    """

    def __init__(self, table_id: str, seats: Sequence[SeatRow], writer: Writer) -> None:
        self.id = table_id
        # Starts at a new value after a restart, so that pages from before are sent the current players.
        self.people = now() % 10**9
        self.channels: dict[int | None, Channel] = {}
        self._behind = self._lost = False
        self._writer = writer
        self._lock = asyncio.Lock()
        self._names: dict[str, list[str]] = {}
        self._presence: asyncio.TimerHandle | None = None
        self._set_rows(seats)

    def _set_rows(self, rows: Sequence[SeatRow]) -> None:
        self._rows = list(rows)
        self.seats = [
            Seat(
                s.seat,
                s.kind,
                s.name,
                s.bot,
                present=s.kind == "bot",
                stand_in=s.stand_in,
                reserved=s.reserved,
                colour=colour,
                face=s.face,
            )
            for s, colour in zip(rows, colours_of(rows), strict=True)
        ]

    @property
    def behind(self) -> bool:
        """Whether the database may contain changes that are not loaded yet."""
        return self._behind

    @property
    def lost(self) -> bool:
        """Whether the table can no longer follow the database."""
        return self._lost

    def fall_behind(self) -> None:
        """Mark the table as out of date, after a notification or a failed write."""
        self._behind = True

    def give_up(self) -> None:
        """Mark the table as unable to follow the database."""
        self._lost = True

    @property
    def is_over(self) -> bool:
        """Whether nobody can sit down any more."""
        raise NotImplementedError

    @property
    def names(self) -> list[str]:
        """A name for each seat, never empty."""
        names = self._names.get(language())
        if names is None:
            names = [name_of(s.number, s.kind, s.name) for s in self.seats]
            self._names[language()] = names
        return names

    @property
    def open_seats(self) -> list[int]:
        """The seats that anybody may take."""
        return [seat.number for seat in self.seats if seat.kind == "open" and not seat.reserved]

    @property
    def former_names(self) -> list[str]:
        """The names of replaced players, which nobody else may take."""
        return []

    @property
    def has_persons(self) -> bool:
        """Whether `persons` would return anybody."""
        return any(
            row.kind == "person" and (row.holder is not None or row.token_hash is not None) for row in self._rows
        )

    def persons(self) -> dict[int, str]:
        """Return the person id at each seat: the visitor id, or for a program's seat one from its token's hash."""
        found: dict[int, str] = {}
        for row in self._rows:
            if row.kind == "person" and row.holder is not None:
                found[row.seat] = row.holder
            elif row.kind == "person" and row.token_hash is not None:
                found[row.seat] = f"token:{row.token_hash.hex()[:32]}"
        return found

    def seat_of(self, holder: str | None) -> int | None:
        """Return the seat that a visitor holds, or None for a spectator.

        If the visitor holds several seats, which share a screen, return the open one (`Holder.open`), if any.
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
        return [row.seat for row in self._rows if row.kind == "person" and (row.holder == holder or holder in row.also)]

    def seat_of_token(self, token: str) -> int | None:
        """Return the seat held by a token, or None."""
        return self._opened_by(token, "person")

    def _opened_by(self, token: str, kind: str) -> int | None:
        given = hash_code(token)
        for row in self._rows:
            if row.kind == kind and row.token_hash is not None and hmac.compare_digest(row.token_hash, given):
                return row.seat
        return None

    def reserved_for(self, holder: str | None, code: str | None = None) -> int | None:
        """Return the open seat reserved for a visitor, or for the holder of a code; else None."""
        if code is not None:
            return self._opened_by(code, "open")
        if holder is None:
            return None
        return next((row.seat for row in self._rows if row.reserved and row.holder == holder), None)

    async def sit(
        self,
        seat: int,
        holder: str | None,
        name: str | None,
        token: str | None = None,
        *,
        code: str | None = None,
        bot: bool = False,
    ) -> str | None:
        """Take an open seat for a visitor or, if `holder` is None, for a program; return the program's token.

        The token is new unless `token` is given. A seat reserved by a code requires that `code`. Only the account of a
        declared `bot` may have a bot's name (`names.player_name`). Raises SeatTaken,
        UnknownSeat or BadRequest with a sentence.
        """
        if not 0 <= seat < len(self.seats):
            raise UnknownSeat(
                _("There is no seat {seat}; this table has seats {first} to {last}.").format(
                    seat=seat, first=0, last=len(self.seats) - 1
                )
            )
        called = clean_name(name) if bot else player_name(name)
        async with self._lock:
            if self.is_over:
                raise SeatTaken(_("The game is over, so you can no longer join."))
            if held := self.seats_of(holder):
                said = _("You already sit at this table, as {name}.")
                raise SeatTaken(said.format(name=self.names[held[0]]), seat=held[0])
            if self.seats[seat].kind != "open":
                raise SeatTaken(_("{name} already has that seat.").format(name=self.names[seat]), open=self.open_seats)
            if self.seats[seat].reserved and seat not in (self.reserved_for(holder), self.reserved_for(None, code)):
                said = _("This seat is reserved for a player the host invited.")
                raise SeatTaken(said, open=self.open_seats)
            await self.admit(holder)
            # Default names are not stored, because each reader sees them in their own language.
            shown = name_of(seat, "person", called)
            if (other := self.lookalike(shown)) is not None:
                said = _("The name {name} is already taken at this table.")
                raise SeatTaken(said.format(name=other))
            token = (token or new_token()) if holder is None else None
            hashed, colour = hash_token(token) if token else None, self._rows[seat].colour
            row = SeatRow(seat, "person", called, None, holder, hashed, colour=colour)
            try:
                await self._writer.write(self._taking(row))
            except Conflict:
                self._behind = True
                raise SeatTaken(_("Someone else has just taken that seat.")) from None
            except WriteFailed as error:
                said = _("Your seat could not be saved: {cause}.")
                raise NotSaved(said.format(cause=error)) from error
            self._rows[seat] = row
            self.seats[seat] = Seat(seat, "person", called, None, colour=self.seats[seat].colour)
            self.people_changed()
        return token

    async def admit(self, holder: str | None) -> None:
        """Raise Refused where a visitor may not sit down; None for a program."""
        raise NotImplementedError

    def lookalike(self, name: str, *more: str) -> str | None:
        """Return the name of a present or former player, or one of `more`, that looks like this one, or None."""
        taken = (*self.names, *self.former_names, *more)
        return next((other for other in taken if looks(other) == looks(name)), None)

    def _taking(self, row: SeatRow) -> Change:
        """Return the change that stores a new player in a seat."""
        return _take_seat(self.id, self._rows[row.seat], row)

    @property
    def rows(self) -> Sequence[SeatRow]:
        """The seats as stored."""
        return self._rows

    async def refresh(self) -> None:
        """Load changes from the database if the table may be out of date."""
        raise NotImplementedError

    async def rewrite(self, change: Change) -> None:
        """Change the seats in the database, then read them again. Raises Conflict from `change`, or NotSaved."""
        async with self._lock:
            try:
                await self._writer.write(change)
            except WriteFailed as error:
                said = _("The seat could not be changed: {cause}.")
                raise NotSaved(said.format(cause=error)) from error
            finally:
                self._behind = True
        await self.refresh()

    def people_changed(self) -> None:
        """Update all viewers after a change of seats, and end the streams of players who lost theirs."""
        self.people += 1
        self._names.clear()
        self._end_streams()
        for channel in self.channels.values():
            channel.wake()

    def _end_streams(self) -> None:
        """End the streams of players who no longer hold their seats, without telling anybody else."""
        for viewer, channel in self.channels.items():
            for stream in list(channel.streams) if viewer is not None else ():
                if not stream.allowed():
                    stream.close()

    def presence_changed(self) -> None:
        """Record that a stream was opened or closed; viewers are told a little later, since a reload does both."""
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
            # Players who share a screen are all present, whichever of their seats is open.
            present |= row.holder is not None and shared[row.holder] > 1 and row.holder in here
            changed |= present != seat.present
            seat.present = present
        if changed:
            self.people_changed()


def name_of(seat: int, kind: str, name: str | None) -> str:
    """Return the name of a seat's player, or a default in the reader's language."""
    return name or _(_NAMELESS[kind]).format(number=seat + 1)


def colours_of(rows: Sequence[SeatRow]) -> list[int]:
    """Return each seat's colour: the chosen one, else the one of its number, or the first that is left."""
    chosen = {row.colour for row in rows if row.colour is not None}
    taken = chosen | {row.seat for row in rows if row.colour is None}
    colours: list[int] = []
    for row in rows:
        colour = row.seat if row.colour is None else row.colour
        if row.colour is None and row.seat in chosen:
            colour = next(one for one in range(2 * len(rows)) if one not in taken)
            taken.add(colour)
        colours.append(colour)
    return colours


def _take_seat(match: str, was: SeatRow, row: SeatRow) -> Change:
    def change(connection: sa.Connection) -> None:
        s = SEATS.c
        where = (
            s.match == match,
            s.seat == row.seat,
            s.kind == "open",
            s.holder.is_not_distinct_from(was.holder),
            s.token_hash.is_not_distinct_from(was.token_hash),
        )
        if connection.execute(sa.update(SEATS).where(*where).values(row.values(match))).rowcount != 1:
            raise Conflict("The seat is taken.")

    return change
