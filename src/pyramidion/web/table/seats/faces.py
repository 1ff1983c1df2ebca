"""Faces: how the avatar of a seat looks, as its player chose it, or made from the seat's number and the name."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import lru_cache
from zlib import crc32

PARTS = {"colour": 10, "shape": 10, "skin": 5, "hair_colour": 5, "hair": 5, "eyes": 4, "mouth": 4}
"""The parts of a face, and how many kinds there are of each."""


@dataclass(frozen=True, slots=True)
class Face:
    """How an avatar looks: for each part, the number of one of its kinds (`PARTS`).

    `colour` and `shape` are those of the ground it is drawn on.
    """

    colour: int
    shape: int
    skin: int
    hair_colour: int
    hair: int
    eyes: int
    mouth: int

    @property
    def text(self) -> str:
        """The face as it is stored: a digit for each part."""
        return "".join(str(kind) for kind in asdict(self).values())

    @staticmethod
    def parse(text: str) -> Face:
        """Return the face that is stored as `text`. Raises ValueError if that is no face."""
        kinds = [int(digit) for digit in text if digit in "0123456789"]
        if len(text) != len(PARTS) or len(kinds) != len(PARTS):
            raise ValueError(text)
        if any(kind >= most for kind, most in zip(kinds, PARTS.values(), strict=True)):
            raise ValueError(text)
        return Face(*kinds)


@lru_cache(maxsize=8192)
def face_of(number: int, name: str, chosen: str | None = None) -> Face:
    """Return a seat's face: the one its player chose, else one made from the seat's number and the player's name."""
    if chosen is not None:
        return Face.parse(chosen)
    seed = crc32(name.encode())
    ground = number % PARTS["colour"]
    return Face(ground, ground, seed % 5, seed // 5 % 5, seed // 25 % 5, seed // 125 % 4, seed // 500 % 4)
