"""Hints at a terminal table: what the strongest bot would do in a seat and why, from what that seat sees."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING

from rich.console import Console

from pyramidion.bots import SearchBot, background_compilation, strongest
from pyramidion.bots.foresight import reason
from pyramidion.bots.interpretation import alternatives, recommendation
from pyramidion.terminal.choices import ListEntry
from pyramidion.translation import _

if TYPE_CHECKING:
    from pyramidion import Action, Match

SECONDS = 2.0
"""How long a search for a hint takes."""


def wait_for_search(compiled: Future[None], console: Console) -> None:
    """Wait until a game's search is compiled, with a message."""
    if not compiled.done():
        with console.status(_("Preparing the bots. The first time on a computer, this takes up to a minute.")):
            compiled.result()


def hint(match: Match, seat: int, names: Sequence[str], listed: Sequence[ListEntry], console: Console) -> str:
    """Return what the strongest bot would do in a seat that has to decide, why, and what to type for it."""
    game, legal = match.game, match.legal(seat)
    on_list = {entry.action.id: entry.label for entry in listed if entry.low is None}

    def label(number: int) -> str:
        """Return an action as the list shows it."""
        return on_list.get(number) or match.label(game.actions[number], names)

    if len(legal) == 1:
        return _("“{action}” is your only move.").format(action=label(legal[0].id))
    wait_for_search(background_compilation.start(game), console)
    level = strongest(game, match.seats, match.box)
    box, state = match.box_for(seat), match.redacted_state(seat)
    with console.status(_("Thinking")):
        result = SearchBot(game, level=level).think(box, state, seat, seconds=SECONDS, iterations=level.iterations)
        verdict = recommendation(result, label)
        why = reason(game, box, state, seat, verdict.action, alternatives(result, verdict.action, label))
    text = _("Type {key} for “{action}”.")
    typed = text.format(key=_key(game.actions[verdict.action], listed), action=label(verdict.action))
    return " ".join(part for part in (verdict.sentence, why, typed) if part)


def _key(action: Action, listed: Sequence[ListEntry]) -> str:
    """Return what a player types for an action on a list."""
    for entry in listed:
        if entry.low is None and entry.action.id == action.id:
            return entry.key
        if entry.low is not None and entry.action.family == action.family:
            return entry.key.replace("N", str(action.args[0]))
    return action.text
