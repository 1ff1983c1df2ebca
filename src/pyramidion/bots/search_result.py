"""Search results, used by bots, hints and game analysis."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Choice:
    """What a search found about one action of the position that it searched.

    Attributes:
        action: its id.
        visits: number of iterations that chose it.
        share: its share of the visits, or its probability in a mixed strategy; all shares add up to 1.
        values: every seat's expected payoff after it, 0 to 1; unreliable after few visits.
        square: mean squared payoff of the searching seat; None if every payoff was 0 or 1.
    """

    action: int
    visits: int
    share: float
    values: tuple[float, ...]
    square: float | None = None


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search of one position found: the action to play, and figures for every action examined.

    Attributes:
        action: the id of the action to play.
        seat: the seat that acts.
        choices: the actions examined, in descending order of share.
        values: every seat's expected payoff, scaled from its bounds to 0..1 (`engine.payoffs`): the mean over all
            iterations.
        mixed: whether the shares are a mixed strategy to sample from, because two or three seats decide
            simultaneously or the others cannot see the decision.
        iterations: number of iterations on all threads.
        seconds: wall-clock time.
        threads: number of threads.
        nodes: number of nodes in all trees.
        full: whether a tree ran out of room.
    """

    action: int
    seat: int
    choices: tuple[Choice, ...]
    values: tuple[float, ...]
    mixed: bool
    iterations: int
    seconds: float
    threads: int
    nodes: int
    full: bool

    @property
    def best(self) -> Choice:
        """The choice with the largest share."""
        return self.choices[0]

    def choice(self, action: int) -> Choice | None:
        """Return the choice for an action, or None if the search did not examine it."""
        return next((c for c in self.choices if c.action == action), None)
