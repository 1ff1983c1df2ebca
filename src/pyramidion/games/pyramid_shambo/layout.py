"""Options, box, state, action space and events of Pyramid-Sham-Bo."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyramidion.engine.actions import action_space, parameter, seats
from pyramidion.engine.cards import CardFile
from pyramidion.engine.events import event_space
from pyramidion.engine.layout import SEATS, int8, int16, layout, own, public
from pyramidion.engine.options import choice, flag, number
from pyramidion.translation import marked, marked_for

MAX_SEATS = 10
COLOURS = tuple("abcdefghjk")
"""Letters of the ten colours; each seat plays the colour of its index. There is no I, which looks like a 1."""
COLOUR_NAMES = (
    marked_for("colour", "red"),
    marked_for("colour", "blue"),
    marked_for("colour", "green"),
    marked_for("colour", "yellow"),
    marked_for("colour", "purple"),
    marked_for("colour", "orange"),
    marked_for("colour", "teal"),
    marked_for("colour", "pink"),
    marked_for("colour", "brown"),
    marked_for("colour", "grey"),
)
"""Names of the default paints on pages. Players may choose another paint and keep their letter."""
SIZES = (marked("small"), marked("medium"), marked("large"))
N_SIZES = len(SIZES)
PIECES = MAX_SEATS * N_SIZES
"""Number of pieces. Piece 3 * colour + size is worth size + 1 pips."""
PIECE_NAMES = tuple(f"{colour}{size + 1}" for colour in COLOURS for size in range(N_SIZES))
GONE = -1
"""Holder of a piece that has left the game."""
NOBODY = -1

ROCK, PAPER, SCISSORS = 0, 1, 2
THROWS = (marked("rock"), marked("paper"), marked("scissors"))

CHALLENGE, THROW, PAY, CHANGE, TRADE, RETURN = 1, 2, 3, 4, 5, 6
PHASES = ("over", "challenge", "throw", "pay", "change", "trade", "return")

ALL, EXACT, WITH_CHANGE, WITH_TRADE, NO_WAY = 0, 1, 2, 3, 4
WAYS = ("all", "exact", "change", "trade", "none")

MOST_TIES = 100
MOST_TURNS = 10_000

OPTIONS = {
    "pyramids": number(
        N_SIZES,
        1,
        N_SIZES,
        rule="1.1",
        label=marked("Pyramids at the start"),
        help=marked("3: a small, a medium and a large one. 2: a medium and a large one. 1: a large one."),
    ),
    "tie_limit": number(
        20,
        1,
        MOST_TIES,
        rule="2.2",
        label=marked("Ties in a row"),
        help=marked("After this many ties in a row the challenge is called off and nothing is paid."),
    ),
    "turn_limit": number(
        1000,
        1,
        MOST_TURNS,
        rule="5.2",
        label=marked("Turn limit"),
        help=marked("After this many challenges the game ends and the most pips win."),
    ),
    "double_bonus": flag(
        False,
        rule="4.2",
        label=marked("Double the bonus in the showdown"),
        help=marked("A knock-out bonus is 2 pips instead of 1 if only two players are left."),
    ),
    "cascade_ends_bonuses": flag(
        False,
        rule="4.3",
        label=marked("No bonus after a cascade"),
        help=marked("Once a player goes out without losing the challenge, nobody pays a bonus any more in this turn."),
    ),
    "call": choice(
        "1-2-3",
        marked("1-2-3"),
        marked("1-2-3-go"),
        rule="5.3",
        label=marked("The call"),
        help=marked("Show hands on three, or on the “go” after it. This changes only the countdown."),
    ),
}

PIECE = parameter("piece", PIECE_NAMES)

FAMILIES = (
    marked_for("pyramid-shambo", "Challenge"),
    marked_for("pyramid-shambo", "Throw"),
    marked_for("pyramid-shambo", "Pay"),
    marked_for("pyramid-shambo", "Change"),
    marked_for("pyramid-shambo", "Trade"),
    marked_for("pyramid-shambo", "For"),
)
"""Names of the action families on pages."""

ACTIONS = action_space(
    challenge=(seats(MAX_SEATS),),
    throw=(parameter("throw", THROWS),),
    pay=(PIECE,),
    change=(PIECE,),
    trade=(PIECE,),
    for_=(PIECE,),
)

EVENTS = event_space(
    starts=("seat",),
    challenged=("seat", "other"),
    tied=("seat", "other", "throw", "fee"),  # 0 if this was the last tie, after which nothing is paid
    called_off=("seat", "other", "ties"),
    won=("seat", "other", "throw", "fee"),
    raised=("seat", "fee"),
    traded=("seat", "other", "traded", "pieces"),  # sets of pieces are bitmasks
    paid=("seat", "other", "pieces", "fee"),
    bonus=("seat", "other", "pieces", "fee"),
    changed=("seat", "other", "pieces"),
    out=("seat",),
    ended=("rule",),
)

STATE = layout(
    seats=MAX_SEATS,
    # One throw can win, pay and knock out, add three events for each of eight others (raised, bonus, out), and end it.
    events=32,
    phase=public(int8),
    active=public(int8),  # whose turn it is
    opponent=public(int8),  # the challenged player
    challenges=public(int16),
    ties=public(int16),
    reveal_seat=public(int8, 2),  # the last two throws revealed together, challenger first
    reveal_throw=public(int8, 2),  # 0 before the first reveal, otherwise throw + 1
    thrown=public(int16, SEATS, len(THROWS)),  # how often each seat has thrown rock, paper and scissors
    throw=own(int8),  # a seat's current throw, + 1
    winner=public(int8),  # winner of the last decided challenge
    loser=public(int8),
    bonus=public(int8),  # 0: the challenge fee is being paid; n: the n-th seat to the winner's left pays a bonus
    decider=public(int8),
    payer=public(int8),  # NOBODY when no payment is due
    fee=public(int16),  # pips the payer owes, as raised by SB 3.6
    way=public(int8),  # payment method: EXACT, WITH_CHANGE or WITH_TRADE
    giver=public(int8),  # whose pieces are being selected; NOBODY: any uninvolved player's
    need=public(int16),  # pips that the giver's selected pieces must add up to
    chosen=public(int8, PIECES),  # 1 for selected pieces; they move when the selection is complete
    chosen_count=public(int8, N_SIZES),  # the giver's selected pieces by size
    holder=public(int8, PIECES),  # seat, or GONE
    count=public(int8, SEATS, N_SIZES),  # pieces held by each seat, by size
    out_at=public(int16, SEATS),  # number of the challenge that knocked a seat out; 0 while it is in the game
    score=public(int16, SEATS),  # pips at the end
)

BOX = np.dtype(
    [
        ("pyramids", int8),
        ("tie_limit", int16),
        ("turn_limit", int16),
        ("double_bonus", int8),
        ("cascade_ends_bonuses", int8),
        ("call", int8),
        ("rules_version", int8),
    ],
    align=True,
)


def fill_box(cards: CardFile, box: Any) -> None:
    """Do nothing: this game has no cards."""
