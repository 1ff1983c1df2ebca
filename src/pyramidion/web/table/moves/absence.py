"""Absent players and those who leave: default moves, or a bot that stands in or takes over, as the table says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import repeat
from typing import Any

import numpy as np
import sqlalchemy as sa

from pyramidion import Match
from pyramidion.bots.labels import label
from pyramidion.engine.game import chance_words
from pyramidion.engine.layout import SPECTATOR
from pyramidion.engine.steps import Steps
from pyramidion.translation import _
from pyramidion.web.db.host_command_rows import HostCommand
from pyramidion.web.db.schema import RESULTS
from pyramidion.web.db.store import SeatRow
from pyramidion.web.db.writer import Change
from pyramidion.web.table.clock.clock_state import Clock, ClockState
from pyramidion.web.table.moves.planner import Move, Planner
from pyramidion.web.table.seats.given_names import fresh_names
from pyramidion.web.table.seats.host import HostRow
from pyramidion.web.table.seats.protocols import TableOrRoom, former_names
from pyramidion.web.table.settings.declarations import BOT

WORLDS = 100
LEAVERS_BOT = "policy"
"""The bot that plays on for a player who leaves a table that names no bot for absent players."""


def absence_text(absent: str | None) -> str | None:
    """Return the setting for absent players in words; None if default moves are applied each time."""
    kind, _colon, bot = (absent or "").partition(":")
    if not kind:
        return None
    text = (
        _("a bot ({level}) plays for absent players") if kind == BOT else _("a bot ({level}) replaces absent players")
    )
    return text.format(level=label(bot))


def has_choice(match: Match, seat: int) -> bool:
    """Return whether a seat may have a choice in its pending decision, as far as a spectator can tell.

    Everybody sees when a bot takes over for a player, so this must not depend on secrets. For example, an envelope that
    can only be sold reveals that its reader is short of cash. Therefore the answer is computed from a spectator's view:
    a decision is forced only if it has a single legal action in each of `WORLDS` determinizations.
    """
    game, public_state = match.game, match.redacted_state(None)
    legal = np.empty(len(game.actions), np.int32)
    for number in range(WORLDS):
        world = public_state.copy()
        game.compiled.redeal(match.box, world, SPECTATOR, chance_words(number))
        count = game.compiled.legal(match.box, world, seat, legal)
        # There is none in a world in which the seat has decided already, as a spectator may think that it has.
        if count > 1 or (count == 1 and game.actions.family_of(int(legal[0])).name in game.hidden_choices):
            return True
    return False


def with_absent(table: TableOrRoom, move: Move, chose: set[int], at: int) -> Move:
    """Return the clock's move, with the seats of absent players handed to bots if the table's settings say so.

    `chose` are the seats that may have had a choice; the others do not count as absent.
    """
    kind, _colon, bot = (table.settings.absent or "").partition(":")
    late = {ply.seat for ply in move.plies if ply.by_clock}
    if (held := move.clock_state.held) is not None and held.by_clock:
        late.add(held.seat)
    late &= chose
    names = _names_for_bots(table)
    seats: list[tuple[SeatRow, SeatRow]] = []
    commands: list[HostCommand] = []
    resigned: list[dict[str, Any]] = []
    for row in table.seating.rows:
        if not kind or row.seat not in late or row.kind != "person" or row.stand_in:
            continue
        if kind == BOT:
            becomes = replace(row, stand_in=bot)
        else:
            becomes = _taken_over(row, bot, next(names))
            resigned.append({"match": table.id, "seat": row.seat, "person": row.holder})
        seats.append((row, becomes))
        commands.append(
            HostCommand("stands-in", "clock", {"seat": row.seat, "bot": bot}, at)
            if kind == BOT
            else HostCommand("resigned", "clock", _resignation(table, row, bot), at)
        )
    return replace(move, seats=seats, after=commands, also=_resigned(resigned) if resigned else move.also)


def leaving(table: TableOrRoom, seat: int, clock_state: ClockState, at: int) -> Move:
    """Return the move by which a player leaves the table for good: a bot takes over all seats on the player's screen.

    A player who was the host hands that over to another player, if there is one.
    """
    leaver, host = table.seating.rows[seat], table.host.row
    rows = [
        row for row in table.seating.rows if row is leaver or (row.kind == "person" and row.holder == leaver.holder)
    ]
    rows = rows if leaver.holder is not None else [leaver]
    bot = (table.settings.absent or "").partition(":")[2] or LEAVERS_BOT
    hosts = table.host.seat in [row.seat for row in rows]
    heir = next((row for row in table.seating.rows if row.kind == "person" and row not in rows), None)
    names = _names_for_bots(table)
    if hosts:
        host = HostRow(None) if heir is None else HostRow(heir.holder, heir.token_hash)
    return Move(
        (),
        clock_state,
        [HostCommand("resigned", row.seat, _resignation(table, row, bot), at) for row in rows],
        seats=[(row, _taken_over(row, bot, next(names))) for row in rows],
        host=host if hosts else None,
        also=_resigned([{"match": table.id, "seat": row.seat, "person": row.holder} for row in rows]),
    )


def _taken_over(row: SeatRow, bot: str, name: str | None) -> SeatRow:
    """Return a person's seat as a bot has it that has taken over; without a `name` of its own it keeps the person's."""
    becomes = replace(row, kind="bot", bot=bot, holder=None, token_hash=None, also=(), stand_in=None)
    return becomes if name is None else replace(becomes, name=name, face=None)


def _names_for_bots(table: TableOrRoom) -> Iterator[str | None]:
    """Return names for bots that take over seats, so that nobody is credited or blamed for what they do.

    They are None at tables of seasons and tournaments, where a seat keeps its name.
    """
    return repeat(None) if table.host.impartial else fresh_names([*table.names, *former_names(table)])


def _resignation(table: TableOrRoom, row: SeatRow, bot: str) -> dict[str, Any]:
    """Return the data of the command by which a bot takes over a person's seat; `was` is the person's name."""
    return {"seat": row.seat, "bot": bot, "was": table.names[row.seat]}


def _resigned(rows: Sequence[dict[str, Any]]) -> Change:
    """Return the change that lets players whom a bot has just replaced be credited with the results of their seats."""

    def insert_results(connection: sa.Connection) -> None:
        connection.execute(sa.insert(RESULTS), rows)

    return insert_results


def coming_back(row: SeatRow, clock_state: ClockState, at: int) -> Move | None:
    """Return the move by which a person gets the seat back from a stand-in bot, or None if no bot stands in."""
    if row.stand_in is None:
        return None
    return Move((), clock_state, [HostCommand("back", row.seat, {}, at)], seats=[(row, replace(row, stand_in=None))])


def move_at_deadline(table: TableOrRoom, steps: Steps, clock: Clock, planner: Planner, at: int) -> Move:
    """Return a table's move at its deadline: it opens the first phase, reveals all results, or plays default moves."""
    if clock.paused:
        return Move((), clock.state.resumed(at), [HostCommand("opened", "clock", {}, at)])
    if clock.releasing:
        # The host may be gone, and everybody else is waiting.
        return planner.release(steps, clock.state, None, at)
    chose = {seat for seat in steps.match.acting if has_choice(steps.match, seat)}
    return with_absent(table, planner.time_up(steps, clock.state, at), chose, at)
