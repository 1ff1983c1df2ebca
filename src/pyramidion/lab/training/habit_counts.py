"""Counting of habits in games between players who search."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pyramidion.bots.levels import LEVELS
from pyramidion.bots.search import SearchBot
from pyramidion.engine.game import Game
from pyramidion.engine.layout import record
from pyramidion.engine.match import Match


def expert_by_iterations(game: Game, iterations: int, seed: str) -> SearchBot:
    """Return Expert with a limit of iterations instead of time."""
    return SearchBot(game, seed, replace(LEVELS["expert"], iterations=iterations, seconds=None))


def game_between_experts(game: Game, iterations: int, name: str) -> Match:
    """Return a game between Experts with a limit of iterations instead of time; `name` is its seed."""
    match = game.new(game.usual_seats, name)
    bot = expert_by_iterations(game, iterations, name)
    while not match.over:
        match.play(match.acting[0], bot.move(match, match.acting[0]))
    return match


def count_habits(match: Match, counts: Any, number: int) -> None:
    """Count the decisions of a finished game, the game of this number, in the game's `Habits`."""
    mind, again, last = match.game.mind, match.at(0), -1
    box = record(again.box)
    for seat, action in match.history:
        state = record(again.state_copy())
        now = mind.phase_index(state)
        if now >= 0 and now != last:
            last = now
            mind.write_holdings(state, counts.holdings[number, now])
        mind.count_decision(box, state, seat, action, counts)
        again.play(seat, action)
