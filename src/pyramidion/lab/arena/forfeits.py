"""Forfeits: what happens in a contest to a seat whose bot exits."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from pyramidion.bots.player import Player
from pyramidion.engine.payoffs import payoffs_of

if TYPE_CHECKING:
    from pyramidion.engine.match import Match
    from pyramidion.engine.outcome import Outcome

UNSCORED = -1


@dataclass(frozen=True, slots=True)
class ForfeitingPlayer(Player):
    """A player whose bot may raise SystemExit: from then on, the game's default moves are played for its seat.

    Attributes:
        forfeits: the seats that have forfeited the game; the player adds its own.
    """

    forfeits: set[int] = field(default_factory=set[int])

    def move(self, match: Match, seat: int) -> Any:
        """Return the bot's action for `seat`, or the default move if the bot has exited."""
        if seat not in self.forfeits:
            try:
                return Player.move(self, match, seat)
            except SystemExit:
                self.forfeits.add(seat)
        return match.timeout(seat)


def forfeited(match: Match, seats: Container[int]) -> Outcome:
    """Return the outcome of a finished match in which the bots of some seats exited.

    These seats have the worst payoff, no points and no part in the win; the others keep what they have.
    """
    outcome = match.outcome
    assert outcome is not None
    worst = payoffs_of(match.game, match.seats, match.box).low
    return replace(
        outcome,
        winners=tuple(seat for seat in outcome.winners if seat not in seats),
        payoffs=tuple(worst if seat in seats else payoff for seat, payoff in enumerate(outcome.payoffs)),
        points=tuple(UNSCORED if seat in seats else points for seat, points in enumerate(outcome.points)),
    )
