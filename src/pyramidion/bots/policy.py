"""The policy bot: fast, sensible play that varies from game to game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion.bots.bot import Bot

if TYPE_CHECKING:
    from pyramidion.engine.layout import Redacted


class PolicyBot(Bot):
    """A bot that samples among the actions that the game's policy proposes, in proportion to their weights."""

    def choose(self, box: Any, state: Redacted, seat: int) -> int:
        """Return the id of an action sampled from the game's policy; see `Bot.choose`."""
        weights = self._weights(box, state, seat)
        return self.chance.choices(list(weights), list(weights.values()))[0]

    def probabilities(self, box: Any, state: Redacted, seat: int) -> dict[int, float]:
        """Return the probability of each action that the game's policy proposes; see `Bot.probabilities`."""
        weights = self._weights(box, state, seat)
        whole = sum(weights.values())
        return {action: weight / whole for action, weight in weights.items()}

    def _weights(self, box: Any, state: Redacted, seat: int) -> dict[int, float]:
        """Return the ids of the actions that the game's policy proposes, and the weight of each."""
        self._check_due(state, seat)
        # Allocate buffers per call, so that threads can share a bot.
        ids, weights = np.empty(len(self.game.actions), np.int32), np.empty(len(self.game.actions), np.float64)
        count = self.game.compiled.policy(box, state, seat, ids, weights)
        return dict(zip(ids[:count].tolist(), weights[:count].tolist(), strict=True))
