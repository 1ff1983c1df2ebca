"""What tables say under each value of each option: golden pages, which a reader has compared with the rules."""

from __future__ import annotations

import pytest
from tests.games.telling_options import COMMAND, cases_of, folder_of, own_games, page_of, text_of

from pyramidion import Game

GAMES = pytest.mark.parametrize("game", own_games(), ids=lambda game: game.id)
OPTIONS = [pytest.param(game, name, id=f"{game.id}-{name}") for game in own_games() for name in game.options]


@GAMES
def test_every_option_has_a_case_of_two_values(game: Game) -> None:
    cases = cases_of(game)
    assert list(cases) == list(game.options)
    for name, case in cases.items():
        first, second = (game.options[name].accept(name, value) for value in case.values)
        assert first == game.options[name].default != second, name


@pytest.mark.parametrize(("game", "name"), OPTIONS)
def test_the_table_tells_the_values_of_an_option_apart(game: Game, name: str) -> None:
    _lines, differ = page_of(cases_of(game)[name], name, game)
    assert differ


@GAMES
def test_what_the_table_says_is_what_a_reader_has_compared_with_the_rules(game: Game) -> None:
    path = folder_of(game) / "options_told.txt"
    assert text_of(game) == path.read_text("utf-8"), f"Run {COMMAND} and compare the page with the rules."
