"""Small siblings of games: fixed seats and options, found by their names."""

from __future__ import annotations

import pickle
import random

import pytest

import pyramidion
from pyramidion.engine import registry
from pyramidion.engine.layout import record
from pyramidion.engine.minis import Mini
from pyramidion.web.errors import UnknownGame
from pyramidion.web.table.new_table import find_game


def test_every_sibling_is_loaded_by_its_name_and_is_not_listed():
    assert {"ponzi-scheme-mini", "pyramis-mini", "pyramid-shambo-mini", "upside-down-mini"} <= set(registry.mini_ids())
    assert not set(registry.mini_ids()) & set(registry.ids())
    with pytest.raises(registry.UnknownGame):
        pyramidion.load("pyramis-maxi")


@pytest.mark.parametrize("game_id", registry.mini_ids())
def test_a_sibling_plays_by_the_compiled_rules_of_its_game(game_id):
    game, chance = pyramidion.load(game_id), random.Random(game_id)
    assert game.base is not None
    assert game.compiled is game.base.compiled
    match = game.new(seed=1)
    while not match.over:
        seat = match.acting[0]
        match.play(seat, chance.choice(match.legal_ids(seat).tolist()))
        assert game.invariants(record(match.box), record(match.state_copy())) is None
    assert match.ply <= game.longest(match.seats, **{name: match.options[name] for name in limits(game)})
    assert pyramidion.Match.from_record(match.record()).outcome == match.outcome
    assert pickle.loads(pickle.dumps(game)) is game


def limits(game):
    """Return the names of the whole-number options, which `longest` takes."""
    return [name for name, option in game.options.items() if option.kind == "whole"]


def test_options_of_a_sibling_are_fixed():
    game = pyramidion.load("pyramis-mini")
    assert game.new(fleet_cards=6).options["fleet_cards"] == 6
    with pytest.raises(ValueError, match="fleet_cards is fixed at 6"):
        game.new(fleet_cards=7)
    with pytest.raises(ValueError, match="has 2 seats, not 3"):
        game.new(3)


def test_a_declaration_is_checked():
    with pytest.raises(ValueError, match="There is no option 'size'"):
        registry.sibling(pyramidion.load("pyramis"), Mini(2, {"size": 3}))


def test_web_tables_do_not_offer_siblings():
    with pytest.raises(UnknownGame):
        find_game("pyramis-mini")
