"""Elimination at a terminal table: a notice with the reason and the table as it was before."""

import io

import pytest
from rich.console import Console

import pyramidion
from pyramidion.bots import load as load_bot
from pyramidion.terminal.table import TerminalTable


@pytest.mark.parametrize("game_id", ["pyramid-scheme", "pyramid-shambo"])
def test_a_person_who_is_eliminated_is_told_why_before_the_game_goes_on(game_id):
    game = pyramidion.load(game_id)
    for seed in range(30):
        match, bot = game.new(3, seed), load_bot("random", game, seed)
        out = io.StringIO()
        console = Console(file=out, width=80, height=24, force_terminal=True, color_system=None)
        table = TerminalTable(match, {0: "Ann"}, {1: ("Bo", bot.move), 2: ("Cy", bot.move)}, console, lambda _: "")
        while not match.over and match.ply < 3000:
            table._play(match.acting[0], bot.move(match, match.acting[0]))
            if "Ann is out of the game." in out.getvalue():
                notice = out.getvalue().partition("Ann is out of the game. The table just before:")[2]
                assert "Ann (you)" in notice
                assert f"{game.prefix} " in out.getvalue()
                plies = match.ply
                table._play(match.acting[0], bot.move(match, match.acting[0])) if not match.over else None
                assert out.getvalue().count("Ann is out of the game.") == 1
                assert plies
                return
    raise AssertionError("Nobody was eliminated before the end.")
