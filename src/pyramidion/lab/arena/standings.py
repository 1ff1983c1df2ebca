"""Standings: win shares with confidence intervals, overall and by seat, and ratings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pyramidion.engine.payoffs import win_share
from pyramidion.lab.arena.forfeits import UNSCORED
from pyramidion.lab.arena.results import FinishedGame
from pyramidion.lab.statistics.intervals import wilson
from pyramidion.lab.statistics.skill import DEFAULT_SKILL, updated_skills


@dataclass(frozen=True, slots=True)
class Share:
    """A win share (0 to 1) with its 95 % interval; every seat that was taken in a game counts as one of `games`."""

    share: float
    low: float
    high: float
    games: int


@dataclass(frozen=True, slots=True)
class Standing:
    """An entrant's row of the standings: what it has achieved in all its games.

    Attributes:
        name: the entrant's name.
        wins: win share; a shared win counts as a fraction. Each seat taken in a game counts as one game.
        chance: the win share expected if all entrants were equally strong.
        by_seat: win share at each seat.
        payoff: mean payoff in the game's own form.
        points: mean points, over the games in which it was scored; None if it never was.
        rating, uncertainty: mean and standard deviation of its skill (Plackett-Luce; Weng and Lin 2011), initially 25
            and 8.33.
        seconds: mean decision time per game.
        forfeits: number of games lost because its bot exited.
    """

    name: str
    wins: Share
    chance: float
    by_seat: tuple[Share, ...]
    payoff: float
    points: float | None
    rating: float
    uncertainty: float
    seconds: float
    forfeits: int = 0


def share_of(wins: Sequence[float], clusters: Sequence[int]) -> Share:
    """Return the mean of win shares, with an interval that allows for correlation within clusters.

    `wins` has the share of the win in each game, 0 to 1, and `clusters` its cluster; games of a cluster share their
    decks and dice. If the correlation makes the mean less certain than independent games would, Wilson's interval uses
    the effective sample size (Kish 1965).
    """
    games = len(wins)
    if not games:
        return Share(0.0, 0.0, 1.0, 0)
    mean = sum(wins) / games
    sums: defaultdict[int, float] = defaultdict(float)
    for win, cluster in zip(wins, clusters, strict=True):
        sums[cluster] += win - mean
    count = len(sums)
    worth = float(games)
    if count > 1:
        variance = sum(deviation**2 for deviation in sums.values()) * count / (count - 1) / games**2
        if variance > 0:
            worth = min(worth, mean * (1 - mean) / variance)
    return Share(mean, *wilson(mean, worth), games)


def standings(names: Sequence[str], seats: int, games: Iterable[FinishedGame]) -> list[Standing]:
    """Compute the standings from the finished games of a contest, best rating first.

    `names` are the entrants' names in contest order; entrants of the same name have one standing.
    """
    played = list(games)
    ratings = _ratings(names, played)
    table: list[Standing] = []
    for name in dict.fromkeys(names):
        numbers = {number for number, other in enumerate(names) if other == name}
        taken = [(game, seat) for game in played for seat in range(seats) if game.seating[seat] in numbers]
        wins = [_win(game, seat) for game, seat in taken]
        blocks = [game.block for game, _ in taken]
        by_seat: list[Share] = []
        for at in range(seats):
            here = [n for n, (_, seat) in enumerate(taken) if seat == at]
            by_seat.append(share_of([wins[n] for n in here], [blocks[n] for n in here]))
        count = max(1, len(taken))
        scored = [game.points[seat] for game, seat in taken if game.points[seat] != UNSCORED]
        rating, uncertainty = ratings[name]
        table.append(
            Standing(
                name,
                share_of(wins, blocks),
                sum(sum(_win(game, at) for at in range(seats)) / seats for game, _ in taken) / count,
                tuple(by_seat),
                sum(game.payoffs[seat] for game, seat in taken) / count,
                sum(scored) / len(scored) if scored else None,
                rating,
                uncertainty,
                sum(game.seconds[seat] for game, seat in taken) / count,
                sum(seat in game.forfeits for game, seat in taken),
            )
        )
    return sorted(table, key=lambda standing: -standing.rating)


def _win(game: FinishedGame, seat: int) -> float:
    """Return the share of the win, 0 to 1, of the entrant at a seat."""
    return win_share(game.payoff_form, game, seat)


def _ratings(names: Sequence[str], played: Sequence[FinishedGame]) -> dict[str, tuple[float, float]]:
    """Rate the entrants by all games in schedule order; return (mean, standard deviation) of each one's skill."""
    skills = dict.fromkeys(names, DEFAULT_SKILL)
    for game in played:
        skills.update(updated_skills(skills, [names[number] for number in game.seating], game.payoffs))
    return {name: (skill.mean, skill.deviation) for name, skill in skills.items()}
