"""Property tests: the laws every game must satisfy, checked on random games."""

from __future__ import annotations

import pytest

import pyramidion
from pyramidion.engine.testing import LAWS, check_law


@pytest.mark.parametrize("law", LAWS)
def test_law(law: str) -> None:
    check_law(pyramidion.load("kuhn-poker"), law, games=10)
