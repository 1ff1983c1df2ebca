"""The players of an experiment: names of bots, rules, bots, and classes by their import path."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from random import Random
from typing import Any, cast

import numpy as np

from pyramidion import bots
from pyramidion.bots.player import Player
from pyramidion.engine.game import Game
from pyramidion.engine.layout import Redacted
from pyramidion.engine.random import accept_seed
from pyramidion.engine.rule import require_rule
from pyramidion.lab.arena.entrants import imported_bot

Given = Mapping[str, Any]
"""The players that were given as objects, by the names that the specification has for them."""


class RulePlayer(bots.Bot):
    """A bot that draws from a policy that is a rule, `policy(box, s, seat, ids, weights) -> count`."""

    def __init__(self, game: Game, seed: int | str | None, policy: Any) -> None:
        super().__init__(game, seed)
        self._policy = policy

    def choose(self, box: Any, state: Redacted, seat: int) -> int:
        """Return the id of an action drawn from the policy; see `Bot.choose`."""
        ids, weights = np.empty(len(self.game.actions), np.int32), np.empty(len(self.game.actions))
        from pyramidion.engine.compiled import policy_entry

        count = policy_entry(self._policy)(box, state, seat, ids, weights)
        return self.chance.choices(ids[:count].tolist(), weights[:count].tolist())[0]


def accept_players(game: Game, players: Any) -> tuple[list[str], Given]:
    """Return the names of the players of an experiment, and those that were given as objects by their names.

    `players` is one player or a sequence of them. Raises ValueError for an unknown name, a class that cannot be
    imported and two different players of one name, and TypeError for what is no player.
    """
    several = isinstance(players, Sequence) and not isinstance(players, str)
    asked: list[Any] = list(cast("Sequence[Any]", players)) if several else [players]
    names: list[str] = []
    given: dict[str, Any] = {}
    for player in asked:
        name = _name(player)
        if not isinstance(player, str):
            if given.setdefault(name, player) is not player:
                raise ValueError(f"Two different players are called {name}; give a class or rule another name.")
        elif ":" in name:
            maker_of(game, name, {})("0")
        elif name not in bots.names(game):
            raise ValueError(
                f"There is no player {name!r}; the players are: {', '.join(bots.names(game))}, and module:Class."
            )
        names.append(name)
    return names, given


def maker_of(game: Game, name: str, given: Given) -> Callable[[str], Player]:
    """Return a function that makes the player with a name from the seed of its random generator, for one game."""
    player = given.get(name)
    if isinstance(player, bots.Bot):
        return lambda seed: Player(_copy_of(player, seed))
    if player is None and ":" in name:
        module, _, attribute = name.partition(":")
        player = getattr(import_module(module), attribute, None) if _is_importable(module) else None
        if player is None or isinstance(player, type) or not _is_rule(player):
            make = imported_bot(name)
            return lambda seed: Player(make(game, seed))
    if player is not None:
        return lambda seed: Player(RulePlayer(game, seed, player))
    return lambda seed: Player(bots.load(name, game, seed))


def has_own_move(player: Player) -> bool:
    """Return whether a player has to be asked by `move`, and so needs a match."""
    move = getattr(player.bot, "move", None)
    return move is not None and getattr(move, "__func__", None) is not bots.Bot.move


def _name(player: Any) -> str:
    """Return the name of a player in the specification. Raises TypeError for what is no player."""
    if isinstance(player, str):
        return player
    if isinstance(player, bots.Bot):
        return type(player).__name__
    require_rule(player, "A player that is neither a bot nor its name")
    return f"{player.__module__}:{player.__name__}"


def _is_rule(player: Any) -> bool:
    """Return whether a player is a compiled rule."""
    try:
        require_rule(player, "A player")
    except TypeError:
        return False
    return True


def _is_importable(module: str) -> bool:
    """Return whether a module can be imported."""
    try:
        import_module(module)
    except ImportError:
        return False
    return True


def _copy_of(bot: bots.Bot, seed: str) -> bots.Bot:
    """Return a copy of a bot for one game, with a random generator of its own."""
    other = copy.copy(bot)
    other.chance = Random(accept_seed(seed))
    return other
