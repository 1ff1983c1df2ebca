"""The server's services: the tables and the features that act at them, created once and wired together."""

from __future__ import annotations

from collections.abc import Callable

from pyramidion.bots import ALL_LEVELS
from pyramidion.bots.thread_pool import Searches, Thinking
from pyramidion.web.db.store import Store, now
from pyramidion.web.db.writer import Writer
from pyramidion.web.features.analysis.service import Analyses
from pyramidion.web.features.bots.runner import Runner
from pyramidion.web.features.companions.service import Companions
from pyramidion.web.features.hints.coach import Coach
from pyramidion.web.features.hints.service import Hints
from pyramidion.web.features.lessons.service import Lessons, scripted
from pyramidion.web.features.lobby.own_games import YourGames
from pyramidion.web.features.premoves.service import Premoves
from pyramidion.web.features.profiles.results import Results
from pyramidion.web.features.ratings.service import Ratings
from pyramidion.web.features.rematch.service import Rematches
from pyramidion.web.features.waiting_room.service import Rooms
from pyramidion.web.table.bots import Budget
from pyramidion.web.table.table import Table
from pyramidion.web.table.tables import Tables


class Services:
    """Tables, and the features that act at them: bots, hints, analyses, premoves, waiting rooms and rematches.

    Attributes:
        tables: all tables of this server. The other members subscribe to its events.
    """

    def __init__(
        self,
        store: Store,
        writer: Writer,
        *,
        keep: int = 500,
        bot_pause: float = 0.0,
        bot_threads: int = 1,
        budget: Budget | None = None,
        analysis_iterations: int = 2_000,
        premove_pause: tuple[float, float] = (0.0, 0.0),
        lease: float = 10.0,
        now: Callable[[], int] = now,
    ) -> None:
        self.tables = tables = Tables(store, writer, keep=keep, lease=lease, now=now)
        self.thinking, self.searches, budget = Thinking(bot_threads), Searches(), budget or Budget()
        self.runner = Runner(
            pause=bot_pause, thinking=self.thinking, searches=self.searches, budget=budget, claims=tables.claims
        )
        self.hints = Hints(self.thinking, self.searches, budget)
        self.coach = Coach(self.hints, self.thinking, self.searches, budget)
        self.analyses = Analyses(store, writer, self.thinking, self.searches, analysis_iterations)
        self.premoves = Premoves(tables, tables.claims, premove_pause)
        self.rooms = Rooms(tables)
        self.rematches = Rematches(tables, self.rooms.open, self.rooms.sit)
        self.companions = Companions(tables, writer, self.rooms)
        self.ratings = Ratings(tables)
        self.results = Results(tables, writer)
        self.lessons = Lessons(tables)
        self.your_games = YourGames(tables)
        self.runner.scripted = scripted
        tables.events.created.append(self._prepare)
        tables.events.moved.append(self.runner.look)
        tables.events.moved.append(self.coach.look)

    def _prepare(self, table: Table) -> None:
        """Compile a new table's search in the background if one of its bots will need it."""
        if any(seat.bot in ALL_LEVELS for seat in table.seats):
            self.searches.prepare(table.game)

    async def start(self) -> None:
        """Start the clocks, and resume premoves stored before a restart."""
        await self.tables.start()
        self.premoves.start()

    async def close(self) -> None:
        """Stop everything, tables last."""
        await self.runner.close()
        await self.coach.close()
        await self.premoves.close()
        await self.analyses.close()
        await self.results.close()
        await self.ratings.close()
        self.thinking.close()
        await self.tables.close()
