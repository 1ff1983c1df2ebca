"""What a table needs to know of its match many times a second, without a copy or a second look at the rules.

The only place that reaches behind `Match`; a table is the referee, and nothing here is sent to anybody as it is.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pyramidion import Match


def somebody_has_submitted(match: Match) -> bool:
    """Whether a seat has confirmed its part of a simultaneous step that is not yet resolved."""
    return bool(match._state["submitted"][0])


def known_events(match: Match, viewer: int | None, since: int) -> Sequence[tuple[int, tuple[Any, ...]]]:
    """Return (position, what) of the viewer's events from number `since` on; equal `what` reads the same to all."""
    return [(position, tuple(what)) for position, *what in match._knowledge(viewer).events[since:]]
