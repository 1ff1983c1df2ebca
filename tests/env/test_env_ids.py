"""Tests of the registered names of environments: those of earlier versions of the rules keep working."""

from __future__ import annotations

import gymnasium
import pettingzoo
import pytest

import pyramidion
import pyramidion.env.gymnasium
import pyramidion.env.pettingzoo
from pyramidion.env.seeding import env_id, registered_ids


def test_every_version_that_can_be_played_has_a_name():
    for game in pyramidion.all_games().values():
        names = registered_ids(game)
        assert list(names)[-1] == env_id(game)
        assert len(names) == len(game.versions)
        for name in names:
            assert name in gymnasium.registry
            assert pettingzoo.spec("aec", name).kwargs == names[name]


@pytest.mark.filterwarnings("ignore:.*is out of date.*")
def test_an_earlier_version_is_played_by_its_rules():
    assert gymnasium.make("Pyramidion/PyramidScheme-v1").unwrapped._options["police_in_conditions"]
    assert not gymnasium.make("Pyramidion/PyramidScheme-v2").unwrapped._options["police_in_conditions"]
    with pytest.raises(gymnasium.error.DeprecatedEnv, match="v2"):
        gymnasium.make("Pyramidion/PyramidScheme-v0")
