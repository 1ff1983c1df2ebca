"""Elimination and the end of a game of Pyramid Scheme (PS 10)."""

from __future__ import annotations

from pyramidion.engine.events import event
from pyramidion.engine.rule import rule
from pyramidion.engine.softmax import share_the_win
from pyramidion.games.pyramid_scheme.layout import EVENTS

ENDED = EVENTS.ended


@rule
def is_in(s, seat):
    """Return whether a seat is still in the game, that is, has not been eliminated."""
    return (int(s.crumbled) >> seat) & 1 == 0


@rule(within=True)
def smart_asses(s, seat):
    """Return how many smart-asses (flipped cards, Founder and Police included) a seat has (PS 10.2)."""
    count = 0
    for k in range(s.pile_count[seat]):
        count += int(s.flipped[s.pile[seat, k]])
    return count


@rule
def end_game(s, rule_number):
    """End the game: the last seat in the game wins, or else the most smart-asses (PS 10.2, 10.3)."""
    s.over = 1
    s.ending = rule_number
    s.acting = 0
    s.phase = 0
    s.police_rounds, s.police_step = 0, 0
    event(s, ENDED, rule_number, rule_number)
    best = -1
    for seat in range(s.seats):
        s.score[seat] = smart_asses(s, seat) if is_in(s, seat) else -1
        best = max(best, int(s.score[seat]))
    s.winners = 0
    for seat in range(s.seats):
        if s.score[seat] == best:
            s.winners |= 1 << seat


@rule
def points(box, s, out):
    """Write every seat's smart-asses (flipped cards) at the end to `out` (int32[seats]); -1 for seats that are out."""
    for seat in range(s.seats):
        out[seat] = s.score[seat]


@rule
def payoff(box, s, out):
    """Write every seat's share of the win to `out` (float64[seats]); the shares add up to 1 (PS 10.2)."""
    share_the_win(s, out)
