"""Planning: what an action or a timeout changes. A planned move is stored in one transaction and then played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa

from pyramidion import IllegalAction
from pyramidion.engine.seals import Seal, commitment, seal
from pyramidion.engine.steps import Steps
from pyramidion.web.db.host_command_rows import NOBODY, HostCommand
from pyramidion.web.db.schema import HOST_COMMANDS, MATCHES, PLIES, SEATS
from pyramidion.web.db.store import SeatRow
from pyramidion.web.db.writer import Change, Conflict, PliesChange, Ply
from pyramidion.web.table.clock.clock_state import ClockState, HeldSubmission
from pyramidion.web.table.seats.chat_rules import new_holder
from pyramidion.web.table.seats.host import HostRow
from pyramidion.web.table.settings.time_controls import release_limit

MOST_DEFAULTS = 100
"""Maximum number of default moves in a row for one seat; a decision takes one, or a few parts and a confirmation."""


@dataclass(slots=True)
class Move:
    """A planned change of a table, to be stored and then applied: actions, host commands and the clock afterwards.

    Attributes:
        commands, after: host commands before and after the actions.
        seats: changed seats, as (old row, new row).
        host: the new host.
        also: a further change to store in the same transaction.
    """

    plies: Sequence[Ply]
    clock_state: ClockState
    commands: Sequence[HostCommand] = ()
    after: Sequence[HostCommand] = ()
    seats: Sequence[tuple[SeatRow, SeatRow]] = ()
    host: HostRow | None = None
    also: Change | None = None

    def numbered(self, first: int) -> Sequence[Ply | HostCommand]:
        """Return the action log entries of the move in order, numbered from `first` on."""
        entries: Sequence[Ply | HostCommand] = (*self.commands, *self.plies, *self.after)
        return [
            replace(entry, number=n)
            if isinstance(entry, HostCommand)
            else entry
            if entry.ply == n
            else entry._replace(ply=n)
            for n, entry in enumerate(entries, first)
        ]


@dataclass(frozen=True, slots=True)
class Planner:
    """Plans what an action, a timeout or a release changes at one table; it stores nothing.

    `clock` is the time per decision in seconds. `close_early`: a simultaneous step ends as soon as all have submitted.
    `by_host`: the host then releases the results step by step.
    """

    table: str
    clock: int | None
    close_early: bool
    by_host: bool = False

    def action(self, steps: Steps, clock_state: ClockState, seat: int, action_id: int, at: int) -> Move:
        """Return the move for a seat's action at the time `at`. It must be legal in the match as shown to that seat."""
        match, held = steps.match, clock_state.held
        mine = held is not None and held.seat == seat
        if mine and action_id not in match.legal_ids(seat):
            # The seat's confirmation is held, and this action reopens the submission: drop the held confirmation.
            return Move((), replace(clock_state, held=None))
        made = seal(steps, self.table, seat, action_id) if steps.submits(seat, action_id) else None
        ply = self._ply(match.ply, seat, match.game.actions[action_id].text, at, made)
        if held is not None and mine:
            clock_state = replace(clock_state, held=self._sealed_again(steps, held, ply.action))
        if (self.clock is not None or self.by_host) and steps.decides(seat, action_id):
            trial = steps.fork()
            if trial.play(seat, action_id):
                if self._stays_open(steps, seat):
                    return Move((), replace(clock_state, held=HeldSubmission(seat, ply.action, at, made)))
                return self._ending(steps, trial, [ply], at)
        return Move((ply,), clock_state)

    def time_up(self, steps: Steps, clock_state: ClockState, at: int) -> Move:
        """Return the move at the end of the time: default moves for every seat whose decision is still due."""
        trial, held = steps.fork(), clock_state.held
        match = trial.match
        plies: list[Ply] = []
        ended = False
        for seat in match.acting:
            for _ in range(MOST_DEFAULTS):
                if ended or seat not in match.acting or (held is not None and held.seat == seat):
                    break
                action = match.timeout(seat)
                plies.append(Ply(self.table, match.ply, seat, action.text, at, by_clock=True))
                ended = trial.play(seat, action.id)
        if held is not None and not ended:
            plies.append(self._held_or_default(trial, held, at))
        return self._ending(steps, trial, plies, at)

    def default_for(self, steps: Steps, clock_state: ClockState, seat: int, at: int) -> Move:
        """Return the move that plays default moves for one absent seat."""
        trial = steps.fork()
        match = trial.match
        plies: list[Ply] = []
        ended = False
        while seat in match.acting and not ended and len(plies) < MOST_DEFAULTS:
            action = match.timeout(seat)
            plies.append(Ply(self.table, match.ply, seat, action.text, at, by_clock=True))
            ended = trial.play(seat, action.id)
        return self._ending(steps, trial, plies, at) if ended else Move(plies, clock_state)

    def release(self, steps: Steps, clock_state: ClockState, count: int | None, at: int) -> Move:
        """Return the move that reveals the results up to step `count` or, if None, all of them, which ends the step."""
        held = clock_state.held
        if held is None:
            raise ValueError("No results are held back.")
        if count is not None:
            return Move((), replace(clock_state, held=replace(held, released=count), deadline=self._release_by(at)))
        trial = steps.fork()
        ply = self._ply(steps.match.ply, held.seat, held.action, held.at, held.seal)._replace(by_clock=held.by_clock)
        trial.play(held.seat, steps.match.game.actions.parse(held.action).id)
        return Move((ply,), self._renewed(trial, at))

    def begun_anew(self, clock_state: ClockState, at: int) -> ClockState:
        """Return the clock state after a rewind: the step has its full time again, and a pause continues."""
        whole = None if self.clock is None else self.clock * 1000
        if clock_state.paused is not None:
            return replace(clock_state, held=None, left=whole)
        return ClockState(None if whole is None else at + whole)

    def _held_or_default(self, trial: Steps, held: HeldSubmission, at: int) -> Ply:
        """Play a held submission, or a default move if it is no longer legal, on the copy `trial`; return the ply."""
        match = trial.match
        try:
            ply = self._ply(match.ply, held.seat, held.action, held.at, held.seal)
            trial.play(held.seat, match.game.actions.parse(held.action).id)
        except IllegalAction:
            action = match.timeout(held.seat)
            ply = Ply(self.table, match.ply, held.seat, action.text, at, by_clock=True)
            trial.play(held.seat, action.id)
        return ply

    def _ending(self, steps: Steps, trial: Steps, plies: Sequence[Ply], at: int) -> Move:
        """Return the move with the action that ends the step, held if the host releases the results."""
        if not (self.by_host and steps.simultaneous):
            return Move(plies, self._renewed(trial, at))
        *before, last = plies
        made = None
        if last.seal is not None and last.nonce is not None:
            actions = (*steps.made.get(last.seat, ()), last.action)
            made = Seal(last.seat, steps.number, actions, last.seal, last.nonce)
        held = HeldSubmission(last.seat, last.action, last.at, made, bool(last.by_clock), 0)
        return Move(before, ClockState(self._release_by(at), held))

    def _release_by(self, at: int) -> int:
        """Return when everything is revealed unless the host has revealed the next event before."""
        return at + release_limit(self.clock) * 1000

    def _ply(self, number: int, seat: int, action: str, at: int, made: Seal | None) -> Ply:
        """Return the row of an action; `made` is its seal, None for an open action."""
        return Ply(
            self.table, number, seat, action, at, seal=made and made.commitment, nonce=made.nonce if made else None
        )

    def _sealed_again(self, steps: Steps, held: HeldSubmission, action: str) -> HeldSubmission:
        """Return the held submission with a new seal, which includes the seat's latest action."""
        if held.seal is None:
            return held
        actions = (*steps.made.get(held.seat, ()), action, held.action)
        nonce = held.seal.nonce
        made = commitment(steps.match.game.id, self.table, held.seat, steps.number, actions, nonce)
        return replace(held, seal=replace(held.seal, actions=actions, commitment=made))

    def _stays_open(self, steps: Steps, seat: int) -> bool:
        """Return whether the step stays open until its time is up, although the seat's submission would end it."""
        return not self.close_early and (steps.simultaneous or steps.has_parts(steps.match.legal_ids(seat).tolist()))

    def _renewed(self, steps: Steps, at: int) -> ClockState:
        """Return the clock state at the start of a step, which has its full time."""
        return ClockState(None if steps.match.over or self.clock is None else at + self.clock * 1000)


