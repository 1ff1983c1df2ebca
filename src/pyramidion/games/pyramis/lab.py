"""Names of Pyramis' components for the lab's tables."""

from __future__ import annotations

from pyramidion.games.pyramis.layout import COLOURS

ARGUMENTS = {"colour": COLOURS, "card": tuple(range(49))}
