"""Options, box, state, action space and events of Downside Up Pyramid Scheme."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyramidion.engine.actions import action_space, parameter, part, whole
from pyramidion.engine.cards import CardFile
from pyramidion.engine.events import event_space
from pyramidion.engine.layout import SEATS, int8, int32, layout, own, public
from pyramidion.engine.options import flag, numbers
from pyramidion.games.pyramid_of_ten.fields import COMMON, MOST_CLAIM, MOST_GARNETS, MOST_PRIORITY, START_TICKETS
from pyramidion.games.pyramid_of_ten.spaces import SPACES, TEN
from pyramidion.translation import marked

ROUNDS = 4
BID = 1
PHASES = ("over", "bid", "claim", "battle")
START_GARNETS = 10
LOWEST_PRIORITY = 1
"""Without the option, the priorities dealt are this value and the next nine."""
PRICE = 2
"""Price of a ticket in garnets."""
DEFAULT_CLAIM = 1
NO_PART = -1
"""In an event, the number of a part for which the seat was not asked (DU 4.1)."""
MOST_TICKETS = START_TICKETS + ROUNDS * MOST_CLAIM + MOST_GARNETS // PRICE

OPTIONS = {
    "garnets": numbers(
        TEN,
        0,
        MOST_GARNETS,
        rule="1.1",
        label=marked("Garnets at the start"),
        help=marked("One number for each seat, as carried over from the season. If empty, everybody has 10."),
        audience="own",
    ),
    "priority": numbers(
        TEN,
        -MOST_PRIORITY,
        MOST_PRIORITY,
        rule="1.1",
        label=marked("Priority"),
        help=marked("One number for each seat, all different. If empty, 1 to 10 are dealt at random."),
        distinct=True,
        audience="own",
        public_if="open_priority",
    ),
    "open_priority": flag(
        True,
        rule="1.3",
        label=marked("Public priority"),
        help=marked("Everybody sees everybody's priority throughout the game."),
    ),
    "all_pay": flag(
        True,
        rule="2.1",
        label=marked("Everybody pays the bid"),
        help=marked("If not, only the four players placed on A to D pay their bids."),
    ),
    "confirmations": flag(
        False,
        rule="1.5",
        label=marked("Show who has confirmed"),
        help=marked("Everybody sees whose submission is confirmed."),
    ),
}

SPACE = parameter("space", SPACES)

ACTIONS = action_space(
    bid=part(whole(0, MOST_GARNETS)),
    claim=part(whole(1, MOST_CLAIM)),
    challenge=part(SPACE),
    attack=part(whole(0, MOST_TICKETS)),
    defend=part(whole(0, MOST_TICKETS)),
    trade=part(),
    confirm=(),
    reopen=part(),
)

EVENTS = event_space(
    traded=("seat", "garnets"),  # garnets left
    bid=("seat", "amount", "paid"),
    top=("a", "b", "c", "d"),  # the seat on each space
    second=("e", "f", "g"),
    third=("h", "i"),
    bottom=("j",),
    claim=("round",),
    got=("seat", "tickets"),
    missed=("seat", "tickets"),
    challenged=("seat", "space", "other"),  # `other` now stands on the space
    battle=("round",),
    held=("seat", "space", "attackers"),  # a bitmask of seats
    took=("seat", "other", "space", "attackers"),
    used=("seat", "attack", "defence", "paid"),  # -1: the seat had no attack, or no defence, to submit
    revealed=("seat", "tickets", "garnets"),  # garnets include those paid for the tickets
    bankrupt=("seat",),
    rich=("seat", "tickets"),
    tokens=("seats",),  # a bitmask
    ended=(),
)

STATE = layout(
    seats=TEN,
    # The last battle phase sends the most events: six battles, two reveals for each of ten players, and the result.
    events=30,
    **COMMON,
    target=public(int8, SEATS),  # in a battle phase: the space a seat challenges, + 1; 0 for none
    attack=own(int8),  # saved + 1
    defence=own(int8),
)

BOX = np.dtype(
    [
        ("garnets", int32, (TEN,)),
        ("priority", int32, (TEN,)),
        ("open_priority", int8),
        ("all_pay", int8),
        ("confirmations", int8),
    ],
    align=True,
)


def fill_box(cards: CardFile, box: Any) -> None:
    """Do nothing: this game has no cards."""
