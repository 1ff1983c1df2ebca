"""Results that a host releases one by one: what a held submission leads to, cut into steps."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, takewhile

from pyramidion.engine.events import SPECTATOR_BIT
from pyramidion.engine.steps import Steps
from pyramidion.web.table.clock.clock_state import HeldSubmission
from pyramidion.web.table.log.viewer_log import LogEntry, ViewerLog


class Release:
    """Computes the log entries that a held submission will add, and shows viewers those that the host has released.

    The submission is played on a copy. The table's own match stays where it was until the last step is released, so
    nothing else on the server knows the result before.

    A step is a public event with the private events that follow it. Private events before the first public one belong
    to the first step.

    Attributes:
        count: the number of steps.
    """

    def __init__(self, steps: Steps, viewer_log: ViewerLog, held: HeldSubmission) -> None:
        ahead = steps.fork()
        match, ply, late = ahead.match, ahead.match.ply, held.by_clock and steps.simultaneous
        self._viewer_log, self._ahead = viewer_log, viewer_log.fork(match)
        ended = ahead.play(held.seat, match.game.actions.parse(held.action).id)
        self._ahead.played(ply, held.seat, by_clock=held.by_clock, together=late, ended=ended)
        self._audiences = [audience for audience, _ in match.game.layout.events(match.state_copy().tobytes())]
        public = accumulate(audience >> SPECTATOR_BIT & 1 for audience in self._audiences)
        self._steps = [max(1, number) for number in public]
        self.count = self._steps[-1] if self._steps else 1
        self._entries: dict[int | None, list[tuple[int, LogEntry]]] = {}

    def log_entries(self, viewer: int | None, released: int) -> Sequence[LogEntry]:
        """Return the viewer's new entries of the first `released` steps; 0 gives only the moves for late players."""
        if viewer not in self._entries:
            bit = SPECTATOR_BIT if viewer is None else viewer
            seen = iter([step for step, who in zip(self._steps, self._audiences, strict=True) if who >> bit & 1])
            fresh = self._ahead.log_entries(viewer, len(self._viewer_log.log_entries(viewer)))
            # Entries that are no events of the game, such as defaults, have negative codes and come first.
            self._entries[viewer] = [(next(seen) if entry[1] >= 0 else 0, entry) for entry in fresh]
        return [
            entry for _, entry in takewhile(lambda step_and_entry: step_and_entry[0] <= released, self._entries[viewer])
        ]
