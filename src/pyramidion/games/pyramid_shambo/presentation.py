"""Presentation of Pyramid-Sham-Bo's events on the board."""

from pyramidion.engine.show import Show

SHOW = Show(chapters=("challenged",), falls=("out",))
