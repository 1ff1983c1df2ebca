"""Submissions of several parts: save, replace, confirm and reopen while a phase is open. Compiled.

In both games the action space ends with trade, confirm and reopen, in this order.
"""

from __future__ import annotations

from pyramidion.engine.rule import rule
from pyramidion.engine.simultaneous import open_step
from pyramidion.games.pyramid_of_ten.fields import MOST_PARTS
from pyramidion.games.pyramid_of_ten.spaces import EVERYBODY, TEN


@rule
def open_phase(s, phase, asked):
    """Open a phase that waits for the seats in the bitmask `asked`, and in which every seat may trade."""
    s.phase = phase
    s.free = EVERYBODY
    for seat in range(TEN):
        s.parts[seat] = 0
        s.bid[seat] = 0
        s.claim[seat] = 0
        s.challenge[seat] = 0
    open_step(s, asked)


@rule
def is_awaited(s, seat):
    """Return whether the phase waits for a seat, which is asked for a submission and has not confirmed it."""
    return (int(s.acting) & ~int(s.submitted)) >> seat & 1 == 1


@rule
def may_save(s, seat):
    """Return whether a seat may save a part: it is asked, has not confirmed, and has saves left in this phase."""
    return is_awaited(s, seat) and s.parts[seat] < MOST_PARTS


@rule
def list_the_rest(s, seat, may_trade, trade, out, n):
    """Append trade, confirm and reopen, where legal, to the first `n` legal actions in `out`; return the new count."""
    asked, confirmed = int(s.acting) >> seat & 1, int(s.submitted) >> seat & 1
    out[n] = trade
    n += int(may_trade)
    out[n] = trade + 1
    n += asked & (1 - confirmed)
    out[n] = trade + 2
    return n + (confirmed & int(s.parts[seat] < MOST_PARTS))


@rule
def reopen(s, seat):
    """Withdraw a seat's confirmation, so that it can change its submission.

    It counts against MOST_PARTS, so that a phase cannot go on forever.
    """
    s.submitted = int(s.submitted) & ~(1 << int(seat))
    s.parts[seat] += 1


@rule
def saved(value, default):
    """Return the value of a field of a submission as its phase closes: what is saved, or the default."""
    return int(value) - 1 if value > 0 else default
