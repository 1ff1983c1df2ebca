"""Agents: what is evaluated, in any of the forms that `read_agent` knows.

    expert                      a built-in bot (`pyramidion.bots.names()`)
    my_agent:make               `make(game, seed)` in a Python module; it returns a bot with `choose` or `move`, a
                                function from an observation and a mask to an action id, or an OpenSpiel bot (`step`)
    program:python3 my_bot.py   a program that plays through the JSON API
    http://127.0.0.1:9000/move  an HTTP endpoint that is asked for every action

`NAME=AGENT` sets the name in the result.
"""

from __future__ import annotations

import importlib
import re
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from pyramidion import bots
from pyramidion.bots.levels import ALL_LEVELS, level_of
from pyramidion.bots.player import Player
from pyramidion.engine.actions import action_id
from pyramidion.lab.arena.entrants import PATIENCE, Entrant, import_from_current_folder
from pyramidion.lab.arena.errors import EntrantError
from pyramidion.lab.evaluation.protocol import Budget

if TYPE_CHECKING:
    from pyramidion.engine.game import Game
    from pyramidion.engine.seat_view import SeatView

Make = Callable[["Game", str], Any]
"""Makes an agent's player for one seat of one game, from the game and a seed."""


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent that is evaluated.

    Attributes:
        name: its name in the result.
        what: its specification, in one of the forms that the module docstring lists.
        make: makes its players, for an agent that was given as a Python object instead of a text.
    """

    name: str
    what: str
    make: Make | None = None

    @property
    def entrant(self) -> Entrant:
        """The agent as an entrant of the arena."""
        return Entrant(self.name, self.what)

    @property
    def is_builtin(self) -> bool:
        """Whether it is a bot of this package, whose games everybody can replay from their seeds."""
        return self.make is None and self.what in (*ALL_LEVELS, "random", "policy")

    def make_player(self, game: Game, seed: str, budget: Budget) -> Player:
        """Make the agent's player for one game. Raises EntrantError if that fails or makes no player."""
        if self.make is None and ":" not in self.what:
            return Player(_builtin(self.what, game, seed, budget))
        if self.make is None and (self.entrant.is_guest or self.what.startswith(("http://", "https://"))):
            return self.entrant.make_player(game, seed, PATIENCE)
        make = self.make or _imported(self.what)
        try:
            made = make(game, seed)
        except (Exception, SystemExit) as error:
            raise EntrantError(f"{self.what}(game, seed) failed: {type(error).__name__}: {error}") from error
        return Player(_as_bot(made, self.what, game))


def read_agent(given: str | Make) -> Agent:
    """Return the agent that a text or a function `make(game, seed)` stands for; see the module docstring."""
    if not isinstance(given, str):
        name = getattr(given, "__qualname__", type(given).__qualname__)
        return Agent(name, f"{getattr(given, '__module__', '?')}:{name}", given)
    called, equals, what = given.partition("=")
    if equals and re.fullmatch(r"[\w .+-]{1,40}", called):
        return Agent(called, what)
    return Agent(given, given)


def _builtin(name: str, game: Game, seed: str, budget: Budget) -> bots.Bot:
    """Return a built-in bot; a level with a time limit gets the budget instead. Raises EntrantError."""
    try:
        bot = bots.load(name, game, seed)
    except ValueError as error:
        raise EntrantError(f"{error} An agent in a module is written module:make.") from None
    if budget.kind == "none" or name not in ALL_LEVELS or ALL_LEVELS[name].seconds is None:
        return bot
    level = level_of(game, name)
    if budget.kind == "iterations":
        return bots.SearchBot(game, seed, replace(level, iterations=int(budget.amount), seconds=None))
    return bots.SearchBot(game, seed, replace(level, seconds=budget.amount), clock=time.thread_time)


def _imported(path: str) -> Make:
    """Import `module:make`, also from the current folder. Raises EntrantError if that fails."""
    module, _, name = path.partition(":")
    import_from_current_folder()
    try:
        return getattr(importlib.import_module(module), name)
    except (Exception, SystemExit) as error:
        if isinstance(error, AttributeError) and module in sys.modules:
            raise EntrantError(f"The module {module} has nothing called {name}.") from None
        raise EntrantError(f"{path} cannot be imported: {type(error).__name__}: {error}.") from None


def _as_bot(made: Any, path: str, game: Game) -> Any:
    """Return what `make` made as an object with `choose` or `move`. Raises EntrantError if it is none of the forms."""
    if hasattr(made, "choose") or hasattr(made, "move"):
        return made
    if hasattr(made, "step"):
        return _OpenSpielPlayer(made, game)
    if callable(made):
        return _FunctionPlayer(cast("Callable[[Any, Any], Any]", made))
    raise EntrantError(
        f"{path}(game, seed) returned {type(made).__name__}. It must return a bot with choose or move, a function from "
        "an observation and a mask to an action id, or an OpenSpiel bot with step."
    )


@dataclass(frozen=True, slots=True)
class _FunctionPlayer:
    """A player that is a function from float32[D], what the seat sees, and bool[A], what it may do, to an action id."""

    function: Callable[[Any, Any], Any]

    def move(self, match: SeatView, seat: int) -> int:
        """Return the function's action."""
        return action_id(self.function(match.observation(seat), match.legal_mask(seat)))


@dataclass(frozen=True, slots=True)
class _OpenSpielPlayer:
    """A `pyspiel.Bot` as a player: it is asked with `step` for a state that holds only what its seat sees."""

    bot: Any
    game: Game

    def choose(self, box: Any, state: Any, seat: int) -> int:
        """Return the action of the bot's `step`."""
        from pyramidion.env.open_spiel import OpenSpielGame
        from pyramidion.env.open_spiel_rules import Rules

        game = OpenSpielGame(Rules(self.game, int(state["seats"][0]), box))
        return int(self.bot.step(game.state_of(state, first=seat)))
