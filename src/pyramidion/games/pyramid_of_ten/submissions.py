"""Submissions of several parts: saved, replaced, confirmed and taken back while a phase is open (compiled).

Both games end their actions with trade, confirm and reopen, in this order.
"""

from __future__ import annotations

from pyramidion.engine.rule import rule
from pyramidion.engine.simultaneous import open_step
from pyramidion.games.pyramid_of_ten.fields import MOST_PARTS
from pyramidion.games.pyramid_of_ten.spaces import EVERYBODY, TEN


@rule
def open_phase(s, phase, asked):
    """Open a phase in which the seats in the mask `asked` are waited for, and everybody may trade."""
    s.phase = phase
    s.free = EVERYBODY
    for seat in range(TEN):
        s.parts[seat] = 0
        s.bid[seat] = 0
        s.claim[seat] = 0
        s.challenge[seat] = 0
    open_step(s, asked)


@rule
def may_save(s, seat):
    """Whether a seat is asked, has not confirmed, and has parts left to save."""
    return (int(s.acting) & ~int(s.submitted)) >> seat & 1 == 1 and s.parts[seat] < MOST_PARTS


@rule
def list_the_rest(s, seat, may_trade, trade, out, n):
    """Write trade, confirm and reopen where they are legal to `out` from place `n` on; return how many there are."""
    asked, confirmed = int(s.acting) >> seat & 1, int(s.submitted) >> seat & 1
    out[n] = trade
    n += int(may_trade)
    out[n] = trade + 1
    n += asked & (1 - confirmed)
    out[n] = trade + 2
    return n + (confirmed & int(s.parts[seat] < MOST_PARTS))


@rule
def reopen(s, seat):
    """Take a confirmation back; it counts as a part, so that a phase cannot be prolonged without end."""
    s.submitted = int(s.submitted) & ~(1 << int(seat))
    s.parts[seat] += 1


@rule
def saved(value, default):
    """What counts when a phase closes: what is saved, or the rule's default."""
    return int(value) - 1 if value > 0 else default
