"""Views, refusals, log sentences and button labels for Kuhn Poker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pyramidion.engine.actions import Action
from pyramidion.engine.layout import seat_of
from pyramidion.engine.legality import refusal_from
from pyramidion.translation import _, marked, ngettext, seat_word

from .layout import CARDS, STATE
from .rules import forbidden

NAMES = {"jack": marked("jack"), "queen": marked("queen"), "king": marked("king")}
TOLD = {
    "began": marked("Hand {hand} begins; {seat} acts first."),
    "dealt": marked("{seat} was dealt the {card}."),
    "checked": marked("{seat} checked."),
    "bet": marked("{seat} bet 1 chip."),
    "called": marked("{seat} called."),
    "folded": marked("{seat} folded."),
    "showed": marked("{seat} showed the {card}."),
    "ended": marked("That was the last hand."),
}
LABELS = {"check": marked("Check"), "bet": marked("Bet 1 chip"), "call": marked("Call"), "fold": marked("Fold")}


def view(box: Any, s: Any, viewer: int | None) -> dict[str, Any]:
    """Return the JSON-ready view for `viewer`: a seat, None for a spectator, or EVERYTHING."""
    return {
        "game": "kuhn-poker",
        "seat": seat_of(viewer),
        "seats": 2,
        "phase": "over" if s.over else "hand",
        "hand": int(s.hand),
        "hands": int(box.hands),
        "acting": [p for p in range(2) if int(s.acting) >> p & 1],
        "pot": int(s.stake[0]) + int(s.stake[1]),
        "shown": [_card(s.shown[p]) for p in range(2)] if s.shown[0] else None,
        "players": [
            {
                "seat": p,
                "card": _card(STATE.visible(s, viewer, "card", p)),
                "chips": int(s.chips[p]),
                "stake": int(s.stake[p]),
            }
            for p in range(2)
        ],
        "outcome": {"rule": "KP 1.6", "winners": [p for p in range(2) if int(s.winners) >> p & 1]} if s.over else None,
    }


def _card(number: Any) -> str | None:
    return CARDS[int(number) - 1] if number else None


def not_due(box: Any, s: Any, seat: int) -> tuple[str, str]:
    """Return the rule number and message for a seat that has no decision to make."""
    return "KP 1.3", _("It is not your turn: {seat} is to act.").format(seat=seat_word(1 - seat))


REASONS = {1_03: marked("There is no bet: check, or bet."), 1_04: marked("There is a bet: call it or fold.")}
refusal = refusal_from(forbidden, REASONS, "KP")


def tell(name: str, data: Mapping[str, int], names: Sequence[str]) -> str:
    """Return the log sentence for an event."""
    seat = names[data["seat"]] if "seat" in data else ""
    if name == "won":
        said = ngettext("{seat} won {chips} chip.", "{seat} won {chips} chips.", data["chips"])
        return said.format(seat=seat, chips=data["chips"])
    card = _(NAMES[CARDS[data["card"] - 1]]) if "card" in data else ""
    return _(TOLD[name]).format(seat=seat, card=card, hand=data.get("hand"))


def label(action: Action, names: Sequence[str], box: Any = None) -> str:
    """Return the button label for an action."""
    return _(LABELS[action.family])


def invariants(box: Any, s: Any) -> str | None:
    """Return a sentence describing the first inconsistency in a state, or None."""
    cards = [int(card) for card in s.card]
    if not s.over and (len(set(cards)) < 2 or min(cards) < 1 or max(cards) > 3):
        return f"the cards are {cards}"
    if int(s.chips[0]) + int(s.chips[1]) != 0:
        return "chips were made or lost"
    return None
