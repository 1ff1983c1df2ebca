"""The result of a finished match, and what it leaves to a season."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

PayoffForm = Literal["share", "sign", "sum"]
"""`share`: each seat's share of one win. `sign`: +1, 0 or -1 for each seat. `sum`: any number, such as chips won."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a finished match: who has won, and each seat's payoff and points.

    Attributes:
        winners: winning seats, possibly several or none.
        payoffs: one number per seat, in the game's `payoff_form`.
        points: the score of each seat; -1 for a seat that is not scored.
        rule: number of the rule that ended the match.
    """

    winners: tuple[int, ...]
    payoffs: tuple[float, ...]
    points: tuple[int, ...]
    rule: str


@dataclass(frozen=True, slots=True)
class SeasonResult:
    """What a finished match hands on to its season, with a number for each seat.

    Attributes:
        garnets, priority: the balances that everybody carries on.
        tokens: tokens of life.
        candidate: the seat of the elimination candidate, or None.
    """

    garnets: tuple[int, ...]
    priority: tuple[int, ...]
    tokens: tuple[int, ...]
    candidate: int | None


@dataclass(frozen=True, slots=True)
class SeasonMoment:
    """A moment of a finished match that a season's story may tell.

    Attributes:
        kind: `fell` or `climbed` for a change of layers, `challenged` for a challenge of `other`.
        seat, other: the seat concerned, and the other seat in it.
        count: by how many layers; 0 for a challenge.
        last: whether it happened in the last battle of the match.
    """

    kind: Literal["fell", "climbed", "challenged"]
    seat: int
    other: int
    count: int = 0
    last: bool = False
