"""Skill ratings from games with any number of players (Plackett-Luce; Weng and Lin 2011)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Skill:
    """What is known of a player's skill: its mean and standard deviation."""

    mean: float = 25.0
    deviation: float = 25.0 / 3


UNKNOWN = Skill()
"""The skill of somebody who has not been rated."""


def rated(skills: Mapping[str, Skill], sitting: Sequence[str], payoffs: Sequence[float]) -> dict[str, Skill]:
    """Return the skills of the players of a game after it; whoever is not in `skills` is unknown.

    `sitting` names the player at each seat. A player at several seats is rated once, by the mean payoff. A game of
    fewer than two players changes nothing.
    """
    from openskill.models import PlackettLuce

    scores: defaultdict[str, list[float]] = defaultdict(list)
    for name, payoff in zip(sitting, payoffs, strict=True):
        scores[name].append(payoff)
    before = {name: skills.get(name, UNKNOWN) for name in scores}
    if len(scores) < 2:
        return before
    model = PlackettLuce(mu=UNKNOWN.mean, sigma=UNKNOWN.deviation)
    teams = [[model.rating(mu=skill.mean, sigma=skill.deviation)] for skill in before.values()]
    after = model.rate(teams, scores=[sum(one) / len(one) for one in scores.values()])
    return {name: Skill(float(one.mu), float(one.sigma)) for name, (one,) in zip(scores, after, strict=True)}
