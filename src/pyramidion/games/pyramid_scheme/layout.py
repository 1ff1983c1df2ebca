"""Options, box, state, action space and events of Pyramid Scheme.

Cards are numbered from 0: the Victims 0 to 63, sixteen per colour; the Police 64 to 81; the Founders 82 to 85, one per
seat. A card is in at most one pyramid, so a single array of parents stores all the trees.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from pyramidion.engine.actions import action_space, parameter
from pyramidion.engine.cards import CardFile, CardRow
from pyramidion.engine.events import event_space
from pyramidion.engine.layout import SEATS, int8, int16, layout, own, public, secret, uint8
from pyramidion.engine.options import choice, flag
from pyramidion.translation import marked

MAX_SEATS = 4
COLOURS = ("green", "blue", "pink", "yellow")
NO_COLOUR = len(COLOURS)
VICTIMS, PER_COLOUR = 64, 16
POLICE_CARDS, FIRST_POLICE = 18, VICTIMS
FIRST_FOUNDER = FIRST_POLICE + POLICE_CARDS
CARDS = FIRST_FOUNDER + MAX_SEATS
HOLDERS = FIRST_FOUNDER + 1
"""Number of places a card can go, as actions encode them: below any Victim, any Police, or the seat's own Founder."""
POLICE_NUMBER, FOUNDER_NUMBER, TOKENS = 3, 12, 20
MARKET, DEALT, HAND_LIMIT, OPEN_GOALS, ACTIONS_PER_TURN = 3, 2, 3, 6, 2
HAND = 10
"""Largest possible hand; `fill_box` rejects decks whose rewards could exceed it."""
PYRAMID = VICTIMS - MARKET - 1 + OPEN_GOALS + 1
"""Largest possible pyramid.

While a decision is due, three Victims are in the market and one is on top of the deck. A seat places at most one Police
for each of the six goals, and has one Founder.
"""
DEMANDS = 4
KINDS = 6 * (NO_COLOUR + 1)
"""Number of card kinds. A kind is 6 * colour + number; numbers above 5 count as 0."""

ANY = 10
"""The demand for any card. 1 to 5 are numbers, 6 to 9 are colours."""

REWARDS = (
    "none",
    "limit",
    "flip + bonus",
    "flip",
    "discard police",
    "flip police",
    "reserve goal",
    "hand",
    "discard hand",
    "reset",
)
NO_REWARD, LIMIT, FLIP_BONUS, FLIP_OTHER, DISCARD_POLICE, FLIP_POLICE, RESERVE, HAND_MORE, DISCARD_HAND, RESETS = range(
    10
)
COUNTED = ("limit", "hand", "reset")
MOST_GIVEN = 3
"""The largest n in `limit +n`, `hand +n` and `reset +n`."""

GOALS = (
    "five-green",
    "five-blue",
    "five-pink",
    "five-yellow",
    "two-of-each-colour",
    "six-levels",
    "three-limit-tokens",
    "five-1s",
    "four-2s",
    "three-3s",
    "one-to-five",
    "three-reset-tokens",
    "smart-all-colours",
    "smart-same-colour",
    "smart-different-numbers",
    "smart-same-number",
    "smart-below-one",
)
GOAL_NEEDS = (5, 5, 5, 5, 8, 6, 3, 5, 4, 3, 5, 3, 4, 4, 4, 4, 3)
"""Threshold of each goal, as counted by `goals.progress`."""

ACTING, FLIPPING, REWARDED, CLAIMING, POLICING = 1, 2, 3, 4, 5
PHASES = ("over", "act", "flip", "reward", "claim", "police")

# Public knowledge about where a Victim is.
HIDDEN, IN_MARKET, ON_TOP, DISCARDED, GONE, IN_PYRAMID, IN_HAND = 0, 1, 2, 3, 4, 5, 8
"""HIDDEN is in the deck below its top card, or in the hand it was dealt to. IN_HAND + seat was taken openly."""

