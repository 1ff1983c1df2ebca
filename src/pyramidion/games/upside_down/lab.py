"""What the lab measures and draws."""

from __future__ import annotations

from pyramidion.games.pyramid_of_ten.lab_measures import METRICS, PICTURES
from pyramidion.games.pyramid_of_ten.spaces import SPACES

ARGUMENTS = {"space": SPACES}

__all__ = ["ARGUMENTS", "METRICS", "PICTURES"]
