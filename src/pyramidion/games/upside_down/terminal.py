"""Terminal drawing of Upside Down, shared with Downside Up."""

from pyramidion.games.pyramid_of_ten.terminal_drawing import draw, short

__all__ = ["draw", "short"]
