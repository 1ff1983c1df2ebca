"""Checks that several events share."""

from __future__ import annotations

from functools import cache
from zoneinfo import available_timezones

from pyramidion.event_log import NotPossible
from pyramidion.seasons.season import LARGEST
from pyramidion.translation import _

zones = cache(available_timezones)  # reads hundreds of files


def check_zone(zone: str) -> None:
    """Raise NotPossible unless there is a time zone of this name."""
    if zone not in zones():
        raise NotPossible(_("Enter a time zone such as Europe/Paris."))


def require_in_range(number: int) -> None:
    """Raise NotPossible if a number is above LARGEST, or below its negative."""
    if abs(number) > LARGEST:
        raise NotPossible(_("Numbers can be at most {limit}.").format(limit=LARGEST))
