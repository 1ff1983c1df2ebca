"""What people call the bots."""

from __future__ import annotations

from pyramidion.bots.levels import LEVELS
from pyramidion.words import _, marked

_OTHERS = {"policy": marked("Rules of thumb"), "random": marked("Random")}


def label(name: str | None) -> str:
    """Return what people call a bot: `Easy` for "easy"; a bot from elsewhere has its own name."""
    if name in LEVELS:
        return _(LEVELS[name].label)
    return _(_OTHERS[name]) if name in _OTHERS else name or ""
