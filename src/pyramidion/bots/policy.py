"""The bot that plays by a game's policy: quick, sensible, and never quite the same twice."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyramidion.bots.bot import Bot


class PolicyBot(Bot):
    """Chooses among the policy's candidates in proportion to their weights."""

    def choose(self, box: Any, state: Any, seat: int) -> int:
        """Return the id of a legal action; see `Bot.choose`."""
        self._check_due(state, seat)
        # Fresh buffers for each call, so that threads may share a bot.
        ids = np.empty(len(self.game.actions), np.int32)
        weights = np.empty(len(self.game.actions), np.float64)
        count = self.game.compiled.policy(box, state, seat, ids, weights)
        return self.chance.choices(ids[:count].tolist(), weights[:count].tolist())[0]
