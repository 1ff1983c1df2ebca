"""The market: nine fund cards sorted by value, restocked from the deck at random (PZ 2.1, 4.5, 4.6)."""

from __future__ import annotations

from pyramidion.engine.events import event
from pyramidion.engine.random import draw
from pyramidion.engine.rule import rule
from pyramidion.games.ponzi_scheme.layout import BEAR, EVENTS, LOWEST_VALUE, MARKET, ROW

RESTOCKED, RESHUFFLED = EVENTS.restocked, EVENTS.reshuffled
ROWS_CUT_FROM_BOTH_ENDS_SINCE = 3
"""First version of the rules in which row 3 of a short market keeps its cards (PZ 4.6); before, row 3 lacked them."""


@rule
def row_start(box, s, row):
    """Return the index in the market at which a row (0 to 2) begins; for row 3, which does not exist, its end.

    The three highest cards are the last row, the three lowest of the others the first (PZ 2.1, 4.6).
    """
    count = int(s.market_count)
    if count == MARKET or box.rules_version < ROWS_CUT_FROM_BOTH_ENDS_SINCE:
        return min(count, row * ROW)
    last = max(0, count - ROW)
    if row == 0:
        return 0
    if row == 1:
        return min(ROW, last)
    return last if row == 2 else count


@rule
def take_from_market(s, card):
    """Remove a card from the market and close the gap."""
    i = 0
    while s.market[i] != card:
        i += 1
    s.market_count -= 1
    while i < s.market_count:
        s.market[i] = s.market[i + 1]
        i += 1


@rule
def restock(box, s, rule_number):
    """Draw cards from the deck into the market until it has nine, sorted by value (PZ 4.5, 4.6)."""
    at_once = box.rules_version >= 2  # in version 1 an empty deck stayed empty until a card was needed
    drawn, first, second, third, fourth = 0, 0, 0, 0, 0
    while s.market_count < MARKET:
        if s.deck_count == 0:
            renew_deck(s)
            if s.deck_count == 0:
                break
        card = draw(s.rng, s.deck, s.deck_count)
        s.deck_count -= 1
        insert_in_market(s, card)
        drawn += 1
        value = LOWEST_VALUE + card
        if drawn == 1:
            first = value
        elif drawn == 2:
            second = value
        elif drawn == 3:
            third = value
        else:
            fourth = value
        last = at_once and s.deck_count == 0
        if drawn == 4 or last:
            event(s, RESTOCKED, rule_number, first, second, third, fourth)
            drawn, first, second, third, fourth = 0, 0, 0, 0, 0
        if last:
            renew_deck(s)
    if drawn > 0:
        event(s, RESTOCKED, rule_number, first, second, third)


@rule
def insert_in_market(s, card):
    """Insert a card into the market at the position of its value (PZ 4.5)."""
    i = int(s.market_count)
    while i > 0 and s.market[i - 1] > card:
        s.market[i] = s.market[i - 1]
        i -= 1
    s.market[i] = card
    s.market_count += 1


@rule
def renew_deck(s):
    """Make the discard pile, if there is any, the deck (PZ 4.6).

    Cards are drawn at random, so nothing is shuffled.
    """
    if s.discard_count == 0:
        return
    for i in range(s.discard_count):
        s.deck[s.deck_count + i] = s.discard[i]
        s.discard[i] = 0
    event(s, RESHUFFLED, 4_06, s.discard_count)
    s.deck_count += s.discard_count
    s.discard_count = 0


@rule
def bears_in_market(box, s):
    """Return the number of bear cards in the market."""
    bears = 0
    for i in range(s.market_count):
        bears += int(box.kind[s.market[i]] == BEAR)
    return bears
