"""Checks that several events share."""

from __future__ import annotations

from collections.abc import Iterable

from pyramidion import names
from pyramidion.event_log import NotPossible
from pyramidion.seasons.season import LARGEST, Season
from pyramidion.words import _

MOST_TEXT = 4_000


def clean_text(text: str, longest: int = MOST_TEXT) -> str:
    """Return a text without spaces around it. Raises NotPossible for a long one, or one without visible characters."""
    tidy = text.strip()
    if not names.visible(tidy) or len(tidy) > longest:
        raise NotPossible(_("Write 1 to {limit} characters.").format(limit=longest))
    return tidy


def new_name(name: str, taken: Iterable[str]) -> str:
    """Return a tidy name that looks like nobody else's. Raises NotPossible."""
    try:
        tidy = names.clean(name)
    except names.BadName as error:
        raise NotPossible(str(error)) from None
    if tidy is None:
        raise NotPossible(_("Enter a name."))
    if names.looks(tidy) in map(names.looks, taken):
        raise NotPossible(_("The name {name} is taken.").format(name=tidy))
    return tidy


def within(number: int) -> None:
    """Raise NotPossible for a number that is too large."""
    if abs(number) > LARGEST:
        raise NotPossible(_("Numbers can be at most {limit}.").format(limit=LARGEST))


def all_names(season: Season) -> list[str]:
    """Return the names of contestants and hosts."""
    return [one.name for one in (*season.cast.values(), *season.hosts.values())]
