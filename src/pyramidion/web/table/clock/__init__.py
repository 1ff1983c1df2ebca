"""A table's clock: its state, the countdown of a reveal, and the timekeeper of all deadlines."""

from pyramidion.web.table.clock.clock_state import Clock, ClockState

__all__ = [
    "Clock",
    "ClockState",
]
