"""The skill with which a player starts: measured for the levels of bots, unknown for everybody else."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from pyramidion.bots.levels import ALL_LEVELS
from pyramidion.lab.statistics.skill import DEFAULT_SKILL, Skill

FILE = Path(__file__).with_name("starting.toml")
BOT_PREFIX = "bot:"


def starting_skill(game: str, player: str) -> Skill:
    """Return the skill with which a player (a visitor id or `bot:LEVEL`) starts in a game."""
    level = player.removeprefix(BOT_PREFIX)
    return measured_levels(game).get(level, DEFAULT_SKILL) if player != level else DEFAULT_SKILL


def measured_levels(game: str) -> dict[str, Skill]:
    """Return the starting skill in a game of each level of bots for which it has been measured, by level."""
    about = _measured().get(game, {})
    return {level: Skill(*about[level]) for level in ALL_LEVELS if level in about}


@cache
def _measured() -> dict[str, dict[str, Any]]:
    """Return the measured ratings of bots by game, read once."""
    return tomllib.loads(FILE.read_text("utf-8"))
