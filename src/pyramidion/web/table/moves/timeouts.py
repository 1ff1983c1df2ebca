"""What happens at a table when its deadline has passed."""

from __future__ import annotations

from pyramidion.engine.steps import Steps
from pyramidion.web.db.journal import HostCommand
from pyramidion.web.table.absence import has_choice, with_absent
from pyramidion.web.table.clock_state import Clock
from pyramidion.web.table.gathering import Gathering
from pyramidion.web.table.planner import Move, Planner


def move_at_deadline(table: Gathering, steps: Steps, clock: Clock, planner: Planner, at: int) -> Move:
    """Return the clock's move: the opening of the first phase, the rest of the results, or default moves."""
    if clock.paused:
        return Move((), clock.state.resumed(at), [HostCommand("opened", "clock", {}, at)])
    if clock.releasing:
        # The host may be gone, and everybody else is waiting.
        return planner.release(steps, clock.state, None, at)
    chose = {seat for seat in steps.match.acting if has_choice(steps.match, seat)}
    return with_absent(table, planner.time_up(steps, clock.state, at), chose, at)
