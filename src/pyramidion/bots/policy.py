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
        self._check_due(state, seat)
        # Allocate buffers per call, so that threads can share a bot.
        ids = np.empty(len(self.game.actions), np.int32)
        weights = np.empty(len(self.game.actions), np.float64)
        count = self.game.compiled.policy(box, state, seat, ids, weights)
        return self.chance.choices(ids[:count].tolist(), weights[:count].tolist())[0]
