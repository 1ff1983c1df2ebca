"""Presentation of My Game: views, reasons for refusals, event texts and action labels."""

# What goes here: all texts for players. `s` is a redacted state; `STATE.visible` returns None for what is hidden in it.
# Write whole English sentences in `_("...")` with named placeholders, so that they can be translated.

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pyramidion.engine.actions import Action
from pyramidion.engine.layout import seat_of
from pyramidion.engine.legality import refusal_from
from pyramidion.translation import _, marked, seat_word

from .layout import CARDS, STATE
from .rules import forbidden

TOLD = {
    "kept": marked("{seat} kept the card."),
    "swapped": marked("{seat} swapped the card."),
    "drew": marked("{seat} drew the {card}."),
    "showed": marked("{seat} showed the card number {card}."),
    "ended": marked("The highest card wins."),
}
LABELS = {"keep": marked("Keep your card"), "swap": marked("Swap your card")}


def view(box: Any, s: Any, viewer: int | None) -> dict[str, Any]:
    """Return the table as a viewer sees it (a seat, None for a spectator, or EVERYTHING), JSON-ready."""
    return {
        "game": "my-game",
        "seat": seat_of(viewer),
        "seats": int(s.seats),
        "phase": "over" if s.over else "turn",
        "turn": int(s.turn),
        "turns": int(box.turns) * int(s.seats),
        "acting": [p for p in range(s.seats) if int(s.acting) >> p & 1],
        "left": int(s.left),
        "players": [_player(box, s, viewer, p) for p in range(s.seats)],
        "outcome": {"rule": "MG 1.4", "winners": [p for p in range(s.seats) if int(s.winners) >> p & 1]}
        if s.over
        else None,
    }


def _player(box: Any, s: Any, viewer: int | None, p: int) -> dict[str, Any]:
    """Return what a viewer sees of the player in seat `p`; the card is None if it is hidden."""
    card = int(s.revealed[p]) or STATE.visible(s, viewer, "hand", p)
    return {"seat": p, "card": int(box.value[card - 1]) if card else None, "swapped": bool(s.swapped[p])}


def not_due(box: Any, s: Any, seat: int) -> tuple[str, str]:
    """Return (rule, sentence) why a seat may not act while its decision is not due."""
    acting = next(p for p in range(s.seats) if int(s.acting) >> p & 1)
    return "MG 1.2", _("It is not your turn: {seat} is choosing.").format(seat=seat_word(acting))


refusal = refusal_from(forbidden, {1_03: marked("You have swapped your card already.")}, "MG")


def tell(name: str, data: Mapping[str, int], names: Sequence[str]) -> str:
    """Return the sentence for an event with this name and these arguments; `names` are the players' names by seat."""
    seat = names[data["seat"]] if "seat" in data else ""
    return _(TOLD[name]).format(seat=seat, card=data.get("card"))


def label(action: Action, names: Sequence[str], box: Any = None) -> str:
    """Return the text of the button for an action."""
    return _(LABELS[action.family])


def invariants(box: Any, s: Any) -> str | None:
    """Return a sentence about the first thing in a state that cannot be, or None."""
    cards = [int(card) for card in s.hand[: s.seats]] + [int(card) for card in s.deck[: s.left]]
    return None if sorted(cards) == list(range(1, CARDS + 1)) else "a card is missing or there twice"
