"""The rules of My Game, in the order of rules.md. Compiled."""

# What goes here: setup, legal, apply, payoff, points and timeout, and their helper functions. `forbidden` states once
# what is legal: `legal` is made of it, and so is the view's `refusal`. Rules work on numbers and
# arrays only: no strings, lists or dictionaries.

from __future__ import annotations

from pyramidion.engine.events import event, only
from pyramidion.engine.legality import legal_from
from pyramidion.engine.random import below, draw
from pyramidion.engine.rule import rule
from pyramidion.engine.softmax import share_the_win

from .layout import ACTIONS, CARDS, DREW, ENDED, KEEP, KEPT, SHOWED, SWAP, SWAPPED


@rule
def setup(box, s):
    """Deal a card to every seat and choose the starting seat (MG 1.1)."""
    for card in range(CARDS):
        s.deck[card] = card + 1
    s.left = CARDS
    for seat in range(s.seats):
        s.hand[seat] = draw(s.rng, s.deck, s.left)
        s.left -= 1
        s.deck[s.left] = 0
    s.first = below(s.rng, s.seats)
    s.acting = 1 << s.first


@rule
def forbidden(box, s, seat, action):
    """Return the rule that forbids an action to a due seat, or 0 if it is legal (MG 1.3)."""
    return 1_03 if action == SWAP and s.swapped[seat] else 0


legal = legal_from(forbidden, len(ACTIONS))


@rule
def apply(box, s, seat, action):
    """Play a legal action of a seat: keep or swap the card, then pass the turn on (MG 1.2, 1.3)."""
    if action == KEEP:
        event(s, KEPT, 1_02, seat)
    else:
        swap(s, seat)
    s.turn += 1
    if s.turn == box.turns * s.seats:
        end_game(box, s)
    else:
        s.acting = 1 << ((s.first + s.turn) % s.seats)


@rule
def swap(s, seat):
    """Swap a seat's card for one from the deck, visible only to that seat (MG 1.3)."""
    old = s.hand[seat]
    s.hand[seat] = draw(s.rng, s.deck, s.left)
    s.deck[s.left - 1] = old
    s.swapped[seat] = 1
    event(s, SWAPPED, 1_03, seat)
    event(s, DREW, 1_03, seat, s.hand[seat], audience=only(seat))


@rule
def end_game(box, s):
    """Reveal all cards; the highest wins (MG 1.4)."""
    s.over = 1
    s.ending = 1_04
    s.acting = 0
    best = 0
    for seat in range(s.seats):
        s.revealed[seat] = s.hand[seat]
        event(s, SHOWED, 1_04, seat, s.hand[seat])
        best = max(best, int(box.value[s.hand[seat] - 1]))
    for seat in range(s.seats):
        if box.value[s.hand[seat] - 1] == best:
            s.winners |= 1 << seat
    event(s, ENDED, 1_04)


@rule
def payoff(box, s, out):
    """Write each seat's share of the win to `out` (MG 1.4)."""
    share_the_win(s, out)


@rule
def points(box, s, out):
    """Write each seat's points, the value of its card, to `out` (MG 1.4)."""
    for seat in range(s.seats):
        out[seat] = box.value[s.revealed[seat] - 1]


@rule
def timeout(box, s, seat):
    """Return the default action of an absent player (MG 1.2)."""
    return KEEP
