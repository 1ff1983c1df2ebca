"""The random bot: any legal action with equal probability."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion.bots.bot import Bot

if TYPE_CHECKING:
    from pyramidion.engine.layout import Redacted


class RandomBot(Bot):
    """A bot that chooses each legal action with the same probability."""

    def choose(self, box: Any, state: Redacted, seat: int) -> int:
        """Return the id of a random legal action; see `Bot.choose`."""
        self._check_due(state, seat)
        # Allocate the buffer per call, so that threads can share a bot.
        ids = np.empty(len(self.game.actions), np.int32)
        count = self.game.compiled.legal(box, state, seat, ids)
        return int(ids[self.chance.randrange(count)])
