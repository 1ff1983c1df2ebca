"""The start of a match in a waiting room."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

import sqlalchemy as sa

from pyramidion.translation import _
from pyramidion.web.db.schema import MATCHES, METADATA, PLIES, SEATS
from pyramidion.web.db.store import SeatRow
from pyramidion.web.db.writer import Change
from pyramidion.web.errors import BadTable
from pyramidion.web.table.bots import bot_names, settled_bot
from pyramidion.web.table.clock.clock_state import ClockState
from pyramidion.web.table.new_table import opened
from pyramidion.web.table.room import Room, touch
from pyramidion.web.table.seats.chat_rules import renumbered
from pyramidion.web.table.seats.given_names import fresh_names

REMOVE = "remove"
"""The choice that removes the open seats instead of filling them with bots."""


def filled(room: Room, fill: str | None) -> tuple[list[SeatRow], dict[int, int]]:
    """Return the rows of the match's seats, and the new seat numbers by the old ones if open seats are removed.

    `fill` is the bot that takes the open seats, or REMOVE. Raises BadTable with a sentence.
    """
    rows, kept = list(room.seating.rows), [seat.number for seat in room.seats if seat.kind != "open"]
    moved: dict[int, int] = {}
    if room.open_seats and fill is None:
        raise BadTable(_("Some seats are empty. Choose whether to fill them with bots or remove them."))
    if fill == REMOVE:
        moved = {old: new for new, old in enumerate(kept)}
        rows = [replace(rows[old], seat=new) for old, new in moved.items()]
    elif room.open_seats:
        if fill not in bot_names(room.game):
            available = ", ".join(bot_names(room.game))
            raise BadTable(_("Unknown bot {bot}. Available: {there}.").format(bot=str(fill)[:40], there=available))
        names = fresh_names(room.names)
        for seat in room.open_seats:
            rows[seat] = SeatRow(seat, "bot", next(names), fill)
    try:
        room.game.accept_seats(len(rows))
    except ValueError as error:
        raise BadTable(str(error)) from error
    return rows, moved


def beginning(room: Room, rows: Sequence[SeatRow], moved: Mapping[int, int], at: int) -> Change:
    """Make the seed of a room's match, and return the change that starts it at the time `at`; blocks.

    `rows` are the seats, `moved` their new numbers by the old ones, as `filled` returns them. `at` is in milliseconds
    since 1970. Raises BadTable with a sentence.
    """
    row, seed, changes = room.row, room.row.seed, room.state.changes
    if room.origin is not None:
        given = (
            replace(contribution, seat=moved.get(contribution.seat, contribution.seat))
            for contribution in room.origin.contributions
        )
        seed = replace(room.origin, contributions=tuple(given)).seed(room.game.id, room.id, len(rows))
    try:
        match = opened(room.game, len(rows), seed, row.options, row.cards)
    except ValueError as error:
        raise BadTable(str(error)) from error
    # The host may have removed seats or changed the options since the bots sat down.
    game, count = room.game, len(rows)
    rows = [replace(row, bot=settled_bot(game, row.bot, count, match.box)) if row.bot else row for row in rows]
    values = {
        "started": at,
        # Nothing has been played, so after an upgrade the match starts under the current rules.
        "rules_version": str(room.game.rules_version),
        "seat_count": len(rows),
        "seed": json.dumps(seed),
        **ClockState.first(room.settings.clock, room.settings.pregame, at).values(),
    }

    def start_match(connection: sa.Connection) -> None:
        touch(connection, row.id, changes, at)
        if moved:
            _renumber(connection, row.id, moved)
        for seat in rows:
            if seat.kind == "bot":
                where = sa.update(SEATS).where(SEATS.c.match == row.id, SEATS.c.seat == seat.seat)
                connection.execute(where.values(seat.values(row.id)))
        connection.execute(sa.update(MATCHES).where(MATCHES.c.id == row.id).values(values))

    return start_match


def _renumber(connection: sa.Connection, table: str, moved: Mapping[int, int]) -> None:
    """Move stored data along with players whose seats get other numbers, and delete that of removed seats."""
    renumbered(connection, table, moved)
    for kept in METADATA.tables.values():
        if kept is PLIES or not {"match", "seat"} <= set(kept.c.keys()):
            continue
        connection.execute(sa.delete(kept).where(kept.c.match == table, kept.c.seat.not_in(list(moved))))
        # Seats only move to lower numbers, in ascending order, so that the target is always free.
        for old, new in sorted(moved.items()):
            if old != new:
                connection.execute(sa.update(kept).where(kept.c.match == table, kept.c.seat == old).values(seat=new))
