"""Another try: a table at which a finished game goes on from one of its decisions, against bots."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import sqlalchemy as sa

from pyramidion.translation import _
from pyramidion.web.db.changes import save
from pyramidion.web.db.schema import PLIES
from pyramidion.web.errors import BadRequest, HasSecrets
from pyramidion.web.table.bots import USUAL_BOT
from pyramidion.web.table.seats.plans import SeatPlan

if TYPE_CHECKING:
    from pyramidion.web.table.table import Table
    from pyramidion.web.table.tables import Tables


async def try_again(tables: Tables, table: Table, ply: int, holder: str) -> Table:
    """Open a table where a visitor takes a decision of a finished game again, against bots; return the table.

    The decision is the one that led to action number `ply`, counted from 0. Bots play all other seats, and what the
    game has hidden is as it was. Raises HasSecrets during the game, BadRequest
    for an action that there was not, and what creating a table raises.
    """
    match = table.match
    if not match.over:
        raise HasSecrets(_("You can try a decision again once the game is over."))
    if not 0 <= ply < match.ply:
        raise BadRequest(_("This game has no such position."))
    seat = match.history[ply][0]
    plans = [
        SeatPlan("me")
        if row.seat == seat
        else SeatPlan("bot", row.name if row.kind == "bot" else None, row.bot or USUAL_BOT)
        for row in table.seating.rows
    ]
    options = {name: value for name, value in match.options.items() if name in table.game.options}
    new = await tables.prepare(
        table.game.id, plans, options, title=table.title, cards=match.cards, seed=match.seed, holder=holder
    )
    # A game goes on under the rules by which it was begun.
    new = replace(new, row=replace(new.row, rules_version=str(match.rules_version)))
    store, columns, actions = new.insertion(), PLIES.columns.keys(), table.game.actions
    plies = [
        (new.row.id, number, who, actions[action].text, new.row.created, False, None, None)
        for number, (who, action) in enumerate(match.history[:ply])
    ]

    def insert_table(connection: sa.Connection) -> None:
        store(connection)
        if plies:
            connection.execute(sa.insert(PLIES), [dict(zip(columns, entry, strict=True)) for entry in plies])

    await save(tables.writer, insert_table)
    return await tables.get(new.row.id)
