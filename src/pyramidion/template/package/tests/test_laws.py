"""Tests of the conformance laws over random games."""

from __future__ import annotations

import pytest

import pyramidion
from pyramidion.engine.testing import LAWS, check_law


@pytest.mark.parametrize("law", LAWS)
def test_law(law: str) -> None:
    check_law(pyramidion.load("my-game"), law, games=10)
