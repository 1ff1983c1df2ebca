"""Why an action is refused, as the refused seat may be told."""

from __future__ import annotations

from typing import Any

from pyramidion.engine.actions import Action, action_id
from pyramidion.engine.game import Game, Refusal
from pyramidion.translation import _


def id_of(game: Game, action: Action | int | str) -> int:
    """Return the id of an action given as an `Action`, an id or a notation. Raises ValueError with a sentence."""
    if isinstance(action, Action):
        return action.id
    if isinstance(action, str):
        return game.actions.parse(action).id
    try:
        return action_id(action)
    except ValueError:
        message = _("An action is an Action, its id or its notation, not {what}.")
        raise ValueError(message.format(what=f"{action!r:.40}")) from None


def refusal_of(game: Game, box: Any, state: Any, seat: int, action: Action | int | str) -> Refusal | None:
    """Return why the rules refuse an action of a seat, or None if it is legal.

    `box` and `state` are the records of the box and the state, both redacted for the seat.
    """
    try:
        number = id_of(game, action)
    except ValueError as error:
        return Refusal("", str(error))
    if not 0 <= number < len(game.actions):
        message = _("There is no action {action}; the ids of {game} run from 0 to {last}.")
        return Refusal("", message.format(action=number, game=_(game.name), last=len(game.actions) - 1))
    if state.over:
        return Refusal(game.rule_name(int(state.ending)), _("The game is over."))
    if not (int(state.acting) & ~int(state.submitted) | int(state.free)) >> seat & 1:
        return Refusal(*game.view.not_due(box, state, seat))
    reason = game.view.refusal(box, state, seat, game.actions[number])
    return Refusal(*reason) if reason else None
