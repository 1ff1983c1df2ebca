"""Downside Up Pyramid Scheme, 10 seats: climb by attacking the layer above, and defend your own space."""

from pathlib import Path

from pyramidion.engine.game import Credits, Game
from pyramidion.games.downside_up import mind, rules, view
from pyramidion.games.downside_up.layout import ACTIONS, BOX, EVENTS, OPTIONS, ROUNDS, STATE, fill_box
from pyramidion.games.downside_up.presentation import SHOW
from pyramidion.games.pyramid_of_ten.fields import MOST_GARNETS, MOST_PARTS
from pyramidion.games.pyramid_of_ten.season import season_moments, season_result
from pyramidion.games.pyramid_of_ten.timing import PACES
from pyramidion.translation import marked


def longest(seats: int) -> int:
    """Return an upper bound on the number of decisions in a game, for any options.

    In each phase a seat saves or reopens at most 60 times, and confirms at most once more than it reopens. A trade
    takes two garnets.
    """
    return (1 + 2 * ROUNDS) * seats * (2 * MOST_PARTS + 1) + seats * MOST_GARNETS


GAME = Game(
    id="downside-up",
    name=marked("Downside Up Pyramid Scheme"),
    short_name=marked("Downside Up"),
    prefix="DU",
    summary=marked(
        "Ten players on a pyramid. Claim tickets, attack the two above you, and hold your space against the two below."
    ),
    credits=Credits(
        designers=("RedsToad",),
        publishers=(),
        note=marked("Played in The Genius: Code Red and The Genius: Code Redone."),
    ),
    seats=range(10, 11),
    usual_seats=10,
    minutes=90,
    waits={10: 32},
    weight="heavy",
    goal=(
        marked(
            "Ten players stand on a pyramid. In secret, claim tickets, attack the spaces above you and defend your own."
        ),
        marked("Win an attack and the two of you change places."),
        marked("After four rounds the four players at the top win, and so does the player with the most tickets."),
    ),
    rules_version=1,
    layout=STATE,
    box=BOX,
    fill_box=fill_box,
    options=OPTIONS,
    actions=ACTIONS,
    events=EVENTS,
    rules=rules,
    mind=mind,
    view=view,
    invariants=view.invariants,
    longest=longest,
    private_talk="groups",
    payoff_form="sign",
    paces=PACES,
    presentation=SHOW,
    season_result=season_result,
    season_moments=season_moments,
    folder=Path(__file__).parent,
    shared=Path(__file__).parents[1] / "pyramid_of_ten",
)
