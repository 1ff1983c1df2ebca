"""Tests of the example programs: each is short, and what it learns beats chance."""

from __future__ import annotations

import runpy
import sys

import pytest
from tests.helpers.examples import EXAMPLES, load

import pyramidion


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_short_and_needs_numpy_alone(path):
    lines = path.read_text("utf-8").splitlines()
    assert len(lines) <= 120
    imported = {line.split()[1].partition(".")[0] for line in lines if line.startswith(("import ", "from "))}
    assert imported - {"__future__"} - sys.stdlib_module_names <= {"numpy", "pyramidion"}


@pytest.mark.parametrize("path", sorted((EXAMPLES[0].parent / "torch").glob("*.py")), ids=lambda path: path.stem)
def test_an_example_with_torch_is_short_and_documented(path):
    text = path.read_text("utf-8")
    assert len(text.splitlines()) < 120
    compile(text, path, "exec")
    assert f"python examples/torch/{path.name}" in text
    assert f"`{path.name}`" in (EXAMPLES[0].parent.parent / "docs" / "python.md").read_text("utf-8")


@pytest.mark.slow
def test_the_value_of_after_states_beats_a_random_player():
    # Among equals, 62 % or more of 200 games are won in one of two thousand tries.
    assert load("after_states").main(training=600, games=200) >= 0.62


def test_counterfactual_regret_minimization_approaches_an_equilibrium():
    before, after = load("cfr").main(iterations=60)
    assert before > 0.2
    assert after < 0.1


def test_a_clone_predicts_unseen_decisions_better_than_chance():
    right, chance = load("cloning").main(games=30)
    assert right > 1.5 * chance


@pytest.mark.slow
def test_proximal_policy_optimization_improves_on_random_play():
    before, after = load("ppo").main()
    # The two shares are of 1,000 games each; equal players differ by 0.05 in one of a hundred tries.
    assert after > before + 0.05


def test_weights_go_to_the_current_folder_and_are_not_replaced_without_the_option(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    script = str(EXAMPLES[0].parent / "ppo_self_play.py")
    monkeypatch.setattr(sys, "argv", [script, "pyramis-micro", "--rounds", "1"])
    runpy.run_path(script, run_name="__main__")
    path = tmp_path / "ppo-pyramis-micro.npz"
    assert str(path) in capsys.readouterr().out
    written = path.read_bytes()
    sys.argv += ["--rounds", "2"]
    with pytest.raises(SystemExit):
        runpy.run_path(script, run_name="__main__")
    assert "replace the file with --overwrite" in capsys.readouterr().err
    assert path.read_bytes() == written
    choose = load("ppo_self_play").own(pyramidion.load("pyramis-micro"), "seed")
    match = pyramidion.load("pyramis-micro").new(seed=1)
    seat = match.acting[0]
    assert choose(match.observation(seat), match.legal_mask(seat)) in match.legal_ids(seat)
