"""Terminal drawing of Downside Up, shared with Upside Down."""

from pyramidion.games.pyramid_of_ten.terminal_drawing import draw, short

__all__ = ["draw", "short"]
