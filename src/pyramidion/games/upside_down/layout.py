"""What exists in Upside Down Pyramid Scheme: options, the box, the state, the actions and the events."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyramidion.engine.actions import action_space, part, seats, whole
from pyramidion.engine.cards import CardFile
from pyramidion.engine.events import event_space
from pyramidion.engine.layout import SEATS, int8, int32, layout, own, public, secret, uint16
from pyramidion.engine.options import flag, numbers
from pyramidion.games.pyramid_of_ten.fields import COMMON, MOST_CLAIM, MOST_GARNETS, MOST_PRIORITY, START_TICKETS
from pyramidion.games.pyramid_of_ten.spaces import TEN
from pyramidion.words import marked

ROUNDS = 5
PREGAME, GIVING = 1, 4
PHASES = ("over", "pregame", "claim", "battle", "giving")
START_GARNETS = 5
LOWEST_PRIORITY = 10
"""Without the option, the priorities at the start are this and the nine numbers after it."""
GARNETS_FOR_TOKEN = 4
MOST_BID = MOST_PRIORITY + TEN - 1
"""Making ten equal priorities different lifts the highest of them by nine (UD 2.2)."""
MOST_TICKETS = START_TICKETS + ROUNDS * MOST_CLAIM + MOST_GARNETS

OPTIONS = {
    "garnets": numbers(
        TEN,
        0,
        MOST_GARNETS,
        rule="1.2",
        label=marked("Garnets at the start"),
        help=marked("One number for each seat, as the season has left them; without them everybody has 5."),
    ),
    "priority": numbers(
        TEN,
        -MOST_PRIORITY,
        MOST_PRIORITY,
        rule="1.2",
        label=marked("Priority at the start"),
        help=marked("One number for each seat; without them 10 to 19 are dealt out at random."),
    ),
    "confirmations": flag(
        False,
        rule="4.2",
        label=marked("Show who has confirmed"),
        help=marked("Everybody sees whose submission is confirmed."),
    ),
}

ACTIONS = action_space(
    bid=part(whole(0, MOST_BID)),
    ask=part(whole(0, MOST_CLAIM)),
    challenge=part(seats(TEN)),
    tickets=part(whole(0, MOST_TICKETS)),
    give=(seats(TEN),),
    trade=part(),
    confirm=(),
    reopen=part(),
)

EVENTS = event_space(
    traded=("seat", "garnets"),  # garnets left
    raised=("seat", "amount", "priority"),
    bid=("seat", "amount", "priority"),
    top=("a", "b", "c", "d"),  # the seat on each space
    second=("e", "f", "g"),
    third=("h", "i"),
    bottom=("j",),
    claim=("round",),
    got=("seat", "tickets", "lost", "priority"),
    screwed=("seat", "tickets"),
    drawn=("seat", "other"),
    challenged=("seat", "other"),
    void=("seat", "other", "because"),
    idle=("seat",),
    battle=("round",),
    held=("seat", "challengers"),  # a bitmask of seats
    took=("seat", "other", "space", "challengers"),
    used=("seat", "tickets", "paid"),
    revealed=("seat", "tickets"),
    candidate=("seat",),
    tokens=("seats",),  # a bitmask
    most=("seat", "tokens", "tickets"),
    gave=("seat", "other"),
    rewarded=("seats",),  # a bitmask
    ended=(),
)

STATE = layout(
    seats=TEN,
    # Most are told when a claim phase closes: ten claims, six challenges, six of them drawn, nine ties, a new phase.
    events=32,
    **COMMON,
    protected=public(uint16),  # seats that were challenged in a battle of the round before
    target=public(int8, SEATS),  # in a battle phase: the seat that a seat challenges, + 1
    void=public(uint16),  # seats whose challenge does not go through
    final_priority=public(int32, SEATS),
    priority=own(int32),
    gained=own(int8),  # priority gained from making equal ones different, in the whole match
    rank=secret(int8, SEATS),  # order of priority when the last battle phase opened, 0 the highest
)

BOX = np.dtype([("garnets", int32, (TEN,)), ("priority", int32, (TEN,)), ("confirmations", int8)], align=True)


def fill_box(cards: CardFile, box: Any) -> None:
    """Write nothing: the game has no cards."""
