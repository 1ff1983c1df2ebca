"""A type checker refuses a full state where a redacted one belongs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SNIPPET = """
import numpy as np

import pyramidion
from pyramidion.bots.policy import PolicyBot
from pyramidion.bots.search import SearchBot
from pyramidion.engine.layout import seen
from pyramidion.engine.match import Match


def redacted(game: pyramidion.Game, match: Match, out: np.ndarray) -> None:
    shown = match.redacted_state(0)
    PolicyBot(game).choose(match.box, shown, 0)
    SearchBot(game).think(match.box, shown, 0)
    game.compiled.observe(match.box, shown, 0, out)
    game.view.view(match.box, seen(shown), 0)
    game.layout.redact(match.state_copy(), 0)


def full(game: pyramidion.Game, match: Match, out: np.ndarray) -> None:
    state = match.state_copy()
    PolicyBot(game).choose(match.box, state, 0)  # refused
    SearchBot(game).think(match.box, state, 0)  # refused
    game.compiled.observe(match.box, state, 0, out)  # refused
    game.view.view(match.box, seen(state), 0)  # refused
"""


@pytest.mark.slow
def test_full_states_are_refused_by_bots_observations_and_views(tmp_path):
    snippet = tmp_path / "snippet.py"
    snippet.write_text(SNIPPET, "utf-8")
    settings = {"venvPath": str(ROOT), "venv": ".venv", "extraPaths": [str(ROOT / "src")], "typeCheckingMode": "basic"}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings), "utf-8")
    command = [sys.executable, "-m", "pyright", "--outputjson", "--project", str(tmp_path)]
    told = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
    refused = {one["range"]["start"]["line"] for one in told["generalDiagnostics"] if one["severity"] == "error"}
    expected = {n for n, line in enumerate(SNIPPET.splitlines()) if re.search("# refused$", line)}
    assert refused == expected, told["generalDiagnostics"]
    assert all('"State" is not assignable to "Redacted"' in one["message"] for one in told["generalDiagnostics"])
