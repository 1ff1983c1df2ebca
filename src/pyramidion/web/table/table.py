"""A table: a match, the queue for its actions, its clock, and its viewers."""

from __future__ import annotations

import asyncio
import logging
from bisect import bisect_left
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa

from pyramidion import EVERYTHING, Action, Event, Game, IllegalAction, Match
from pyramidion.engine.layout import seen
from pyramidion.engine.seals import Seal
from pyramidion.engine.seeds import Origin
from pyramidion.engine.steps import Steps
from pyramidion.web.db.journal import HostCommand
from pyramidion.web.db.schema import MATCHES
from pyramidion.web.db.store import MatchRow, SeatRow, now
from pyramidion.web.db.writer import Change, Conflict, Ply, WriteFailed
from pyramidion.web.errors import CannotGoOn, NotSaved, NotYourSeat, StaleVersion, TableIsPaused, TimeIsUp
from pyramidion.web.table import eras
from pyramidion.web.table.absence import coming_back, has_choice, with_absent
from pyramidion.web.table.chronicle import Told
from pyramidion.web.table.clock import Timing, moment
from pyramidion.web.table.count_in import Reveal, reveal_of
from pyramidion.web.table.encoding import Encoded
from pyramidion.web.table.hosting import Hosting, Requester
from pyramidion.web.table.journal import Journal
from pyramidion.web.table.planner import Move, Planner, Standing, change_of
from pyramidion.web.table.releasing import Release
from pyramidion.web.table.seating import House
from pyramidion.web.table.snapshot import LegalAction, Snapshot, Submission
from pyramidion.web.table.status import table_status
from pyramidion.words import _, marked

log = logging.getLogger(__name__)
MOST_TRIES = 3
WENT_BACK = marked("The game was rewound. This is the current position.")
CHANGED = marked("The game has moved on. This is the current position.")


@dataclass(frozen=True, slots=True)
class Accepted:
    """A stored action: `version` is the acting seat's new version, `receipt` the seal of a submission."""

    version: int
    receipt: Seal | None = None


