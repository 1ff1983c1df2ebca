"""Tests of the pictures that games declare: every item exists, every card can be drawn, and reports show them."""

from __future__ import annotations

import re

import pytest

from pyramidion import lab
from pyramidion.engine import registry
from pyramidion.engine.pictures import BoardMap
from pyramidion.lab.experiments.custom_metrics import own_metrics
from pyramidion.lab.experiments.metric_keys import cards_of, metric_keys, pictures_of
from pyramidion.lab.reports import board_pictures

GAMES = [registry.load(name) for name in registry.own_ids()]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_declared_items_exist(game):
    names = set(metric_keys(game).names)
    own = own_metrics(game)
    for picture in pictures_of(game):
        if isinstance(picture, BoardMap):
            for item in picture.cells:
                assert (picture.metric, item) in names or item in own[picture.metric].labels
            assert len(set(picture.cells.values())) == len(picture.cells)
        else:
            assert own[picture.metric].labels
    cards = cards_of(game)
    for index, row in enumerate(game.own_cards.data[cards.key] if cards else ()):
        assert (cards.metric, cards.item(index, row)) in names
        assert re.fullmatch(r"<svg .*</svg>", cards.draw(row))


def test_drawings_escape_what_a_designer_writes():
    for game in GAMES:
        cards = cards_of(game)
        if cards:
            row = game.own_cards.data[cards.key][0]
            assert "<b>" not in cards.draw(dict.fromkeys(row, "<b>x"))


@pytest.mark.slow
def test_the_report_of_pyramis_shows_the_fleet_and_the_cards():
    result = lab.experiment("pyramis", games=300, metrics=("wins", "points", "actions", "events", "winning fleet"))
    titles = [section["title"] for section in board_pictures.sections(result)]
    assert titles == [
        "Where the winner's Pyramids are",
        "Where cards are turned",
        "What turning is worth",
        "Cards and what they are worth",
    ]
    fleet = sum(result.figure("winning fleet", item).mean for item in result.items("winning fleet"))
    assert 15 < fleet < result.figure("points", "winner").mean


@pytest.mark.slow
@pytest.mark.parametrize("name", ["upside-down", "downside-up"])
def test_the_spaces_that_always_win_do(name):
    result = lab.experiment(name, games=200, metrics=("wins", "final space"))
    shares = {item[-1]: result.figure("final space", item).mean for item in result.items("final space")}
    if name == "upside-down":
        assert [shares[space] for space in "ABCD"] == [1, 1, 1, 1]
        assert shares["J"] == 0
    assert 0 < sum(shares.values()) <= 10


@pytest.mark.slow
def test_the_winners_pyramid_has_one_founder_on_top():
    result = lab.experiment("pyramid-scheme", games=200, metrics=("wins", "pyramid"))
    assert result.figure("pyramid", "level 1").mean == 1
    assert "<svg" in board_pictures.sections(result)[0]["chart"]
