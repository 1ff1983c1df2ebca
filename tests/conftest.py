"""What all tests share: the tiny games that live outside the package."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pyramidion.engine import registry

OUTSIDE = Path(__file__).parent / "outside"


@pytest.fixture
def outside(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package of somebody else's is installed, and its games are there by their entry points."""
    monkeypatch.syspath_prepend(str(OUTSIDE))
    importlib.invalidate_caches()
    yield OUTSIDE
    for name in ("sealed-bid", "high-card", "silent-auction"):
        registry.forget(name)
        sys.modules.pop(name.replace("-", "_"), None)
