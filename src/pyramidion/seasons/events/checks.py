"""Checks that several events share."""

from __future__ import annotations

from pyramidion.event_log import NotPossible
from pyramidion.seasons.season import LARGEST
from pyramidion.words import _


def within(number: int) -> None:
    """Raise NotPossible for a number that is too large."""
    if abs(number) > LARGEST:
        raise NotPossible(_("Numbers can be at most {limit}.").format(limit=LARGEST))
