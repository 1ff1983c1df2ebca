"""Presentation of Pyramid Scheme's events on the board."""

from collections.abc import Mapping
from typing import Any

from pyramidion.engine.presentation import Figure, Presentation, Stage
from pyramidion.games.pyramid_scheme.layout import FIRST_FOUNDER, GOALS, HOLDER_NAMES
from pyramidion.translation import _, marked


def _key(card: int) -> str:
    """Return the key of a card's element on the board; for Police and Founders, the part of it before the seat."""
    return HOLDER_NAMES[min(max(card, 0), FIRST_FOUNDER)]


def _moment(view: Mapping[str, Any]) -> str:
    """Return the number of the turn, in words."""
    return _("turn {turn}").format(turn=view["turn_number"])


def _claimed(view: Mapping[str, Any], seat: int) -> int:
    """Return how many goals a seat has claimed."""
    return sum(goal["claimed"] == seat for goal in view["goals"])


def _nearest_goal(view: Mapping[str, Any], seat: int) -> int | None:
    """Return how much a seat still needs for the unclaimed goal that it is closest to, or None."""
    left = [goal["need"] - goal["progress"][seat] for goal in view["goals"] if goal["claimed"] is None]
    return min(left, default=None)


def _towards_goals(view: Mapping[str, Any], seat: int) -> int:
    """Return how far a seat is with all unclaimed goals together."""
    return sum(goal["progress"][seat] for goal in view["goals"] if goal["claimed"] is None)


def _flippable(view: Mapping[str, Any], seat: int) -> int:
    """Return how many cards of a seat's pyramid may be flipped (PS 6.1)."""
    return sum(card["may_flip"] for card in view["players"][seat]["pyramid"])


def _hand(view: Mapping[str, Any], seat: int) -> list[str]:
    """Return the keys of the cards in hand: a pyramid crumbles when none of them has a place (PS 3.2)."""
    return [card["card"] for card in view["players"][seat]["hand"]]


FIGURES = (
    Figure(marked("goals claimed: {first} instead of {second}"), _claimed, "more"),
    Figure(marked("cards that you can flip: {first} instead of {second}"), _flippable, "more"),
    Figure(marked("missing for your nearest goal: {first} instead of {second}"), _nearest_goal, "less"),
    Figure(marked("steps towards all open goals: {first} instead of {second}"), _towards_goals, "more"),
    Figure(marked("your smart-asses: {first} instead of {second}"), lambda view, seat: view["players"][seat]["smart"]),
    Figure(
        marked("room in your pyramid: {first} instead of {second}"),
        lambda view, seat: view["players"][seat]["room"],
        "more",
    ),
    Figure(
        marked("your reset tokens: {first} instead of {second}"),
        lambda view, seat: view["players"][seat]["tokens"],
        "more",
    ),
    Figure(
        marked("cards in your hand: {first} instead of {second}"),
        lambda view, seat: view["players"][seat]["hand_count"],
    ),
)


def _open_choice(view: Mapping[str, Any]) -> bool:
    """Return whether no hand decides what can be chosen: pyramids and goals lie open."""
    return view["phase"] not in ("act", "over")


SHOW = Presentation(
    stages=(Stage("out"), Stage("claimed"), Stage("reserved")),
    pieces={
        "dealt": ("{card}",),
        "taken": ("{card}",),
        "placed": ("{card}", "{card}-{seat}"),
        "flipped": ("{card}", "{card}-{seat}"),
        "limit": ("{card}", "{card}-{seat}"),
        "reserved": ("goal-{goal}",),
        "discarded": ("{card}",),
        "claimed": ("goal-{goal}",),
        "police": ("{below}", "{below}-{seat}"),
    },
    words={"card": _key, "below": _key, "top": _key, "goal": lambda goal: GOALS[goal]},
    chapters=("turn",),
    falls=("out",),
    culprits=_hand,
    chosen_first=("reset",),
    next_steps={
        "place 0": marked("Now choose the Victim that goes below it"),
        "place 1": marked("Now choose the card to place it below"),
    },
    open_choice=_open_choice,
    figures=FIGURES,
    moment=_moment,
)
