"""Tests of NTBEA on a known noisy function, and as a method of `lab.tune`."""

from __future__ import annotations

import random

import pytest

from pyramidion import lab
from pyramidion.lab.experiments.result import OtherExperiment
from pyramidion.lab.search.ntbea import Ntbea

BITS = 10


def searched(seed, budget=400):
    """Search the noisy OneMax of the paper: the number of ones, with noise of standard deviation 1."""
    search, chance = Ntbea([2] * BITS, seed), random.Random(f"noise {seed}")
    for _ in range(budget):
        search.tell(sum(search.ask()) + chance.gauss(0, 1))
    return search.best()


@pytest.mark.slow
def test_it_solves_the_noisy_onemax():
    totals = [sum(searched(seed)) for seed in range(4)]
    assert sum(searched(3)) == totals[3]
    # Trying points at random and keeping the luckiest finds about 8 of the 10 bits.
    assert sum(totals) / len(totals) >= 9


def test_it_needs_a_value_in_every_dimension():
    with pytest.raises(ValueError, match="at least one value"):
        Ntbea([3, 0])
    with pytest.raises(ValueError, match="Nothing has been measured"):
        Ntbea([3]).best()


@pytest.mark.usefixtures("outside")
@pytest.mark.parametrize("method", ["ntbea", "tpe"])
def test_a_search_goes_on_where_it_was_stopped_and_ends_the_same(method):
    asked = {
        "game": "silent-auction",
        "parameters": {"options.handicap": ["0,0,-2", "0,0,0", "0,0,1", "0,0,2"]},
        "objective": lambda result: abs(result.figure("wins", "seat 2").mean - 0.5),
        "budget": 6,
        "method": method,
        "games": 100,
        "players": ("random",),
        "metrics": ("wins",),
    }
    kept = []
    whole = lab.tune(**asked, keep=lambda values, goals: kept.append((values, goals)))
    played = []
    again = lab.tune(**asked, earlier=kept[:4], keep=lambda values, goals: played.append((values, goals)))
    assert played == kept[4:]
    assert again.trials.equals(whole.trials)
    assert [candidate.confirmed for candidate in again.front] == [candidate.confirmed for candidate in whole.front]
    with pytest.raises(OtherExperiment, match="another search"):
        lab.tune(**asked, earlier=[({"options.handicap": "0,0,2"}, (0.1,))])
