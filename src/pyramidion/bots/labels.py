"""Display names of the bots."""

from __future__ import annotations

from pyramidion.bots.levels import ALL_LEVELS
from pyramidion.translation import _, marked

_OTHERS = {"policy": marked("Rule-based"), "random": marked("Random"), "lesson": marked("Lesson")}


def label(name: str | None) -> str:
    """Return a bot's display name, such as `Easy` for "easy"; an unknown bot's label is its name."""
    if name in ALL_LEVELS:
        return _(ALL_LEVELS[name].label)
    return _(_OTHERS[name]) if name in _OTHERS else name or ""
