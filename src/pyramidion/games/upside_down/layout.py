"""Options, box, state, action space and events of Upside Down Pyramid Scheme."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyramidion.engine.actions import action_space, part, seats, whole
from pyramidion.engine.cards import CardFile
from pyramidion.engine.events import event_space
from pyramidion.engine.layout import SEATS, int8, int32, layout, own, public, secret, uint16
from pyramidion.engine.options import choice, flag, number, numbers
from pyramidion.games.pyramid_of_ten.fields import COMMON, MOST_CLAIM, MOST_GARNETS, MOST_PRIORITY, START_TICKETS
from pyramidion.games.pyramid_of_ten.spaces import TEN
from pyramidion.translation import marked

ROUNDS = 5
PREGAME, GIVING = 1, 4
PHASES = ("over", "pregame", "claim", "battle", "giving")
START_GARNETS = 5
LOWEST_PRIORITY = 10
"""Without the option, the priorities dealt are this value and the next nine."""
GARNETS_FOR_TOKEN = 4
MOST_BID = MOST_PRIORITY + TEN - 1
"""Upper bound on a bid: breaking a ten-way tie raises the highest priority by nine (UD 2.2)."""
AS_WRITTEN, BOTTOM_UP = 0, 1
"""Which challenges from below void a player's own: all of them, or only those that go through (UD 5.7)."""
LAST_PYRAMID, FIRST_PYRAMID = 0, 1
"""Whose place on J makes the elimination candidate: at the end, or after the bids (UD 7.2)."""
MOST_TICKETS = START_TICKETS + ROUNDS * MOST_CLAIM + MOST_GARNETS

OPTIONS = {
    "rounds": number(
        ROUNDS,
        1,
        ROUNDS,
        rule="4.1",
        label=marked("Rounds"),
        help=marked("How many rounds are played, each with a claim phase and a battle phase."),
    ),
    "garnets": numbers(
        TEN,
        0,
        MOST_GARNETS,
        rule="1.2",
        label=marked("Garnets at the start"),
        help=marked("One number for each seat, as carried over from the season. If empty, everybody has 5."),
        audience="own",
    ),
    "priority": numbers(
        TEN,
        -MOST_PRIORITY,
        MOST_PRIORITY,
        rule="1.2",
        label=marked("Priority at the start"),
        help=marked("One number for each seat. If empty, 10 to 19 are dealt at random."),
        audience="own",
        public_if="open_priority",
    ),
    "open_priority": flag(
        False,
        rule="1.3",
        label=marked("Public priority"),
        help=marked("Everybody sees everybody's priority throughout the game."),
    ),
    "confirmations": flag(
        False,
        rule="4.2",
        label=marked("Show who has confirmed"),
        help=marked("Everybody sees whose submission is confirmed."),
    ),
    "challenges": choice(
        "as-written",
        marked("as-written"),
        marked("bottom-up"),
        rule="5.7",
        label=marked("Which challenges are void"),
        help=marked(
            "as-written: if anybody challenges you from below, your challenge is void. "
            "bottom-up: a void challenge does not stop another, and does not protect its target in the next round."
        ),
    ),
    "sole_highest": flag(
        False,
        rule="6.2",
        label=marked("Tied challengers take nothing"),
        help=marked(
            "If several challengers tie for the highest of their numbers, none of them takes the space. "
            "Without this option priority decides between them."
        ),
    ),
    "candidate": choice(
        "last-pyramid",
        marked("last-pyramid"),
        marked("first-pyramid"),
        rule="7.2",
        label=marked("Elimination candidate"),
        help=marked(
            "last-pyramid: the player on J at the end. "
            "first-pyramid: the player whom the bids have placed on J, wherever that player ends."
        ),
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
    tied=("seat", "challengers"),  # instead of `held`: tied challengers, and nobody wins
    first_candidate=("seat",),  # instead of `candidate`, with the option
)

STATE = layout(
    seats=TEN,
    # The most events come at the end of a claim phase: 10 claims, 6 challenges, 6 random draws, 9 ties, a new phase.
    events=32,
    **COMMON,
    protected=public(uint16),  # seats that cannot be challenged because they were challenged in the previous round
    target=public(int8, SEATS),  # in a battle phase: the seat that a seat challenges, + 1; 0 for none
    void=public(uint16),  # seats whose challenge is void
    gained=own(int8),  # priority gained from tiebreaks over the whole match
    rank=secret(int8, SEATS),  # by priority as the last battle phase opened, at first the pregame; 0 is the highest
)

BOX = np.dtype(
    [
        ("garnets", int32, (TEN,)),
        ("priority", int32, (TEN,)),
        ("rounds", int8),
        ("open_priority", int8),
        ("confirmations", int8),
        ("challenges", int8),
        ("sole_highest", int8),
        ("candidate", int8),
        ("rules_version", int8),
    ],
    align=True,
)


def fill_box(cards: CardFile, box: Any) -> None:
    """Do nothing: this game has no cards."""
