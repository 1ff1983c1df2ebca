"""Bots of Pyramidion as OpenSpiel's: a `pyspiel.Bot`, and a `Policy` with the probabilities of its actions."""

from __future__ import annotations

from typing import Any

import pyspiel
from open_spiel.python.policy import Policy

from pyramidion import bots


def bot(player: str | bots.Bot, game: Any, seed: int | str | None = None) -> OpenSpielBot:
    """Return a bot, or the bot of this name, as a `pyspiel.Bot` that plays any seat of a game.

    `game` is a game of this adapter: of `make` or of `pyspiel.load_game`. The bot sees only what its seat may see, even
    though OpenSpiel gives it the whole state. Raises ValueError like `bots.load`.
    """
    return OpenSpielBot(bots.load(player, game.rules.game, seed) if isinstance(player, str) else player)


def policy(player: str | bots.Bot, game: Any, seed: int | str | None = None) -> BotPolicy:
    """Return the policy of a bot as an `open_spiel.python.policy.Policy`; the arguments are those of `bot`.

    That of `random` and `policy` is exact; a level of the search searches each state that is asked about. A bot of your
    own needs a method `probabilities`.
    """
    return BotPolicy(game, bot(player, game, seed))


class OpenSpielBot(pyspiel.Bot):
    """A bot of Pyramidion that plays the seat to move in states of OpenSpiel."""

    def __init__(self, player: bots.Bot) -> None:
        super().__init__()
        self.bot = player

    def step(self, state: Any) -> int:
        """Return the action of the player to move."""
        return self.bot.choose(*self._seen(state, state.current_player()))

    def provides_policy(self) -> bool:
        """Return whether the bot knows the probabilities of its actions."""
        return type(self.bot).probabilities is not bots.Bot.probabilities

    def get_policy(self, state: Any) -> list[tuple[int, float]]:
        """Return the actions of the player to move, and their probabilities."""
        return list(self.probabilities(state, state.current_player()).items())

    def step_with_policy(self, state: Any) -> tuple[list[tuple[int, float]], int]:
        """Return the probabilities of actions, and one that is drawn from them."""
        chances = self.get_policy(state)
        actions, weights = zip(*chances, strict=True)
        return chances, self.bot.chance.choices(actions, weights)[0]

    def restart(self) -> None:
        """Do nothing: a bot keeps nothing from one decision to the next."""

    def restart_at(self, state: Any) -> None:
        """Do nothing: a bot keeps nothing from one decision to the next."""

    def inform_action(self, state: Any, player_id: int, action: int) -> None:
        """Do nothing: a bot keeps nothing from one decision to the next."""

    def probabilities(self, state: Any, seat: int) -> dict[int, float]:
        """Return the probabilities of a seat's legal actions."""
        return dict.fromkeys(state.legal_actions(seat), 0.0) | self.bot.probabilities(*self._seen(state, seat))

    def _seen(self, state: Any, seat: int) -> tuple[Any, Any, int]:
        """Return the arguments of `Bot.choose`: the box and the state as a seat may see them, and the seat."""
        rules = state.rules
        return rules.seen_by(seat).box, rules.game.layout.redact(state.state, seat), seat


class BotPolicy(Policy):
    """The policy of a bot for all players of a game."""

    def __init__(self, game: Any, player: OpenSpielBot) -> None:
        super().__init__(game, list(range(game.num_players())))
        if not player.provides_policy():
            raise ValueError(f"{type(player.bot).__name__} has no probabilities; give it a method `probabilities`.")
        self._bot = player

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
        """Return the probabilities of the legal actions of a player, by default of the one to move."""
        return self._bot.probabilities(state, state.current_player() if player_id is None else player_id)
