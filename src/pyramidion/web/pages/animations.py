"""Beats: what a page animates for an event, derived from the event as its viewer observed it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jinja2 import Environment, TemplateNotFound
from markupsafe import Markup


def touched(event: Any, game: Any, me: int | None) -> str:
    """Return the ids and keys of the board elements that an event concerns, separated by spaces."""
    if event.name not in game.events.kinds:
        return ""  # a host command, which is no event of the game
    seats, keys = game.presentation.touched(event.name, event.data)
    return " ".join([*("own" if seat == me else f"player-{seat}" for seat in seats), *keys])


def beat_of(event: Any, game: Any) -> str:
    """Return the name of the beat that an event belongs to; neighbours with the same name are played together."""
    return game.presentation.beat(event.name, event.data) if event.name in game.events.kinds else event.name


def walking(event: Any, game: Any) -> str:
    """Return the keys of the pieces that change places in an event, pair by pair, separated by spaces."""
    return " ".join(game.presentation.walking(event.name, event.data)) if event.name in game.events.kinds else ""


def drawer(environment: Environment, game: Any) -> dict[str, Any]:
    """Return a game's drawings of big events: by event name, a template macro of the event and the players' names."""
    try:
        macros = vars(environment.get_template(f"{game.id}/stage.html").module)
    except TemplateNotFound:
        return {}
    return {name: macro for name, macro in macros.items() if name in game.events.kinds}


def drawn(environment: Environment, event: Any, game: Any, names: Sequence[str]) -> Markup:
    """Return the drawing of an event; empty if the game has none for it."""
    macro = drawer(environment, game).get(event.name)
    return macro(event, names) if macro is not None else Markup("")
