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

    `sitting` names the player at each seat. Each seat is compared with each other one. The changes of a player at
    several seats add up; how much more is known of such a player depends on how many of the others are somebody else.
    A game of fewer than two players changes nothing.
    """
    from openskill.models import PlackettLuce

    before = {name: skills.get(name, UNKNOWN) for name in sitting}
    if len(before) < 2:
        return before
    model = PlackettLuce(mu=UNKNOWN.mean, sigma=UNKNOWN.deviation)
    teams = [[model.rating(mu=before[name].mean, sigma=before[name].deviation)] for name in sitting]
    seats: defaultdict[str, list[Skill]] = defaultdict(list)
    for name, (one,) in zip(sitting, model.rate(teams, scores=list(payoffs)), strict=True):
        seats[name].append(Skill(float(one.mu), float(one.sigma)))
    return {name: _together(before[name], found, len(sitting)) for name, found in seats.items()}


def _together(before: Skill, seats: Sequence[Skill], sitting: int) -> Skill:
    """Return a player's skill after a game in which its seats, taken for themselves, would have come to `seats`."""
    if len(seats) == 1:
        return seats[0]
    others = (sitting - len(seats)) / (sitting - 1)
    # Precisions, one over the variance, add up where results do.
    known = before.deviation**-2
    precision = known + others * sum(one.deviation**-2 - known for one in seats)
    change = sum((one.mean - before.mean) * one.deviation**-2 for one in seats) / precision
    return Skill(before.mean + change, precision**-0.5)
