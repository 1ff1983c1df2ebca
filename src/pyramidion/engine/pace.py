"""Time controls and countdowns that a game declares."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pace:
    """A time control that a game offers for its tables.

    Attributes:
        clock: seconds per decision.
        name: display name; empty to show only the seconds.
        stays_open: whether a phase stays open until its time is up.
        pregame: seconds of discussion before the first phase, when nobody can act.
    """

    clock: int
    name: str = ""
    stays_open: bool = False
    pregame: int = 0


@dataclass(frozen=True, slots=True)
class Countdown:
    """The spoken countdown before a simultaneous reveal.

    Attributes:
        events: names of the events that reveal the hands.
        option: the option that holds the countdown, with hyphens between beats: `1-2-3`.
    """

    events: tuple[str, ...]
    option: str
