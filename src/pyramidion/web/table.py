"""One table: a match with people and bots at it, its serial door for actions, and who is watching."""

from __future__ import annotations

import asyncio
import hmac
import logging
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import sqlalchemy as sa

from pyramidion import EVERYTHING, Action, Event, Game, IllegalAction, Match
from pyramidion.web.errors import CannotGoOn, NotSaved, NotYourSeat, SeatTaken, StaleVersion, UnknownSeat
from pyramidion.web.schema import MATCHES, SEATS
from pyramidion.web.seats import clean_name, new_token
from pyramidion.web.snapshot import LegalAction, Seat, Snapshot
from pyramidion.web.store import MatchRow, SeatRow, Store, hash_token, now
from pyramidion.web.stream import Channel
from pyramidion.web.writer import Change, Conflict, Ply, WriteFailed, Writer

PRESENCE_DELAY = 1.0
log = logging.getLogger(__name__)


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

    def moved(self, table: Table) -> None:
        """Take note that a table has a new position: it may be a bot's turn."""
        ...


@dataclass(frozen=True, slots=True)
class Accepted:
    """An action that is made and stored; `version` is its maker's new version."""

    version: int


class Table:
    """A match and the people at it.

    Attributes:
        id, title, created: as stored.
        game, match: the referee. Nothing of `match` may be sent to anybody but through `snapshot`, `view` and `events`.
        seats: who sits where.
        seeded: whether whoever started the table chose the seed, and so may know the cards.
        own_cards: whether it is played with other cards than the game's own.
        people: changes whenever `seats` does.
        channels: the open event streams, by viewer.
        said: how events read, as JSON, with the names of those who sit here.
        behind: whether the database may hold more than `match`, after a write that failed.
    """

    def __init__(self, row: MatchRow, seats: Sequence[SeatRow], match: Match, house: House) -> None:
        self.id, self.title, self.created, self.seeded = row.id, row.title, row.created, row.seed_chosen
        self.game: Game = match.game
        self.match = match
        self.own_cards = match.cards is not None
        self.options: dict[str, Any] = match.options
        self.seats = [Seat(s.seat, s.kind, s.name, s.bot, present=s.kind == "bot") for s in seats]
        # Starts anew with the server, so that a browser of yesterday is told who sits here now.
        self.people = now() % 10**9
        self.channels: dict[int | None, Channel] = {}
        self.said: dict[tuple[Any, ...], bytes] = {}
        self._told: dict[int | None, list[Event]] = {}
        self._rows = list(seats)
        self._names: list[str] | None = None
        self._house = house
        self._lock = asyncio.Lock()
        self.behind = False
        self._hushed = (-1, False)
        self._legal: tuple[int, int, list[int]] = (-1, -1, [])
        self._finished = row.finished is not None
        self._presence: asyncio.TimerHandle | None = None

    # Who sits here

    @property
    def names(self) -> list[str]:
        """A name for each seat, never empty."""
        if self._names is None:
            self._names = [seat.name or f"{_NAMELESS[seat.kind]} {seat.number + 1}" for seat in self.seats]
        return self._names

    def seat_of(self, holder: str | None) -> int | None:
        """Return the seat that a visitor holds, or None for a spectator."""
        if holder is not None:
            for row in self._rows:
                if row.holder == holder:
                    return row.seat
        return None

    def seat_of_token(self, token: str) -> int | None:
        """Return the seat that a program's token holds, or None."""
        given = hash_token(token)
        for row in self._rows:
            if row.token_hash is not None and hmac.compare_digest(row.token_hash, given):
                return row.seat
        return None

    async def sit(self, seat: int, holder: str | None, name: str | None) -> str | None:
        """Take an open seat for a visitor, or, where `holder` is None, for whoever has the token that is returned.

        Raises SeatTaken, UnknownSeat or BadRequest with a sentence.
        """
        if not 0 <= seat < len(self.seats):
            raise UnknownSeat(f"There is no seat {seat}; this table has seats 0 to {len(self.seats) - 1}.")
        called = clean_name(name)
        async with self._lock:
            if self.match.over:
                raise SeatTaken("The game is over, so there is nothing to sit down for.")
            if (held := self.seat_of(holder)) is not None:
                raise SeatTaken(f"You already sit at this table, as {self.names[held]}.", seat=held)
            if self.seats[seat].kind != "open":
                raise SeatTaken(f"{self.names[seat]} already sits there.", open=self.open_seats)
            called = called or f"Player {seat + 1}"
            if called.casefold() in (other.casefold() for other in self.names):
                raise SeatTaken(f"There already is a player called {called} at this table; choose another name.")
            token = new_token() if holder is None else None
            row = SeatRow(seat, "person", called, None, holder, hash_token(token) if token else None)
            try:
                await self._house.writer.write(_take_seat(self.id, row))
            except Conflict:
                self.behind = True
                raise SeatTaken("Somebody else has just sat down there.") from None
            except WriteFailed as error:
                raise NotSaved(f"The seat could not be saved, so it is still open: {error}.") from error
            self._rows[seat] = row
            self.seats[seat] = Seat(seat, "person", called, None)
            self.people_changed()
        return token

    @property
    def open_seats(self) -> list[int]:
        """The seats that anybody may take."""
        return [seat.number for seat in self.seats if seat.kind == "open"]

    def people_changed(self) -> None:
        """Tell everybody that the seats have changed."""
        self.people += 1
        self._names = None
        self.said.clear()
        self._told.clear()
        for channel in self.channels.values():
            channel.wake()

    def presence_changed(self) -> None:
        """Note that a stream has opened or closed; it is told after a moment, since a reload does both."""
        if self._presence is None:
            self._presence = asyncio.get_running_loop().call_later(PRESENCE_DELAY, self._tell_presence)

    def _tell_presence(self) -> None:
        self._presence = None
        changed = False
        for seat in self.seats:
            channel = self.channels.get(seat.number)
            present = seat.kind == "bot" or bool(channel and channel.streams)
            changed |= present != seat.present
            seat.present = present
        if changed:
            self.people_changed()

    # Actions

    async def act(self, seat: int | None, action: Action | int | str, version: int) -> Accepted:
        """Make an action: checked, stored durably, then made and published. People, programs and bots all come here.

        `version` is the position of `seat` that the action was chosen at. Raises NotYourSeat, StaleVersion,
        IllegalAction or NotSaved; the table is then as it was.
        """
        if seat is None:
            raise NotYourSeat("You hold no seat at this table, so you can only watch.", open=self.open_seats)
        match = self.match
        async with self._lock:
            if self.behind:
                await self._catch_up()
            current = match.version(seat)
            if version > current:
                # It was chosen at a position that another server has shown.
                await self._catch_up()
                current = match.version(seat)
            if version != current:
                raise StaleVersion("The table has changed since; this is how it stands now.", version=current)
            action_id = self._legal_id(seat, action)
            text = self.game.actions[action_id].text
            try:
                await self._house.writer.write(Ply(self.id, match.ply, seat, text, now()))
            except Conflict:
                await self._catch_up()
                raise StaleVersion(
                    "The table has changed since; this is how it stands now.", version=match.version(seat)
                ) from None
            except BaseException as error:
                # A failed write may have reached the disk after all, and so may one that nobody waits for any more.
                self.behind = True
                if isinstance(error, WriteFailed):
                    raise NotSaved(f"The action could not be saved, so it was not made: {error}.") from error
                raise
            match.play(seat, action_id)
            accepted = Accepted(match.version(seat))
            self._moved()
        return accepted

    def _legal_id(self, seat: int, action: Action | int | str) -> int:
        """Return the id of a legal action. Raises IllegalAction with the rule and a sentence."""
        if isinstance(action, str):
            try:
                action = self.game.actions.parse(action)
            except ValueError as error:
                raise IllegalAction("", str(error)) from None
        action_id = action.id if isinstance(action, Action) else action
        ids = self.legal_ids(seat)
        place = bisect_left(ids, action_id)
        if place == len(ids) or ids[place] != action_id:
            refusal = self.match.refusal(seat, action_id)
            if refusal is None:
                raise AssertionError(f"{self.game.id}: {action_id} is neither legal nor refused")
            raise IllegalAction(refusal.rule, refusal.reason)
        return action_id

    async def refresh(self) -> None:
        """Bring the match up to the database where a write had an unknown end."""
        if self.behind:
            async with self._lock:
                if self.behind:
                    await self._catch_up()

    async def _catch_up(self) -> None:
        """Play what the database has and the match has not: of another server, or a write that seemed to fail."""
        self.behind = False  # before reading, since news that comes meanwhile counts
        try:
            stored = await asyncio.to_thread(self._house.store.match, self.id)
            plies = await asyncio.to_thread(self._house.store.plies, self.id, self.match.ply)
            if stored is not None and stored[1] != self._rows:
                self._rows = list(stored[1])
                self.seats = [Seat(s.seat, s.kind, s.name, s.bot, present=s.kind == "bot") for s in self._rows]
                self.people_changed()
                self.presence_changed()
            replay(self.id, self.match, plies)
        except BaseException:
            self.behind = True
            raise
        if plies:
            self._moved()

    def _moved(self) -> None:
        """Publish the new position to those for whom it is new."""
        match = self.match
        for viewer, channel in self.channels.items():
            version = match.version(viewer)
            if version != channel.version:
                channel.version = version
                channel.wake()
        if match.over and not self._finished:
            self._finished = True
            # Only lists read it; that the match is over follows from its plies.
            self._house.writer.write(_finish(self.id)).add_done_callback(_forget)
        self._house.moved(self)

    # What a viewer is shown

    def legal_ids(self, seat: int) -> list[int]:
        """Return the ids of what a seat may do now, ascending; kept until the next action, whose check needs them."""
        ply, of, ids = self._legal
        if (ply, of) != (self.match.ply, seat):
            ids: list[int] = self.match.legal_ids(seat).tolist()
            self._legal = self.match.ply, seat, ids
        return ids

    def due(self, viewer: int | None) -> tuple[int, ...]:
        """Return the seats whose decision is due, as far as the viewer may know."""
        match = self.match
        if self._hushed[0] != match.ply:
            # Outside simultaneous steps nobody has submitted anything, and what is due is known to all.
            self._hushed = match.ply, bool(match.submitted)
        return match.acting_for(viewer) if self._hushed[1] else match.acting

    def version(self, viewer: int | None) -> int:
        """Return how many positions the viewer has seen change; it never tells how many actions were made."""
        return self.match.version(viewer)

    def stream_id(self, viewer: int | None) -> str:
        """Return where an event stream that starts now would start."""
        return f"{self.match.version(viewer)}.{self.people}"

    def snapshot(self, viewer: int | None, version: int | None = None, *, everything: bool = False) -> Snapshot:
        """Return what `viewer` is shown now, or was shown at an earlier version.

        `everything` opens all that was hidden, once the match is over, and versions are then those of nobody's eyes.
        Raises ValueError for a version that never was and for opening a match that is not over.
        """
        match, names = self.match, self.names
        if everything and not match.over:
            raise ValueError("Everything is shown only when the match is over.")
        eyes = EVERYTHING if everything else viewer
        plies = match.positions(eyes)
        last = len(plies) - 1
        shown = last if version is None else version
        if not 0 <= shown <= last:
            raise ValueError(f"There is no position {shown}; the newest one is {last}.")
        current = shown == last
        position = match if current else match.at(plies[shown])
        events = self.events(eyes)
        return Snapshot(
            table=self,
            viewer=viewer,
            version=shown,
            last_version=last,
            view=position.view(eyes) if current or not everything else _opened(position),
            events=list(events) if current else [event for event in events if event.position <= shown],
            acting=position.acting if everything else position.acting_for(viewer),
            free=position.free,
            legal=self.legal(viewer) if current and viewer is not None else [],
            over=position.over,
            outcome=position.outcome,
            names=names,
            position_is_current=current,
            everything=everything,
            stream_id=self.stream_id(viewer),
            seats=self.seats,
        )

    def events(self, viewer: int | None) -> Sequence[Event]:
        """Return what has happened as the viewer knows it, oldest first; texts are made once and kept."""
        told = self._told.setdefault(viewer, [])
        told += self.match.events(viewer, len(told), names=self.names)
        return told

    def legal(self, seat: int) -> list[LegalAction]:
        """Return what a seat may do now, ascending by id."""
        names, label = self.names, self.match.label
        return [LegalAction(a.id, a.text, a.family, a.path, label(a, names)) for a in self.match.legal(seat)]


