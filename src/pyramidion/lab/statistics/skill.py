"""Skill ratings from games with any number of players: the Plackett-Luce model.

R. C. Weng and C.-J. Lin, "A Bayesian Approximation Method for Online Ranking", 2011.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Skill:
    """An estimate of a player's skill: its mean and standard deviation."""

    mean: float = 25.0
    deviation: float = 25.0 / 3


DEFAULT_SKILL = Skill()
"""The skill of a player without rated games."""


def updated_skills(skills: Mapping[str, Skill], names: Sequence[str], payoffs: Sequence[float]) -> dict[str, Skill]:
    """Rate a game: return the skills of its players after it.

    A player who is not in `skills` starts with `DEFAULT_SKILL`. `names` holds the player at each seat. Each seat is
    compared with each other one. The changes of a player at several seats add up; how much more is known of such a
    player depends on how many of the others are somebody else. A game of fewer than two players changes nothing.
    """
    from openskill.models import PlackettLuce

    before = {name: skills.get(name, DEFAULT_SKILL) for name in names}
    if len(before) < 2:
        return before
    model = PlackettLuce(mu=DEFAULT_SKILL.mean, sigma=DEFAULT_SKILL.deviation)
    teams = [[model.rating(mu=before[name].mean, sigma=before[name].deviation)] for name in names]
    seats: defaultdict[str, list[Skill]] = defaultdict(list)
    for name, (rating,) in zip(names, model.rate(teams, scores=list(payoffs)), strict=True):
        seats[name].append(Skill(float(rating.mu), float(rating.sigma)))
    return {name: _combine(before[name], results, len(names)) for name, results in seats.items()}


def _combine(before: Skill, seats: Sequence[Skill], count: int) -> Skill:
    """Combine a player's skills at several `seats`, each rated by itself, into one; `count` is that of all seats."""
    if len(seats) == 1:
        return seats[0]
    others = (count - len(seats)) / (count - 1)
    # Precisions, one over the variance, add up where results do.
    precision_before = before.deviation**-2
    precision = precision_before + others * sum(result.deviation**-2 - precision_before for result in seats)
    change = sum((result.mean - before.mean) * result.deviation**-2 for result in seats) / precision
    return Skill(before.mean + change, precision**-0.5)