LETTERS = "abcdefghijklmnop"
VICTIM_NAMES = tuple(f"{colour}-{letter}" for colour in COLOURS for letter in LETTERS)
POLICE_NAMES = tuple(f"police-{n + 1}" for n in range(POLICE_CARDS))
HOLDER_NAMES = (*VICTIM_NAMES, *POLICE_NAMES, "founder")

OPTIONS = {
    "start": choice(
        "lowest",
        marked("lowest"),
        marked("random"),
        rule="2.3",
        label=marked("Start player"),
        help=marked("Who starts: the player dealt the lowest sum of Victims, as in the rulebook, or a random player."),
    ),
    "recycle_crumbled": flag(
        True,
        rule="3.3",
        label=marked("Recycle crumbled pyramids"),
        help=marked("The Victims of players who are out go to the discard pile instead of out of the game."),
    ),
    "police_in_conditions": flag(
        False,
        rule="6.3",
        label=marked("Police meet conditions"),
        help=marked("A Police card counts as a 3 and as any card in the condition of the card above it."),
    ),
    "claim_between_flips": flag(
        False,
        rule="8.20",
        label=marked("Claim goals between flips"),
        help=marked("A goal is claimed as soon as it is met, before and after every flip, not only once all are done."),
    ),
    "free_reserved": flag(
        False,
        rule="7.6",
        label=marked("Free the goals of players who are out"),
        help=marked("A goal reserved by a player who goes out can be claimed by everybody again."),
    ),
}

_VICTIM, _HOLDER = parameter("card", VICTIM_NAMES), parameter("card", HOLDER_NAMES)

ACTIONS = action_space(
    take=(_VICTIM,),
    place=(_VICTIM, _HOLDER),
    reset=(),
    end=(),
    flip=(_HOLDER,),
    limit=(_HOLDER,),
    remove=(parameter("card", POLICE_NAMES),),
    discard=(_VICTIM,),
    reserve=(parameter("goal", GOALS),),
    police=(_HOLDER,),
    done=(),
)

# Events carry a card's index and its printed number, since another deck may print different numbers. `numbers` is 100 *
# the card's number + the number of the card above it.
EVENTS = event_space(
    dealt=("seat", "card", "number"),
    starts=("seat",),
    turn=("seat", "number"),
    taken=("seat", "card", "number"),
    filled=("card", "number", "top", "top_number"),
    reshuffled=("cards",),
    placed=("seat", "card", "below", "numbers"),
    reset=("seat", "left"),
    flipped=("seat", "card", "number"),
    limit=("seat", "card", "number", "tokens"),
    removed=("seat",),
    reserved=("seat", "goal"),
    hand=("seat", "by", "limit"),
    discarded=("seat", "card", "number"),
    tokens=("seat", "by", "has"),
    lost=("seat", "reward"),
    claimed=("seat", "goal"),
    police=("seat", "below", "number"),
    out=("seat",),
    ended=("rule",),
)

