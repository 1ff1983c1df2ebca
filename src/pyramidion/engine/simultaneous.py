"""Simultaneous steps: several seats decide at the same time, hidden from each other until all have submitted.

A rule opens a step with a mask of seats. A seat may save parts of its decision with separate actions; they are stored
in fields with the audience `own` and can be overwritten. The seat's last action calls `submit`. When `submit` returns
True, the rule resolves the step from the saved fields, in an order that does not depend on the order of submission.
"""

from __future__ import annotations

from typing import Any

from pyramidion.engine.rule import rule


@rule
def open_step(s: Any, mask: int) -> None:
    """Open a step for the seats in the bitmask `mask`."""
    s.acting = mask
    s.submitted = 0


@rule
def submit(s: Any, seat: int) -> bool:
    """Record that `seat` has submitted; return whether all seats of the step have."""
    s.submitted |= 1 << seat
    if s.submitted == s.acting:
        s.submitted = 0
        return True
    return False
