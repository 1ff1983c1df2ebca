"""The countdown before a simultaneous reveal in live games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyramidion.web.table.clock import LIVE

if TYPE_CHECKING:
    from pyramidion.web.table.table import Table

BEAT = 500
"""Milliseconds between two beats; the hands are revealed on the last one."""


@dataclass(frozen=True, slots=True)
class Reveal:
    """Hands that are revealed on the last beat of a countdown.

    Attributes:
        at: the time of the reveal, milliseconds since 1970 by the server's clock.
        beats: the word spoken on each beat.
    """

    at: int
    beats: tuple[str, ...]


def reveal_of(table: Table, since: int, now: int) -> Reveal | None:
    """Return the countdown for hands revealed since a spectator's event number, or None.

    There is no countdown in correspondence games. It starts only when all hands are in.
    """
    count_in = table.game.count_in
    if count_in is None or (table.settings.clock is not None and table.settings.clock > LIVE):
        return None
    if not any(table.event(told).name in count_in.events for told in table.told(None, since)):
        return None
    beats = tuple(str(table.match.options[count_in.option]).split("-"))
    return Reveal(now + BEAT * (len(beats) - 1), beats)
