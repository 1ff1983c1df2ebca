"""The data declarations of My Game: options, box, state, actions and events."""

# What goes here: everything that exists in the game, as data. Each field of the state declares who may see it
# (`public`, `own`, `secret`, `party`); pages, API clients and bots never get more than that.

from __future__ import annotations

from typing import Any

import numpy as np

from pyramidion.engine.actions import action_space
from pyramidion.engine.cards import CardFile
from pyramidion.engine.events import event_space
from pyramidion.engine.layout import SEATS, int8, layout, own, public, secret
from pyramidion.engine.options import number
from pyramidion.translation import marked

CARDS = 12
MOST_SEATS = 5
MOST_TURNS = 3

# Chosen when a table is created; `rule` is the number of the rule that the option changes.
OPTIONS = {
    "turns": number(
        2,
        1,
        MOST_TURNS,
        rule="1.2",
        label=marked("Turns"),
        help=marked("How many turns everybody has."),
    ),
}

# The box holds the card data and options. Rules read them from here, so new cards need no code changes.
BOX = np.dtype([("value", int8, CARDS), ("turns", int8)], align=True)

# Cards are numbered from 1. In `revealed`, 0 is a card that is not revealed yet. What a viewer may not know is 0, too;
# `STATE.visible` tells the one from the other.
STATE = layout(
    seats=MOST_SEATS,
    events=MOST_SEATS + 4,
    first=public(int8),
    turn=public(int8),
    swapped=public(int8, SEATS),
    revealed=public(int8, SEATS),
    hand=own(int8),
    left=public(int8),
    deck=secret(int8, CARDS),
)

# An action without parameters is one word. With parameters, such as `take=(CARD,)`, it is written `take 7`, and players
# click the board element with `data-path="card:7"`.
ACTIONS = action_space(keep=(), swap=())
KEEP, SWAP = ACTIONS.keep, ACTIONS.swap

EVENTS = event_space(kept=("seat",), swapped=("seat",), drew=("seat", "card"), showed=("seat", "card"), ended=())
KEPT, SWAPPED, DREW, SHOWED, ENDED = EVENTS.kept, EVENTS.swapped, EVENTS.drew, EVENTS.showed, EVENTS.ended


def fill_box(cards: CardFile, box: Any) -> None:
    """Write what a card file holds into a box, a record. Raises BadCards."""
    box.value[:] = cards.numbers("values", CARDS, 1, 99)
