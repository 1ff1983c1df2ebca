"""Kuhn Poker, 2 seats: poker with three cards and one bet, over several hands."""

from __future__ import annotations

from pathlib import Path

from pyramidion.engine.game import Credits, Game
from pyramidion.translation import marked

from . import mind, rules, view
from .layout import ACTIONS, BOX, EVENTS, MOST_HANDS, OPTIONS, STATE


def longest(seats: int, hands: int = MOST_HANDS) -> int:
    """Return an upper bound on the number of decisions in a game: three per hand."""
    return 3 * hands


def payoff_bound(seats: int, hands: int = MOST_HANDS) -> int:
    """Return the most chips that a seat can win or lose: two per hand."""
    return 2 * hands


GAME = Game(
    id="kuhn-poker",
    name=marked("Kuhn Poker"),
    prefix="KP",
    summary=marked("Poker with three cards and one bet: bluff with the jack, catch bluffs with the queen."),
    credits=Credits(designers=("Harold W. Kuhn",), publishers=()),
    seats=range(2, 3),
    usual_seats=2,
    minutes=5,
    weight="light",
    rules_version=1,
    layout=STATE,
    box=BOX,
    fill_box=lambda cards, box: None,
    options=OPTIONS,
    actions=ACTIONS,
    events=EVENTS,
    rules=rules,
    mind=mind,
    view=view,
    invariants=view.invariants,
    longest=longest,
    payoff_form="sum",
    payoff_bound=payoff_bound,
    zero_sum=True,
    somebody_wins=True,
    folder=Path(__file__).parent,
)
