"""Tests that records and tables of earlier rules versions continue under those versions."""

from __future__ import annotations

import random

from tests.games.pyramid_scheme.positions import GAME

import pyramidion
from pyramidion.engine.layout import record
from pyramidion.games.pyramid_scheme.layout import RESETS, VICTIM_NAMES

BLUE_P = VICTIM_NAMES.index("blue-p")


def played(seed: int, plies: int, **version: int) -> pyramidion.Match:
    """Return a game of random actions."""
    match, chance = GAME.new(3, seed, **version), random.Random(seed)
    while not match.over and match.ply < plies:
        match.play(match.acting[0], chance.choice(match.legal(match.acting[0])))
    return match


def test_version_1_counts_police_in_conditions_and_keeps_its_deck():
    old = record(GAME.new(2, rules_version=1).box)
    assert old.police_in_conditions == 1
    assert (old.reward[BLUE_P], old.reward_count[BLUE_P]) == (RESETS, 3)
    new = record(GAME.new(2).box)
    assert new.police_in_conditions == 0
    assert new.reward[BLUE_P] != RESETS


def test_a_record_of_version_1_is_replayed_under_version_1():
    for seed in range(20):
        old = played(seed, 400, rules_version=1)
        assert old.record()["rules_version"] == 1
        again = pyramidion.Match.from_record(old.record())
        assert again.record() == old.record()
        assert again.state_copy().tobytes() == old.state_copy().tobytes()


def test_an_own_card_file_is_the_deck_under_every_version():
    text = (GAME.folder / "cards.toml").read_text("utf-8")
    assert record(GAME.new(2, cards=text, rules_version=1).box).reward[BLUE_P] != RESETS
