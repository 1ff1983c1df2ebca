"""Tests of the game registry."""

from __future__ import annotations

import copy
import pickle
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from pyramidion.engine import registry
from pyramidion.engine.interpreted import address


def test_the_metadata_of_packages_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    before = registry.ids()
    monkeypatch.setattr(registry, "entry_points", None)
    assert registry.ids() == before


def test_a_package_that_comes_to_the_path_is_found_and_one_that_goes_is_not(outside: Path) -> None:
    assert "silent-auction" in registry.ids()
    with pytest.MonkeyPatch.context() as without:
        without.setattr("sys.path", [path for path in sys.path if path != str(outside)])
        assert "silent-auction" not in registry.ids()


def test_a_game_is_pickled_by_its_id_and_never_copied() -> None:
    game = registry.load("pyramis")
    assert pickle.loads(pickle.dumps(game)) is game is copy.deepcopy(game)
    with pytest.raises(KeyError, match="There is no game 'nowhere'"):
        pickle.dumps(replace(game, id="nowhere"))


def test_rules_are_interpreted_from_the_module_of_the_game_not_of_a_test_that_holds_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game, test = registry.load("pyramis"), ModuleType("tests_that_cannot_be_imported")
    test.GAME, test.__file__ = game, str(Path("kuhn-poker") / "tests" / "test_rules.py")
    monkeypatch.setattr(sys, "modules", {test.__name__: test, **sys.modules})
    assert address(game) == "pyramidion.games.pyramis:GAME"
