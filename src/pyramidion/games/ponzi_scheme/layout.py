"""Options, box, state, action space and events of Ponzi Scheme."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyramidion.engine.actions import action_space, parameter, seats, whole
from pyramidion.engine.cards import CardFile
from pyramidion.engine.events import event_space
from pyramidion.engine.layout import SEATS, int8, int16, int32, layout, own, party, public, uint16
from pyramidion.engine.options import flag, number
from pyramidion.translation import marked

MAX_SEATS = 5
INDUSTRIES = ("transportation", "grain", "media", "real-estate")
KINDS = ("starting", "ordinary", "bear")
STARTING, ORDINARY, BEAR = 0, 1, 2
LOWEST_VALUE, CARDS, STARTING_CARDS = 9, 72, 9
VALUES = tuple(range(LOWEST_VALUE, LOWEST_VALUE + CARDS))
MARKET, ROW = 9, 3
LUXURIES, LUXURY_NAMES, WEALTH_STEPS = 4, ("30", "56", "78", "96"), 4
DECK = CARDS - STARTING_CARDS
MOST_CASH = sum(VALUES)
"""Upper bound on a seat's cash: each card pays its value once (PZ 4.4), and trades only move money between seats."""

FUNDING, TRADING, AMOUNT, ANSWER, MARKER, CRASH = 1, 2, 3, 4, 5, 6
PHASES = ("over", "funding", "trading", "amount", "answer", "marker", "crash")

MOST_ROUNDS = 200

OPTIONS = {
    "advanced": flag(
        False,
        rule="11.1",
        label=marked("Advanced game"),
        help=marked("Luxury tiles are for sale and score; cash scores nothing."),
    ),
    "round_limit": number(
        60,
        1,
        MOST_ROUNDS,
        rule="10.6",
        label=marked("Round limit"),
        help=marked("A game without a bankruptcy ends after this many rounds and is scored."),
    ),
}

ACTIONS = action_space(
    pass_=(),
    fund=(parameter("industry", INDUSTRIES), parameter("card", VALUES)),
    offer=(seats(MAX_SEATS), parameter("industry", INDUSTRIES)),
    amount=whole(0, MOST_CASH),
    sell=(),
    counter=(),
    remove=(parameter("card", VALUES),),
    give_back=(parameter("industry", INDUSTRIES),),
    buy=(parameter("luxury", LUXURY_NAMES),),
)

EVENTS = event_space(
    starts=("seat",),
    round=("number", "seat"),
    passed=("seat",),
    funded=("seat", "industry", "value", "period"),
    offered=("seat", "to", "industry"),
    envelope=("seat", "to", "amount"),
    sold=("seat", "to", "industry"),
    countered=("seat", "to", "industry"),
    bought=("seat", "price", "points"),
    marker=("seat",),
    removed=("seat", "value", "starting"),
    restocked=("first", "second", "third", "fourth"),
    reshuffled=("cards",),
    crashed=("bears",),
    gave_back=("seat", "industry"),
    turned=("spaces",),
    paid=("seat", "amount"),
    bankrupt=("seat", "due"),
    ended=("rule",),
)

STATE = layout(
    seats=MAX_SEATS,
    events=15,
    phase=public(int8),
    round_number=public(int16),
    start_seat=public(int8),  # holder of the start marker
    turn=public(int8),  # seats that have taken their turn in this phase
    crashed=public(int8),  # 1 if the market crashed this round
    market=public(int8, MARKET),  # card indices in ascending order, which is also the order of value
    market_count=public(int8),
    deck=public(int8, DECK),  # a set: cards are drawn from it at random, so there is no order to hide
    deck_count=public(int8),
    discard=public(int8, DECK),
    discard_count=public(int8),
    removed_count=public(int8),  # starting cards removed from the game
    held_card=public(int8, CARDS),  # fund cards on wheels, in the order taken
    held_seat=public(int8, CARDS),
    held_space=public(int8, CARDS),  # spaces from the arrow; 0 is at the arrow
    held_count=public(int8),
    due=public(int16, SEATS),  # interest due at the arrow after the latest turn of the wheel
    tiles=public(int8, SEATS, len(INDUSTRIES)),
    supply=public(int8, len(INDUSTRIES)),
    luxury_owner=public(int8, LUXURIES),  # 0 is the market, otherwise seat + 1
    cash=own(int32),
    public_cash=public(int32, SEATS),  # cash without any envelopes, which everybody can add up
    traded=own(int32, SEATS),  # net cash a seat has received by envelope from each other seat
    trades=public(int8, SEATS, SEATS),  # how many envelopes each seat has paid to each other seat, at most 99
    expected=public(int32, SEATS, SEATS),  # what those can be expected to have held: the minds' notes (envelopes.py)
    offer_from=public(int8),
    offer_to=public(int8),
    offer_industry=public(int8),
    price=party(int32),
    price_party=public(uint16),
    bankrupt=public(int8, SEATS),
    final_cash=public(int32, SEATS),  # revealed at scoring
    score=public(int16, SEATS),  # -1 for a bankrupt seat
)

BOX = np.dtype(
    [
        ("period", int8, (CARDS,)),
        ("interest", int16, (CARDS,)),
        ("kind", int8, (CARDS,)),
        ("luxury_price", int16, (LUXURIES,)),
        ("luxury_points", int8, (LUXURIES,)),
        ("wealth", int16, (WEALTH_STEPS,)),  # minimum cash for 1, 2, 3 and 4 wealth points
        ("tiles_per_industry", int8),
        ("rules_version", int8),
        ("advanced", int8),
        ("round_limit", int16),
    ],
    align=True,
)


def fill_box(cards: CardFile, box: Any) -> None:
    """Write the card tables of `cards.toml` into a box record. Raises BadCards with the line and the field."""
    funds = cards.rows("fund_cards", CARDS)
    for i, fund in enumerate(funds):
        fund.whole("value", VALUES[i], VALUES[i], "cards are listed by value, one for each from 9 to 80 (PZ 1.1)")
        box.period[i] = fund.whole("period", 1, 5, "the wheel has five spaces (PZ 1.1)")
        box.interest[i] = fund.whole("interest", 0, 999)
        box.kind[i] = KINDS.index(fund.choice("kind", KINDS))
        if (box.kind[i] == STARTING) != (i < STARTING_CARDS):
            fund.refuse("kind", "the nine lowest cards, and no others, are starting cards (PZ 1.1)")
    for i, luxury in enumerate(cards.rows("luxuries", LUXURIES)):
        name = int(LUXURY_NAMES[i])
        box.luxury_price[i] = luxury.whole("price", name, name, "the luxuries cost 30, 56, 78 and 96 (PZ 1.3)")
        box.luxury_points[i] = luxury.whole("points", 0, 20)
    box.wealth[:] = cards.numbers("wealth", WEALTH_STEPS, 0, MOST_CASH)
    box.tiles_per_industry = cards.whole("tiles_per_industry", 1, 100)
