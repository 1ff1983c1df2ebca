"""Tests of clusters: the same result as in one process, however many workers, also if one dies."""

from __future__ import annotations

import importlib
import os
import threading
from pathlib import Path

import polars as pl
import pytest

from pyramidion import lab
from pyramidion.engine.rule import rule
from pyramidion.lab.experiments import clusters
from pyramidion.lab.experiments.clusters import LostWorkers, Processes, play_shard

GAME = "upside-down"
RAY_WARNINGS = (
    "ignore::pytest.PytestUnraisableExceptionWarning",
    "ignore::ResourceWarning",
    "ignore:Ray Client connection timed out",
)
ASKED = {"metrics": ("wins", "actions", "final space"), "seed": 3}


@pytest.fixture(scope="module")
def alone():
    return lab.experiment(GAME, games=60, **ASKED)


def dies_once(terms, first, last, per_game=False):
    """Play a shard, but end the process at the first attempt at the second one."""
    sign = Path(os.environ["PYRAMIDION_TEST_SIGN"])
    if first and not sign.exists():
        sign.touch()
        os._exit(1)
    return play_shard(terms, first, last, per_game)


def dies(terms, first, last):
    os._exit(1)


@pytest.mark.slow
def test_two_processes_find_what_one_does_also_if_one_dies(alone, monkeypatch, tmp_path):
    monkeypatch.setattr(clusters, "SHARD", 20)
    monkeypatch.setenv("PYRAMIDION_TEST_SIGN", str(tmp_path / "sign"))
    monkeypatch.setattr(clusters, "play_shard", dies_once)
    done = []
    spread = lab.experiment(GAME, games=60, cluster="processes:2", progress=lambda n, of: done.append(n), **ASKED)
    assert (tmp_path / "sign").exists()
    assert spread.ranges == alone.ranges
    assert spread.data.equals(alone.data)
    assert done == [0, 20, 40, 60]


@pytest.mark.slow
def test_processes_return_the_games_one_by_one(tmp_path, monkeypatch):
    monkeypatch.setattr(clusters, "SHARD", 20)
    path = tmp_path / "games.parquet"
    spread = lab.experiment(GAME, games=60, cluster="processes:2", per_game=path, **ASKED)
    here = lab.experiment(GAME, games=60, per_game=tmp_path / "here.parquet", **ASKED)
    assert spread.frame("games").equals(here.frame("games"))
    assert pl.read_parquet(path).equals(here.frame("games"))


@pytest.mark.slow
def test_merging_is_associative_and_commutative(alone):
    a, b, c = (play_shard(alone.spec.as_json(), first, first + 20) for first in (0, 20, 40))
    for parts in ([a, lab.Result.merge([b, c])], [lab.Result.merge([c, a]), b], [c, b, a]):
        merged = lab.Result.merge(parts)
        assert merged.ranges == alone.ranges
        assert merged.data.equals(alone.data)


def test_a_stopped_run_keeps_the_games_before_the_first_gap(alone):
    class OutOfOrder:
        def play(self, task, terms, shards):
            for shard in (shards[0], shards[2], shards[1]):
                yield task(terms, *shard)

    stop = threading.Event()
    seen = []

    def progress(games):
        seen.append(games)
        if len(seen) == 2:
            stop.set()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clusters, "SHARD", 20)
        result = clusters.play_spread(OutOfOrder(), alone.spec, 0, 60, stop, progress)
    assert result.ranges == ((0, 20),)


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
    pool = Processes(1)
    with pytest.raises(LostWorkers):
        list(pool.play(dies, "", [(0, 10)]))
    pool.close()


def with_ray(test):
    """Mark a test that needs Ray, which leaves files open and warns before it gives up."""
    for mark in (pytest.mark.ray, pytest.mark.slow, *map(pytest.mark.filterwarnings, RAY_WARNINGS)):
        test = mark(test)
    return test


@pytest.fixture
def two_machines(monkeypatch, tmp_path):
    """A Ray cluster of two nodes with a processor each; its workers find the sign of `dies_once`."""
    ray, nodes = pytest.importorskip("ray"), importlib.import_module("ray.cluster_utils")
    monkeypatch.setenv("PYRAMIDION_TEST_SIGN", str(tmp_path / "sign"))
    small = {"num_cpus": 1, "object_store_memory": 80 * 2**20, "include_dashboard": False}
    cluster = nodes.Cluster(initialize_head=True, head_node_args=small)
    cluster.add_node(num_cpus=1, object_store_memory=80 * 2**20)
    monkeypatch.setenv("RAY_ADDRESS", cluster.address)
    yield cluster
    ray.shutdown()
    cluster.shutdown()


@with_ray
def test_two_machines_find_what_one_process_does_also_if_a_worker_and_a_machine_die(
    alone, monkeypatch, tmp_path, two_machines
):
    monkeypatch.setattr(clusters, "SHARD", 10)
    monkeypatch.setattr(clusters, "play_shard", dies_once)
    done = []

    def progress(games, of):
        done.append(games)
        if len(done) == 2:
            two_machines.remove_node(two_machines.list_all_nodes()[1], allow_graceful=False)

    spread = lab.experiment(GAME, games=60, cluster="ray", progress=progress, **ASKED)
    assert (tmp_path / "sign").exists()
    assert len(two_machines.list_all_nodes()) == 1
    assert spread.ranges == alone.ranges
    assert spread.data.equals(alone.data)
    assert done == [0, 10, 20, 30, 40, 50, 60]


@with_ray
@pytest.mark.parametrize("error", ["ConnectionError", "AuthenticationError"])
def test_a_cluster_that_does_not_answer_is_said_in_a_sentence(monkeypatch, error):
    ray = pytest.importorskip("ray")
    kind = getattr(ray.exceptions, error, ConnectionError)

    def refuse(*_arguments, **_options):
        raise kind("ray client connection timeout")  # after half a minute

    monkeypatch.setattr(ray, "init", refuse)
    with pytest.raises(ValueError, match="No Ray cluster answers at ray://127"):
        lab.experiment(GAME, games=60, cluster="ray://127.0.0.1:1", **ASKED)