class Table(Hosting):
    """A match and the people at it.

    Attributes:
        created: when the table was created, milliseconds since 1970.
        game: the game.
        journal: the actions and host commands, and the match that they make.
        standing: the state of the clock, and the submission held until the deadline.
        host, host_token: the host: a visitor id, or the hash of a program's token.
        kept: data of features by feature name (`table.events`).
        origin: the origin of the seed; None if it was chosen, or the table is older than this feature.
        seeded: whether the creator chose the seed, and so may know the cards.
        own_cards: whether a card file other than the game's own is used.
        encoded: the latest encodings for viewers of the current position.
        reveal: the countdown of the latest reveal, or None.
        planner: plans moves; only `act`, `time_up` and `change` carry them out.
    """

    def __init__(
        self,
        row: MatchRow,
        seats: Sequence[SeatRow],
        match: Match,
        house: House,
        *,
        origin: Origin | None,
        kept: dict[str, Any],
    ) -> None:
        super().__init__(row, seats, house)
        self.created, self.seeded = row.created, row.seed_chosen
        self.game: Game = match.game
        self.journal = Journal(row.id, match, stays_open=not self.settings.close_early)
        self.standing = Standing.of(row)
        self.host, self.host_token = row.host, row.host_token
        self.origin, self.kept = origin, kept
        self.own_cards = match.cards is not None
        self.encoded = Encoded()
        self._queued: int | None = None
        self.reveal: Reveal | None = None
        by_host = self.settings.host_releases and self.has_host
        self.planner = Planner(row.id, self.settings.clock, self.settings.close_early, by_host)
        self._release: tuple[Any, Release | None] = (None, None)
        self._hushed: tuple[Any, bool] = (None, False)
        self._legal: tuple[Any, list[int]] = (None, [])
        self._shown: tuple[Any, Match] = (None, match)
        self._finished = row.finished is not None

    @property
    def match(self) -> Match:
        """The match as of the last entry of the journal."""
        return self.journal.match

    @property
    def steps(self) -> Steps:
        """The steps of the match."""
        return self.journal.steps

    @property
    def is_over(self) -> bool:
        """Whether the match is over."""
        return self.match.over

    def people_changed(self) -> None:
        """Update all viewers after a change of seats."""
        self.forget_texts()
        super().people_changed()

    def forget_texts(self) -> None:
        """Drop cached texts: they contain names, and take up memory."""
        self.encoded.forget_texts()
        self.journal.chronicle.forget_texts()

    def options_for(self, requester: Requester) -> dict[str, Any]:
        """Return the options as a requester may see them; a host sees no more than their own seat."""
        return self.match.options_for(requester.seat)

    @property
    def hushed(self) -> bool:
        """Whether several seats are deciding in secret."""
        return not self.match.over and self.steps.together and not self.releasing

    # Actions

    async def act(
        self,
        seat: int | None,
        action: Action | int | str,
        version: int,
        *,
        by_bot: bool = False,
        also: Change | None = None,
    ) -> Accepted:
        """Play an action: check it, store it, play it and publish it. People, programs and bots all use this method.

        `version` is the position of `seat` at which the action was chosen, or an older one that `Journal.may_be_late`
        accepts. `also` is stored in the same transaction. A stand-in bot stops playing when its person acts. Raises
        NotYourSeat, TimeIsUp, StaleVersion, TableIsPaused, IllegalAction or NotSaved; the table is then unchanged.
        """
        if seat is None:
            raise NotYourSeat(_("You are watching this game."), open=self.open_seats)
        async with self._lock:
            if self._behind:
                await self._catch_up()
            at, deadline = self._house.now(), self.standing.deadline
            if deadline is not None and at >= deadline and not self.paused:
                said = _("Time ran out at {time} UTC. Your last saved choice counts.")
                raise TimeIsUp(said.format(time=f"{moment(deadline):%H:%M:%S}"), version=self.version(seat))
            current = self.version(seat)
            if version > current:
                # The action was chosen at a position shown by another server.
                await self._catch_up()
                current = self.version(seat)
            if eras.era_of(version) < self.journal.era:
                raise StaleVersion(_(WENT_BACK), version=current)
            self.require_going_on()
            if by_bot and self.seats[seat].player is None:
                raise StaleVersion(_(CHANGED), version=current)
            if not by_bot and (move := coming_back(self, seat, at)) is not None:
                await self._do(move, seat)
            if version != current and not self.journal.may_be_late(seat, action, version):
                raise StaleVersion(_(CHANGED), version=current)
            action_id = self._legal_id(seat, action)
            if not by_bot:
                self._house.events.check(self, seat, action_id)
            move = self.planner.action(self.steps, self.standing, seat, action_id, at)
            await self._do(replace(move, also=also) if also is not None else move, seat)
            return Accepted(self.version(seat), self._receipt(seat, action_id))

    def takeback_is_fair(self, ply: int) -> bool:
        """Return whether nobody has learnt anything from the actions since a ply besides the actions."""
        return self.standing.held is None and self.journal.revealed_nothing_since(ply)

    async def change(self, plan: Callable[[int], Move]) -> None:
        """Carry out a host command: call `plan` with the current time, again if the table has changed meanwhile.

        Raises what `plan` raises, StaleVersion, or NotSaved; the table is then unchanged.
        """
        async with self._lock:
            if self._behind:
                await self._catch_up()
            for tries in range(MOST_TRIES):
                move = plan(self._house.now())
                try:
                    return await self._do(move, None)
                except StaleVersion:
                    if tries == MOST_TRIES - 1:
                        raise

    async def time_up(self) -> None:
        """If the time of the current step is up, play the default moves of all seats that are still due.

        Raises NotSaved if that cannot be stored; the table is then unchanged.
        """
        async with self._lock:
            if self._behind:
                await self._catch_up()
            for _ in range(MOST_TRIES):
                at, deadline = self._house.now(), self.standing.deadline
                if deadline is None or at < deadline or self.match.over:
                    break
                chose = {seat for seat in self.match.acting if has_choice(self.match, seat)}
                with suppress(StaleVersion):  # another server was faster, perhaps with the same move
                    if self.paused:
                        move = Move((), self.standing.resumed(at), [HostCommand("opened", "clock", {}, at)])
                    else:
                        move = with_absent(self, self.planner.time_up(self.steps, self.standing, at), chose, at)
                    await self._do(move, None)
            self._house.keeper.arm(self.id, None if self.match.over else self.standing.deadline)

    async def _do(self, move: Move, seat: int | None) -> None:
        """Store a move, then play and publish it. `seat` is the acting seat, None for the clock."""
        before, told = self.standing, self._told_to_all()
        if self.releasing and (move.commands or move.after):
            # A host command would come before the results in the log, and so change the numbers of released events.
            raise TableIsPaused(_("The host is revealing the results. The game continues afterwards."))
        # An action that leaves the clock unchanged is a single row, which is the fastest to write.
        plain = (
            len(move.plies) == 1
            and move.standing is before
            and not (move.commands or move.after or move.columns or move.also)
        )
        entries = move.numbered(self.journal.length)
        what = (
            entries[0]
            if plain and isinstance(entries[0], Ply)
            else change_of(self.id, move, self.journal.length, before)
        )
        try:
            await self._house.writer.write(what)
        except Conflict:
            await self._catch_up()
            more = {} if seat is None else {"version": self.version(seat)}
            raise StaleVersion(_(CHANGED), **more) from None
        except BaseException as error:
            # A write that failed, or was cancelled, may still have reached the disk.
            self._behind = True
            if isinstance(error, WriteFailed):
                said = _("Your move could not be saved and was not played: {cause}.")
                raise NotSaved(said.format(cause=error)) from error
            raise
        self.standing = move.standing
        for one in entries:
            self.journal.add(one)
        if not plain:
            self._took_effect(move)
        self._moved(before, told)

    def _took_effect(self, move: Move) -> None:
        """Apply a move's changes to the seats and the table, and publish host commands."""
        if move.seats:
            new = {becomes.seat: becomes for _, becomes in move.seats}
            self._set_rows([new.get(row.seat, row) for row in self._rows])
            self.presence_changed()
        for name, value in move.columns.items():
            setattr(self, name, value)
        if move.commands or move.after or move.seats:
            self.people_changed()

    def _legal_id(self, seat: int, action: Action | int | str) -> int:
        """Return the id of a legal action. Raises IllegalAction with the rule and a sentence."""
        action_id = self.journal.id_of(action)
        ids = self.legal_ids(seat)
        place = bisect_left(ids, action_id)
        if place == len(ids) or ids[place] != action_id:
            refusal = self.shown.refusal(seat, action_id)
            if refusal is None:
                raise AssertionError(f"{self.game.id}: {action_id} is neither legal nor refused")
            raise IllegalAction(refusal.rule, refusal.reason)
        return action_id

    async def refresh(self) -> None:
        """Load changes from the database if the table may be out of date."""
        if self._behind:
            async with self._lock:
                if self._behind:
                    await self._catch_up()

    async def _catch_up(self) -> None:
        """Play the stored actions that the match lacks: by another server, or by a write that seemed to fail."""
        self._behind = False  # before reading, so that changes that arrive meanwhile are not missed
        before, told, commands = self.standing, self._told_to_all(), len(self.commands)
        try:
            stored = await asyncio.to_thread(self._house.store.whole, self.id, self.journal.length)
            if stored is None:
                raise CannotGoOn(_("This table cannot continue: it is no longer in the database."))
            self.kept = await asyncio.to_thread(self._house.events.read_kept, self._house.store, self.id)
            row, seats, plies = stored
            self._set_host(row)
            known, self._rows = self._rows, list(seats)
            if [one.shown for one in seats] != [one.shown for one in known]:
                self._set_rows(seats)
                self.people_changed()
                self.presence_changed()
            elif seats != known:
                # Only the code, device or account of the same player has changed; do not tell the others.
                self._end_streams()
            self.journal.replay(plies)
        except BaseException:
            self._behind = True
            raise
        self.standing = Standing.of(row)
        if len(self.commands) != commands:
            self.people_changed()
        if plies or self.standing != before:
            self._moved(before, told)

    @property
    def counting(self) -> dict[str, int] | None:
        """The running countdown, or None: time of the reveal, milliseconds left, number of beats."""
        left = self.reveal.at - self._house.now() if self.reveal is not None else 0
        if self.reveal is None or left <= 0:
            return None
        return {"at": self.reveal.at, "left": left, "beats": len(self.reveal.beats)}

    def _told_to_all(self) -> int:
        """Return the number of public events, if the game has a countdown, else 0."""
        return len(self.told(None)) if self.game.count_in is not None else 0

    def _moved(self, before: Standing, told: int) -> None:
        """Publish the new position to the viewers whose view has changed. `told` public events existed before."""
        self.reveal = reveal_of(self, told, self._house.now()) or self.reveal
        standing, match, first = self.standing, self.match, eras.version(self.journal.era, 0)
        held, everybody = set[int](), False
        if standing is not before:
            # Only its own seat knows of a held submission, unless the table shows who has submitted.
            if before.held != standing.held:
                held.update(one.seat for one in (before.held, standing.held) if one is not None)
            everybody = replace(before, held=None) != replace(standing, held=None)
            everybody |= _released(before) != _released(standing)
            everybody |= bool(held and self.submitted_shown)
        for viewer, channel in self.channels.items():
            version = first + match.version(viewer)
            if version != channel.version:
                channel.version = version
                channel.wake()
            elif everybody or viewer in held:
                channel.stir()
        if self.match.over and not self._finished:
            self._finished = True
            # This column is for lists only: that the match is over follows from its plies.
            self._house.writer.write(_finish(self.id)).add_done_callback(_forget)
        self._house.keeper.arm(self.id, standing.deadline)
        self._house.moved(self)

    def tell_queued(self, place: int | None) -> None:
        """Publish the place of the due bot in the queue for thinking."""
        if place != self._queued:
            self._queued = place
            if self.queue_shown == place:
                for channel in self.channels.values():
                    channel.stir()

    def leave_queue(self) -> None:
        """Clear the due bot's place in the queue without telling anybody, since the bot moves now."""
        self._queued = None

    # What a viewer is shown

    @property
    def queue_shown(self) -> int | None:
        """The due bot's place in the queue; None while several seats are due, since it would reveal who has decided."""
        return self._queued if len(self.match.acting) == 1 and not self.match.submitted else None

    @property
    def shown(self) -> Match:
        """The match as shown to viewers, in which a held submission looks like any other."""
        held = self.standing.held
        if held is None:
            return self.match
        key = self.journal.era, self.match.ply, held
        if self._shown[0] != key:
            self._shown = key, self.match.as_if_submitted(held.seat)
        return self._shown[1]

    @property
    def waited_for(self) -> list[int]:
        """The seats that still have to decide; for the referee only."""
        held = self.standing.held
        return [seat for seat in self.match.acting if held is None or seat != held.seat]

    @property
    def submitted_shown(self) -> bool:
        """Whether it is public who has submitted."""
        return bool(self.match.redacted_state(None)["submitted_shown"][0])

    def legal_ids(self, seat: int) -> list[int]:
        """Return the ids of a seat's legal actions, ascending; cached, because the next action is checked by them."""
        key = self.journal.era, self.match.ply, seat, self.standing.held
        if self.releasing:
            return []
        if self._legal[0] != key:
            ids: list[int] = self.shown.legal_ids(seat).tolist()
            self._legal = key, ids
        return self._legal[1]

    def due(self, viewer: int | None) -> tuple[int, ...]:
        """Return the seats whose decision is due, as far as the viewer may know."""
        due = self.due_to_all
        return self.shown.acting_for(viewer) if due is None else due

    @property
    def due_to_all(self) -> tuple[int, ...] | None:
        """The seats whose decision is due, or None while viewers may know different ones."""
        key = self.journal.era, self.match.ply, self.standing.held
        if self.releasing:
            return ()
        if self._hushed[0] != key:
            # Outside simultaneous steps there are no submissions, so everybody knows who is due.
            self._hushed = key, bool(self.shown.submitted)
        return None if self._hushed[1] else self.match.acting

    def version(self, viewer: int | None) -> int:
        """Return the viewer's current version (`eras`); it does not reveal the number of actions."""
        return self.journal.version(viewer)

    @property
    def commands(self) -> Sequence[HostCommand]:
        """The host commands so far, in order."""
        return self.journal.commands

    @property
    def timing(self) -> Timing | None:
        """The clock at this moment; None for a table without one."""
        standing, now, clock = self.standing, self._house.now(), self.settings.clock
        if self.releasing or (clock is None and standing.deadline is None):
            return None
        whole = self.settings.pregame if self.paused else clock
        given = sum(
            int(command.data["seconds"])
            for command, ply in zip(self.commands, self.journal.places, strict=True)
            if command.kind == "extended" and ply >= self.journal.starts[-1]
        )
        most = None if whole is None else (whole + given) * 1000
        return Timing(clock, standing.deadline, now, most, opening=standing.opens is not None)

    def answered_ahead(self, seat: int) -> bool:
        """Return whether a feature will make the seat's pending decision, so that no reminder is needed."""
        return any(answers(self, seat) for answers in self._house.events.answered_ahead)

    def submission(self, seat: int) -> Submission | None:
        """Return the status of a seat's submission, or None if it has none to make."""
        shown = self.shown
        if self.releasing:
            return None
        asked = seat in shown.acting or seat in shown.submitted
        if not asked or not (self.steps.together or self.steps.has_parts(self.legal_ids(seat))):
            return None
        confirmed = seat in shown.submitted
        return Submission(not confirmed, list(self.steps.saved.get(seat, {}).values()), confirmed)

    def confirmed(self, viewer: int | None) -> tuple[int, ...] | None:
        """Return who has submitted, if that is public and a simultaneous step is open, else None."""
        shown = self.hushed and self.submitted_shown
        return self.shown.submitted if shown else None

    def _receipt(self, seat: int, action_id: int) -> Seal | None:
        """Return the seal of the submission that a seat has just made, or None."""
        held, text = self.standing.held, self.game.actions[action_id].text
        if held is not None and held.seat == seat:
            return held.seal
        if not self.match.history or self.match.history[-1] != (seat, action_id):
            return None
        sealed = self.journal.seals.get(self.match.ply - 1)
        return sealed if sealed is not None and sealed.actions[-1] == text else None

    def receipt(self, seat: int) -> Seal | None:
        """Return the seal of a seat's submission in the current step, or None."""
        held = self.standing.held
        if held is not None and held.seat == seat:
            return held.seal
        if seat not in self.match.submitted:
            return None
        return self.journal.pending_seal(seat)

    def seals_for(self, viewer: int | None) -> list[dict[str, Any]]:
        """Return the seals that a viewer may see, JSON-ready.

        There is one for each seat in each step that has ended, opened if its content is public, and the viewer's own
        seal in the current step.
        """
        known: dict[tuple[int, int], Seal] = {}
        for number, one in enumerate(self.journal.seals.values()):
            if number < self.journal.opened:
                known[one.step, one.seat] = one
        own = self.receipt(viewer) if viewer is not None else None
        if own is not None:
            known[own.step, own.seat] = own
        everything = self.match.over or self.game.submissions_open
        # Sort by step and seat: the order of submissions is secret.
        return [known[key].as_json(opened=everything or key[1] == viewer) for key in sorted(known)]

    def record(self) -> dict[str, Any]:
        """Return the record of the match, with its seals and the plies (from 1) played by the clock."""
        origin = {"origin": self.origin.as_record()} if self.origin is not None else {}
        return self.journal.record({"table": self.id, **origin})

    def stream_id(self, viewer: int | None) -> str:
        """Return the id from which a new event stream continues."""
        return f"{self.version(viewer)}.{self.people}"

    def snapshot(self, viewer: int | None, version: int | None = None, *, everything: bool = False) -> Snapshot:
        """Return what `viewer` sees now, or saw at an earlier version.

        `everything` reveals all hidden information once the match is over; `version` then counts actions. Raises
        ValueError for a version that does not exist, and for `everything` before the end.
        """
        match, names = self.match, self.names
        if everything and not match.over:
            raise ValueError(_("Hidden information is shown only after the game."))
        eyes = EVERYTHING if everything else viewer
        plies = match.positions(eyes)
        last = len(plies) - 1
        if version is not None and version >= eras.SIZE:
            if eras.era_of(version) != self.journal.era:
                raise ValueError(_(WENT_BACK))
            version = eras.position_of(version)
        shown = last if version is None else version
        if not 0 <= shown <= last:
            said = _("There is no position {number}. The latest is {newest}.")
            raise ValueError(said.format(number=shown, newest=last))
        current = shown == last
        position = self.shown if current else match.at(plies[shown])
        events = self.events(eyes)
        mine = viewer if current else None
        then = self.journal.chronicle.version(shown, plies[shown])
        return Snapshot(
            table=self,
            viewer=viewer,
            version=self.version(viewer) if current and not everything else shown,
            last_version=last if everything else self.version(viewer),
            position=shown,
            last_position=last,
            view=position.view(eyes) if current or not everything else _opened(position),
            undone=self.undone(eyes),
            events=list(events) if current else [event for event in events if event.position <= then],
            acting=position.acting if everything else self.due(viewer) if current else position.acting_for(viewer),
            free=() if current and self.releasing else position.free,
            legal=self.legal(mine) if mine is not None else [],
            over=position.over,
            outcome=position.outcome,
            names=names,
            position_is_current=current,
            everything=everything,
            stream_id=self.stream_id(viewer),
            seats=self.seats,
            timing=self.timing if current and not match.over and (not self.paused or self.standing.opens) else None,
            table_status=table_status(self, viewer) if current and not everything else None,
            submission=self.submission(mine) if mine is not None else None,
            confirmed=self.confirmed(viewer) if current else None,
            hints=bool(self.settings.hints),
            queued=self.queue_shown if current else None,
            receipt=self.receipt(mine) if mine is not None else None,
            seals=self.journal.opened,
            releasing=current and self.releasing,
        )

    def told(self, viewer: int | None, since: int = 0) -> Sequence[Told]:
        """Return the viewer's log entries from event number `since` on, without texts."""
        told, released = self.journal.chronicle.told(viewer, since), self._released_to(viewer)
        return [*told, *released[max(0, since - len(self.journal.chronicle.told(viewer))) :]] if released else told

    def event(self, told: Told) -> Event:
        """Return a log entry as an event with its text."""
        return self.journal.chronicle.event(told, self.names)

    def events(self, viewer: int | None) -> Sequence[Event]:
        """Return the viewer's events with texts, oldest first; cached."""
        events, released = self.journal.chronicle.events(viewer, self.names), self._released_to(viewer)
        return [*events, *(self.event(told) for told in released)] if released else events

    @property
    def release(self) -> Release | None:
        """The results that the host is releasing, or None."""
        held = self.standing.held
        if held is None or held.released is None:
            return None
        key = self.journal.era, self.match.ply, held.seat, held.action
        if self._release[0] != key:
            self._release = key, Release(self.steps, self.journal.chronicle, held)
        return self._release[1]

    def _released_to(self, viewer: int | None) -> Sequence[Told]:
        held, release = self.standing.held, self.release
        return release.told(viewer, held.released or 0) if held is not None and release is not None else ()

    def undone(self, viewer: int | None) -> frozenset[int]:
        """Return the numbers of the viewer's undone events."""
        return self.journal.chronicle.undone(viewer)

    def legal(self, seat: int) -> list[LegalAction]:
        """Return a seat's legal actions, ascending by id; none while the table is paused."""
        if self.paused or self.releasing:
            return []
        names, label = self.names, self.match.label
        return [LegalAction(a.id, a.text, a.family, a.path, label(a, names)) for a in self.shown.legal(seat)]


def _released(standing: Standing) -> int | None:
    return standing.held.released if standing.held is not None else None


def _opened(position: Match) -> dict[str, Any]:
    """Return the view of an earlier position of a finished match with everything revealed."""
    shown = position.game.layout.redact(position.state_copy(), EVERYTHING)
    return position.game.view.view(seen(position.box), seen(shown), EVERYTHING)


def _finish(match: str) -> Callable[[sa.Connection], None]:
    def change(connection: sa.Connection) -> None:
        connection.execute(sa.update(MATCHES).where(MATCHES.c.id == match).values(finished=now(), deadline=None))

    return change


def _forget(future: asyncio.Future[None]) -> None:
    if not future.cancelled() and (error := future.exception()):
        log.error("The end of a match could not be noted: %s", error)
