"""Tests of `pyramidion bench`: what it measures, but never how fast anything is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import pyramidion
from pyramidion.cli import main

SPEEDS = ("decisions_per_second", "games_per_second", "decisions_per_game")
SEARCH = ("search_iterations_per_second", "search_policy_iterations_per_second")
FRESH = ("interpreted_decisions_per_second", "first_use_seconds", "cached_start_seconds", "import_seconds")


def measured(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, object]]:
    assert main(["bench", "--json", *arguments]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.slow
def test_quick_figures_of_every_game(capsys: pytest.CaptureFixture[str]) -> None:
    figures = measured(capsys, "--quick", "--games", "20")
    assert [game["game"] for game in figures] == list(pyramidion.all_games())
    for game in figures:
        for key in (*SPEEDS, "python_plies_per_second", *SEARCH, "state_bytes", "box_bytes"):
            assert game[key] > 0, key
            assert key not in SPEEDS or game["threads"][key] > 0  # type: ignore[index]
        assert not set(FRESH) & set(game)


def test_seats_and_options_are_those_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("ponzi-scheme", "--quick", "--games", "20", "--seats", "5", "--option", "advanced=true")
    (figures,) = measured(capsys, *arguments)
    assert figures["seats"] == 5
    assert figures["options"] == {"advanced": True, "round_limit": 60}


@pytest.mark.slow
def test_figures_of_fresh_processes(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, outside: Path
) -> None:
    # It is compiled anew, so it is a game that is soon compiled.
    monkeypatch.setenv("PYTHONPATH", str(outside))
    (figures,) = measured(capsys, "high-card", "--games", "20")
    for key in FRESH:
        assert figures[key] > 0, key  # type: ignore[operator]


def test_for_people_it_is_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "ponzi-scheme", "--quick", "--games", "20"]) == 0
    output = capsys.readouterr().out
    assert "decisions/s, one core" in output
    assert "state, bytes" in output


def test_a_measurement_that_fails_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.executable", "/bin/false")
    assert main(["bench", "ponzi-scheme", "--games", "20"]) == 1
    assert "The measurement 'interpreted' failed" in capsys.readouterr().err