def to_store(
    table: str, move: Move, entries: Sequence[Ply | HostCommand], length: int, before: ClockState
) -> Ply | Change:
    """Return what the writer has to store for a move: one row for a plain action, else a change in one transaction.

    `entries` are its numbered entries of the action log, `length` is the log's length afterwards, and `before` is the
    clock so far. Writing it raises Conflict if the table has moved on.
    """
    more = move.commands or move.after or move.host or move.also
    if len(entries) == 1 and isinstance(entries[0], Ply) and move.clock_state is before and not more:
        # An action that leaves the clock unchanged is a single row, which is the fastest to write.
        return entries[0]

    def store_move(connection: sa.Connection) -> None:
        if entries:
            columns = PLIES.columns.keys()
            plies = [_mark(table, entry) if isinstance(entry, HostCommand) else entry for entry in entries]
            rows = [dict(zip(columns, ply, strict=True)) for ply in plies]
            connection.execute(sa.insert(PLIES), rows)
        if commands := [entry.values(table) for entry in entries if isinstance(entry, HostCommand)]:
            connection.execute(sa.insert(HOST_COMMANDS), commands)
        for was, becomes in move.seats:
            old, new = was.values(table), becomes.values(table)
            changed = {name: value for name, value in new.items() if value != old[name]}
            update = sa.update(SEATS).where(*_as_it_was(SEATS, {key: old[key] for key in ("match", "seat", *changed)}))
            if changed and connection.execute(update.values(changed)).rowcount != 1:
                raise Conflict("The seats have changed.")
            if was.kind == "person" and becomes.kind != "person":
                new_holder(connection, table, was)
        later = sa.exists().where(PLIES.c.match == table, PLIES.c.ply >= length)
        as_before = _as_it_was(MATCHES, {"id": table, **before.values()})
        host = move.host.values() if move.host is not None else {}
        update = sa.update(MATCHES).where(*as_before, ~later).values({**move.clock_state.values(), **host})
        if connection.execute(update).rowcount != 1:
            raise Conflict("The table has moved on.")
        if move.also is not None:
            move.also(connection)

    return PliesChange(sum(isinstance(entry, Ply) for entry in entries), store_move)


def _as_it_was(table: sa.Table, values: Mapping[str, Any]) -> list[sa.ColumnElement[bool]]:
    """Return the SQL conditions that the columns still have these values."""
    return [table.c[name].is_(None) if was is None else table.c[name] == was for name, was in values.items()]


def _mark(table: str, command: HostCommand) -> Ply:
    """Return the row of `plies` that keeps a host command's place in the action log."""
    return Ply(table, command.number, NOBODY, "", command.at)
