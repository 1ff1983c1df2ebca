"""What people call the bots."""

from __future__ import annotations

from pyramidion.bots.levels import LEVELS

_OTHERS = {"policy": "Rules of thumb", "random": "Random"}


def label(name: str | None) -> str:
    """Return what people call a bot: `Easy` for "easy"; a bot from elsewhere has its own name."""
    return LEVELS[name].label if name in LEVELS else _OTHERS.get(name or "", name or "")
