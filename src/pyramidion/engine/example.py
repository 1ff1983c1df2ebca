"""Pictured examples of rules: a game folder's `examples.toml`, one recorded game and what to look at in it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyramidion.translation import quantity

if TYPE_CHECKING:
    from pyramidion.engine.game import Game
    from pyramidion.engine.match import Match

FILE = "examples.toml"
EXAMPLE_KEYS = {"rule", "ply", "plies", "viewer", "parts", "say", "event"}
FILE_KEYS = {"seats", "seed", "names", "plies", "options", "examples"}


class BadExamples(ValueError):
    """The file of examples is invalid; the message says why."""


@dataclass(frozen=True, slots=True)
class Example:
    """A pictured example of a rule: what the rule does, as a position before and after.

    Attributes:
        rule: its number within the game, such as "4.1".
        ply: number of actions played before the first picture.
        plies: number of actions between the two pictures.
        viewer: the seat that sees what they show; None for a spectator.
        parts: the ids of the parts of the board that are drawn.
        say: what happens, in English; translated when shown.
        event: what the rules must report of the last of these actions: the event's name and some of its data.
    """

    rule: str
    ply: int
    plies: int
    viewer: int | None
    parts: tuple[str, ...]
    say: str
    event: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Examples:
    """A game's pictured examples, all from one recorded game. `plies` are its actions, each a seat and a notation."""

    seats: int
    seed: int
    names: tuple[str, ...]
    options: Mapping[str, Any]
    plies: tuple[tuple[int, str], ...]
    examples: tuple[Example, ...]

    def positions(self, game: Game) -> Iterator[tuple[Example, Match, Match]]:
        """Yield every example with the match before it and after it, from a replay of the recorded game."""
        match = game.new(self.seats, self.seed, **self.options)
        for seat, action in self.plies:
            match.play(seat, action)
        for example in self.examples:
            yield example, match.at(example.ply), match.at(example.ply + example.plies)


def examples_of(game: Game) -> Examples | None:
    """Return a game's examples, or None for a game without any. Raises BadExamples."""
    return _read(game.folder / FILE)


@cache
def _read(path: Path) -> Examples | None:
    """Return the examples in a file, or None if there is no file."""
    return parse(path.read_text("utf-8")) if path.is_file() else None


def parse(text: str) -> Examples:
    """Parse the text of an `examples.toml`. Raises BadExamples with a sentence."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadExamples(f"The examples are not valid TOML: {error}.") from error
    _check(data, FILE_KEYS, {"options"}, "The file")
    plies: list[tuple[int, str]] = []
    for line in data["plies"].replace("\n", " ").split(","):
        seat, _space, action = " ".join(line.split()).partition(" ")
        if not (seat.isdigit() and int(seat) < data["seats"] and action):
            raise BadExamples(f"{line.strip()!r} must be the number of a seat and an action.")
        plies.append((int(seat), action))
    if len(data["names"]) != data["seats"]:
        raise BadExamples("Every seat must have a name.")
    examples: list[Example] = []
    for number, table in enumerate(data["examples"], 1):
        _check(table, EXAMPLE_KEYS, {"plies", "viewer"}, f"Example {number}")
        example = Example(
            table["rule"],
            table["ply"],
            table.get("plies", 1),
            table.get("viewer"),
            tuple(table["parts"]),
            table["say"],
            table["event"],
        )
        if not 0 <= example.ply < example.ply + example.plies <= len(plies):
            raise BadExamples(f"Example {number} is not within the game's {quantity(len(plies), 'action')}.")
        examples.append(example)
    return Examples(
        data["seats"], data["seed"], tuple(data["names"]), data.get("options", {}), tuple(plies), tuple(examples)
    )


def _check(data: Mapping[str, Any], keys: set[str], optional: set[str], where: str) -> None:
    """Raise BadExamples if a table has keys that are not among `keys`, or lacks keys that are not `optional`."""
    if unknown := data.keys() - keys:
        raise BadExamples(f"{where} has {', '.join(sorted(unknown))}, which examples do not know.")
    if missing := keys - optional - data.keys():
        raise BadExamples(f"{where} lacks {', '.join(sorted(missing))}.")
