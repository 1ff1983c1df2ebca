"""Options, box, state, action space and events of Kuhn Poker."""

from __future__ import annotations

import numpy as np

from pyramidion.engine.actions import action_space
from pyramidion.engine.events import event_space
from pyramidion.engine.layout import SEATS, int8, int16, layout, own, public
from pyramidion.engine.options import number
from pyramidion.translation import marked

CARDS = ("jack", "queen", "king")
MOST_HANDS = 50

OPTIONS = {
    "hands": number(10, 1, MOST_HANDS, rule="1.6", label=marked("Hands"), help=marked("How many hands are played.")),
}

BOX = np.dtype([("hands", int8)], align=True)

# The cards are 1, 2 and 3. 0 stands for a card that is hidden from the viewer.
STATE = layout(
    seats=2,
    events=12,
    hand=public(int8),
    first=public(int8),
    chips=public(int16, SEATS),
    stake=public(int8, SEATS),
    checked=public(int8),
    shown=public(int8, SEATS),
    card=own(int8),
)

ACTIONS = action_space(check=(), bet=(), call=(), fold=())
CHECK, BET, CALL, FOLD = ACTIONS.check, ACTIONS.bet, ACTIONS.call, ACTIONS.fold

EVENTS = event_space(
    began=("hand", "seat"),
    dealt=("seat", "card"),
    checked=("seat",),
    bet=("seat",),
    called=("seat",),
    folded=("seat",),
    showed=("seat", "card"),
    won=("seat", "chips"),
    ended=(),
)
BEGAN, DEALT, CHECKED, BETS = EVENTS.began, EVENTS.dealt, EVENTS.checked, EVENTS.bet
CALLED, FOLDED, SHOWED, WON, ENDED = EVENTS.called, EVENTS.folded, EVENTS.showed, EVENTS.won, EVENTS.ended
