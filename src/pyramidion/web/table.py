"""One table: a match with people and bots at it, its serial door for actions, its clock, and who is watching."""

from __future__ import annotations

import asyncio
import logging
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa

from pyramidion import EVERYTHING, Action, Event, Game, IllegalAction, Match
from pyramidion.engine.seals import Seal
from pyramidion.engine.seeds import Origin
from pyramidion.engine.steps import Steps
from pyramidion.web import orders, wire
from pyramidion.web.chronicle import Chronicle, Told
from pyramidion.web.clock import Timing, moment
from pyramidion.web.errors import CannotGoOn, NotSaved, NotYourSeat, StaleVersion, TimeIsUp
from pyramidion.web.host import eras
from pyramidion.web.host.absence import coming_back, with_absent
from pyramidion.web.host.acts import Act, TakenBack, recorded
from pyramidion.web.host.around import around
from pyramidion.web.host.hosting import Hosting
from pyramidion.web.host.undoing import reveals_nothing
from pyramidion.web.moves import Move, Planner, Standing, change_of
from pyramidion.web.schema import MATCHES
from pyramidion.web.seating import House
from pyramidion.web.snapshot import LegalAction, Snapshot, Submission
from pyramidion.web.store import MatchRow, SeatRow, StoredPly, now
from pyramidion.web.writer import Change, Conflict, Ply, WriteFailed
from pyramidion.words import _, marked

log = logging.getLogger(__name__)
MOST_TRIES = 3
WENT_BACK = marked("The table has gone back to an earlier position since; this is how it stands now.")
CHANGED = marked("The table has changed since; this is how it stands now.")


@dataclass(frozen=True, slots=True)
class Accepted:
    """An action that is made and stored; `version` is its maker's new version, `receipt` the seal of a submission."""

    version: int
    receipt: Seal | None = None


