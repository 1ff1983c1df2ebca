"""The file in which a game at a terminal is saved: the match's record, and who sits at the table."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pyramidion.translation import _

if TYPE_CHECKING:
    from pyramidion import Match

KEY = "terminal"
"""The key of the seating in the record."""


@dataclass
class Seating:
    """Who sits at a table in a terminal, as far as the record of its match does not say.

    Attributes:
        people, bots: the names of the people and of the bots, in the order of their seats.
        seats: the seats of the people; the bots have the others.
        level: the bots' name, such as `normal`.
        lesson: whether a coach leads through the game's lesson.
    """

    people: list[str] = field(default_factory=list[str])
    bots: list[str] = field(default_factory=list[str])
    seats: list[int] = field(default_factory=list[int])
    level: str = "normal"
    lesson: bool = False

    def names(self) -> dict[int, str]:
        """Return the names of the people by their seats."""
        return dict(zip(self.seats, self.people, strict=True))

    def bot_names(self) -> dict[int, str]:
        """Return the names of the bots by their seats."""
        others = [seat for seat in range(len(self.people) + len(self.bots)) if seat not in self.seats]
        return dict(zip(others, self.bots, strict=True))

    @classmethod
    def of_record(cls, record: Any, seats: int) -> Seating | None:
        """Return who sat at the table of a record with so many seats; None if the record does not say it."""
        data = cast("Mapping[str, Any]", record).get(KEY) if isinstance(record, Mapping) else None
        match data:
            case {
                "people": [*people],
                "bots": [*bots],
                "seats": [*places],
                "level": str(level),
                "lesson": bool(lesson),
            }:
                named = all(isinstance(name, str) for name in (*people, *bots))
                seated = all(type(seat) is int and 0 <= seat < seats for seat in places)
                if named and seated and len({*places}) == len(people) > 0 and len(people) + len(bots) == seats:
                    return cls(people, bots, places, level, lesson)
            case _:
                pass
        return None


class GameFile:
    """The file to which a match's record is written after every action, once there is one.

    Attributes:
        path: where it is; None as long as the game is not saved.
        seating: who sits at the table.
    """

    def __init__(self, path: Path | None = None, seating: Seating | None = None) -> None:
        self.path, self.seating = path, seating

    def begin(self, name: str, match: Match) -> None:
        """Save the match in a new file from now on. Raises ValueError with a sentence if that cannot be done."""
        path = Path(name).expanduser()
        if path.exists():
            raise ValueError(_("There is already a file {file}. Choose another name.").format(file=path))
        before, self.path = self.path, path
        try:
            self.write(match)
        except OSError as error:
            self.path = before
            message = _("{file} cannot be written: {reason}.")
            raise ValueError(message.format(file=path, reason=error.strerror or error)) from error

    def write(self, match: Match) -> None:
        """Write the record atomically: to a temporary file that then replaces the old one."""
        if self.path is None:
            return
        draft = self.path.with_name(self.path.name + ".part")
        record = match.record() | ({KEY: asdict(self.seating)} if self.seating else {})
        draft.write_text(json.dumps(record) + "\n", "utf-8")
        draft.replace(self.path)
