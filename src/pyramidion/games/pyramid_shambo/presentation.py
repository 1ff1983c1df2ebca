"""Presentation of Pyramid-Sham-Bo's events on the board."""

from pyramidion.engine.presentation import Show

SHOW = Show(chapters=("challenged",), falls=("out",))
