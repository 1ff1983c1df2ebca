"""Proposals: players' requests for a takeback, a pause or more time, derived from the host commands alone."""

from __future__ import annotations

from dataclasses import dataclass, field

from pyramidion.web.db.host_command_rows import HostCommand

TAKEBACK, PAUSE, EXTENSION = "takeback", "pause", "extension"
WHAT = (TAKEBACK, PAUSE, EXTENSION)


@dataclass(slots=True)
class Proposal:
    """A player's request for a takeback, a pause or more time that is not decided yet.

    Attributes:
        what: `takeback`, `pause` or `extension`.
        seat: who made it.
        agreed: the seats that have agreed.
    """

    what: str
    seat: int
    agreed: set[int] = field(default_factory=set[int])


class Proposals:
    """Keeps a table's open proposals, and the refused ones, which cannot be repeated before the next action."""

    def __init__(self) -> None:
        self.open: dict[str, Proposal] = {}
        self.refused: set[tuple[str, int]] = set()

    def played(self, ended: bool) -> None:
        """Cancel what an action makes obsolete: takebacks, and requests for more time if it has `ended` a step."""
        self.open.pop(TAKEBACK, None)
        if ended:
            self.open.pop(EXTENSION, None)
        self.refused.clear()

    def close(self) -> None:
        """Cancel all proposals, because the game is over."""
        self.open.clear()

    def note_command(self, command: HostCommand) -> None:
        """Open, answer or close the proposal that a host command is about."""
        what = str(command.data.get("what", ""))
        if command.kind.endswith("-proposed") and isinstance(command.by, int):
            what = command.kind.partition("-")[0]
            self.open[what] = Proposal(what, command.by)
        elif command.kind == "agreed" and isinstance(command.by, int) and what in self.open:
            self.open[what].agreed.add(command.by)
        elif command.kind in ("refused", "withdrawn") and what in self.open:
            self.refused.add((what, self.open.pop(what).seat))
        elif command.kind == "paused":
            self.open.pop(PAUSE, None)
        elif command.kind == "extended":
            self.open.pop(EXTENSION, None)
        elif command.kind in ("replaced", "resigned", "stands-in"):
            # Those who were asked have changed. Nobody who is left might have to answer, so it has to be proposed anew.
            self.open.clear()
        elif command.back_to is not None:
            self.open.pop(TAKEBACK, None)
            self.open.pop(EXTENSION, None)
            self.refused.clear()
