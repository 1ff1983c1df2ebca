"""Lessons at tables: what the coach says, what the bots play, and what the learner may do.

The table of a lesson is an ordinary table whose bots are called `lesson`; everything else follows from its actions
(`engine.lesson`). When the learner leaves the lesson, ordinary bots take over, and the game goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pyramidion import Game, IllegalAction, bots
from pyramidion.engine.lesson import Lesson, Progress, Step, lesson_of
from pyramidion.translation import _
from pyramidion.web.errors import CannotBeDone, NotYourSeat, Refused, UnknownGame
from pyramidion.web.table.bots import LESSON_BOT
from pyramidion.web.table.moves.planner import Move
from pyramidion.web.table.seats.plans import SeatPlan
from pyramidion.web.table.table import Table
from pyramidion.web.table.tables import Tables

BOTS_AFTERWARDS = bots.WEAKEST
MOST_LOOKED_AT = 5


@dataclass(frozen=True, slots=True)
class LessonView:
    """What the page of a lesson shows of the coach.

    Attributes:
        steps: the steps of the lesson to show, the current one last.
        reaction: what the coach says to the latest action.
        waiting: whether other seats have to act before the coach continues.
        finished: whether the last step of the lesson is shown.
        number, of: the number of the current step, from 1, and how many the lesson has.
    """

    steps: Sequence[Step]
    reaction: str
    waiting: bool
    finished: bool
    number: int
    of: int


class Lessons:
    """Starts lessons, finds unfinished ones, and makes all tables refuse a learner's wrong actions (see `guard`)."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        tables.events.guards.append(guard)

    async def begin(self, game: Game, holder: str) -> Table:
        """Start a game's lesson for a visitor and return its table.

        `holder` is the visitor id. Raises UnknownGame if the game has no lesson.
        """
        lesson = lesson_of(game)
        if lesson is None:
            raise UnknownGame(_("There is no lesson for {game} yet.").format(game=_(game.name)))
        names = iter(lesson.names)
        seats = [
            SeatPlan("me") if seat == lesson.learner else SeatPlan("bot", next(names), LESSON_BOT)
            for seat in range(lesson.seats)
        ]
        options = dict(lesson.options)
        return await self._tables.create(game.id, seats, options, seed=lesson.seed, holder=holder)

    async def unfinished(self, game: Game, holder: str) -> Table | None:
        """Return the latest table at which a visitor can continue a game's lesson, or None."""
        rows = [row for row in await self._tables.own_tables(holder) if row.game == game.id and row.finished is None]
        for row in rows[:MOST_LOOKED_AT]:
            try:
                table = await self._tables.get(row.id)
            except Refused:  # in its waiting room, or cannot continue
                continue
            progress = progress_of(table)
            if progress is not None and not progress.finished:
                return table
        return None


def lesson_at(table: Any) -> Lesson | None:
    """Return the lesson that is played at a table, or None if it is an ordinary table."""
    if LESSON_BOT not in [seat.bot for seat in table.seats]:
        return None
    lesson = lesson_of(table.game)
    return lesson if lesson is not None and lesson.fits(table.match) else None


def progress_of(table: Table) -> Progress | None:
    """Return how far the learner at a table has got in the lesson.

    None at a table without a lesson, and if the game has departed from the lesson's script.
    """
    lesson = lesson_at(table)
    return lesson.progress(table.match) if lesson is not None else None


def scripted(table: Table, seat: int) -> int | None:
    """Return the id of the action that the lesson's script wants a seat to play now, or None if there is none."""
    lesson = lesson_at(table)
    text = lesson.scripted(table.match, seat) if lesson is not None else None
    return None if text is None else table.game.actions.parse(text).id


def guard(table: Table, seat: int, action_id: int) -> None:
    """Refuse an action of the learner that does not follow the lesson, with the coach's objection.

    Raises IllegalAction. Other seats and ordinary tables are not checked.
    """
    lesson = lesson_at(table)
    if lesson is None or seat != lesson.learner:
        return
    if objection := lesson.objection(table.match, table.game.actions[action_id].text):
        raise IllegalAction("", _(objection))


async def show_me(table: Table, seat: int | None) -> None:
    """Play, for the learner at `seat`, the action that the coach proposes. Raises NotYourSeat or CannotBeDone."""
    action = scripted(table, _learner(table, seat))
    if seat is None or action is None or seat not in table.match.acting:
        raise CannotBeDone(_("The coach has nothing to show you now."))
    await table.act(seat, action, table.version(seat))


async def leave(table: Table, seat: int | None) -> None:
    """End the lesson at a table: ordinary bots take over, and the game goes on.

    `seat` is that of who asks. Raises NotYourSeat or CannotBeDone.
    """
    _learner(table, seat)
    changed = [(row, replace(row, bot=BOTS_AFTERWARDS)) for row in table.seating.rows if row.bot == LESSON_BOT]
    await table.change(lambda _at: Move((), table.clock.state, seats=changed))


def _learner(table: Table, seat: int | None) -> int:
    """Return the learner's seat if it is `seat`. Raises NotYourSeat, or CannotBeDone without a lesson."""
    lesson = lesson_at(table)
    if lesson is None:
        raise CannotBeDone(_("There is no lesson at this table."))
    if seat != lesson.learner:
        raise NotYourSeat(_("You are watching this game."))
    return lesson.learner


def lesson_view_of(snapshot: Any) -> LessonView | None:
    """Return what the page of a snapshot's viewer shows of the coach.

    None for anybody but the learner, for earlier positions, and once the game has departed from the script.
    """
    table = snapshot.table
    lesson = lesson_at(table) if any(seat.bot == LESSON_BOT for seat in snapshot.seats) else None
    if lesson is None or snapshot.viewer != lesson.learner or not snapshot.position_is_current:
        return None
    progress = lesson.progress(table.match)
    if progress is None:
        return None
    steps = progress.steps
    number = steps[-1].number + 1 if steps else 0
    return LessonView(steps, progress.reaction, progress.waiting, progress.finished, number, len(lesson.steps))
