"""A table: a match, the queue for its actions, its clock, and its viewers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from pyramidion import Action, Event, Game, IllegalAction, Match
from pyramidion.engine.seeds import Origin
from pyramidion.engine.steps import Steps
from pyramidion.translation import _, marked
from pyramidion.web.db.changes import note_finished, save
from pyramidion.web.db.host_command_rows import GIVES_SEAT_AWAY, HostCommand
from pyramidion.web.db.store import MatchRow, SeatRow
from pyramidion.web.db.writer import Change, Conflict, WriteFailed
from pyramidion.web.errors import HiddenByOperators, NotSaved, NotYourSeat, SeatTaken, StaleVersion, TableIsPaused
from pyramidion.web.table.clock import Clock, ClockState
from pyramidion.web.table.log import ActionLog, LogEntry, versions
from pyramidion.web.table.moves import Move, Planner, coming_back, move_at_deadline, to_store
from pyramidion.web.table.ports import TableServices
from pyramidion.web.table.seats import (
    SEAT_NOT_CHANGED,
    SEAT_NOT_SAVED,
    TAKEN,
    Host,
    HostRow,
    Requester,
    Seating,
    newcomer,
    take_seat,
)
from pyramidion.web.table.settings import TableSettings, Timing
from pyramidion.web.table.view_models import AcceptedAction, Seat
from pyramidion.web.table.views import Broadcast, JsonCache, Viewers, Visibility

MOST_TRIES = 3
WENT_BACK = marked("The game was rewound. This is the current position.")
CHANGED = marked("The game has moved on. This is the current position.")


class Table:
    """Runs a match on this server: checks, stores and plays actions and host commands, and updates the viewers.

    Attributes:
        id, title: as stored.
        created: when the table was created, milliseconds since 1970.
        game: the game.
        settings: the table's settings.
        seating: who sits where.
        host: who hosts the table.
        viewers: the open event streams, and who is present.
        clock: the clock, a pause, and the submission held until the deadline.
        action_log: the actions and host commands, and the match that they make.
        visibility: what viewers may know of the current position.
        kept: data of features by feature name (`table.events`).
        origin: the origin of the seed; None if it was chosen, or the table is older than this feature.
        seeded: whether the creator chose the seed, and so may know the cards.
        own_cards: whether a card file other than the game's own is used.
        json_cache: the latest encodings for viewers of the current position.
        broadcast: wakes the viewers for whom something has changed.
        planner: plans moves; only `act`, `time_up` and `change` carry them out.
    """

    def __init__(
        self,
        row: MatchRow,
        seats: Sequence[SeatRow],
        match: Match,
        services: TableServices[Table],
        *,
        origin: Origin | None,
        kept: dict[str, Any],
    ) -> None:
        self._services, self._lock = services, asyncio.Lock()
        self._behind = self._lost = False
        self.id, self.title = row.id, row.title
        self.created, self.seeded = row.created, row.seed_chosen
        self.settings = TableSettings.model_validate(row.settings)
        self.seating = Seating(seats)
        self.kept = kept
        self.host = Host(self.seating, HostRow.of(row), self._is_impartial)
        self.viewers = Viewers(self.seating, self.forget_texts)
        self.clock = Clock(self.settings, ClockState.of(row), services.now)
        self.game: Game = match.game
        self.action_log = ActionLog(row.id, match, stays_open=not self.settings.close_early)
        self.visibility = Visibility(self.action_log, self.clock)
        self.origin = origin
        self.own_cards = match.cards is not None
        self.json_cache = JsonCache()
        self.broadcast = Broadcast(
            self.viewers, self.action_log, self.visibility, self.clock, self.settings.clock, services.now
        )
        by_host = self.settings.host_releases and self.host.exists
        self.planner = Planner(row.id, self.settings.clock, self.settings.close_early, by_host)
        self._finished = row.finished is not None

    def _is_impartial(self) -> bool:
        """Return whether the table belongs to a feature at whose tables nobody who plays is the host."""
        return any(self.kept.get(feature) for feature in self._services.events.impartial)

    @property
    def match(self) -> Match:
        """The match as of the last entry of the action log."""
        return self.action_log.match

    @property
    def steps(self) -> Steps:
        """The steps of the match."""
        return self.action_log.steps

    @property
    def is_over(self) -> bool:
        """Whether the match is over."""
        return self.match.over

    @property
    def seats(self) -> list[Seat]:
        """The seats as shown to viewers."""
        return self.seating.seats

    @property
    def names(self) -> list[str]:
        """A name for each seat, never empty."""
        return self.seating.names

    @property
    def open_seats(self) -> list[int]:
        """The seats that anybody may take."""
        return self.seating.open_seats

    def seat_of(self, holder: str | None) -> int | None:
        """Return a visitor's seat, or None.

        A visitor who holds several seats has the one that their page shows (`Holder.open`), after the game the first.
        """
        seat = self.seating.seat_of(holder)
        if seat is None and self.match.over:
            return next(iter(self.seating.seats_of(holder)), None)
        return seat

    @property
    def behind(self) -> bool:
        """Whether the database may have changes of this table that have not been loaded yet."""
        return self._behind

    @property
    def lost(self) -> bool:
        """Whether the table has given up following the database, since what it read there cannot be played."""
        return self._lost

    def fall_behind(self) -> None:
        """Mark the table as out of date, after a notification or a failed write."""
        self._behind = True

    def give_up(self) -> None:
        """Mark the table as unable to follow the database."""
        self._lost = True

    def keep(self, feature: str, value: Any) -> None:
        """Replace what a feature keeps with the table, once it has been stored, and update all viewers."""
        self.kept[feature] = value
        self.viewers.people_changed()

    def forget_texts(self) -> None:
        """Drop cached texts: they contain names, and take up memory."""
        self.json_cache.forget_texts()
        self.action_log.viewer_log.forget_texts()

    def options_for(self, requester: Requester) -> dict[str, Any]:
        """Return the options as a requester may see them: where each seat has a secret number, only their own."""
        return self.match.options_for(requester.seat)

    # Seats

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

        Raises what `admission.newcomer` raises, SeatTaken or NotSaved.
        """
        async with self._lock:
            row, token = await newcomer(self, self._services.events, seat, holder, name, token, code=code, bot=bot)
            try:
                change = take_seat(self.id, self.seating.rows[seat], row)
                await save(self._services.writer, change, SEAT_NOT_SAVED)
            except Conflict:
                self._behind = True
                raise SeatTaken(_(TAKEN)) from None
            self.seating.put(row)
            self.viewers.people_changed()
            self._services.events.publish_moved(self)
        return token

    async def rewrite(self, change: Change) -> None:
        """Change the seats in the database, then read them again. Raises Conflict from `change`, or NotSaved."""
        async with self._lock:
            try:
                await save(self._services.writer, change, SEAT_NOT_CHANGED)
            finally:
                self._behind = True
        await self.refresh()

    # Actions

    async def act(
        self,
        seat: int | None,
        action: Action | int | str,
        version: int,
        *,
        by_bot: bool = False,
        also: Change | None = None,
    ) -> AcceptedAction:
        """Play an action: check it, store it, play it and publish it. People, programs and bots all use this method.

        `version` is the position of `seat` at which the action was chosen, or an older one that `ActionLog.may_be_late`
        accepts. `also` is stored in the same transaction. A stand-in bot stops playing when its person acts. Raises
        NotYourSeat, TimeIsUp, StaleVersion, TableIsPaused, IllegalAction or NotSaved; the table is then unchanged.
        """
        if seat is None:
            raise NotYourSeat(_("You are watching this game."), open=self.open_seats)
        async with self._lock:
            if self._behind:
                await self._catch_up()
            at, current = self._services.now(), self.version(seat)
            self.clock.require_time_left(at, current)
            if version > current:
                # The action was chosen at a position shown by another server.
                await self._catch_up()
                current = self.version(seat)
            if versions.era_of(version) < self.action_log.era:
                raise StaleVersion(_(WENT_BACK), version=current)
            self.clock.require_going_on()
            if by_bot and self.seats[seat].player is None:
                raise StaleVersion(_(CHANGED), version=current)
            if not by_bot and (move := coming_back(self.seating.rows[seat], self.clock.state, at)) is not None:
                await self._do(move, seat)
            late = version != current
            if late and not self.action_log.may_be_late(seat, action, version):
                raise StaleVersion(_(CHANGED), version=current)
            try:
                action_id = self.visibility.legal_id(seat, action)
            except IllegalAction:
                if not late:
                    raise
                # It may have been legal where it was chosen.
                raise StaleVersion(_(CHANGED), version=current) from None
            if not by_bot:
                self._services.events.check(self, seat, action_id)
            move = self.planner.action(self.steps, self.clock.state, seat, action_id, at)
            await self._do(replace(move, also=also) if also is not None else move, seat)
            return AcceptedAction(self.version(seat), self.visibility.receipt_of(seat, action_id))

    async def change(self, plan: Callable[[int], Move]) -> None:
        """Carry out a host command: call `plan` with the current time, again if the table has changed meanwhile.

        Raises what `plan` raises, StaleVersion, or NotSaved; the table is then unchanged.
        """
        async with self._lock:
            if self._behind:
                await self._catch_up()
            for tries in range(MOST_TRIES):
                move = plan(self._services.now())
                try:
                    return await self._do(move, None)
                except StaleVersion:
                    if tries == MOST_TRIES - 1:
                        raise

    async def time_up(self) -> None:
        """Play default moves for the seats still due if the step's time is up; reveal the rest if the host's time is.

        Raises NotSaved if that cannot be stored; the table is then unchanged.
        """
        async with self._lock:
            if self._behind:
                await self._catch_up()
            for _ in range(MOST_TRIES):
                at, deadline = self._services.now(), self.clock.state.deadline
                if deadline is None or at < deadline or self.match.over:
                    break
                with suppress(StaleVersion):  # another server was faster, perhaps with the same move
                    await self._do(move_at_deadline(self, self.steps, self.clock, self.planner, at), None)
            self._services.keeper.arm(self.id, None if self.match.over else self.clock.state.deadline)

    async def _do(self, move: Move, seat: int | None) -> None:
        """Store a move, then apply it and update the viewers. `seat` is the acting seat; None is the clock or host."""
        before, public = self.clock.state, self.broadcast.public_entries()
        if self.clock.releasing and (move.commands or move.after):
            # A host command would come before the results in the log, and so change the numbers of released events.
            raise TableIsPaused(_("The host is revealing the results. The game continues afterwards."))
        entries = move.numbered(self.action_log.length)
        try:
            length = self.action_log.length + len(entries)
            await self._services.writer.write(to_store(self.id, move, entries, length, before))
        except Conflict:
            await self._catch_up()
            more = {} if seat is None else {"version": self.version(seat)}
            raise StaleVersion(_(CHANGED), **more) from None
        except BaseException as error:
            # A write that failed, or was cancelled, may still have reached the disk.
            self._behind = True
            if isinstance(error, WriteFailed):
                sentence = _("Your move could not be saved and was not played: {cause}.")
                raise NotSaved(sentence.format(cause=error)) from error
            raise
        self.clock.set(move.clock_state)
        for entry in entries:
            self.action_log.add(entry)
        self._took_effect(move)
        self._publish(before, public)

    def _took_effect(self, move: Move) -> None:
        """Apply a move's changes to the seats and the table, and publish host commands."""
        if move.seats:
            self.seating.change([becomes for _, becomes in move.seats])
            self.viewers.presence_changed()
        if move.host is not None:
            self.host.set(move.host)
        if move.commands or move.after or move.seats:
            self.viewers.people_changed()

    async def refresh(self) -> None:
        """Load changes from the database if the table may be out of date."""
        if self._behind:
            async with self._lock:
                if self._behind:
                    await self._catch_up()

    async def _catch_up(self) -> None:
        """Play stored actions that the match lacks: those of another server, or of a write that seemed to fail."""
        self._behind = False  # before reading, so that changes that arrive meanwhile are not missed
        before, public, commands = self.clock.state, self.broadcast.public_entries(), len(self.commands)
        try:
            stored = await asyncio.to_thread(self._services.store.whole, self.id, self.action_log.length)
            if stored is None:
                raise HiddenByOperators(
                    _("This table cannot continue: the operators of this server have removed or hidden it.")
                )
            self.kept = await asyncio.to_thread(self._services.events.read_kept, self._services.store, self.id)
            row, seats, plies = stored
            self.title = row.title
            self.host.set(HostRow.of(row))
            if any(command.kind in GIVES_SEAT_AWAY for command in self.commands):
                replaced = await asyncio.to_thread(self._services.store.replacements, self.id)
                if self.action_log.viewer_log.rename(replaced):
                    self.viewers.people_changed()
            rows_before = self.seating.rows
            if self.seating.follow(seats):
                self.viewers.people_changed()
                self.viewers.presence_changed()
            elif self.seating.rows != rows_before:
                # Only the code, device or account of the same player has changed; do not tell the others.
                self.viewers.end_streams()
            self.action_log.replay(plies)
        except BaseException:
            self._behind = True
            raise
        self.clock.set(ClockState.of(row))
        # The timekeeper has dropped the deadline if operators hid the table meanwhile.
        self._services.keeper.arm(self.id, self.clock.state.deadline)
        if len(self.commands) != commands:
            self.viewers.people_changed()
        if plies or self.clock.state != before:
            self._publish(before, public)

    def _publish(self, before: ClockState, public: int) -> None:
        """Show everybody the new position. `before` was the clock state, `public` the number of public log entries."""
        self.broadcast.moved(before, public)
        self.note_end()
        self._services.keeper.arm(self.id, self.clock.state.deadline)
        self._services.events.publish_moved(self)

    def note_end(self) -> None:
        """Note in the database that the match is over, unless that has been done.

        It is noted after the last action is stored, so a server that is killed in between leaves it to the next one.
        """
        if self.match.over and not self._finished:
            self._finished = True
            note_finished(self._services.writer, self.id)

    # What a viewer is shown

    def version(self, viewer: int | None) -> int:
        """Return the viewer's current version (`versions`); it does not reveal the number of actions."""
        return self.action_log.version(viewer)

    @property
    def commands(self) -> Sequence[HostCommand]:
        """The host commands so far, in order."""
        return self.action_log.commands

    @property
    def timing(self) -> Timing | None:
        """The clock at this moment; None for a table without one."""
        return self.clock.timing(self.action_log.seconds_given)

    def answered_ahead(self, seat: int) -> bool:
        """Return whether a feature will make the seat's pending decision, so that its player needs no reminder."""
        return self._services.events.answers_ahead(self, seat)

    def record(self) -> dict[str, Any]:
        """Return the record of the match, with its seals and the plies (from 1) played by the clock."""
        origin = {"origin": self.origin.as_record()} if self.origin is not None else {}
        return self.action_log.record({"table": self.id, **origin})

    def stream_id(self, viewer: int | None) -> str:
        """Return the id from which a viewer's next event stream continues."""
        return f"{self.version(viewer)}.{self.viewers.people}"

    def log_entries(self, viewer: int | None, since: int = 0) -> Sequence[LogEntry]:
        """Return the viewer's log entries from event number `since` on, without texts."""
        return self.visibility.log_entries(viewer, since)

    def events(self, viewer: int | None, reader: int | None = None) -> Sequence[Event]:
        """Return the viewer's events with texts, oldest first; cached. `reader` is the seat that they call "you"."""
        return self.visibility.events(viewer, self.names, reader)
