"""The file in which a game at a terminal is saved."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from pyramidion.translation import _

if TYPE_CHECKING:
    from pyramidion import Match


class GameFile:
    """The file to which a match's record is written after every action, once there is one.

    Attributes:
        path: where it is; None as long as the game is not saved.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path

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
        draft.write_text(json.dumps(match.record()) + "\n", "utf-8")
        draft.replace(self.path)
