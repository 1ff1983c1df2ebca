"""Hints: what the strongest bot would do in a seat and why, from what that seat sees."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pyramidion.bots import SearchBot, strongest
from pyramidion.bots.foresight import described, reason, reason_by_chances
from pyramidion.bots.interpretation import MAX_NAMED, alternatives, percent, recommendation
from pyramidion.bots.search_result import SearchResult
from pyramidion.bots.thread_pool import SearchCompiler, ThreadPools
from pyramidion.translation import _
from pyramidion.web.errors import NoHints, NotDue, NotYourSeat, StaleVersion
from pyramidion.web.table.bots import Budget, bot_of

if TYPE_CHECKING:
    from pyramidion.web.table.table import Table

KEPT_SECONDS = 600
"""How long a hint is cached, in seconds."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint for a seat: the recommended action, why it is recommended, and what else was considered.

    Attributes:
        version: the version of the seat's position.
        action, label: the recommended action, as notation and in words.
        sentence: the recommendation and its reason, with the number of iterations.
        close: whether another action is statistically as good.
        mixed: whether the action was drawn from a mixed strategy, in a simultaneous decision.
        chance: the seat's expected share of the win, 0 to 1; None if there was no choice.
        simulations: the number of search iterations.
        choices: up to three comparable actions: `text`, `label`, `chance`, `share`, `simulations`.
        pieces: the ids of the pieces on the board that make up the recommended action.
        why: how the position after it differs from the one after another action or from the present one, in the game's
            terms; empty if they do not differ in what can be counted.
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
    pieces: tuple[str, ...] = ()
    why: str = ""


class Hints:
    """Computes hints by a search: one search at a time for a seat, whose result is shared by all who need it."""

    def __init__(self, thinking: ThreadPools, searches: SearchCompiler, budget: Budget) -> None:
        self._thinking, self._searches, self._budget = thinking, searches, budget
        self._asked: dict[tuple[str, int], tuple[int, asyncio.Task[SearchResult | int]]] = {}

    async def hint(self, table: Table, seat: int | None) -> Hint:
        """Return a hint for a seat that has to decide. Raises NotYourSeat, NoHints, NotDue or StaleVersion."""
        if seat is None:
            raise NotYourSeat(_("Spectators cannot ask for hints."), open=table.open_seats)
        if not table.settings.hints:
            raise NoHints(_("Hints are turned off at this table."))
        if not table.visibility.legal_ids(seat):
            raise NotDue(_("You can ask for a hint only when it is your turn."))
        version = table.version(seat)
        result = await self.search(table, seat)
        hint = _worded(table, seat, version, result)
        if table.version(seat) != version:
            return hint
        # Copied here, since the match may change while the thread compares.
        game, box, state = table.game, table.match.box_for(seat), table.visibility.shown_match.redacted_state(seat)
        action = game.actions.parse(hint.action).id
        others = [] if isinstance(result, int) else alternatives(result, action, _labels(table, seat))
        why = await asyncio.to_thread(reason, game, box, state, seat, action, others)
        next_best = [choice for choice in hint.choices if choice["text"] != hint.action]
        if not why and hint.chance is not None and next_best and not hint.mixed:
            chances = percent(hint.chance), percent(next_best[0]["chance"])
            why = reason_by_chances(*chances, next_best[0]["label"])
        return replace(hint, why=why)

    async def search(self, table: Table, seat: int) -> SearchResult | int:
        """Return the search result for a seat's decision, or the id of its only legal action. Raises StaleVersion."""
        key, version = (table.id, seat), table.version(seat)
        cached = self._asked.get(key)
        if cached is None or cached[0] != version or (cached[1].done() and _failed(cached[1])):
            if cached is not None:
                cached[1].cancel()
            cached = self._asked[key] = version, asyncio.create_task(self._think(table, seat))
            cached[1].add_done_callback(lambda task: self._done(key, task))
        try:
            # Repeated requests share one search; cancelling one request does not cancel it for the others.
            return await asyncio.shield(cached[1])
        except asyncio.CancelledError:
            if cached[1].cancelled():
                sentence = _("The game has moved on. Ask again.")
                raise StaleVersion(sentence, version=table.version(seat)) from None
            raise

    def _done(self, key: tuple[str, int], task: asyncio.Task[SearchResult | int]) -> None:
        """Drop a result some time after its search, unless a newer one has replaced it."""
        # Cache the hint until the next one, but not forever.
        loop = asyncio.get_running_loop()
        loop.call_later(KEPT_SECONDS, lambda: self._asked.pop(key) if self._asked.get(key, (0, None))[1] is task else 0)

    async def _think(self, table: Table, seat: int) -> SearchResult | int:
        """Search a seat's decision and return the result, or the id of the only legal action."""
        match, game = table.match, table.game
        legal = table.visibility.legal_ids(seat)
        if len(legal) == 1:
            return legal[0]
        # Redact the state here: in the thread the match could change at the same time.
        box, redacted = match.box_for(seat), table.visibility.shown_match.redacted_state(seat)
        await self._searches.ready(game)
        level = strongest(game, match.seats, match.box)
        budget = self._budget.of(level)

        def think(stop: threading.Event) -> SearchResult:
            """Search in a thread."""
            bot = bot_of(game, level.name)
            assert isinstance(bot, SearchBot)
            return bot.think(box, redacted, seat, stop=stop, **budget)

        return await self._thinking.deep.run(f"{table.id}/{seat}", think)


def _worded(table: Table, seat: int, version: int, result: SearchResult | int) -> Hint:
    """Put the search result for a seat into words, as a hint in the current language."""
    game, label = table.game, _labels(table, seat)
    if isinstance(result, int):
        sentence = _("“{action}” is your only move.").format(action=label(result))
        return Hint(version, game.actions[result].text, label(result), sentence, pieces=game.actions[result].path)
    verdict = recommendation(result, label)
    return Hint(
        version,
        game.actions[verdict.action].text,
        label(verdict.action),
        verdict.sentence,
        verdict.close,
        verdict.mixed,
        round(verdict.chance, 4),
        result.iterations,
        tuple(
            {
                "text": game.actions[c.action].text,
                "label": label(c.action),
                "chance": round(c.values[seat], 4),
                "share": round(c.share, 4),
                "simulations": c.visits,
            }
            for c in verdict.choices[:MAX_NAMED]
        ),
        game.actions[verdict.action].path,
    )


def _labels(table: Table, seat: int) -> Callable[[int], str]:
    """Return the function that says an action of a seat in words."""
    return lambda action: described(table.match, seat, table.game.actions[action], table.names)


def _failed(task: asyncio.Task[SearchResult | int]) -> bool:
    """Return whether a search was cancelled or raised an error."""
    return task.cancelled() or task.exception() is not None
