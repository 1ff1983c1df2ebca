"""Options, box, state, action space, events and Fleet geometry of Pyramis."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyramidion.engine.actions import action_space, parameter, seats
from pyramidion.engine.cards import CardFile, CardRow
from pyramidion.engine.events import event_space
from pyramidion.engine.layout import SEATS, int8, int16, layout, own, party, public, secret, uint8, uint16
from pyramidion.engine.options import choice, number
from pyramidion.translation import marked

MAX_SEATS = 4
COLOURS = ("blue", "green", "pink", "gray")
LANDSCAPES = ("ocean", "forest", "mountain", "city")
COLOUR_COUNTS = (16, 14, 12, 6)
CARDS, STARS, RIVER, DECKS = 48, 5, 3, 2
DECK_NAMES = ("left", "right")
DECK_SIZE = CARDS // DECKS
MOST_ON_AN_END, MOST_ON_A_STAR = 9, 9
MOST_THEFTS = MAX_SEATS * 10 - STARS
"""Upper bound on thefts: a placement yields at most one Star card, the first five from the reserve (PY 5.1)."""

PLACE, STEAL, REFILL, ROTATE = 1, 2, 3, 4
PHASES = ("over", "place", "steal", "refill", "rotate")

# A Fleet has four levels of 4, 3, 2 and 1 spaces, lowest level a; each space rests on two spaces below it (PY 4.1).
LEVELS = (4, 3, 2, 1)
SPACES = ("a1", "a2", "a3", "a4", "b1", "b2", "b3", "c1", "c2", "d1")
N_SPACES, FLEETS = len(SPACES), 1 << len(SPACES)
LEVEL = tuple(level for level, width in enumerate(LEVELS) for _ in range(width))
COLUMN = tuple(column for width in LEVELS for column in range(width))
_AT = {(LEVEL[n], COLUMN[n]): n for n in range(N_SPACES)}
BELOW = tuple(
    (_AT[LEVEL[n] - 1, COLUMN[n]], _AT[LEVEL[n] - 1, COLUMN[n] + 1]) if LEVEL[n] else () for n in range(N_SPACES)
)
ABOVE = tuple(tuple(m for m in range(N_SPACES) if n in BELOW[m]) for n in range(N_SPACES))
BESIDE = tuple(
    tuple(_AT[LEVEL[n], column] for column in (COLUMN[n] - 1, COLUMN[n] + 1) if (LEVEL[n], column) in _AT)
    for n in range(N_SPACES)
)
TOUCHING = tuple((*BESIDE[n], *BELOW[n], *ABOVE[n]) for n in range(N_SPACES))


def _bits(spaces: Any) -> int:
    """Return the bitmask of some spaces."""
    return sum(1 << n for n in spaces)


def open_spaces(fleet: int) -> int:
    """Return the spaces of a Fleet on which a card may be placed; both are bitmasks (PY 4.2, 4.3)."""
    if not fleet:
        return _bits(range(LEVELS[0]))
    free = [n for n in range(N_SPACES) if not fleet >> n & 1]
    return _bits(
        n
        for n in free
        if (all(fleet >> m & 1 for m in BELOW[n]) if BELOW[n] else any(fleet >> m & 1 for m in BESIDE[n]))
    )


def accessible_spaces(fleet: int) -> int:
    """Return the spaces of a Fleet with a card that no other card covers; both are bitmasks (PY 6.3)."""
    return _bits(n for n in range(N_SPACES) if fleet >> n & 1 and not any(fleet >> m & 1 for m in ABOVE[n]))


# Precomputed tables of these functions for every bitmask of spaces, for use in the rules.
OPEN = np.array([open_spaces(fleet) for fleet in range(FLEETS)], np.int16)
ACCESSIBLE = np.array([accessible_spaces(fleet) for fleet in range(FLEETS)], np.int16)
REACH = np.array(
    [_bits({m for n in range(N_SPACES) if mask >> n & 1 for m in (n, *TOUCHING[n])}) for mask in range(FLEETS)],
    np.int16,
)
"""For each bitmask, its spaces and those that touch one of them (PY 7.3)."""
COUNT = np.array([mask.bit_count() for mask in range(FLEETS)], np.int8)
LISTED = np.array(
    [([n for n in range(N_SPACES) if mask >> n & 1] + [0] * N_SPACES)[:N_SPACES] for mask in range(FLEETS)], np.int8
)
"""For each bitmask, its spaces in ascending order, padded with zeros."""

AT_ONCE, IN_TURN = 0, 1
"""When players turn the cards of a pair: all at the same time, or openly one after the other (PY 6.4)."""
BY_CARDS, BY_PYRAMIDS = 0, 1
"""What makes a zone the largest: its cards, or its Pyramids (PY 7.3)."""

OPTIONS = {
    "river_left": number(
        2,
        0,
        RIVER,
        rule="2.2",
        label=marked("River cards from the left deck"),
        help=marked("How many of the first three River cards come from the left deck; the rest come from the right."),
    ),
    "fleet_cards": number(
        N_SPACES,
        1,
        N_SPACES,
        rule="4.4",
        label=marked("Cards in a Fleet"),
        help=marked("How many cards everybody places. With fewer than ten, some spaces stay empty."),
    ),
    "rotations": choice(
        "at-once",
        marked("at-once"),
        marked("in-turn"),
        rule="6.4",
        label=marked("When cards are turned"),
        help=marked(
            "at-once: everybody chooses a card in secret, and all turn together. "
            "in-turn: everybody chooses openly, clockwise from the player whose turn it is."
        ),
    ),
    "largest_zone": choice(
        "cards",
        marked("cards"),
        marked("pyramids"),
        rule="7.3",
        label=marked("Largest zone"),
        help=marked("The zone with the most cards, or the one with the most Pyramids; the other number breaks ties."),
    ),
}

ACTIONS = action_space(
    place=(parameter("river", range(1, RIVER + 1)), parameter("space", SPACES)),
    steal=(seats(MAX_SEATS),),
    refill=(parameter("deck", DECK_NAMES),),
    rotate=(parameter("space", SPACES),),
)

EVENTS = event_space(
    starts=("seat",),
    placed=("seat", "card", "space", "colour"),
    drew=("seat",),
    found=("seat", "pyramids", "aliens"),
    no_star=("seat",),
    stole=("seat", "victim"),
    stolen=("seat", "victim", "pyramids", "aliens"),
    refilled=("seat", "deck", "card", "colour"),
    pair=("colour",),
    nobody=("colour",),
    turned=("seat", "card", "space", "colour"),
    star=("seat", "pyramids", "aliens"),
    scored=("seat", "pyramids", "zone", "aliens"),
    ended=(),
)

STATE = layout(
    seats=MAX_SEATS,
    events=16,
    phase=public(int8),
    start=public(int8),
    active=public(int8),  # whose turn it is
    turn=public(int8),  # turns completed
    river=public(int8, RIVER),  # card + 1; 0 is the gap
    gap=public(int8),  # slot of the card just placed
    fleet=public(int8, SEATS, N_SPACES),  # card + 1; 0 is empty
    filled=public(uint16, SEATS),  # bitmask of spaces
    turned=public(uint16, SEATS),  # bitmask of spaces whose card is rotated: printed bottom end up
    of_colour=public(uint16, SEATS, len(COLOURS)),  # bitmask of spaces with a card of each colour
    left=public(int8, DECKS),  # cards in each deck, including the top one
    back=public(int16, DECKS),  # what the back of each deck's top card shows; see `pack_back`
    top=secret(int8, DECKS),  # card + 1 on top of each deck; 0 is the Base card
    pool=secret(int8, CARDS),  # all other cards in the decks: unseen, so they have no order and belong to either deck
    pool_count=public(int8),
    pairs=public(uint8),  # bitmask of colours still to be rotated after the latest refill
    colour=public(int8),  # the colour being rotated
    choice=own(int8),  # space + 1 of the card to rotate, hidden until everyone has chosen
    reserve=public(int8),  # Star cards not yet drawn
    star_count=public(int8, SEATS),
    stars=own(uint8),  # bitmask of the Star cards a seat holds
    drawn=own(uint8),  # bitmask of the Star cards a seat drew from the reserve
    thefts=public(int8),
    theft_to=public(int8, MOST_THEFTS),
    theft_from=public(int8, MOST_THEFTS),
    theft_star=party(int8, MOST_THEFTS),
    theft_star_party=public(uint16, MOST_THEFTS),  # thief and victim
    final_stars=public(uint8, SEATS),  # revealed at scoring
    score=public(int16, SEATS),
)

BOX = np.dtype(
    [
        ("colour", int8, (CARDS,)),
        ("pyramids", int8, (CARDS, 2)),  # on the printed top end and on the other
        ("aliens", int8, (CARDS, 2)),
        ("star", int8, (CARDS,)),
        ("back", int16, (CARDS,)),
        ("star_pyramids", int8, (STARS,)),
        ("star_aliens", int8, (STARS,)),
        ("river_left", int8),
        ("fleet_cards", int8),
        ("rotations", int8),
        ("largest_zone", int8),
    ],
    align=True,
)


def pack_back(colours: Any) -> int:
    """Return the Pyramids on a card's back as counts of each colour, four bits each, so that two backs can be added.

    `colours` has the index of a colour for each Pyramid.
    """
    return sum(1 << 4 * colour for colour in colours)


def fill_box(cards: CardFile, box: Any) -> None:
    """Write the card tables of `cards.toml` into a box record. Raises BadCards with the line and the field."""
    left: list[int] = list(COLOUR_COUNTS)
    for i, card in enumerate(cards.rows("exodus_cards", CARDS)):
        colour = COLOURS.index(card.choice("colour", COLOURS))
        left[colour] -= 1
        if left[colour] < 0:
            card.refuse("colour", f"there are {COLOUR_COUNTS[colour]} {COLOURS[colour]} cards (PY 1.1)")
        box.colour[i] = colour
        for end, name in enumerate(("top", "bottom")):
            box.pyramids[i, end], box.aliens[i, end] = _end(card, name)
        star = card.get("star")
        if not isinstance(star, bool):
            card.refuse("star", f"must be true or false, not {star!r}")
        box.star[i] = star
        box.back[i] = pack_back(_back(card))
    for i, star_card in enumerate(cards.rows("shooting_stars", STARS)):
        box.star_pyramids[i] = star_card.whole("pyramids", 0, MOST_ON_A_STAR)
        box.star_aliens[i] = star_card.whole("aliens", 0, MOST_ON_A_STAR)


def _end(card: CardRow, field: str) -> list[int]:
    """Return the Pyramids and Aliens of an end of a card in the card file; refuse anything else."""
    value = _list(card, field)
    if len(value) != 2 or not all(type(n) is int and 0 <= n <= MOST_ON_AN_END for n in value):
        wanted = f"must be two whole numbers from 0 to {MOST_ON_AN_END}, Pyramids and Aliens"
        card.refuse(field, f"{wanted}, not {card.get(field)!r}")
    return value


def _back(card: CardRow) -> list[int]:
    """Return the indices of the colours of the Pyramids on a card's back in the card file."""
    value = _list(card, "back", none=[None])
    if len(value) > 2 or not all(colour in COLOURS for colour in value):
        wanted = f"must be none, one or two of {', '.join(COLOURS)}, in brackets"
        card.refuse("back", f"{wanted}, not {card.get('back')!r} (PY 1.1)")
    return [COLOURS.index(colour) for colour in value]


def _list(card: CardRow, field: str, none: Any = ()) -> list[Any]:
    """Return the array in a field of a card in the card file, or `none` if the value is not an array."""
    value = card.get(field)
    return list(value) if isinstance(value, list) else list(none)  # type: ignore[arg-type]
