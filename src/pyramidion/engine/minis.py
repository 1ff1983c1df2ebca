"""Small siblings of games: the same rules with fixed seats and options, small enough for exact methods."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Mini:
    """A small sibling of a game, declared in the game's folder (`Game.minis`).

    `pyramidion.load` finds it by the game's id and its `name`: `ponzi-scheme-mini`. It is no game of its own: web
    tables do not offer it, and it has no pages.

    Attributes:
        seats: its number of seats.
        options: the options that are fixed, with their values.
        name: the end of its id.
        card_file: the name of a card file in the game's folder that replaces `cards.toml`; empty for the same cards.
        openings: the number of deals between which chance chooses where it is solved (`env.open_spiel`); 0 if its tree
            is too large for that.
    """

    seats: int
    options: Mapping[str, Any]
    name: str = "mini"
    card_file: str = ""
    openings: int = 0


def mini_id(game_id: str, mini: Mini) -> str:
    """Return the id of a small sibling."""
    return f"{game_id}-{mini.name}"
