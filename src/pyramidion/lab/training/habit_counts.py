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
    """Make the bot Expert, limited by a number of search iterations for each decision instead of by time."""
    return SearchBot(game, seed, replace(LEVELS["expert"], iterations=iterations, seconds=None))


def game_between_experts(game: Game, iterations: int, name: str) -> Match:
    """Play a game between Experts that are limited by search iterations; return the match, whose seed is `name`."""
    match = game.new(game.usual_seats, name)
    bot = expert_by_iterations(game, iterations, name)
    while not match.over:
        match.play(match.acting[0], bot.move(match, match.acting[0]))
    return match


def count_habits(match: Match, counts: Any, number: int) -> None:
    """Add the decisions of a finished match to `counts`, the game's `Habits`; `number` is its row of the holdings."""
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
