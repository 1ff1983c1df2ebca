"""Hints: what Expert would do at a seat and why, from what that seat sees."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pyramidion.bots import LEVELS, SearchBot
from pyramidion.bots.thought import Thought
from pyramidion.bots.verdict import MOST_NAMED, advice
from pyramidion.web.bots.runner import Budget, bot_of
from pyramidion.web.bots.thinking import Searches, Thinking
from pyramidion.web.errors import NoHints, NotDue, NotYourSeat, StaleVersion
from pyramidion.words import _

if TYPE_CHECKING:
    from pyramidion.web.table import Table

ADVISER = "expert"
KEPT_SECONDS = 600
"""How long an answer is kept for whoever asks the same again."""


@dataclass(frozen=True, slots=True)
class Hint:
    """What a seat is told.

    Attributes:
        version: the seat's position that it is for.
        action, label: what to do, as notation and as a button says it.
        sentence: that and why, with the number of simulations.
        close: whether something else is as good as far as the numbers tell.
        mixed: whether it is one of several actions to be drawn from, since several seats decide at once.
        chance: what the seat may expect, its share of the win from 0 to 1; None where there was nothing to choose.
        simulations: how many games were simulated.
        choices: up to three actions that can be compared: `text`, `label`, `chance`, `share`, `simulations`.
    """

    version: int
    action: str
    label: str
    sentence: str
    close: bool = False
    mixed: bool = False
    chance: float | None = None
    simulations: int = 0
    choices: tuple[dict[str, Any], ...] = ()


class Advisor:
    """Gives hints: one at a time for each seat, and the same one as long as the position is the same."""

    def __init__(self, thinking: Thinking, searches: Searches, budget: Budget) -> None:
        self._thinking, self._searches, self._budget = thinking, searches, budget
        self._asked: dict[tuple[str, int], tuple[int, asyncio.Task[Thought | int]]] = {}

    async def hint(self, table: Table, seat: int | None) -> Hint:
        """Return a hint for a seat whose decision is due. Raises NotYourSeat, NoHints, NotDue or StaleVersion."""
        if seat is None:
            raise NotYourSeat(
                _("You hold no seat at this table, so there is nothing to hint at."), open=table.open_seats
            )
        if not table.hints:
            raise NoHints(_("At this table nobody gets hints; that was chosen when it was started."))
        if not table.legal_ids(seat):
            raise NotDue(_("A hint is for a decision, and none is due from you now."))
        key, version = (table.id, seat), table.version(seat)
        known = self._asked.get(key)
        if known is None or known[0] != version or (known[1].done() and _failed(known[1])):
            if known is not None:
                known[1].cancel()
            known = self._asked[key] = version, asyncio.create_task(self._think(table, seat))
            known[1].add_done_callback(lambda task: self._done(key, task))
        try:
            # Whoever asks twice gets one answer, and going away does not take it from the other.
            thought = await asyncio.shield(known[1])
        except asyncio.CancelledError:
            if known[1].cancelled():
                said = _("The table has changed since; ask again.")
                raise StaleVersion(said, version=table.version(seat)) from None
            raise
        return _worded(table, seat, version, thought)

    def _done(self, key: tuple[str, int], task: asyncio.Task[Thought | int]) -> None:
        # The answer is kept until the next question, but not for ever.
        loop = asyncio.get_running_loop()
        loop.call_later(KEPT_SECONDS, lambda: self._asked.pop(key) if self._asked.get(key, (0, None))[1] is task else 0)

    async def _think(self, table: Table, seat: int) -> Thought | int:
        """Return what a search thinks of a seat's decision, in no language, or the only action there is."""
        match, game = table.match, table.game
        legal = table.legal_ids(seat)
        if len(legal) == 1:
            return legal[0]
        # Made here and not in the thread, where the match might change; nothing else of the match is used.
        box, shown = match.box, table.shown.redacted_state(seat)
        await self._searches.ready(game)
        budget = self._budget.of(LEVELS[ADVISER])

        def think(stop: threading.Event) -> Thought:
            bot = bot_of(game, ADVISER)
            assert isinstance(bot, SearchBot)
            return bot.think(box, shown, seat, stop=stop, **budget)

        return await self._thinking.deep.do(f"{table.id}/{seat}", think)


def _worded(table: Table, seat: int, version: int, thought: Thought | int) -> Hint:
    """Return a thought as whoever asks is told it, in their language."""
    match, game, names = table.match, table.game, table.names

    def label(action: int) -> str:
        return match.label(game.actions[action], names)

    if isinstance(thought, int):
        said = _("{action}: you have no other choice.").format(action=label(thought))
        return Hint(version, game.actions[thought].text, label(thought), said)
    told = advice(thought, label)
    return Hint(
        version,
        game.actions[told.action].text,
        label(told.action),
        told.sentence,
        told.close,
        told.mixed,
        round(told.chance, 4),
        thought.iterations,
        tuple(
            {
                "text": game.actions[c.action].text,
                "label": label(c.action),
                "chance": round(c.values[seat], 4),
                "share": round(c.share, 4),
                "simulations": c.visits,
            }
            for c in told.choices[:MOST_NAMED]
        ),
    )


def _failed(task: asyncio.Task[Thought | int]) -> bool:
    return task.cancelled() or task.exception() is not None
