"""Tests that killed servers and a killed database lose nothing under load: short runs of `benchmarks/load.py`."""

import argparse

import pytest

import load

SHORT = {"tables": 8, "rate": 40.0, "seconds": 4.0, "every": 1.5, "times": 2}


async def ran(scenario, tmp_path, **asked):
    return await load.SCENARIOS[scenario](argparse.Namespace(**{**SHORT, **asked}), str(tmp_path))


@pytest.mark.slow
async def test_every_viewer_sees_every_action(tmp_path):
    figures = await ran("one", tmp_path, seconds=2.0)
    assert figures["faults"] == []
    assert figures["acknowledged"] > 20
    assert figures["viewers"] == 40


@pytest.mark.slow
async def test_a_server_killed_again_and_again_loses_nothing(tmp_path):
    figures = await ran("kills", tmp_path)
    assert figures["faults"] == []
    assert figures["servers_killed"] == 2


@pytest.mark.slow
@pytest.mark.postgres
async def test_of_two_servers_either_may_be_killed(tmp_path):
    figures = await ran("two", tmp_path)
    assert figures["faults"] == []
    assert figures["servers_killed"] >= 1
    assert figures["acknowledged"] > 20


@pytest.mark.slow
@pytest.mark.postgres
async def test_a_database_that_is_killed_and_comes_back_has_it_all(tmp_path):
    figures = await ran("database", tmp_path, every=1.0)
    assert figures["faults"] == []
    assert figures["database_crashes"] >= 1
    assert figures["acknowledged"] > 20


@pytest.mark.slow
@pytest.mark.postgres
async def test_deadlines_in_the_same_second_are_kept_once_each(tmp_path):
    figures = await ran("deadlines", tmp_path, tables=30)
    assert (figures["closed"], figures["closed_twice"], figures["closed_early"]) == (30, 0, 0)
