"""What an action, or the end of the time for one, does to a table: planned first, then stored in one transaction, then
played.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import sqlalchemy as sa

from pyramidion import IllegalAction
from pyramidion.engine.seals import Seal, commitment, seal
from pyramidion.engine.steps import Steps
from pyramidion.web.host.acts import NOBODY, Act
from pyramidion.web.schema import ACTS, MATCHES, PLIES, SEATS
from pyramidion.web.store import MatchRow, SeatRow
from pyramidion.web.talk.chat import new_holder
from pyramidion.web.writer import Change, Conflict, Ply

MOST_DEFAULTS = 100
"""Actions in a row that the clock makes for one seat; a decision takes one, or a few parts and one."""


@dataclass(frozen=True, slots=True)
class Held:
    """A submission that would end a step which stays open until time is up; the table plays it then.

    Attributes:
        at: when it was made, milliseconds since 1970.
    """

    seat: int
    action: str
    at: int
    seal: Seal | None = None

    def as_text(self) -> str:
        """Return what is stored."""
        kept = self.seal and [self.seal.step, self.seal.actions, self.seal.commitment, self.seal.nonce]
        return json.dumps([self.seat, self.action, self.at, kept])

    @staticmethod
    def parse(text: str | None) -> Held | None:
        """Return what was stored."""
        if text is None:
            return None
        seat, action, at, kept = json.loads(text)
        return Held(seat, action, at, Seal(seat, kept[0], tuple(kept[1]), *kept[2:]) if kept else None)


@dataclass(frozen=True, slots=True)
class Standing:
    """How a table's clock stands: when time is up, and the submission that is held until then.

    Attributes:
        paused: since when the table is paused, milliseconds since 1970, or None. There is no deadline meanwhile, and
            `left` keeps the milliseconds there were until it.
    """

    deadline: int | None = None
    held: Held | None = None
    paused: int | None = None
    left: int | None = None

    def values(self) -> dict[str, Any]:
        """Return the columns of `MATCHES`."""
        held = self.held.as_text() if self.held else None
        return {"deadline": self.deadline, "held": held, "paused": self.paused, "time_left": self.left}

    @staticmethod
    def of(row: MatchRow) -> Standing:
        """Return the standing that is stored."""
        return Standing(row.deadline, Held.parse(row.held), row.paused, row.time_left)


@dataclass(slots=True)
class Move:
    """What is to be stored and then played: actions, and how the clock stands after them.

    Attributes:
        acts: acts that come before the actions; `after` those that come after them.
        seats: rows of seats as they were and as they become.
        columns: further columns of `MATCHES` that change, by name.
        also: whatever else is to be stored with it, or not at all.
    """

    plies: Sequence[Ply]
    standing: Standing
    acts: Sequence[Act] = ()
    after: Sequence[Act] = ()
    seats: Sequence[tuple[SeatRow, SeatRow]] = ()
    columns: Mapping[str, Any] = field(default_factory=dict[str, Any])
    also: Change | None = None

    def numbered(self, first: int) -> Sequence[Ply | Act]:
        """Return what is to be written down in the table's journal from number `first` on, in order."""
        entries: Sequence[Ply | Act] = (*self.acts, *self.plies, *self.after)
        return [
            replace(one, number=n) if isinstance(one, Act) else one if one.ply == n else one._replace(ply=n)
            for n, one in enumerate(entries, first)
        ]


