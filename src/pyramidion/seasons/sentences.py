"""The parts of a season's story: its sentences, and the moments of main matches that they tell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pyramidion.translation import _, listed, ngettext

View = Mapping[str, Any]
"""A season as its viewer may know it (`seasons.redaction.redact`)."""
Names = Callable[[str], str]
"""Returns the name that a contestant had at the time of the episode, by id."""
MOST_NAMES = 3
"""Most people in a sentence that says little about each; with more it gives their number, or is left out."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment of a main match (`engine.outcome.SeasonMoment`), with contestants instead of seats."""

    kind: Literal["fell", "climbed", "challenged"]
    who: str
    other: str
    count: int = 0
    last: bool = False


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the story in the current language, the kind of it, and whom it is about, by their ids."""

    kind: str
    who: tuple[str, ...]
    text: str


def listed_names(people: Iterable[str], names: Names) -> str:
    """Return the names of people, by their ids, as a list in words."""
    return listed([names(who) for who in people])


def ending_sentence(winners: Sequence[str], names: Names) -> str:
    """Return the sentence that says how a season has ended; `winners` are ids, none where nobody has won."""
    if not winners:
        return _("The season has ended without a winner.")
    text = ngettext("{names} has won the season.", "{names} have won the season.", len(winners))
    return text.format(names=listed_names(winners, names))
