"""End of the game and scoring (PZ 10)."""

from __future__ import annotations

from pyramidion.engine.events import event
from pyramidion.engine.rule import rule
from pyramidion.engine.softmax import share_the_win
from pyramidion.games.ponzi_scheme.layout import EVENTS, INDUSTRIES, LOWEST_VALUE, LUXURIES, WEALTH_STEPS

ENDED = EVENTS.ended
N_INDUSTRIES = len(INDUSTRIES)


@rule
def industry_points(s, seat):
    """Return the points for all tiles of a seat: n(n+1)/2 for n tiles of an industry (PZ 10.2)."""
    total = 0
    for industry in range(N_INDUSTRIES):
        n = int(s.tiles[seat, industry])
        total += n * (n + 1) // 2
    return total


@rule
def wealth_points(box, cash):
    """Return the points for this much cash in the basic game (PZ 10.3)."""
    total = 0
    for step in range(WEALTH_STEPS):
        if cash >= box.wealth[step]:
            total += 1
    return total


@rule
def luxury_points(box, s, seat):
    """Return the points for a seat's luxuries (PZ 10.4)."""
    total = 0
    for luxury in range(LUXURIES):
        if s.luxury_owner[luxury] == seat + 1:
            total += int(box.luxury_points[luxury])
    return total


@rule
def highest_card(s, seat):
    """Return the highest fund-card value on a seat's wheel, or 0 (PZ 10.5)."""
    highest = 0
    for i in range(s.held_count):
        if s.held_seat[i] == seat:
            highest = max(highest, LOWEST_VALUE + int(s.held_card[i]))
    return highest


@rule
def end_game(box, s, rule_number):
    """End the game (PZ 9.3, 10.6): reveal and score all cash; the most points win (PZ 10.1 to 10.5)."""
    s.over = 1
    s.ending = rule_number
    s.phase = 0
    s.acting = 0
    event(s, ENDED, rule_number, rule_number)
    best, best_card = -1, -1
    for seat in range(s.seats):
        s.final_cash[seat] = s.cash[seat]
        if s.bankrupt[seat]:
            s.score[seat] = -1
            continue
        score = industry_points(s, seat)
        score += luxury_points(box, s, seat) if box.advanced else wealth_points(box, s.cash[seat])
        s.score[seat] = score
        card = highest_card(s, seat)
        if score > best or (score == best and card > best_card):
            best, best_card = score, card
            s.winners = 0
        if score == best and card == best_card:
            s.winners |= 1 << seat


@rule
def points(box, s, out):
    """Write every seat's points at the end to `out` (int32[seats]); a bankrupt seat has -1 (PZ 10.1)."""
    for seat in range(s.seats):
        out[seat] = s.score[seat]


@rule
def payoff(box, s, out):
    """Write every seat's share of the win to `out` (float64[seats]).

    The shares add up to 1, or are all 0 if every seat is bankrupt (PZ 10.1, 10.5).
    """
    share_the_win(s, out)