@dataclass(frozen=True, slots=True)
class Planner:
    """Plans for one table: `clock` is its time per decision in seconds, `close_early` whether a step in which all have
    submitted ends before its time is up.
    """

    table: str
    clock: int | None
    close_early: bool

    def action(self, steps: Steps, standing: Standing, seat: int, action_id: int, at: int) -> Move:
        """Plan an action that is legal for a seat as the table is shown to it, made at time `at`."""
        match, held = steps.match, standing.held
        mine = held is not None and held.seat == seat
        if mine and action_id not in match.legal_ids(seat):
            # Only whoever has confirmed may do it: the confirmation is taken back before it was ever played.
            return Move((), replace(standing, held=None))
        made = seal(steps, self.table, seat, action_id) if steps.submits(seat, action_id) else None
        ply = self._ply(match.ply, seat, match.game.actions[action_id].text, at, made)
        if held is not None and mine:
            standing = replace(standing, held=self._sealed_again(steps, held, ply.action))
        if self.clock is not None and steps.decides(seat, action_id):
            trial = steps.fork()
            if trial.play(seat, action_id):
                if self._stays_open(steps, seat):
                    return Move((), replace(standing, held=Held(seat, ply.action, at, made)))
                standing = self._renewed(trial, at)
        return Move((ply,), standing)

    def time_up(self, steps: Steps, standing: Standing, at: int) -> Move:
        """Plan what happens when time is up: whoever is still due does what the rules say for the absent."""
        trial, held = steps.fork(), standing.held
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
        return Move(plies, self._renewed(trial, at))

    def default_for(self, steps: Steps, standing: Standing, seat: int, at: int) -> Move:
        """Plan what the rules say for one absent seat whose decision is due."""
        trial = steps.fork()
        match = trial.match
        plies: list[Ply] = []
        ended = False
        while seat in match.acting and not ended and len(plies) < MOST_DEFAULTS:
            action = match.timeout(seat)
            plies.append(Ply(self.table, match.ply, seat, action.text, at, by_clock=True))
            ended = trial.play(seat, action.id)
        return Move(plies, self._renewed(trial, at) if ended else standing)

    def begun_anew(self, standing: Standing, at: int) -> Standing:
        """Return the standing of a table that has gone back: its time is counted anew, and a pause goes on."""
        whole = None if self.clock is None else self.clock * 1000
        if standing.paused is not None:
            return Standing(paused=standing.paused, left=whole)
        return Standing(None if whole is None else at + whole)

    def _held_or_default(self, trial: Steps, held: Held, at: int) -> Ply:
        match = trial.match
        try:
            ply = self._ply(match.ply, held.seat, held.action, held.at, held.seal)
            trial.play(held.seat, match.game.actions.parse(held.action).id)
        except IllegalAction:
            action = match.timeout(held.seat)
            ply = Ply(self.table, match.ply, held.seat, action.text, at, by_clock=True)
            trial.play(held.seat, action.id)
        return ply

    def _ply(self, number: int, seat: int, action: str, at: int, made: Seal | None) -> Ply:
        return Ply(
            self.table, number, seat, action, at, seal=made and made.commitment, nonce=made.nonce if made else None
        )

    def _sealed_again(self, steps: Steps, held: Held, action: str) -> Held:
        """Return what is held with a seal that counts in what its seat does now."""
        if held.seal is None:
            return held
        actions = (*steps.made.get(held.seat, ()), action, held.action)
        nonce = held.seal.nonce
        made = commitment(steps.match.game.id, self.table, held.seat, steps.number, actions, nonce)
        return replace(held, seal=replace(held.seal, actions=actions, commitment=made))

    def _stays_open(self, steps: Steps, seat: int) -> bool:
        return not self.close_early and (steps.together or steps.has_parts(steps.match.legal_ids(seat).tolist()))

    def _renewed(self, steps: Steps, at: int) -> Standing:
        """Return the standing of a step that begins: its time is counted anew."""
        return Standing(None if steps.match.over or self.clock is None else at + self.clock * 1000)


def change_of(table: str, move: Move, first: int, before: Standing) -> Change:
    """Return what stores a move from number `first` of the journal on, or nothing of it: it raises Conflict where the
    table has moved on.
    """
    entries = move.numbered(first)

    def change(connection: sa.Connection) -> None:
        if entries:
            columns = PLIES.columns.keys()
            plies = [_mark(table, one) if isinstance(one, Act) else one for one in entries]
            rows = [dict(zip(columns, one, strict=True)) for one in plies]
            connection.execute(sa.insert(PLIES), rows)
        if acts := [one.values(table) for one in entries if isinstance(one, Act)]:
            connection.execute(sa.insert(ACTS), acts)
        for was, becomes in move.seats:
            old, new = was.values(table), becomes.values(table)
            changed = {name: value for name, value in new.items() if value != old[name]}
            update = sa.update(SEATS).where(*_as_it_was(SEATS, {key: old[key] for key in ("match", "seat", *changed)}))
            if changed and connection.execute(update.values(changed)).rowcount != 1:
                raise Conflict("The seats have changed.")
            if was.kind == "person" and becomes.kind != "person":
                new_holder(connection, table, was.seat)
        later = sa.exists().where(PLIES.c.match == table, PLIES.c.ply >= first + len(entries))
        as_before = _as_it_was(MATCHES, {"id": table, **before.values()})
        update = sa.update(MATCHES).where(*as_before, ~later).values({**move.standing.values(), **move.columns})
        if connection.execute(update).rowcount != 1:
            raise Conflict("The table has moved on.")
        if move.also is not None:
            move.also(connection)

    return change


def _as_it_was(table: sa.Table, values: Mapping[str, Any]) -> list[sa.ColumnElement[bool]]:
    return [table.c[name].is_(None) if was is None else table.c[name] == was for name, was in values.items()]


def _mark(table: str, act: Act) -> Ply:
    """Return the row that keeps an act's place among the plies."""
    return Ply(table, act.number, NOBODY, "", act.at)
