"""Hands, market and deck of Pyramid Scheme (PS 4, 10.1)."""

from __future__ import annotations

from pyramidion.engine.events import event
from pyramidion.engine.random import draw
from pyramidion.engine.rule import rule
from pyramidion.games.pyramid_scheme.elimination import end_game
from pyramidion.games.pyramid_scheme.layout import (
    ACTIONS,
    DISCARDED,
    EVENTS,
    HIDDEN,
    IN_HAND,
    IN_MARKET,
    MARKET,
    ON_TOP,
    VICTIMS,
)

TAKE = ACTIONS.take
TAKEN, FILLED, RESHUFFLED, HAS_RESET = EVENTS.taken, EVENTS.filled, EVENTS.reshuffled, EVENTS.reset


@rule(within=True)
def legal_takes(s, out):
    """Write the takes of the market's three Victims to `out` in ascending order; return their number (PS 4.1)."""
    a, b, c = int(s.market[0]), int(s.market[1]), int(s.market[2])
    low, high = min(a, b), max(a, b)
    out[0] = TAKE + min(low, c)
    out[1] = TAKE + max(low, min(high, c))
    out[2] = TAKE + max(high, c)
    return MARKET


@rule(within=True)
def take(box, s, seat, card):
    """Take a Victim from the market into a seat's hand; the deck's top card fills the gap (PS 4.1, 4.2)."""
    s.actions_left -= 1
    add_to_hand(s, seat, card)
    s.spot[card] = IN_HAND + seat
    event(s, TAKEN, 4_01, seat, card, box.number[card])
    i = 0
    while s.market[i] != card:
        i += 1
    fill_market(box, s, i, 4_02)


@rule
def add_to_hand(s, seat, card):
    """Insert a card into a hand at its sorted position."""
    i = int(s.hand_count[seat])
    while i > 0 and s.hand[seat, i - 1] > card:
        s.hand[seat, i] = s.hand[seat, i - 1]
        i -= 1
    s.hand[seat, i] = card
    s.hand_count[seat] += 1


@rule
def drop_from_hand(box, s, seat, card):
    """Remove a card from a hand; if it was dealt, add its number to `dealt_sum`, as it is public now."""
    if s.spot[card] == HIDDEN:
        s.dealt_sum[seat] += box.number[card]
    i = 0
    while s.hand[seat, i] != card:
        i += 1
    s.hand_count[seat] -= 1
    while i < s.hand_count[seat]:
        s.hand[seat, i] = s.hand[seat, i + 1]
        i += 1
    s.hand[seat, i] = 0


@rule
def fill_market(box, s, i, rule_number):
    """Fill the market's gap `i` with the deck's top card and turn up the next (PS 4.2).

    Ends the game if no Victims are left for the deck (PS 4.3).
    """
    card = int(s.deck_top)
    s.market[i] = card
    s.spot[card] = IN_MARKET
    if s.deck_count == 0:
        reshuffle(s)
    if s.deck_count == 0:
        s.deck_top = -1
        event(s, FILLED, rule_number, card, box.number[card], -1, 0)
        end_game(s, 4_03)
        return
    reveal_top(s)
    event(s, FILLED, rule_number, card, box.number[card], s.deck_top, box.number[s.deck_top])


@rule
def reveal_top(s):
    """Draw a random card from the deck and turn it up as the deck's new top card."""
    s.deck_count -= 1
    card = draw(s.rng, s.deck, s.deck_count + 1)
    s.deck[s.deck_count] = 0
    s.deck_top = card
    s.spot[card] = ON_TOP


@rule(within=True)
def reshuffle(s):
    """Make the discarded Victims the deck (PS 4.3).

    Cards are drawn at random, so nothing is shuffled.
    """
    if s.discard_count == 0:
        return
    event(s, RESHUFFLED, 4_03, s.discard_count)
    n = 0
    for card in range(VICTIMS):
        if s.spot[card] == DISCARDED:
            s.spot[card] = HIDDEN
            s.deck[n] = card
            n += 1
    s.deck_count = n
    s.discard_count = 0


@rule(within=True)
def reset_market(box, s, seat):
    """Spend a seat's reset token: discard the market's three Victims and deal three new ones (PS 10.1)."""
    s.tokens[seat] -= 1
    s.supply += 1
    event(s, HAS_RESET, 10_01, seat, s.tokens[seat])
    for i in range(MARKET):
        s.spot[s.market[i]] = DISCARDED
    s.discard_count += MARKET
    for i in range(MARKET):
        fill_market(box, s, i, 10_01)