STATE = layout(
    seats=MAX_SEATS,
    events=16,
    phase=public(int8),
    turn_seat=public(int8),  # seat to move; the claimant while Police are placed
    turn_number=public(int16),
    start_seat=public(int8),
    actions_left=public(int8),
    crumbled=public(uint8),  # bitmask of seats that are out
    crumbled_by_police=public(uint8),  # bitmask of those that could not place a Police
    reward=public(int8),  # in the phase REWARDED: the pending reward, its n, and the card that gave it
    reward_count=public(int8),
    reward_card=public(int8),
    police_rounds=public(int8),  # claimed goals whose Police are still to be placed
    police_step=public(int8),  # the seat to place a Police, counted from the claimant's left
    # Cards in pyramids
    parent=public(int8, CARDS),  # -1 for Founders and for cards not in a pyramid
    flipped=public(int8, CARDS),
    limits=public(int8, CARDS),  # limit tokens on a card
    room=public(int8, CARDS),  # what the numbers directly below may still add up to; 0 for an unflipped Police
    above=public(uint8, CARDS),  # bitmask of the colours of unflipped Victims from the card up
    level=public(int8, CARDS),  # the Founder is level 1; Police add no level
    smart_below=public(int8, CARDS),  # smart-asses directly below
    met=public(int8, CARDS),  # 1 if the card's condition is met
    pile=public(int8, SEATS, PYRAMID),  # the cards of each pyramid in ascending order
    pile_count=public(int8, SEATS),
    # The other Victims
    spot=public(int8, VICTIMS),
    market=public(int8, MARKET),
    deck_top=public(int8),
    deck=secret(int8, VICTIMS),  # below the top card; a set: cards are drawn from it at random
    deck_count=public(int8),
    discard_count=public(int8),
    hand=own(int8, HAND),  # ascending
    hand_count=public(int8, SEATS),
    hand_limit=public(int8, SEATS),
    dealt_sum=public(int8, SEATS),  # sum of a seat's dealt Victims that have been seen since
    # Tokens and goals
    tokens=public(int8, SEATS),  # unused reset tokens
    supply=public(int8),
    goals=public(int8, OPEN_GOALS),  # the six open goals in ascending order
    claimed=public(int8, OPEN_GOALS),  # 0, or seat + 1
    reserved=public(int8, OPEN_GOALS),
    score=public(int8, SEATS),  # smart-asses at the end; -1 for seats that are out
)

BOX = np.dtype(
    [
        ("number", int8, (CARDS,)),
        ("colour", int8, (CARDS,)),
        ("wants", int8, (CARDS, DEMANDS)),
        ("full", uint8, (CARDS,)),  # one bit for each demand
        ("fits", uint8, (CARDS, KINDS)),  # bitmask of the card's demands that a card of each kind satisfies
        ("reward", int8, (CARDS,)),
        ("reward_count", int8, (CARDS,)),
        ("start", int8),
        ("recycle_crumbled", int8),
        ("police_in_conditions", int8),
        ("claim_between_flips", int8),
        ("free_reserved", int8),
    ],
    align=True,
)


def kind_of(colour: int, number: int) -> int:
    """Return the kind of a card with this colour and number, which is its index in `box.fits`."""
    return 6 * colour + (number if number <= 5 else 0)


def longest(seats: int) -> int:
    """Return an upper bound on the number of decisions in a game, for any deck.

    A Victim is placed once, plus once for each crumbled pyramid that returned it, and at most seats - 1 pyramids
    crumble. A card is flipped at most once per placement. Each reward asks at most one question, except that a hand may
    be discarded card by card. Every Victim taken was dealt, placed, discarded or is still held. Resets cost tokens, and
    turns cost actions.
    """
    placed = (VICTIMS - MARKET) * seats
    police = OPEN_GOALS * (seats - 1)
    flips = placed + police + seats
    discards = HAND * flips
    taken = placed + discards + HAND * seats
    resets = seats + MOST_GIVEN * flips
    return taken + placed + resets + (taken + placed) + flips + placed + flips + discards + police


# The card file


