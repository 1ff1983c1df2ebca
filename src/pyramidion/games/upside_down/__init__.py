"""Upside Down Pyramid Scheme, 10 seats: climb to the top four spaces, or finish with the most tickets."""

from pathlib import Path

from pyramidion.engine.game import Credits, Game
from pyramidion.engine.minis import Mini
from pyramidion.games.pyramid_of_ten.fields import MOST_GARNETS, MOST_PARTS
from pyramidion.games.pyramid_of_ten.season import season_moments, season_result
from pyramidion.games.pyramid_of_ten.timing import PACES
from pyramidion.games.upside_down import mind, rules, view
from pyramidion.games.upside_down.layout import ACTIONS, BOX, EVENTS, OPTIONS, ROUNDS, STATE, fill_box
from pyramidion.games.upside_down.presentation import SHOW
from pyramidion.translation import marked


def longest(seats: int, rounds: int = ROUNDS) -> int:
    """Return an upper bound on the number of decisions in a game, for any other options.

    In each phase a seat saves or reopens at most 60 times, and confirms at most once more than it reopens. Each garnet
    is traded at most once, and two tokens are given away.
    """
    return (1 + 2 * rounds) * seats * (2 * MOST_PARTS + 1) + seats * MOST_GARNETS + 2


GAME = Game(
    id="upside-down",
    name=marked("Upside Down Pyramid Scheme"),
    short_name=marked("Upside Down"),
    prefix="UD",
    summary=marked(
        "Ten players on a pyramid that stands on its point. Ask for tickets, challenge the players above you, and "
        "climb."
    ),
    credits=Credits(
        designers=("RedsToad",),
        publishers=(),
        note=marked("Played in The Genius: Code Red and The Genius: Code Redone."),
    ),
    seats=range(10, 11),
    usual_seats=10,
    minutes=90,
    waits={10: 45},
    weight="heavy",
    goal=(
        marked(
            "Ten players stand on an upturned pyramid. In secret, ask for tickets and challenge somebody above you."
        ),
        marked("Win a challenge and the two of you change places; only the winner pays."),
        marked("After five rounds the four players at the top win, and so does the player with the most tickets."),
    ),
    rules_version=3,
    earlier_versions={1: {"challenges": "bottom-up"}, 2: {}},
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
    minis=(Mini(10, {"rounds": 2}),),
    season_result=season_result,
    season_moments=season_moments,
    folder=Path(__file__).parent,
    shared=Path(__file__).parents[1] / "pyramid_of_ten",
)
