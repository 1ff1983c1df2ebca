"""The skill with which a player starts: measured for the levels of bots, unknown for everybody else."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from pyramidion.lab.skill import UNKNOWN, Skill

FILE = Path(__file__).with_name("starting.toml")
BOT_PREFIX = "bot:"


def starting_skill(game: str, player: str) -> Skill:
    """Return the skill of a player before the first rated match in a game; bots are `bot:LEVEL`."""
    found = _measured().get(game, {}).get(player.removeprefix(BOT_PREFIX)) if player.startswith(BOT_PREFIX) else None
    return UNKNOWN if found is None else Skill(*found)


@cache
def _measured() -> dict[str, dict[str, Any]]:
    return tomllib.loads(FILE.read_text("utf-8"))
