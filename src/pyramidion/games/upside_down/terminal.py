"""Terminal drawing of Upside Down, shared with Downside Up."""

from pyramidion.games.pyramid_of_ten.tables import draw

__all__ = ["draw"]
