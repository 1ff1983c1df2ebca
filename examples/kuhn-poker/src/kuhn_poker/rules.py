"""Rules of Kuhn Poker, in the order of rules.md. Compiled."""

from __future__ import annotations

from pyramidion.engine.events import event, only
from pyramidion.engine.legality import legal_from
from pyramidion.engine.random import below
from pyramidion.engine.rule import rule

from .layout import (
    ACTIONS,
    BEGAN,
    BET,
    BETS,
    CALL,
    CALLED,
    CHECK,
    CHECKED,
    DEALT,
    ENDED,
    FOLD,
    FOLDED,
    SHOWED,
    WON,
)


@rule
def setup(box, s):
    """Draw the first player and deal the first hand (KP 1.1)."""
    s.first = below(s.rng, 2)
    deal(s)


@rule
def deal(s):
    """Start a hand: each player antes one chip and gets a card (KP 1.2)."""
    s.hand += 1
    s.checked = 0
    s.acting = 1 << s.first
    event(s, BEGAN, 1_02, s.hand, s.first)
    # Draw the card left over, then one of the two ways to deal the other two.
    unused, turned = below(s.rng, 3), below(s.rng, 2)
    for seat in range(2):
        s.stake[seat] = 1
        s.card[seat] = (unused + 1 + (seat ^ turned)) % 3 + 1
        event(s, DEALT, 1_02, seat, s.card[seat], audience=only(seat))


@rule
def faces_bet(s, seat):
    """Return whether the opponent has bet in this hand."""
    return s.stake[1 - seat] > s.stake[seat]


@rule
def forbidden(box, s, seat, action):
    """Return the rule that forbids an action to a due seat, or 0 if it is legal (KP 1.3, 1.4)."""
    if faces_bet(s, seat):
        return 1_04 if action in (CHECK, BET) else 0
    return 1_03 if action in (CALL, FOLD) else 0


legal = legal_from(forbidden, len(ACTIONS))


@rule
def apply(box, s, seat, action):
    """Apply a legal action (KP 1.3, 1.4)."""
    other = 1 - seat
    if action == CHECK:
        event(s, CHECKED, 1_03, seat)
        if s.checked:
            show_down(box, s)
        else:
            s.checked = 1
            s.acting = 1 << other
    elif action == BET:
        event(s, BETS, 1_03, seat)
        s.stake[seat] += 1
        s.acting = 1 << other
    elif action == CALL:
        event(s, CALLED, 1_04, seat)
        s.stake[seat] += 1
        show_down(box, s)
    else:
        event(s, FOLDED, 1_04, seat)
        s.shown[:] = 0
        win_hand(box, s, other, 1_04)


@rule
def show_down(box, s):
    """Reveal both cards; the higher card wins the pot (KP 1.5)."""
    for seat in range(2):
        s.shown[seat] = s.card[seat]
        event(s, SHOWED, 1_05, seat, s.card[seat])
    win_hand(box, s, int(s.card[1] > s.card[0]), 1_05)


@rule
def win_hand(box, s, winner, number):
    """Pay the loser's stake to the winner, then start the next hand or end the game (KP 1.6)."""
    loser = 1 - winner
    event(s, WON, number, winner, s.stake[loser])
    s.chips[winner] += s.stake[loser]
    s.chips[loser] -= s.stake[loser]
    s.first = 1 - s.first
    if s.hand < box.hands:
        deal(s)
        return
    s.over = 1
    s.ending = 1_06
    s.acting = 0
    s.card[:] = 0
    s.stake[:] = 0
    for seat in range(2):
        if s.chips[seat] >= s.chips[1 - seat]:
            s.winners |= 1 << seat
    event(s, ENDED, 1_06)


@rule
def payoff(box, s, out):
    """Write each seat's payoff in a finished game, the chips won or lost, to `out` (KP 1.6)."""
    for seat in range(2):
        out[seat] = s.chips[seat]


@rule
def points(box, s, out):
    """Write each seat's chips won or lost in a finished game to `out` (KP 1.6)."""
    for seat in range(2):
        out[seat] = s.chips[seat]


@rule
def timeout(box, s, seat):
    """Return the default action for an absent player: check, or fold to a bet (KP 1.4)."""
    return FOLD if faces_bet(s, seat) else CHECK