class Table(Hosting):
    """A match and the people at it.

    Attributes:
        title, created: as stored.
        game, match: the referee. Nothing of `match` may be sent to anybody but through `snapshot`, `view` and `events`.
        clock: seconds per decision, or None. `close_early`: whether a step in which all have submitted ends at once.
        standing: when time is up, and the submission that is held until then.
        seals: the sealed submissions that have been played, by ply (from 0); `opened` how many of them everybody knows
            of, since their steps have ended.
        host, host_token: whoever made the table, a visitor or the hash of a program's token.
        orders: what seats have ordered in advance, each for its own seat alone (`web.orders`).
        origin: where the seed comes from; None where it was chosen, or the table is older than that.
        seeded: whether whoever started the table chose the seed, and so may know the cards.
        hints: whether people here may ask for hints.
        queued: the place of this table's bot in the line of those that wait to think, from 1; None where none waits.
        own_cards: whether it is played with other cards than the game's own.
        said: by language, how events read, as JSON, with the names of those who sit here; `last_said` is what somebody
            has just been told, which is mostly what the others are told, too.
        common: what all viewers are told of the newest position (`wire`).
        starts: the plies at which the steps began; the last one is the current step's.
        planner: plans moves; what it plans is made by `act`, `time_up` and `change` alone.
        taken_back: what acts have taken back, for the record. `_line` are the stored plies that the match consists of,
            and `_entries` counts all that is in the table's journal, acts and what was taken back among them.
    """

    def __init__(self, row: MatchRow, seats: Sequence[SeatRow], match: Match, house: House) -> None:
        super().__init__(row, seats, house)
        self.title, self.created, self.seeded = row.title, row.created, row.seed_chosen
        self.game: Game = match.game
        self.match = match
        self.clock, self.close_early = row.clock, row.close_early
        self.standing = Standing.of(row)
        self.steps = Steps(match)
        self.host, self.host_token = row.host, row.host_token
        self.origin: Origin | None = None
        self.orders: dict[int, orders.Order] = {}
        self.seals: dict[int, Seal] = {}
        self.opened = 0
        self.taken_back: list[TakenBack] = []
        self.starts = [0]
        self._line: list[StoredPly] = []
        self._entries = 0
        self._pending: list[Seal] = []
        self.own_cards = match.cards is not None
        self.options: dict[str, Any] = match.options
        self.hints = row.hints
        self.queued: int | None = None
        self.said: dict[str, dict[tuple[Any, ...], bytes]] = {}
        self.last_said: tuple[str, int, Sequence[Told], bytes] | None = None
        self.common: wire.Common | None = None
        self._chronicle = Chronicle(match)
        self._ids: dict[str, int] = {}
        self.planner = Planner(row.id, row.clock, row.close_early)
        self._hushed: tuple[Any, bool] = (None, False)
        self._undo: tuple[Any, bool] = (None, False)
        self._legal: tuple[Any, list[int]] = (None, [])
        self._shown: tuple[Any, Match] = (None, match)
        self._finished = row.finished is not None

    @property
    def is_over(self) -> bool:
        """Whether the match is over."""
        return self.match.over

    def people_changed(self) -> None:
        """Tell everybody that the seats have changed."""
        self.said.clear()
        self.last_said = None
        self._chronicle.forget_texts()
        super().people_changed()

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
        """Make an action: checked, stored durably, then made and published. People, programs and bots all come here.

        `version` is the position of `seat` that the action was chosen at; a part of a submission may be saved at an
        older one if nothing but other seats' actions has come since. Raises NotYourSeat, TimeIsUp, StaleVersion,
        TableIsPaused, IllegalAction or NotSaved; the table is then as it was. A person who acts is back, whoever has
        played for them. `also` is stored in the same transaction.
        """
        if seat is None:
            raise NotYourSeat(_("You hold no seat at this table, so you can only watch."), open=self.open_seats)
        async with self._lock:
            if self.behind:
                await self._catch_up()
            at, deadline = self._house.now(), self.standing.deadline
            if deadline is not None and at >= deadline:
                said = _("Time was up at {time} UTC, so this was not done; what was saved counts.")
                raise TimeIsUp(said.format(time=f"{moment(deadline):%H:%M:%S}"), version=self.version(seat))
            current = self.version(seat)
            if version > current:
                # It was chosen at a position that another server has shown.
                await self._catch_up()
                current = self.version(seat)
            if eras.era_of(version) < self.era:
                raise StaleVersion(_(WENT_BACK), version=current)
            self.require_going_on()
            if by_bot and self.seats[seat].player is None:
                raise StaleVersion(_(CHANGED), version=current)
            if not by_bot and (move := coming_back(self, seat, at)) is not None:
                await self._do(move, seat)
            if version != current and not self._may_be_late(seat, action, version, current):
                raise StaleVersion(_(CHANGED), version=current)
            action_id = self._legal_id(seat, action)
            move = self.planner.action(self.steps, self.standing, seat, action_id, at)
            await self._do(replace(move, also=also) if also is not None else move, seat)
            return Accepted(self.version(seat), self._receipt(seat, action_id))

    @property
    def last_ply(self) -> StoredPly | None:
        """The last action as it is stored, None at the opening."""
        return self._line[-1] if self._line else None

    def undo_is_fair(self) -> bool:
        """Whether nobody has learnt anything from the last action but what it was; found out once for each position."""
        key = self.era, self.match.ply
        if self._undo[0] != key:
            self._undo = key, self.standing.held is None and reveals_nothing(self.match)
        return self._undo[1]

    async def change(self, plan: Callable[[int], Move]) -> None:
        """Make what is no action of a seat: `plan` is given the time, and asked again where something came between.

        Raises what `plan` raises, StaleVersion, or NotSaved; the table is then as it was.
        """
        async with self._lock:
            if self.behind:
                await self._catch_up()
            for tries in range(MOST_TRIES):
                move = plan(self._house.now())
                try:
                    return await self._do(move, None)
                except StaleVersion:
                    if tries == MOST_TRIES - 1:
                        raise

    async def time_up(self) -> None:
        """If the time for what is due is up, let everybody who is still due do what the rules say for the absent.

        Raises NotSaved where that could not be stored; the table is then as it was.
        """
        async with self._lock:
            if self.behind:
                await self._catch_up()
            for _ in range(MOST_TRIES):
                at, deadline = self._house.now(), self.standing.deadline
                if deadline is None or at < deadline or self.match.over:
                    break
                chose = {seat for seat in self.match.acting if len(self.legal_ids(seat)) > 1}
                with suppress(StaleVersion):  # another server was quicker, perhaps with this
                    move = self.planner.time_up(self.steps, self.standing, at)
                    await self._do(with_absent(self, move, chose, at), None)
            self._house.keeper.arm(self.id, None if self.match.over else self.standing.deadline)

    async def _do(self, move: Move, seat: int | None) -> None:
        """Store a move, then play it and tell everybody. `seat` is who made it, None for the clock."""
        before = self.standing
        # An action after which the clock stands as before is a single row, and those are written fastest.
        plain = (
            len(move.plies) == 1
            and move.standing is before
            and not (move.acts or move.after or move.columns or move.also)
        )
        entries = move.numbered(self._entries)
        what = entries[0] if plain and isinstance(entries[0], Ply) else change_of(self.id, move, self._entries, before)
        try:
            await self._house.writer.write(what)
        except Conflict:
            await self._catch_up()
            more = {} if seat is None else {"version": self.version(seat)}
            raise StaleVersion(_(CHANGED), **more) from None
        except BaseException as error:
            # A failed write may have reached the disk after all, and so may one that nobody waits for any more.
            self.behind = True
            if isinstance(error, WriteFailed):
                said = _("The action could not be saved, so it was not made: {cause}.")
                raise NotSaved(said.format(cause=error)) from error
            raise
        self.standing = move.standing
        for one in entries:
            if isinstance(one, Act):
                self._acted(one)
            else:
                self._play(StoredPly(one.ply, one.seat, one.action, one.by_clock, one.seal, one.nonce))
            self._entries += 1
        if not plain:
            self._took_effect(move)
        self._moved(before)

    def _took_effect(self, move: Move) -> None:
        """Take over what a move has changed about the seats and the table, and tell everybody of acts."""
        if move.seats:
            new = {becomes.seat: becomes for _, becomes in move.seats}
            self._set_rows([new.get(row.seat, row) for row in self._rows])
            self.presence_changed()
        for name, value in move.columns.items():
            setattr(self, name, value)
        if move.acts or move.after or move.seats:
            self.people_changed()

    def _acted(self, act: Act) -> None:
        """Take note of an act, and take back what it takes back."""
        if (ply := act.back_to) is not None:
            kept, gone = self._line[:ply], self._line[ply:]
            self.match = self.match.at(0)
            self.steps, self.starts, self._line, self.opened = Steps(self.match), [0], [], 0
            self.seals.clear()
            self._pending.clear()
            chronicle, self._chronicle = self._chronicle, Chronicle(self.match)
            for one in kept:
                self._play(one)
            self._chronicle = chronicle
            chronicle.went_back(self.match)
            self.taken_back.append(TakenBack(act, gone))
            self._hushed, self._legal, self._shown = (None, False), (None, []), (None, self.match)
        self._chronicle.acted(act)
        self.asks.acted(act)

    def _play(self, ply: StoredPly) -> None:
        """Play a stored action. Raises IllegalAction."""
        steps, number, action_id = self.steps, self.match.ply, self._ids.get(ply.action)
        if action_id is None:
            action_id = self._ids[ply.action] = self.game.actions.parse(ply.action).id
        if ply.seal is not None and ply.nonce is not None:
            made = (*steps.made.get(ply.seat, ()), ply.action)
            self.seals[number] = Seal(ply.seat, steps.number, made, ply.seal, ply.nonce)
            self._pending.append(self.seals[number])
        ended = steps.play(ply.seat, action_id)
        if ended:
            self.starts.append(self.match.ply)
            self.opened = len(self.seals)
            self._pending.clear()
        self._line.append(ply)
        self.asks.played()
        self._chronicle.played(number, ply.seat, by_clock=bool(ply.by_clock), ended=ended)

    def _may_be_late(self, seat: int, action: Action | int | str, version: int, current: int) -> bool:
        """Whether an action chosen at an older version may still be made: a part, and the seat has done nothing since.

        What others do in public must not refuse a seat what it saves; a doubled click must be refused all the same.
        """
        try:
            action_id = self._id(action)
            if not 0 <= version < current or not self.steps.is_part(action_id):
                return False
            version = eras.position_of(version)
        except (IllegalAction, IndexError):
            return False
        history = self.match.history
        last = next((ply for ply in range(len(history) - 1, -1, -1) if history[ply][0] == seat), -1)
        return version >= bisect_right(self.match.positions(seat), last + 1) - 1

    def _id(self, action: Action | int | str) -> int:
        """Return the id that an action means. Raises IllegalAction with a sentence for what is none."""
        if isinstance(action, str):
            if (known := self._ids.get(action)) is not None:
                return known
            try:
                return self.game.actions.parse(action).id
            except ValueError as error:
                raise IllegalAction("", str(error)) from None
        return action.id if isinstance(action, Action) else action

    def _legal_id(self, seat: int, action: Action | int | str) -> int:
        """Return the id of a legal action. Raises IllegalAction with the rule and a sentence."""
        action_id = self._id(action)
        ids = self.legal_ids(seat)
        place = bisect_left(ids, action_id)
        if place == len(ids) or ids[place] != action_id:
            refusal = self.shown.refusal(seat, action_id)
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
        before, acts = self.standing, len(self.acts)
        try:
            stored = await asyncio.to_thread(self._house.store.whole, self.id, self._entries)
            if stored is None:
                raise CannotGoOn(_("This table cannot go on: it is not in the database any more."))
            if self.game.orders is not None:
                self.orders = await asyncio.to_thread(orders.read, self._house.store, self.id)
            row, seats, plies = stored
            self._set_host(row)
            if seats != self._rows:
                self._set_rows(seats)
                self.people_changed()
                self.presence_changed()
            self.replay(plies)
        except BaseException:
            self.behind = True
            raise
        self.standing = Standing.of(row)
        if len(self.acts) != acts:
            self.people_changed()
        if plies or self.standing != before:
            self._moved(before)

    def replay(self, plies: Sequence[StoredPly]) -> None:
        """Play stored plies. Raises CannotGoOn with a sentence for one that is missing or not legal."""
        for ply in plies:
            if ply.ply != self._entries:
                said = _("This table cannot go on: its action number {number} is missing in the database.")
                raise CannotGoOn(said.format(number=self._entries + 1))
            try:
                if ply.act is not None:
                    self._acted(ply.act)
                else:
                    self._play(ply)
                self._entries += 1
            except ValueError as error:
                log.error("Table %s: ply %s, %r by seat %s, is not legal: %s", self.id, *ply[:3], error)
                said = _("This table cannot go on: its action number {number} in the database is not legal.")
                raise CannotGoOn(said.format(number=ply.ply + 1)) from error

    def _moved(self, before: Standing) -> None:
        """Publish the new position to those for whom it is new."""
        standing, match, first = self.standing, self.match, eras.version(self.era, 0)
        held, everybody = set[int](), False
        if standing is not before:
            # A submission that is held is known to its seat alone, unless the table shows who has submitted.
            if before.held != standing.held:
                held.update(one.seat for one in (before.held, standing.held) if one is not None)
            everybody = replace(before, held=None) != replace(standing, held=None)
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
            # Only lists read it; that the match is over follows from its plies.
            self._house.writer.write(_finish(self.id)).add_done_callback(_forget)
        self._house.keeper.arm(self.id, standing.deadline)
        self._house.moved(self)

    def tell_queued(self, place: int | None) -> None:
        """Tell everybody the place in the line of the bot that is due."""
        if place != self.queued:
            self.queued = place
            if self.queue_shown == place:
                for channel in self.channels.values():
                    channel.stir()

    # What a viewer is shown

    @property
    def queue_shown(self) -> int | None:
        """The place of the bot that is due; None while several are due, since it would tell who has decided."""
        return self.queued if len(self.match.acting) == 1 and not self.match.submitted else None

    @property
    def shown(self) -> Match:
        """The match as it is shown: a submission that is held looks like any other."""
        held = self.standing.held
        if held is None:
            return self.match
        key = self.match.ply, held
        if self._shown[0] != key:
            self._shown = key, self.match.as_if_submitted(held.seat)
        return self._shown[1]

    @property
    def waited_for(self) -> list[int]:
        """The seats that have still to decide; the referee's knowledge."""
        held = self.standing.held
        return [seat for seat in self.match.acting if held is None or seat != held.seat]

    @property
    def submitted_shown(self) -> bool:
        """Whether everybody sees who has submitted."""
        return bool(self.match.redacted_state(None)["submitted_shown"][0])

    def legal_ids(self, seat: int) -> list[int]:
        """Return the ids of what a seat may do now, ascending; kept until the next action, whose check needs them."""
        key = self.match.ply, seat, self.standing.held
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
        """The seats whose decision is due, or None while that is not the same for everybody."""
        key = self.match.ply, self.standing.held
        if self._hushed[0] != key:
            # Outside simultaneous steps nobody has submitted anything, and what is due is known to all.
            self._hushed = key, bool(self.shown.submitted)
        return None if self._hushed[1] else self.match.acting

    def version(self, viewer: int | None) -> int:
        """Return the version of the viewer's newest position (`eras`); it never tells how many actions were made."""
        return eras.version(self.era, self.match.version(viewer))

    def version_of(self, position: int) -> int:
        """Return the version at which everybody first saw a position of theirs, from 0."""
        return self._chronicle.version(position, self.match.positions(None)[position])

    @property
    def era(self) -> int:
        """How often actions have been taken back."""
        return self._chronicle.era

    @property
    def acts(self) -> Sequence[Act]:
        """What has happened at the table that is no action of the game, in order."""
        return self._chronicle.acts

    @property
    def act_places(self) -> Sequence[int]:
        """How many actions of those that count had been made before each act."""
        return self._chronicle.places

    @property
    def timing(self) -> Timing | None:
        """The clock as it stands now, or None for a table without one."""
        return None if self.clock is None else Timing(self.clock, self.standing.deadline, self._house.now())

    def submission(self, seat: int) -> Submission | None:
        """Return how a seat's submission stands, or None where it has none to make."""
        shown = self.shown
        asked = seat in shown.acting or seat in shown.submitted
        if not asked or not (self.steps.together or self.steps.has_parts(self.legal_ids(seat))):
            return None
        confirmed = seat in shown.submitted
        return Submission(not confirmed, list(self.steps.saved.get(seat, {}).values()), confirmed)

    def confirmed(self, viewer: int | None) -> tuple[int, ...] | None:
        """Return who has submitted, where everybody sees it and a simultaneous step is open; otherwise None."""
        return self.shown.submitted if self.steps.together and self.submitted_shown and not self.match.over else None

    def _receipt(self, seat: int, action_id: int) -> Seal | None:
        """Return the seal of the submission that a seat has just made."""
        held, text = self.standing.held, self.game.actions[action_id].text
        if held is not None and held.seat == seat:
            return held.seal
        if not self.match.history or self.match.history[-1] != (seat, action_id):
            return None
        sealed = self.seals.get(self.match.ply - 1)
        return sealed if sealed is not None and sealed.actions[-1] == text else None

    def receipt(self, seat: int) -> Seal | None:
        """Return the seal of what a seat has submitted in the current step, or None."""
        held = self.standing.held
        if held is not None and held.seat == seat:
            return held.seal
        if seat not in self.match.submitted:
            return None
        return next((one for one in reversed(self._pending) if one.seat == seat), None)

    def seals_for(self, viewer: int | None) -> list[dict[str, Any]]:
        """Return the seals that a viewer may know of, JSON-ready: one for each seat of a step that has ended, with what
        it holds where that is public by now; and the viewer's own, in the current step too.
        """
        known: dict[tuple[int, int], Seal] = {}
        for number, one in enumerate(self.seals.values()):
            if number < self.opened:
                known[one.step, one.seat] = one
        own = self.receipt(viewer) if viewer is not None else None
        if own is not None:
            known[own.step, own.seat] = own
        everything = self.match.over or self.game.submissions_open
        # In this order, and not in that of the submissions.
        return [known[key].as_json(opened=everything or key[1] == viewer) for key in sorted(known)]

    def record(self) -> dict[str, Any]:
        """Return the record of the match, with its seals and the plies (from 1) that the clock has made."""
        origin = {"origin": self.origin.as_record()} if self.origin is not None else {}
        return self.match.record() | {
            "table": self.id,
            **origin,
            "seals": [[ply + 1, one.commitment, one.nonce] for ply, one in self.seals.items()],
            "clock": [ply + 1 for ply in self._chronicle.by_clock],
            **recorded(self),
        }

    def stream_id(self, viewer: int | None) -> str:
        """Return where an event stream that starts now would start."""
        return f"{self.version(viewer)}.{self.people}"

    def snapshot(self, viewer: int | None, version: int | None = None, *, everything: bool = False) -> Snapshot:
        """Return what `viewer` is shown now, or was shown at an earlier version.

        `everything` opens all that was hidden, once the match is over, and versions are then those of nobody's eyes.
        Raises ValueError for a version that never was and for opening a match that is not over.
        """
        match, names = self.match, self.names
        if everything and not match.over:
            raise ValueError(_("Everything is shown only when the match is over."))
        eyes = EVERYTHING if everything else viewer
        plies = match.positions(eyes)
        last = len(plies) - 1
        if version is not None and version >= eras.SIZE:
            if eras.era_of(version) != self.era:
                raise ValueError(_(WENT_BACK))
            version = eras.position_of(version)
        shown = last if version is None else version
        if not 0 <= shown <= last:
            said = _("There is no position {number}; the newest one is {newest}.")
            raise ValueError(said.format(number=shown, newest=last))
        current = shown == last
        position = self.shown if current else match.at(plies[shown])
        events = self.events(eyes)
        mine = viewer if current else None
        then = self._chronicle.version(shown, plies[shown])
        return Snapshot(
            table=self,
            viewer=viewer,
            version=self.version(viewer) if current and not everything else shown,
            last_version=last if everything else self.version(viewer),
            position=shown,
            last_position=last,
            view=position.view(eyes) if current or not everything else _opened(position),
            events=list(events) if current else [event for event in events if event.position <= then],
            acting=position.acting if everything else position.acting_for(viewer),
            free=position.free,
            legal=self.legal(mine) if mine is not None else [],
            over=position.over,
            outcome=position.outcome,
            names=names,
            position_is_current=current,
            everything=everything,
            stream_id=self.stream_id(viewer),
            seats=self.seats,
            timing=self.timing if current and not match.over and not self.paused else None,
            around=around(self, viewer) if current and not everything else None,
            submission=self.submission(mine) if mine is not None else None,
            confirmed=self.confirmed(viewer) if current else None,
            hints=self.hints,
            queued=self.queue_shown if current else None,
            receipt=self.receipt(mine) if mine is not None else None,
            seals=self.opened,
            ordered=orders.line_of(self, mine) if mine is not None and not match.over else None,
        )

    def told(self, viewer: int | None, since: int = 0) -> Sequence[Told]:
        """Return what `events` puts into words, from the viewer's event number `since` on."""
        return self._chronicle.told(viewer, since)

    def event(self, told: Told) -> Event:
        """Return one thing that happened, in words."""
        return self._chronicle.event(told, self.names)

    def events(self, viewer: int | None) -> Sequence[Event]:
        """Return what has happened as the viewer knows it, oldest first; texts are made once and kept."""
        return self._chronicle.events(viewer, self.names)

    @property
    def by_clock(self) -> Sequence[int]:
        """The plies (from 0) that were made by the clock."""
        return self._chronicle.by_clock

    def legal(self, seat: int) -> list[LegalAction]:
        """Return what a seat may do now, ascending by id; nothing while the table is paused."""
        if self.paused:
            return []
        names, label = self.names, self.match.label
        return [LegalAction(a.id, a.text, a.family, a.path, label(a, names)) for a in self.shown.legal(seat)]


def _opened(position: Match) -> dict[str, Any]:
    """Return an earlier position of a finished match with everything open."""
    from pyramidion.engine.layout import record

    shown = position.game.layout.redact(position.state_copy(), EVERYTHING)
    return position.game.view.view(record(position.box), record(shown), None)


def _finish(match: str) -> Callable[[sa.Connection], None]:
    def change(connection: sa.Connection) -> None:
        connection.execute(sa.update(MATCHES).where(MATCHES.c.id == match).values(finished=now(), deadline=None))

    return change


def _forget(future: asyncio.Future[None]) -> None:
    if not future.cancelled() and (error := future.exception()):
        log.error("The end of a match could not be noted: %s", error)
