"""Hands, the market and the deck of Pyramid Scheme (PS 4, 10.1)."""

from __future__ import annotations

from pyramidion.engine.events import event
from pyramidion.engine.random import draw
from pyramidion.engine.rule import rule
from pyramidion.games.pyramid_scheme.ending import end_game
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
    """The three Victims of the market, ascending (PS 4.1)."""
    a, b, c = int(s.market[0]), int(s.market[1]), int(s.market[2])
    low, high = min(a, b), max(a, b)
    out[0] = TAKE + min(low, c)
    out[1] = TAKE + max(low, min(high, c))
    out[2] = TAKE + max(high, c)
    return MARKET


@rule(within=True)
def take(box, s, seat, card):
    """Take a Victim of the market into hand; the deck's top card fills the gap (PS 4.1, 4.2)."""
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
    """Put a card where it belongs in a hand."""
    i = int(s.hand_count[seat])
    while i > 0 and s.hand[seat, i - 1] > card:
        s.hand[seat, i] = s.hand[seat, i - 1]
        i -= 1
    s.hand[seat, i] = card
    s.hand_count[seat] += 1


@rule
def drop_from_hand(box, s, seat, card):
    """Take a card out of a hand; a dealt one is known from now on."""
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
    """Move the deck's top card into a gap of the market; without one left for the deck the game ends (PS 4.2, 4.3)."""
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
    """Turn up the next card of the deck, which is drawn from it by chance."""
    s.deck_count -= 1
    card = draw(s.rng, s.deck, s.deck_count + 1)
    s.deck[s.deck_count] = 0
    s.deck_top = card
    s.spot[card] = ON_TOP


@rule(within=True)
def reshuffle(s):
    """The discarded Victims become the deck (PS 4.3); drawing is at random, so no order is laid down."""
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
    """Spend a reset token: discard the three Victims of the market and deal three new ones (PS 10.1)."""
    s.tokens[seat] -= 1
    s.supply += 1
    event(s, HAS_RESET, 10_01, seat, s.tokens[seat])
    for i in range(MARKET):
        s.spot[s.market[i]] = DISCARDED
    s.discard_count += MARKET
    for i in range(MARKET):
        fill_market(box, s, i, 10_01)
