"""The coach of casual tables: it asks once before a serious mistake, judged by what the seat itself knows."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

from pyramidion.bots import SearchBot, strongest
from pyramidion.bots.comparison import Comparison, compare
from pyramidion.bots.foresight import sure_to_follow
from pyramidion.bots.interpretation import RELIABLE_VISITS, SIGNIFICANT_ERRORS, percent
from pyramidion.bots.search_result import SearchResult
from pyramidion.bots.thread_pool import SearchCompiler, ThreadPools
from pyramidion.translation import _, with_names
from pyramidion.web.features.hints.service import Hints
from pyramidion.web.table.bots import Budget, bot_of

if TYPE_CHECKING:
    from pyramidion.web.table.table import Table

SERIOUS = 0.15
"""Loss in win chance from which an action counts as a serious mistake."""
COMPARED = 4_000
"""Most iterations for each of the two actions that are compared."""


class Coach:
    """Warns people before serious mistakes at tables with a coach, at most once for each position of a seat."""

    def __init__(self, hints: Hints, thinking: ThreadPools, searches: SearchCompiler, budget: Budget) -> None:
        self._hints, self._thinking, self._searches, self._budget = hints, thinking, searches, budget
        self._warned: dict[tuple[str, int], int] = {}
        self._ahead = set[asyncio.Task[object]]()

    def look(self, table: Table) -> None:
        """Start searches for all due decisions of people at a table, so that a warning need not wait for them."""
        if not table.settings.coach or table.match.over or table.clock.paused:
            return
        for seat in table.match.acting:
            if table.seats[seat].player is None and len(table.visibility.legal_ids(seat)) > 1:
                task = asyncio.create_task(self._hints.search(table, seat))
                self._ahead.add(task)
                task.add_done_callback(self._search_ended)

    def _search_ended(self, task: asyncio.Task[object]) -> None:
        """Forget a search that has ended; whoever asks for its result gets its error."""
        self._ahead.discard(task)
        if not task.cancelled():
            task.exception()  # the next request raises it again

    async def close(self) -> None:
        """Stop the searches that have been started in advance."""
        tasks = list(self._ahead)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def warning(self, table: Table, seat: int | None, action: str) -> str | None:
        """Return the question to ask before an action that is a serious mistake; None for any other action.

        A person is asked only once at each position.
        """
        if seat is None or not table.settings.coach or table.clock.paused or table.match.over:
            return None
        ids = {table.game.actions[legal].text: legal for legal in table.visibility.legal_ids(seat)}
        key, version = (table.id, seat), table.version(seat)
        if action not in ids or len(ids) < 2 or self._warned.get(key) == version:
            return None
        result = await self._hints.search(table, seat)
        if isinstance(result, int) or result.mixed or table.version(seat) != version:
            return None
        better = result.best.action
        gap = await self._compared(table, seat, result, ids[action])
        if (
            gap is None
            or gap.first - gap.second < max(SERIOUS, SIGNIFICANT_ERRORS * gap.error)
            or table.version(seat) != version
        ):
            return None
        self._warned[key] = version
        follows = " ".join(
            event.text for event in sure_to_follow(table.visibility.shown_match, seat, ids[action], table.names)
        )
        question = _(
            "Are you sure? After this move you would win {chance} of the games from here. There is a better one, with "
            "{other}: {better}."
        ).format(
            chance=percent(gap.second),
            other=percent(gap.first),
            better=table.match.label(table.game.actions[better], table.names),
        )
        return f"{question} {with_names(follows, table.names)}".strip()

    async def _compared(self, table: Table, seat: int, result: SearchResult, action: int) -> Comparison | None:
        """Compare the best action with another from what the seat knows; None if the other is as good, or nearly."""
        better, other = result.best, result.choice(action)
        if better.action == action:
            return None
        tried = other is not None and other.visits >= RELIABLE_VISITS
        if other is not None and tried and better.values[seat] - other.values[seat] < SERIOUS / 2:
            return None
        # Made here and not in the thread, where the match might change.
        box, redacted = table.match.box_for(seat), table.visibility.shown_match.redacted_state(seat)
        await self._searches.ready(table.game)
        level = strongest(table.game, table.match.seats, table.match.box)
        iterations = min(COMPARED, self._budget.of(level)["iterations"])

        def work(stop: threading.Event) -> Comparison:
            """Compare the two actions in a thread."""
            bot = bot_of(table.game, level.name)
            assert isinstance(bot, SearchBot)
            pair = (better.action, action)
            return compare(bot, box, redacted, seat, pair, iterations=iterations, seed=f"{table.id}/{seat}", stop=stop)

        return await self._thinking.deep.run(f"{table.id}/{seat}", work)
