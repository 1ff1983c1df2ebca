"""How a table looks in a terminal: as any pyramid of ten."""

from pyramidion.games.pyramid_of_ten.tables import draw

__all__ = ["draw"]
