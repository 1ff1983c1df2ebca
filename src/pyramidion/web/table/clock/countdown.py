"""The countdown before a simultaneous reveal in live games."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pyramidion import Match
from pyramidion.web.table.settings.time_controls import LIVE

BEAT = 500
"""Milliseconds between two beats; the hands are revealed on the last."""


@dataclass(frozen=True, slots=True)
class Reveal:
    """A countdown on viewers' pages, on whose last beat the hands that were just played become visible.

    Attributes:
        at: the time of the reveal, milliseconds since 1970 by the server's clock.
        beats: the word spoken on each beat.
    """

    at: int
    beats: tuple[str, ...]


def reveal_of(match: Match, clock: int | None, codes: Iterable[int], now: int) -> Reveal | None:
    """Return the countdown to start if the latest events reveal hands that were played at the same time, else None.

    `clock` is the time per decision in seconds; there is no countdown in correspondence games. `codes` are the codes of
    the public events since the last position. The countdown starts only when all hands are in.
    """
    countdown = match.game.countdown
    if countdown is None or (clock is not None and clock > LIVE):
        return None
    names = match.game.events
    if not any(code >= 0 and names.name(code) in countdown.events for code in codes):
        return None
    beats = tuple(str(match.options[countdown.option]).split("-"))
    return Reveal(now + BEAT * (len(beats) - 1), beats)
