"""What the games say: shares of wins with their uncertainty, by seat too, and ratings."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from openskill.models import PlackettLuce

from pyramidion.lab.arena.results import Played
from pyramidion.lab.intervals import wilson


@dataclass(frozen=True, slots=True)
class Share:
    """A share of wins (0 to 1) over `games` seats taken, and its 95 % interval."""

    share: float
    low: float
    high: float
    games: int


@dataclass(frozen=True, slots=True)
class Standing:
    """How an entrant did.

    Attributes:
        name: of the entrant.
        wins: its share; a win that several share counts in parts. Each seat it takes in a game counts as a game.
        chance: the share it would have if all played alike.
        by_seat: the same for each seat.
        payoff: mean payoff in the game's own form.
        points: mean points.
        rating, uncertainty: mean and standard deviation of its skill (Plackett-Luce; Weng and Lin 2011), 25 and 8.33
            before the first game.
        seconds: mean time of a game's decisions.
    """

    name: str
    wins: Share
    chance: float
    by_seat: tuple[Share, ...]
    payoff: float
    points: float
    rating: float
    uncertainty: float
    seconds: float


def share_of(wins: Sequence[float], clusters: Sequence[int]) -> Share:
    """Return the share of wins with an interval that minds that games of one cluster are alike.

    `clusters` says of each game which others it shares its chance with. Where they make the mean less certain than
    that many independent games would, Wilson's interval is taken for as many games as they are worth (Kish 1965).
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


def standings(names: Sequence[str], seats: int, games: Iterable[Played]) -> list[Standing]:
    """Return how the entrants did, the best rating first; `names` are theirs in the order of the contest."""
    played = list(games)
    ratings = _ratings(names, played)
    found: list[Standing] = []
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
        rating, uncertainty = ratings[name]
        found.append(
            Standing(
                name,
                share_of(wins, blocks),
                sum(sum(_win(game, at) for at in range(seats)) / seats for game, _ in taken) / count,
                tuple(by_seat),
                sum(game.payoffs[seat] for game, seat in taken) / count,
                sum(game.points[seat] for game, seat in taken) / count,
                rating,
                uncertainty,
                sum(game.seconds[seat] for game, seat in taken) / count,
            )
        )
    return sorted(found, key=lambda standing: -standing.rating)


def _win(game: Played, seat: int) -> float:
    """Return a seat's part of the win: its payoff where payoffs share one win, else whether it is among the winners."""
    if seat not in game.winners:
        return 0.0
    return game.payoffs[seat] if math.isclose(sum(game.payoffs), 1.0) else 1.0


def _ratings(names: Sequence[str], played: Sequence[Played]) -> dict[str, tuple[float, float]]:
    """Return (mean, standard deviation) of each entrant's skill after all games, in the order of the schedule."""
    model = PlackettLuce()
    skills = {name: model.rating(name=name) for name in names}
    for game in played:
        sitting = [names[number] for number in game.seating]
        # An entrant at several seats is rated once, by the best and the worst of them alike: by their mean.
        scores: defaultdict[str, list[float]] = defaultdict(list)
        for name, payoff in zip(sitting, game.payoffs, strict=True):
            scores[name].append(payoff)
        if len(scores) < 2:
            continue
        who = list(scores)
        teams = [[skills[name]] for name in who]
        for name, (skill,) in zip(
            who, model.rate(teams, scores=[sum(scores[name]) / len(scores[name]) for name in who]), strict=True
        ):
            skills[name] = skill
    return {name: (float(skill.mu), float(skill.sigma)) for name, skill in skills.items()}
