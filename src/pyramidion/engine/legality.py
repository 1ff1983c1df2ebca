"""Legality stated once: `legal` for the rules and `refusal` for the view, both made of one rule.

    @rule
    def forbidden(box, s, seat, action): ...  # the number of the rule that forbids it, 1_03, or 0 if it is legal

    legal = legal_from(forbidden, len(ACTIONS))                                   # in rules.py
    refusal = refusal_from(forbidden, {1_03: marked("You have ... already.")}, "MG")  # in view.py

`legal` tries every action, so a game with thousands of actions writes its own; the laws then compare it with `refusal`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pyramidion.engine.actions import Action
from pyramidion.engine.game import rule_name
from pyramidion.engine.rule import INTERPRETED, interpreted, rule
from pyramidion.translation import _


def legal_from(forbidden: Any, actions: int) -> Any:
    """Return the rule `legal` of a game with `actions` actions: it lists those for which `forbidden` returns 0."""

    @rule
    def legal(box: Any, s: Any, seat: int, out: Any) -> int:
        """Write the ids of all actions that no rule forbids to `out`, ascending; return their number."""
        count = 0
        for action in range(actions):
            if forbidden(box, s, seat, action) == 0:
                out[count] = action
                count += 1
        return count

    return legal


def refusal_from(
    forbidden: Any, reasons: Mapping[int, str], prefix: str
) -> Callable[[Any, Any, int, Action], tuple[str, str] | None]:
    """Return the function `refusal` of a view, for the rule `forbidden`.

    `reasons` holds the sentence for each rule that forbids something, marked for translation. `prefix` is that of the
    game's rule numbers.
    """
    check = forbidden if INTERPRETED else interpreted(forbidden)

    def refusal(box: Any, s: Any, seat: int, action: Action) -> tuple[str, str] | None:
        """Return (rule, sentence) why a due seat may not take an action, or None if it may."""
        number = int(check(box, s, seat, action.id))
        return (rule_name(prefix, number), _(reasons[number])) if number else None

    return refusal
