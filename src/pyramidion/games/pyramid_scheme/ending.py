"""Who is still in Pyramid Scheme, and how it ends (PS 10)."""

from __future__ import annotations

from pyramidion.engine.events import event
from pyramidion.engine.mixing import share_the_win
from pyramidion.engine.rule import rule
from pyramidion.games.pyramid_scheme.layout import EVENTS

ENDED = EVENTS.ended


@rule
def is_in(s, seat):
    """Whether a seat is still in the game."""
    return (int(s.crumbled) >> seat) & 1 == 0


@rule(within=True)
def smart_asses(s, seat):
    """How many flipped cards a seat has, Founder and Police included (PS 10.2)."""
    count = 0
    for k in range(s.pile_count[seat]):
        count += int(s.flipped[s.pile[seat, k]])
    return count


@rule
def end_game(s, rule_number):
    """The game is over: the last seat left has won, or the most flipped cards of those left (PS 10.2, 10.3)."""
    s.over = 1
    s.ending = rule_number
    s.acting = 0
    s.phase = 0
    s.police_rounds, s.police_step = 0, 0
    event(s, ENDED, rule_number, rule_number)
    most = -1
    for seat in range(s.seats):
        s.score[seat] = smart_asses(s, seat) if is_in(s, seat) else -1
        most = max(most, int(s.score[seat]))
    s.winners = 0
    for seat in range(s.seats):
        if s.score[seat] == most:
            s.winners |= 1 << seat


@rule
def points(box, s, out):
    """Write every seat's flipped cards at the end to `out` (int32[seats]); -1 for who is out."""
    for seat in range(s.seats):
        out[seat] = s.score[seat]


@rule
def payoff(box, s, out):
    """Write every seat's share of the win to `out` (float64[seats]), 1 in all (PS 10.2)."""
    share_the_win(s, out)
