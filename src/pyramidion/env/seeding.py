"""Seeds of matches and registered names, shared by the environments of all frameworks."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyramidion.engine.game import Game

_SEEDS = 2**31


class Seeds:
    """The source of the seeds of an environment's matches: a given seed, or the next one of a generator.

    The generator is seeded by the last given seed, or from the system's entropy.
    """

    def __init__(self) -> None:
        self._generator = np.random.default_rng()

    def next(self, seed: int | None) -> int:
        """Return the seed of the next match: `seed`, which also seeds the generator, or by default a random one."""
        if seed is not None:
            self._generator = np.random.default_rng(seed)
            return seed
        return int(self._generator.integers(_SEEDS))


def env_id(game: Game, version: int | None = None) -> str:
    """Return a game's registered name, `Pyramidion/PyramidScheme-v2`.

    The number is a version of its rules, by default the current one.
    """
    name = "".join(word.capitalize() for word in game.id.split("-"))
    return f"Pyramidion/{name}-v{game.rules_version if version is None else version}"


def registered_ids(game: Game) -> dict[str, dict[str, Any]]:
    """Return a game's registered names, and the arguments of each environment.

    There is one for each version of the rules that can still be played, with the options that make it.
    """
    return {
        env_id(game, version): {"game": game.id, **game.earlier_versions.get(version, {})} for version in game.versions
    }
