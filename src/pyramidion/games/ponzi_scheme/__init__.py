"""Ponzi Scheme, 3 to 5 seats: raise funds, hide your cash, and don't be the first to go bankrupt."""

from pathlib import Path

from pyramidion.engine.game import Credits, Game
from pyramidion.engine.minis import Mini
from pyramidion.engine.notes import with_notes
from pyramidion.games.ponzi_scheme import mind, premoves, rules, view
from pyramidion.games.ponzi_scheme.envelopes import take_note
from pyramidion.games.ponzi_scheme.layout import ACTIONS, BOX, EVENTS, MOST_ROUNDS, OPTIONS, STATE, fill_box
from pyramidion.games.ponzi_scheme.presentation import SHOW
from pyramidion.translation import marked

MOST_DECISIONS_PER_ROUND = 5
"""Decisions per seat and round: fund, offer, amount, answer, tile given back. Removing a card adds one per round."""


def longest(seats: int, round_limit: int = MOST_ROUNDS) -> int:
    """Return an upper bound on the number of decisions in a game with this round limit."""
    return round_limit * (MOST_DECISIONS_PER_ROUND * seats + 1)


GAME = Game(
    id="ponzi-scheme",
    name=marked("Ponzi Scheme"),
    prefix="PZ",
    summary=marked(
        "Raise money you cannot repay, trade industries in secret envelopes, and outlast the first bankruptcy."
    ),
    credits=Credits(designers=("Jesse Li",), publishers=("Homosapiens Lab",)),
    seats=range(3, 6),
    usual_seats=4,
    minutes=60,
    waits={3: 105, 4: 115, 5: 140},
    weight="medium",
    goal=(
        marked("Raise money you will have to repay with interest, again and again."),
        marked("Collect industries, and trade them for hidden sums in an envelope."),
        marked(
            "The first bankruptcy ends the game. Of the players who can still pay, the one with the most points wins."
        ),
    ),
    rules_version=3,
    # PZ 4.6: version 1 shuffled the discard pile only when a card was needed; up to version 2 a short market lacked
    # cards in row 3 first.
    earlier_versions={1: {}, 2: {}},
    layout=STATE,
    box=BOX,
    fill_box=fill_box,
    options=OPTIONS,
    actions=ACTIONS,
    events=EVENTS,
    rules=with_notes(rules, take_note),
    mind=mind,
    view=view,
    invariants=view.invariants,
    longest=longest,
    private_talk="none",
    payoff_form="share",
    premoves=premoves,
    hidden_choices=("sell",),  # nobody learns that a player could not afford to counter (PZ 5.4)
    presentation=SHOW,
    minis=(Mini(3, {"round_limit": 6}),),
    folder=Path(__file__).parent,
)
