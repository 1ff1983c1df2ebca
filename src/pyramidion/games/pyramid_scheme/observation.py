"""What a seat of Pyramid Scheme observes, as numbers: its own seat first, the others clockwise."""

from __future__ import annotations

from pyramidion.engine.rule import rule
from pyramidion.games.pyramid_scheme.ending import is_in
from pyramidion.games.pyramid_scheme.layout import (
    ACTIONS_PER_TURN,
    CARDS,
    DISCARDED,
    FIRST_FOUNDER,
    GOALS,
    GONE,
    HIDDEN,
    IN_HAND,
    IN_MARKET,
    IN_PYRAMID,
    MAX_SEATS,
    ON_TOP,
    OPEN_GOALS,
    PHASES,
    PYRAMID,
    REWARDS,
    TOKENS,
    VICTIMS,
)

PER_SEAT, PER_GOAL = 8, 5
WHERE = 4 + 2 * MAX_SEATS
PER_CARD = 7
OBSERVATION = [
    ("phase", len(PHASES), "one-hot: over, act, flip, reward, claim, police"),
    ("reward", len(REWARDS), "one-hot: the reward that is due, or none"),
    ("turn", MAX_SEATS + 1, "one-hot: whose turn it is, counted from the own seat; then actions left / 2"),
    (
        "seats",
        MAX_SEATS * PER_SEAT,
        (
            "for each seat from the own: at the table, still in, to act, cards in hand / 10, hand limit / 10, "
            "reset tokens / 20, cards in the pyramid / 67, started"
        ),
    ),
    (
        "goals",
        len(GOALS) * PER_GOAL,
        "for each goal: open, claimed, reserved by the own seat, reserved by another, in this game",
    ),
    ("deck", 2, "cards below the top card / 64, discarded Victims / 64"),
    (
        "victims",
        VICTIMS * WHERE,
        (
            "for each Victim one-hot: market, deck's top, discarded, out of the game, in the pyramid of each seat from "
            "the own, in the hand of each seat from the own as far as known; all zero if not known"
        ),
    ),
    (
        "cards",
        CARDS * PER_CARD,
        (
            "for each card: flipped, limit tokens / 20, room / 12, level / 12, condition met, smart-asses below "
            "it / 22, and 1 + the number of the card above it / 86 (0: none)"
        ),
    ),
]


@rule
def observe(box, s, seat, out):
    """Fill `out` (float32) with what `seat` sees; the parts are those of OBSERVATION, in their order."""
    for i in range(out.shape[0]):
        out[i] = 0.0
    seats = int(s.seats)
    out[s.phase] = 1.0
    at = len(PHASES)
    out[at + s.reward] = 1.0
    at += len(REWARDS)
    out[at + (s.turn_seat + seats - seat) % seats] = 1.0
    out[at + MAX_SEATS] = s.actions_left / ACTIONS_PER_TURN
    at = observe_seats(s, seat, out, at + MAX_SEATS + 1)
    for i in range(OPEN_GOALS):
        place = at + int(s.goals[i]) * PER_GOAL
        out[place] = int(s.claimed[i] == 0)
        out[place + 1] = int(s.claimed[i] != 0)
        out[place + 2] = int(s.reserved[i] == seat + 1)
        out[place + 3] = int(s.reserved[i] != 0 and s.reserved[i] != seat + 1)
        out[place + 4] = 1.0
    at += len(GOALS) * PER_GOAL
    out[at] = s.deck_count / VICTIMS
    out[at + 1] = s.discard_count / VICTIMS
    at = observe_victims(s, seat, out, at + 2)
    for card in range(CARDS):
        out[at] = s.flipped[card]
        out[at + 1] = s.limits[card] / TOKENS
        out[at + 2] = s.room[card] / 12.0
        out[at + 3] = s.level[card] / 12.0
        out[at + 4] = s.met[card]
        out[at + 5] = s.smart_below[card] / 22.0
        out[at + 6] = (s.parent[card] + 1) / CARDS
        at += PER_CARD


@rule(within=True)
def observe_seats(s, seat, out, at):
    """Fill the part `seats`; return where the next begins."""
    seats = int(s.seats)
    for i in range(seats):
        other = (seat + i) % seats
        out[at] = 1.0
        out[at + 1] = int(is_in(s, other))
        out[at + 2] = (int(s.acting) >> other) & 1
        out[at + 3] = s.hand_count[other] / 10.0
        out[at + 4] = s.hand_limit[other] / 10.0
        out[at + 5] = s.tokens[other] / TOKENS
        out[at + 6] = s.pile_count[other] / PYRAMID
        out[at + 7] = int(s.start_seat == other)
        at += PER_SEAT
    return at + (MAX_SEATS - seats) * PER_SEAT


@rule(within=True)
def observe_victims(s, seat, out, at):
    """Fill the part `victims`; return where the next begins."""
    seats = int(s.seats)
    for card in range(VICTIMS):
        spot = int(s.spot[card])
        place = at + card * WHERE
        if spot == IN_MARKET:
            out[place] = 1.0
        elif spot == ON_TOP:
            out[place + 1] = 1.0
        elif spot == DISCARDED:
            out[place + 2] = 1.0
        elif spot == GONE:
            out[place + 3] = 1.0
        elif spot >= IN_HAND:
            out[place + 4 + MAX_SEATS + (spot - IN_HAND + seats - seat) % seats] = 1.0
        elif spot == IN_PYRAMID:
            top = card
            while s.parent[top] >= 0:
                top = int(s.parent[top])
            out[place + 4 + (top - FIRST_FOUNDER + seats - seat) % seats] = 1.0
    for i in range(s.hand_count[seat]):
        card = int(s.hand[seat, i])
        if s.spot[card] == HIDDEN:
            out[at + card * WHERE + 4 + MAX_SEATS] = 1.0
    return at + VICTIMS * WHERE
