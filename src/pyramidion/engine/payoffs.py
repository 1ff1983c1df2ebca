"""What the payoffs of a game are: their form, and what follows from it for bots, experiments and environments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from pyramidion.engine.layout import record
from pyramidion.engine.outcome import PayoffForm

if TYPE_CHECKING:
    from pyramidion.engine.game import Game


@dataclass(frozen=True, slots=True)
class Payoffs:
    """What each seat's payoff in a match can be, and the scaling of payoffs to values from 0 to 1.

    Attributes:
        low, high: the bounds of a payoff.
        total: what the payoffs of all seats add up to, or None if that varies.
        even: what a seat can expect among equals; bots take it as the payoff of a match that has not ended.
    """

    low: float
    high: float
    total: float | None
    even: float

    @property
    def factor(self) -> float:
        """The factor in `factor * payoff + shift`, which scales a payoff to a value from 0 to 1."""
        return 1.0 / (self.high - self.low)

    @property
    def shift(self) -> float:
        """The summand in `factor * payoff + shift`, which scales a payoff to a value from 0 to 1."""
        return -self.low * self.factor


def payoffs_of(game: Game, seats: int, box: Any = None) -> Payoffs:
    """Return what payoffs can be in a match with `seats` seats and this box (default: with any options)."""
    if game.payoff_form == "share":
        return Payoffs(0.0, 1.0, 1.0 if game.somebody_wins else None, 1.0 / seats)
    if game.payoff_form == "sign":
        return Payoffs(-1.0, 1.0, None, 0.0)
    if game.payoff_bound is None:
        raise TypeError(f"{game.id}: payoffs that are a sum need a payoff_bound.")
    bound = float(game.payoff_bound(seats, **limits_in(game, box)))
    return Payoffs(-bound, bound, 0.0 if game.zero_sum else None, 0.0)


def limits_in(game: Game, box: Any = None) -> dict[str, int]:
    """Return the values in a box of the whole-number options that are public, by name; none without a box."""
    if box is None:
        return {}
    agreed = record(box)
    return {
        name: int(agreed[name])
        for name, option in game.options.items()
        if option.kind == "whole" and option.audience == "public"
    }


class Finished(Protocol):
    """What has winners and payoffs: a finished match, or its outcome."""

    @property
    def winners(self) -> tuple[int, ...]:
        """The winning seats."""
        ...

    @property
    def payoffs(self) -> tuple[float, ...]:
        """Each seat's payoff."""
        ...


def win_share(form: PayoffForm, finished: Finished, seat: int) -> float:
    """Return a seat's share of the win, 0 to 1; where payoffs are +1, 0 and -1, every winner has won fully."""
    if seat not in finished.winners:
        return 0.0
    if form == "share":
        return float(finished.payoffs[seat])
    return 1.0 if form == "sign" else 1.0 / len(finished.winners)
