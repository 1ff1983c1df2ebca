"""Presentation of Pyramid-Sham-Bo's events on the board."""

from pyramidion.engine.presentation import Presentation

SHOW = Presentation(chapters=("challenged",), falls=("out",))
