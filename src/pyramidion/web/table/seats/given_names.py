"""Names for players who bring none: those of bots, and of guests at a browser."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from zlib import crc32

from pyramidion.names import LONGEST, BadName, clean, lookalike, shortened
from pyramidion.translation import LANGUAGES, in_language, marked_for, pgettext

BOT_NAMES = (
    "Ada",
    "Blaise",
    "Clara",
    "Daniel",
    "Emmy",
    "Felix",
    "Grace",
    "Hypatia",
    "Ines",
    "Jakob",
    "Karl",
    "Lena",
    "Maria",
    "Niels",
    "Olga",
    "Pierre",
    "Quentin",
    "Rosa",
)
GUEST = "guest"
GUEST_NAMES = (
    marked_for("guest", "Alpaca"),
    marked_for("guest", "Antelope"),
    marked_for("guest", "Armadillo"),
    marked_for("guest", "Badger"),
    marked_for("guest", "Beaver"),
    marked_for("guest", "Bison"),
    marked_for("guest", "Camel"),
    marked_for("guest", "Chameleon"),
    marked_for("guest", "Dolphin"),
    marked_for("guest", "Falcon"),
    marked_for("guest", "Fennec"),
    marked_for("guest", "Flamingo"),
    marked_for("guest", "Gazelle"),
    marked_for("guest", "Gecko"),
    marked_for("guest", "Giraffe"),
    marked_for("guest", "Hedgehog"),
    marked_for("guest", "Heron"),
    marked_for("guest", "Hoopoe"),
    marked_for("guest", "Ibis"),
    marked_for("guest", "Jaguar"),
    marked_for("guest", "Kangaroo"),
    marked_for("guest", "Koala"),
    marked_for("guest", "Lemur"),
    marked_for("guest", "Lynx"),
    marked_for("guest", "Marmot"),
    marked_for("guest", "Meerkat"),
    marked_for("guest", "Moose"),
    marked_for("guest", "Narwhal"),
    marked_for("guest", "Nightingale"),
    marked_for("guest", "Octopus"),
    marked_for("guest", "Orca"),
    marked_for("guest", "Otter"),
    marked_for("guest", "Owl"),
    marked_for("guest", "Panda"),
    marked_for("guest", "Pelican"),
    marked_for("guest", "Penguin"),
    marked_for("guest", "Raccoon"),
    marked_for("guest", "Raven"),
    marked_for("guest", "Salamander"),
    marked_for("guest", "Squirrel"),
    marked_for("guest", "Stork"),
    marked_for("guest", "Swan"),
    marked_for("guest", "Tapir"),
    marked_for("guest", "Toucan"),
    marked_for("guest", "Walrus"),
    marked_for("guest", "Wombat"),
    marked_for("guest", "Woodpecker"),
    marked_for("guest", "Zebra"),
)


def fresh_names(given: Sequence[str | None]) -> Iterator[str]:
    """Return an iterator over names for bots that look like none `given`, alphabetical from a random start."""
    first = secrets.randbelow(len(BOT_NAMES))
    return (name for name in BOT_NAMES[first:] + BOT_NAMES[:first] if lookalike(name, given) is None)


def guest_name(holder: str, taken: Iterable[str | None] = ()) -> str | None:
    """Return the name of a visitor who has not chosen one, in the current language; None if all are taken.

    A browser has the same name at every table where nobody else has it.
    """
    used = tuple(taken)
    first = crc32(holder.encode()) % len(GUEST_NAMES)
    names = (pgettext(GUEST, name) for name in GUEST_NAMES[first:] + GUEST_NAMES[:first])
    return next((name for name in names if lookalike(name, used) is None), None)


def is_guest_name(name: str | None) -> bool:
    """Return whether a name, in any language, was given to a guest."""
    return name in _guest_names()


@cache
def _guest_names() -> frozenset[str]:
    """Return the names of guests in all languages."""
    names: set[str] = set()
    for tag in LANGUAGES:
        with in_language(tag):
            names.update(pgettext(GUEST, name) for name in GUEST_NAMES)
    return frozenset(names)


def apart(names: Iterable[str | None]) -> list[str | None]:
    """Return the names of a table's players so that no two look alike: the later one of two gets a number.

    A name that can no longer be used, since the rules for names have changed, becomes None.
    """
    called: list[str | None] = []
    for given in names:
        name = tidy = _usable(given)
        for number in range(2, len(called) + 2):
            if tidy is None or name is None or lookalike(name, called) is None:
                break
            ending = f" ({number})"
            name = _usable(shortened(tidy, LONGEST - len(ending)) + ending)
        called.append(name)
    return called


def _usable(name: str | None) -> str | None:
    """Return a name in its clean form, or None if it breaks the rules for names."""
    try:
        return clean(name)
    except BadName:
        return None
