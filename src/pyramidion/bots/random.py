"""The bot that takes any legal action, each with the same chance."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyramidion.bots.bot import Bot


class RandomBot(Bot):
    """Chooses uniformly among the legal actions."""

    def choose(self, box: Any, state: Any, seat: int) -> int:
        """Return the id of a legal action; see `Bot.choose`."""
        self._check_due(state, seat)
        # A fresh buffer for each call, so that threads may share a bot.
        ids = np.empty(len(self.game.actions), np.int32)
        count = self.game.compiled.legal(box, state, seat, ids)
        return int(ids[self.chance.randrange(count)])
