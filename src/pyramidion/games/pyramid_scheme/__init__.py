"""Pyramid Scheme, 2 to 4 seats: recruit Victims below your Founder and let your pyramid crumble last."""

from pathlib import Path

from pyramidion.engine.game import Credits, Game
from pyramidion.games.pyramid_scheme import mind, rules, view
from pyramidion.games.pyramid_scheme.layout import ACTIONS, BOX, EVENTS, OPTIONS, STATE, fill_box, longest
from pyramidion.games.pyramid_scheme.presentation import SHOW
from pyramidion.translation import marked

GAME = Game(
    id="pyramid-scheme",
    name=marked("Pyramid Scheme"),
    prefix="PS",
    summary=marked(
        "Recruit the right Victims into the right places, turn them into smart-asses, and be the last to crumble."
    ),
    credits=Credits(designers=("Danilo Valente", "Rodrigo Rego"), publishers=()),
    seats=range(2, 5),
    usual_seats=3,
    minutes=30,
    waits={2: 125, 3: 155, 4: 195},
    weight="medium",
    goal=(
        marked("Recruit Victims and place them below your Founder, where the cards above leave room for them."),
        marked("A Victim who gets what it wants turns into a smart-ass and brings you a reward."),
        marked("If you can neither take nor place a Victim, your pyramid crumbles. The last one standing wins."),
    ),
    rules_version=2,
    # Under version 1 a Police card met conditions (PS 6.3), and one card of the deck gave three reset tokens.
    earlier_versions={1: {"police_in_conditions": True}},
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
    private_talk="none",
    payoff_form="share",
    somebody_wins=True,
    presentation=SHOW,
    folder=Path(__file__).parent,
)
