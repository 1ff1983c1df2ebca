"""The random bot: any legal action with equal probability."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyramidion.bots.bot import Bot

if TYPE_CHECKING:
    from pyramidion.engine.layout import Redacted


class RandomBot(Bot):
    """A bot that chooses each legal action with the same probability."""

    def choose(self, box: Any, state: Redacted, seat: int) -> int:
        """Return the id of a random legal action; see `Bot.choose`."""
        self._check_due(state, seat)
        ids = self.legal_ids(box, state, seat)
        return int(ids[self.chance.randrange(len(ids))])

    def probabilities(self, box: Any, state: Redacted, seat: int) -> dict[int, float]:
        """Return the same probability for each legal action; see `Bot.probabilities`."""
        self._check_due(state, seat)
        ids = self.legal_ids(box, state, seat).tolist()
        return dict.fromkeys(ids, 1 / len(ids))
