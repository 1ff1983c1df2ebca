"""What players ask of each other: to take the last action back, and for a pause. It follows from the acts alone."""

from __future__ import annotations

from dataclasses import dataclass, field

from pyramidion.web.acts import Act

UNDO, PAUSE = "undo", "pause"
WHAT = (UNDO, PAUSE)


@dataclass(slots=True)
class Ask:
    """Something that is asked for and not yet decided.

    Attributes:
        what: `undo` or `pause`.
        seat: who asks.
        agreed: the seats that have agreed.
    """

    what: str
    seat: int
    agreed: set[int] = field(default_factory=set[int])


class Asks:
    """What is being asked for at a table, and what was refused and may not be asked for again at once."""

    def __init__(self) -> None:
        self.open: dict[str, Ask] = {}
        self.refused: set[tuple[str, int]] = set()

    def played(self) -> None:
        """Take note of an action: it withdraws the question whether the one before it is taken back."""
        self.open.pop(UNDO, None)
        self.refused.clear()

    def acted(self, act: Act) -> None:
        """Take note of an act."""
        what = str(act.data.get("what", ""))
        if act.kind in ("undo-asked", "pause-asked") and isinstance(act.by, int):
            what = act.kind.partition("-")[0]
            self.open[what] = Ask(what, act.by)
        elif act.kind == "agreed" and isinstance(act.by, int) and what in self.open:
            self.open[what].agreed.add(act.by)
        elif act.kind in ("refused", "withdrawn") and what in self.open:
            self.refused.add((what, self.open.pop(what).seat))
        elif act.kind == "paused":
            self.open.pop(PAUSE, None)
        elif act.back_to is not None:
            self.open.pop(UNDO, None)
            self.refused.clear()