_NAMELESS = {"open": "Open seat", "person": "Player", "bot": "Bot"}


def _opened(position: Match) -> dict[str, Any]:
    """Return an earlier position of a finished match with everything open."""
    from pyramidion.engine.layout import record

    shown = position.game.layout.redact(position.state_copy(), EVERYTHING)
    return position.game.view.view(record(position.box), record(shown), None)


def replay(table_id: str, match: Match, plies: Sequence[tuple[int, int, str]]) -> None:
    """Play stored plies. Raises CannotGoOn with a sentence for one that is missing or not legal."""
    for ply, seat, action in plies:
        if ply != match.ply:
            raise CannotGoOn(f"This table cannot go on: its action number {match.ply + 1} is missing in the database.")
        try:
            match.play(seat, action)
        except IllegalAction as error:
            log.error("Table %s: ply %s, %r by seat %s, is not legal: %s", table_id, ply, action, seat, error)
            raise CannotGoOn(
                f"This table cannot go on: its action number {ply + 1} in the database is not legal."
            ) from error


def _take_seat(match: str, row: SeatRow) -> Change:
    def change(connection: sa.Connection) -> None:
        where = (SEATS.c.match == match, SEATS.c.seat == row.seat, SEATS.c.kind == "open")
        if connection.execute(sa.update(SEATS).where(*where).values(row.values(match))).rowcount != 1:
            raise Conflict("The seat is taken.")

    return change


def _finish(match: str) -> Callable[[sa.Connection], None]:
    def change(connection: sa.Connection) -> None:
        connection.execute(sa.update(MATCHES).where(MATCHES.c.id == match).values(finished=now()))

    return change


def _forget(future: asyncio.Future[None]) -> None:
    if not future.cancelled() and (error := future.exception()):
        log.error("The end of a match could not be noted: %s", error)
