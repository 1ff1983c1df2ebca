"""Presentation of Pyramis' events on the board."""

from collections.abc import Mapping
from typing import Any

from pyramidion.engine.actions import Action
from pyramidion.engine.presentation import Figure, Presentation, Stage, always
from pyramidion.games.pyramis.layout import COLOURS
from pyramidion.games.pyramis.texts import COLOUR_WORDS, worth
from pyramidion.translation import _, marked


def _zone(view: Mapping[str, Any], seat: int) -> int:
    """Return the Pyramids that a seat's largest zone scores (PY 7.3)."""
    zone = view["players"][seat]["zone"]
    return int(zone["pyramids"]) if zone else 0


def _moment(view: Mapping[str, Any]) -> str:
    """Return the number of the turn, in words."""
    return _("turn {turn}").format(turn=view["turn"])


def _described(view: Mapping[str, Any], action: Action) -> str:
    """Return the placement of a card in words that say which card it is."""
    if action.family != "place":
        return ""
    words = dict(part.split(":") for part in action.path)
    card = view["river"][int(words["river"]) - 1]
    return _("Place the {colour} card with {worth} on {space}").format(
        colour=_(COLOUR_WORDS[COLOURS.index(card["colour"])]), worth=worth(**card["top"]), space=words["space"]
    )


FIGURES = (
    Figure(
        marked("your score: {first} instead of {second}"), lambda view, seat: view["players"][seat]["score"], "more"
    ),
    Figure(marked("Pyramids in your largest zone: {first} instead of {second}"), _zone, "more"),
    Figure(
        marked("your Aliens: {first} instead of {second}"), lambda view, seat: view["players"][seat]["aliens"], "more"
    ),
    Figure(
        marked("your Star cards: {first} instead of {second}"),
        lambda view, seat: view["players"][seat]["stars"],
        "more",
    ),
    Figure(
        marked("Star cards of the opponent with the most: {first} instead of {second}"),
        lambda view, seat: max(player["stars"] for player in view["players"] if player["seat"] != seat),
        "less",
    ),
)

SHOW = Presentation(
    next_steps={
        "place 0": marked("Now take the River card that goes there"),
        "place 1": marked("Now choose the space"),
    },
    stages=(Stage("scored"), Stage("pair"), Stage("stole", along=("stolen",))),
    pieces={
        "placed": ("card-{card}",),
        "drew": ("stars-{seat}",),
        "stole": ("stars-{seat}", "stars-{victim}"),
        "pair": ("deck-left", "deck-right"),
        "turned": ("card-{card}",),
    },
    chapters=("placed",),
    # River, Fleets and the decks that are left lie open. A card to turn is chosen in secret, but from an open Fleet.
    open_choice=always,
    outcomes=("placed", "stole"),
    figures=FIGURES,
    moment=_moment,
    described=_described,
)
