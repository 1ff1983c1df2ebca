"""Log sentences and button labels for Pyramis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pyramidion.engine.actions import Action
from pyramidion.games.pyramis.layout import SPACES
from pyramidion.translation import _, listed, marked, ngettext

COLOUR_WORDS = (marked("blue"), marked("green"), marked("pink"), marked("grey"))
_TEXTS = {
    "starts": marked("{seat} {seat:is|are} the start player."),
    "placed": marked("{seat} placed a {colour} card on {space}."),
    "drew": marked("{seat} drew a Star card."),
    "found": marked("{seat:*'s|Your} Star card has {worth}."),
    "no_star": marked("No other player holds a Star card to take."),
    "stole": marked("{seat} took a Star card from {victim}."),
    "stolen": marked("The Star card that {seat} took from {victim} shows {worth}."),
    "refilled-left": marked("{seat} refilled the River with a {colour} card from the left deck."),
    "refilled-right": marked("{seat} refilled the River with a {colour} card from the right deck."),
    "pair": marked("The backs show a pair of {colour} Pyramids."),
    "nobody": marked("Nobody has an uncovered {colour} card to turn."),
    "turned": marked("{seat} turned the {colour} card on {space}."),
    "star": marked("{seat} {seat:reveals|reveal} a Star card with {worth}."),
    "scored": marked(
        "{seat} {seat:scores|score} {pyramids} for Pyramids, {zone} for the largest zone and {aliens} for Aliens."
    ),
    "ended": marked("The game is over: every Fleet is complete."),
}


def tell(name: str, data: dict[str, int], names: Sequence[str]) -> str:
    """Return the sentence in the game's log for the event `name` with the values `data`; `names` are the players'."""
    words: dict[str, Any] = dict(data)
    for key in ("seat", "victim"):
        if key in data:
            words[key] = names[data[key]]
    colour = data.get("colour")
    if colour is not None:
        words["colour"] = _(COLOUR_WORDS[colour])
    if "space" in data:
        words["space"] = SPACES[data["space"]]
    if name in ("found", "stolen", "star"):
        words["worth"] = worth(data["pyramids"], data["aliens"])
    which = f"refilled-{('left', 'right')[data['deck']]}" if name == "refilled" else name
    return _(_TEXTS[which]).format(**words)


def worth(pyramids: int, aliens: int) -> str:
    """Return what an end of a card or a Star card shows, in words such as `2 Pyramids and 1 Alien`."""
    parts: list[str] = []
    if pyramids:
        parts.append(ngettext("{count} Pyramid", "{count} Pyramids", pyramids).format(count=pyramids))
    if aliens:
        parts.append(ngettext("{count} Alien", "{count} Aliens", aliens).format(count=aliens))
    return listed(parts) or _("nothing")


_LABELS = {
    "place": marked("Place River card {river} on {space}"),
    "steal": marked("Take a Star card from {seat}"),
    "refill-left": marked("Refill from the left deck"),
    "refill-right": marked("Refill from the right deck"),
    "rotate": marked("Turn the card on {space}"),
}
# Headings for groups of actions, derived from the family names.
FAMILY_WORDS = (marked("Place"), marked("Steal"), marked("Refill"), marked("Rotate"))


def label(action: Action, names: Sequence[str], box: Any = None) -> str:
    """Return the label of the button for an action."""
    words = dict(part.split(":") for part in action.path)
    if "seat" in words:
        words["seat"] = names[int(words["seat"])]
    which = f"refill-{words['deck']}" if "deck" in words else action.family
    return _(_LABELS[which]).format(**words)
