"""Presentation of Downside Up Pyramid Scheme's events on the pyramid."""

from pyramidion.games.pyramid_of_ten.showing import show_of

SHOW = show_of("bankrupt")
