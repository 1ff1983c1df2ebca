"""Presentation of Upside Down Pyramid Scheme's events on the pyramid."""

from pyramidion.games.pyramid_of_ten.showing import show_of

SHOW = show_of("candidate")
