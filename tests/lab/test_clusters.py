"""Tests of clusters: the same result as in one process, however many workers, also if one dies."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from pyramidion import lab
from pyramidion.engine.rule import rule
from pyramidion.lab import clusters
from pyramidion.lab.clusters import LostWorkers, Processes, play_shard

GAME = "upside-down"
ASKED = {"metrics": ("wins", "actions", "final space"), "seed": 3}


@pytest.fixture(scope="module")
def alone():
    return lab.experiment(GAME, games=60, **ASKED)


def dies_once(terms, first, last):
    """Play a shard, but end the process at the first attempt at the second one."""
    sign = Path(os.environ["PYRAMIDION_TEST_SIGN"])
    if first and not sign.exists():
        sign.touch()
        os._exit(1)
    return play_shard(terms, first, last)


def dies(terms, first, last):
    os._exit(1)


@pytest.mark.slow
def test_two_processes_find_what_one_does_also_if_one_dies(alone, monkeypatch, tmp_path):
    monkeypatch.setattr(clusters, "SHARD", 20)
    monkeypatch.setenv("PYRAMIDION_TEST_SIGN", str(tmp_path / "sign"))
    monkeypatch.setattr(clusters, "Processes", lambda count: Processes(count, dies_once))
    done = []
    spread = lab.experiment(GAME, games=60, cluster="processes:2", progress=lambda n, of: done.append(n), **ASKED)
    assert (tmp_path / "sign").exists()
    assert spread.ranges == alone.ranges
    assert spread.data.equals(alone.data)
    assert done == [0, 20, 40, 60]


def test_merging_is_associative_and_commutative(alone):
    a, b, c = (play_shard(alone.terms.as_json(), first, first + 20) for first in (0, 20, 40))
    for parts in ([a, lab.Result.merge([b, c])], [lab.Result.merge([c, a]), b], [c, b, a]):
        merged = lab.Result.merge(parts)
        assert merged.ranges == alone.ranges
        assert merged.data.equals(alone.data)


def test_a_stopped_run_keeps_the_games_before_the_first_gap(alone):
    class OutOfOrder:
        def play(self, terms, shards):
            for shard in (shards[0], shards[2], shards[1]):
                yield play_shard(terms, *shard)

    stop = threading.Event()
    seen = []

    def progress(games):
        seen.append(games)
        if len(seen) == 2:
            stop.set()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clusters, "SHARD", 20)
        found = clusters.play_spread(OutOfOrder(), alone.terms, 0, 60, stop, progress)
    assert found.ranges == ((0, 20),)


def test_what_cannot_be_spread_is_refused(monkeypatch):
    monkeypatch.setattr(clusters, "TRIES", 2)

    @rule
    def nothing(box, s, seat, action, out):
        """Measure nothing."""

    with pytest.raises(ValueError, match="There is no cluster 'moon'"):
        lab.experiment(GAME, games=10, cluster="moon", **ASKED)
    mine = lab.Metric("mine", ("a",), nothing)
    with pytest.raises(ValueError, match="only the metrics that the game's own package declares"):
        lab.experiment(GAME, games=10, cluster="processes:1", metrics=("wins", mine))
    pool = Processes(1, dies)
    with pytest.raises(LostWorkers):
        list(pool.play("", [(0, 10)]))
    pool.close()


@pytest.mark.ray
@pytest.mark.slow
def test_ray_finds_what_one_process_does(alone, monkeypatch):
    monkeypatch.setattr(clusters, "SHARD", 20)
    assert lab.experiment(GAME, games=60, cluster="ray", **ASKED).data.equals(alone.data)
