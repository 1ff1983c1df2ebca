"""A contest between two bots at equal processor time a decision: a sequential probability ratio test (A. Wald 1945)."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from pyramidion.bots.habits import Habits
from pyramidion.bots.learned import Learned
from pyramidion.bots.levels import LEVELS
from pyramidion.bots.search import SearchBot
from pyramidion.engine.game import Game
from pyramidion.engine.payoffs import win_share
from pyramidion.lab.statistics.intervals import wilson

BETTER_RATIO, BETTER_RATIO_OF_SEVERAL = 1.5, 1.3
"""The alternative hypothesis, as a multiple of an even share of the wins: usually, and in games with many winners."""
ALPHA, BETA = 0.025, 0.1
"""Error rates of the test: accepting an equal bot, and rejecting one that wins `Score.better` times as often."""


@dataclass(frozen=True, slots=True)
class Score:
    """The score of a challenger among champions, and the test whether it is stronger.

    Attributes:
        games: number of games, in whole rotations of the seats.
        wins: its wins, a shared one in part.
        even: the share of wins that it would have if it played like the others.
        better: the alternative of the test, as a multiple of `even`.
    """

    games: int
    wins: float
    even: float
    better: float = BETTER_RATIO

    @property
    def share(self) -> float:
        """The challenger's share of the wins."""
        return self.wins / max(1, self.games)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the challenger's share of the wins, as if the number of games had been fixed."""
        return wilson(self.share, self.games)

    @property
    def log_likelihood_ratio(self) -> float:
        """The log likelihood ratio of winning `better` times an even share, against winning an even share."""
        better = self.better * self.even
        lost = self.games - self.wins
        return self.wins * math.log(better / self.even) + lost * math.log((1 - better) / (1 - self.even))

    @property
    def accepted(self) -> bool | None:
        """Whether the test accepts the challenger as stronger (Wald 1945); None while it is undecided."""
        if self.log_likelihood_ratio >= math.log((1 - BETA) / ALPHA):
            return True
        return False if self.log_likelihood_ratio <= math.log(BETA / (1 - ALPHA)) else None


def expert(game: Game, seconds: float, seed: str, learned: Learned | Habits | None = None) -> SearchBot:
    """Make the bot Expert, perhaps with what was learned, limited to `seconds` of processor time for each decision."""
    level = replace(LEVELS["expert"], seconds=seconds)
    if isinstance(learned, Habits):
        return SearchBot(game, seed, level, habits=learned, clock=time.thread_time)
    return SearchBot(game, seed, level, learned=learned, clock=time.thread_time)


def contest(
    game: Game,
    seats: int,
    challenger: Learned | Habits | None,
    champion: Learned | Habits | None,
    seconds: float,
    seed: int,
    score: Score | None = None,
) -> Iterator[Score]:
    """Play one challenger among champions, in every seat in turn; yield the score after each rotation, without end.

    None stands for Expert that has learned nothing. With `score`, go on from there. Where payoffs are +1, 0 and -1,
    every +1 is a win, and an even share is what all seats have won on average.
    """
    wins, games = (score.wins, score.games) if score else (0.0, 0)
    all_can_win = game.payoff_form == "sign"
    all_wins = score.even * seats * games if score and all_can_win else 0.0
    for block in itertools.count(games // seats):
        for place in range(seats):
            name = f"{seed} {block} {place}"
            challenger_bot, champion_bot = (
                expert(game, seconds, f"{name} one", challenger),
                expert(game, seconds, name, champion),
            )
            match = game.new(seats, f"contest {seed} {block}")
            while not match.over:
                seat = match.acting[0]
                match.play(seat, (challenger_bot if seat == place else champion_bot).move(match, seat))
            assert match.outcome is not None
            wins_of_seats = [win_share(game.payoff_form, match.outcome, seat) for seat in range(seats)]
            wins += wins_of_seats[place]
            all_wins += sum(wins_of_seats)
            games += 1
        if all_can_win:
            yield Score(games, wins, all_wins / (seats * games), BETTER_RATIO_OF_SEVERAL)
        else:
            yield Score(games, wins, 1 / seats)
