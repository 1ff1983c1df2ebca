"""Tests of the example programs: each is short, and what it learns beats chance."""

from __future__ import annotations

import sys

import pytest
from tests.helpers.examples import EXAMPLES, load


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_short_and_needs_numpy_alone(path):
    lines = path.read_text("utf-8").splitlines()
    assert len(lines) < 120
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
