"""Terminal drawing of Downside Up, shared with Upside Down."""

from pyramidion.games.pyramid_of_ten.tables import draw

__all__ = ["draw"]
