"""Sentences about events: players' names in them, and the second person for the player who reads them.

    {seat} {seat:gets|get} {tickets}.       Ana gets 2 tickets.     You get 2 tickets.
    {seat:*'s|Your} pyramid crumbles.       Ana's pyramid crumbles. Your pyramid crumbles.

A template names a seat as `{seat}`: the player's name, or "you" for the reader. Where more than the name differs, the
field has two texts: the first for a name, the second for the reader; `*` stands for the name. Translations choose their
own forms.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, overload

from pyramidion.translation import listed, pgettext


class Name(str):
    """A player's name, or those of several, as a template shows it: `{seat}` or `{seat:gets|get}`.

    Attributes:
        of_reader: whether it stands for the reader, perhaps among others.
    """

    of_reader: bool

    def __new__(cls, text: str, of_reader: bool = False) -> Name:
        """Return a name with its text."""
        name = super().__new__(cls, text)
        name.of_reader = of_reader
        return name

    def __format__(self, spec: str) -> str:
        """Return the name, or the one of two texts that goes with it."""
        if "|" not in spec:
            return super().__format__(spec)
        of_others, of_reader = spec.split("|")
        return (of_reader if self.of_reader else of_others).replace("*", str(self))


class Names(Sequence[str]):
    """The players' names by seat, as one reader reads them.

    Attributes:
        named: the seats whose names have been used so far.
    """

    def __init__(self, names: Sequence[str], reader: int | None = None) -> None:
        """`reader` is the seat of the player who reads, None for anyone else."""
        self._names, self._reader = names, reader
        self.named: set[int] = set()

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        """Return the name of a seat, or those of several."""
        if isinstance(index, slice):
            return [self[seat] for seat in range(*index.indices(len(self)))]
        self.named.add(int(index))
        return Name(_you().lower(), of_reader=True) if index == self._reader else Name(self._names[index])

    def __len__(self) -> int:
        """Return the number of names."""
        return len(self._names)

    def capitalized(self, sentence: str) -> str:
        """Return a sentence with a capital letter if it begins with the word for the reader."""
        if self._reader not in self.named:
            return sentence
        return re.sub(rf"^{_you().lower()}\b", _you(), sentence)


def names_listed(names: Sequence[str]) -> Name:
    """Join names as in a sentence: `Ana, Ben and you`."""
    return Name(listed(list(names)), of_reader=any(isinstance(name, Name) and name.of_reader for name in names))


def sentence_of(game: Any, name: str, data: Mapping[str, int], names: Sequence[str] | None, reader: int | None) -> str:
    """Return the sentence about an event `name` of a `Game` with the arguments `data`, in the current language.

    `names` are the players' by seat. `reader` is the seat of the player who reads it and is called "you", or None.
    """
    called = Names(game.names(names), reader)
    return called.capitalized(game.view.tell(name, data, called))


def _you() -> str:
    """Return the word for the reader, with a capital letter."""
    return pgettext("a player", "You")
