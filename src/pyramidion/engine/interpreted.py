"""A subprocess that replays a match with interpreted rules, for comparison with compiled ones.

Run `python -m pyramidion.engine.interpreted` with a JSON object on standard input: `game`, an import path
(`module:attribute`), and `record`. It prints a JSON list with a digest of the state and legal actions at every ply.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from pyramidion.engine import registry
from pyramidion.engine.game import Game
from pyramidion.engine.match import Match


def state_digest(match: Match) -> str:
    """Return the SHA-256 of a match's full state and of every seat's legal actions."""
    digest = hashlib.sha256(match.state_copy().tobytes())
    for seat in range(match.seats):
        digest.update(match.legal_ids(seat).tobytes())
    return digest.hexdigest()


def interpreted_digests(match: Match) -> list[str]:
    """Replay a match in an interpreted subprocess and return the digest at every ply.

    Raises RuntimeError with the subprocess's error output if it fails.
    """
    request = json.dumps({"game": address(match.game), "record": match.record()})
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-m", "pyramidion.engine.interpreted"],
        input=request,
        capture_output=True,
        text=True,
        env={**os.environ, "PYRAMIDION_INTERPRET": "1", "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"The interpreted rules failed: {done.stderr[-2000:]}")
    return json.loads(done.stdout)


def address(game: Game) -> str:
    """Return a game's import path `module:attribute`. Raises LookupError if no imported module has it.

    Modules in the game's folder come first: others, such as tests, may have names that cannot be imported elsewhere.
    """
    paths = {
        f"{name}:{attribute}": module
        for name, module in list(sys.modules.items())
        for attribute, value in (list(vars(module).items()) if name != "__main__" else ())
        if value is game
    }
    if not paths:
        raise LookupError(f"No imported module holds the game {game.id}; give it a name in its module.")
    return max(paths, key=lambda path: _is_in(paths[path], game.folder))


def _is_in(module: ModuleType, folder: Path) -> bool:
    """Return whether a module was loaded from a file that lies in a folder."""
    file = getattr(module, "__file__", None)
    return file is not None and Path(file).parent == folder


def _main() -> None:
    """Run the subprocess: replay the match in the request with interpreted rules, and print the digests."""
    request: dict[str, Any] = json.load(sys.stdin)
    module, _, attribute = request["game"].partition(":")
    game: Game = getattr(importlib.import_module(module), attribute)
    registry.add(game)
    record = request["record"]
    match = game.new(
        record["seats"],
        record["seed"],
        cards=record.get("cards"),
        rules_version=record["rules_version"],
        **record["options"],
    )
    digests = [state_digest(match)]
    for seat, action in record["actions"]:
        match.play(seat, action)
        digests.append(state_digest(match))
    json.dump(digests, sys.stdout)


if __name__ == "__main__":
    _main()
