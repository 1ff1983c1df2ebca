"""Decisions that several seats make at the same time, each hidden until all have made theirs.

A rule opens a step with the seats that are to decide; each of their parts is an action of its own that saves what it
says in a field with the audience `own`, where a later one may replace it; `submit` is the last of them. When it returns
True the rule resolves the step with what is saved, in an order that no submission has a part in.
"""

from __future__ import annotations

from typing import Any

from pyramidion.engine.rule import rule


@rule
def open_step(s: Any, mask: int) -> None:
    """Ask the seats in the bitmask `mask` to decide."""
    s.acting = mask
    s.submitted = 0


@rule
def submit(s: Any, seat: int) -> bool:
    """Note that `seat` has decided for good; return whether everybody who was asked has."""
    s.submitted |= 1 << seat
    if s.submitted == s.acting:
        s.submitted = 0
        return True
    return False
