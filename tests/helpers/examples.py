"""Helpers of the tests in `test_examples.py`, which other tests use, too."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))


def load(name: str) -> ModuleType:
    [path] = [path for path in EXAMPLES if path.stem == name]
    spec = importlib.util.spec_from_file_location(f"example_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module