def fill_box(cards: CardFile, box: Any) -> None:
    """Write the card tables of `cards.toml` into a box record. Raises BadCards with the line and the field."""
    cards.whole("tokens", TOKENS, TOKENS)
    _fill_police(cards.table("police"), box)
    _fill_founders(cards.table("founder"), box)
    hand_limit = HAND_LIMIT
    for i, row in enumerate(cards.rows("victims", VICTIMS)):
        colour = COLOURS[i // PER_COLOUR]
        if row.choice("colour", COLOURS) != colour:
            row.refuse(
                "colour", f"this Victim must be {colour}: the colours stand in the order {', '.join(COLOURS)}, 16 each"
            )
        box.colour[i] = i // PER_COLOUR
        box.number[i] = row.whole("number", 1, 5)
        _fill_wants(row, box, i)
        _fill_reward(row, box, i)
        if box.reward[i] == HAND_MORE:
            hand_limit += int(box.reward_count[i])
            if hand_limit > HAND:
                row.refuse(
                    "reward", f"all hand rewards together may add {HAND - HAND_LIMIT} to the hand limit, not more"
                )


def _fill_police(row: CardRow, box: Any) -> None:
    """Write the number and colour of the Police to the box, and refuse other numbers than the rulebook's."""
    row.whole("count", POLICE_CARDS, POLICE_CARDS, "the rulebook says so (PS 1.3)")
    row.whole("number", POLICE_NUMBER, POLICE_NUMBER, "the rulebook says so (PS 1.3)")
    box.number[FIRST_POLICE:FIRST_FOUNDER] = POLICE_NUMBER
    box.colour[FIRST_POLICE:FIRST_FOUNDER] = NO_COLOUR


def _fill_founders(row: CardRow, box: Any) -> None:
    """Write the number, condition and reward of the Founders to the box."""
    row.whole("number", FOUNDER_NUMBER, FOUNDER_NUMBER, "the rulebook says so (PS 1.2)")
    for card in range(FIRST_FOUNDER, CARDS):
        box.number[card] = FOUNDER_NUMBER
        box.colour[card] = NO_COLOUR
        _fill_wants(row, box, card)
        _fill_reward(row, box, card)
    if box.reward[FIRST_FOUNDER] != RESETS or box.reward_count[FIRST_FOUNDER] != 1:
        row.refuse("reward", "must be 'reset +1' (PS 1.2)")


def _fill_wants(row: CardRow, box: Any, card: int) -> None:
    """Write the demands of a card's condition to the box, and which kinds of cards satisfy each."""
    value = row.get("wants")
    wants = cast("list[Any]", value) if isinstance(value, list) else []
    if not 1 <= len(wants) <= DEMANDS:
        row.refuse("wants", f"must be a list of 1 to {DEMANDS} demands, not {value!r}")
        return
    for d, demand in enumerate(wants):
        if demand == "any":
            code = ANY
        elif demand in COLOURS:
            code = 6 + COLOURS.index(demand)
        elif isinstance(demand, int) and not isinstance(demand, bool) and 1 <= demand <= 5:
            code = demand
        else:
            row.refuse("wants", f"each demand is a number from 1 to 5, a colour or 'any', not {demand!r}")
            return
        box.wants[card, d] = code
        for colour in range(NO_COLOUR + 1):
            for number in range(6):
                if code in (ANY, number) or code == 6 + colour:
                    box.fits[card, kind_of(colour, number)] |= 1 << d
    box.full[card] = (1 << len(wants)) - 1


def _fill_reward(row: CardRow, box: Any, card: int) -> None:
    """Write a card's reward and its count to the box."""
    text = row.get("reward")
    if box.number[card] == 1:
        if text is not None:
            row.refuse("reward", "a 1 has none (PS 1.1)")
        return
    if not isinstance(text, str):
        row.refuse(
            "reward", "must be one of " + ", ".join(f"'{r} +n'" if r in COUNTED else f"'{r}'" for r in REWARDS[1:])
        )
        return
    name, _, count = text.partition(" +")
    if text in REWARDS[1:] and text not in COUNTED:
        box.reward[card] = REWARDS.index(text)
    elif name in COUNTED and count.isascii() and count.isdigit() and 1 <= int(count) <= MOST_GIVEN:
        box.reward[card] = REWARDS.index(name)
        box.reward_count[card] = int(count)
    else:
        allowed = ", ".join(f"'{r} +1' to '{r} +{MOST_GIVEN}'" if r in COUNTED else f"'{r}'" for r in REWARDS[1:])
        row.refuse("reward", f"must be one of {allowed}, not {text!r}")
