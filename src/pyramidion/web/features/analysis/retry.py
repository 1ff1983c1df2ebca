"""Another try: a table at which a finished game goes on from one of its decisions, against bots."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import sqlalchemy as sa

from pyramidion.bots.interpretation import percent
from pyramidion.names import fit_title
from pyramidion.translation import _
from pyramidion.web.db.changes import save
from pyramidion.web.db.schema import PLIES
from pyramidion.web.errors import BadRequest, HasSecrets
from pyramidion.web.table.bots import USUAL_BOT
from pyramidion.web.table.seats.plans import SeatPlan

if TYPE_CHECKING:
    from pyramidion.bots.analysis import Analysis
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
    title = fit_title(_("Trial: {game}").format(game=_(table.game.name)))
    options = {name: value for name, value in match.options.items() if name in table.game.options}
    new = await tables.prepare(
        table.game.id, plans, options, title=title, cards=match.cards, seed=match.seed, holder=holder
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


@dataclass(frozen=True, slots=True)
class Trial:
    """A decision that is made again, as its player's page shows it.

    Attributes:
        position: the number of the decision's position, as its player saw the finished game.
        judgement: a sentence about the action that was chosen this time; empty before it, or without an analysis of it.
        better: whether that action is the one that the analysis recommends.
    """

    position: int
    judgement: str
    better: bool


def trial_of(original: Table, again: Table, ply: int, seat: int | None, result: Analysis | None) -> Trial:
    """Return how the decision of the finished game `original` goes that `seat` makes again at the table `again`.

    `ply` is the decision's, and `result` the analysis of the finished game, if there is one. Raises HasSecrets during
    the game, and BadRequest if that table does not go on from that decision, or the decision is somebody else's.
    """
    first, second = original.match, again.match
    if not first.over:
        raise HasSecrets(_("You can try a decision again once the game is over."))
    goes_on = again.game is original.game and first.history[:ply] == second.history[:ply]
    if not 0 <= ply < first.ply or not goes_on or first.history[ply][0] != seat:
        raise BadRequest(_("This game has no such position."))
    position = bisect_right(first.positions(seat), ply) - 1
    decision = next((d for d in result.decisions if d.ply == ply), None) if result is not None else None
    chosen = next((action for who, action in second.history[ply:] if who == seat), None)
    if decision is None or chosen is None:
        return Trial(position, "", False)
    text, chances = original.game.actions[chosen].text, (decision.chance_played, decision.chance_better)
    played, better = map(percent, chances)
    if text == decision.better:
        words = _("That was the better move: {better} to win instead of {played}.").format(better=better, played=played)
        return Trial(position, words, True)
    recommended = first.label(original.game.actions.parse(decision.better), original.names)
    if text == decision.played:
        words = _("The same move as in the game, {played} to win. Better: {action} ({better}).")
    else:
        words = _("Another move than in the game. The analysis recommends: {action} ({better} to win).")
    return Trial(position, words.format(played=played, better=better, action=recommended), False)
