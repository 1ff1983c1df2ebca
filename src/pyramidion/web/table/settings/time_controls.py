"""Time controls of tables: the time per decision, the time before the first phase, and how pages show them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from pyramidion.engine.game import Game
from pyramidion.engine.pace import Pace
from pyramidion.translation import _, date_and_time
from pyramidion.web.durations import duration
from pyramidion.web.errors import BadTable

SHORTEST, LONGEST = 5, 7 * 24 * 3600
CHOICES = (30, 60, 120, 300, 900, 3600, 4 * 3600, 12 * 3600, 24 * 3600, 2 * 24 * 3600, 3 * 24 * 3600, LONGEST)
"""Times per decision, in seconds, offered for every game."""
PACE = "pace-"
"""Prefix of the form values of a game's own paces."""
PREGAMES = (3600, 12 * 3600, 24 * 3600, 2 * 24 * 3600, LONGEST)
"""Times before the first phase, in seconds, offered in the form."""
LIVE = 15 * 60
"""The longest time per decision, in seconds, of a live game, in which players are present at the same time."""
RELEASE_AT_LEAST, RELEASE_UNTIMED = 60, 600
"""Seconds that a host has to reveal the next event: at least, and at tables without a time limit."""


def accept_clock(seconds: int | None) -> int | None:
    """Return a time per decision, in seconds, if it is allowed. Raises BadTable with a sentence."""
    if seconds is not None and (isinstance(seconds, bool) or not SHORTEST <= seconds <= LONGEST):
        raise BadTable(
            _("The time per decision must be {low} to {high} seconds ({longest}), not {given}.").format(
                low=SHORTEST, high=LONGEST, longest=duration(LONGEST), given=str(seconds)[:20]
            )
        )
    return seconds


def accept_pregame(seconds: int | None) -> int | None:
    """Return a time before the first phase, in seconds, if it is allowed. Raises BadTable with a sentence."""
    if seconds is not None and (isinstance(seconds, bool) or not 1 <= seconds <= LONGEST):
        raise BadTable(
            _("The time before the first phase must be 1 to {high} seconds ({longest}), not {given}.").format(
                high=LONGEST, longest=duration(LONGEST), given=str(seconds)[:20]
            )
        )
    return seconds


def release_limit(clock: int | None) -> int:
    """Return the seconds a host has to reveal the next event before the rest is revealed automatically."""
    return RELEASE_UNTIMED if clock is None else max(clock, RELEASE_AT_LEAST)


def offered(game: Game) -> list[tuple[str, str]]:
    """Return the time controls offered for a game as (form value, label), its own paces first."""
    own = [(f"{PACE}{number}", pace_words(pace)) for number, pace in enumerate(game.paces)]
    return own + [(str(seconds), duration(seconds)) for seconds in CHOICES]


def chosen_pace(game: Game, value: str) -> Pace | None:
    """Return the game's pace that a form value selects, or None for another time control."""
    number = value.removeprefix(PACE)
    if number == value or not number.isdecimal() or int(number) >= len(game.paces):
        return None
    return game.paces[int(number)]


def pace_words(pace: Pace) -> str:
    """Describe a pace: `A phase a day: 1 day, fixed-length phases, 1 day before the first phase`."""
    parts = [duration(pace.clock)]
    if pace.stays_open:
        parts.append(_("fixed-length phases"))
    if pace.pregame:
        parts.append(_("{time} before the first phase").format(time=duration(pace.pregame)))
    timing = _(", ").join(parts)
    return _("{name}: {timing}").format(name=_(pace.name), timing=timing) if pace.name else timing


def moment(milliseconds: int) -> datetime:
    """Return a time in milliseconds since 1970 as a UTC datetime."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


def iso(milliseconds: int) -> str:
    """Return a time as a text for the attribute of `<time datetime>`."""
    return moment(milliseconds).strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass(frozen=True, slots=True)
class Timing:
    """What viewers are shown of a table's clock.

    Attributes:
        clock: seconds per decision, or None.
        deadline, now: milliseconds since 1970.
        most: the maximum remaining time in milliseconds, in case the server's clock has been set back; None for no
            limit.
        opening: whether the deadline is the opening of the first phase.
        releasing: whether the deadline is when the rest of the results is revealed without the host.
    """

    clock: int | None
    deadline: int | None
    now: int
    most: int | None = None
    opening: bool = False
    releasing: bool = False

    def __post_init__(self) -> None:
        if self.deadline is not None and self.most is not None:
            object.__setattr__(self, "deadline", min(self.deadline, self.now + self.most))

    @property
    def iso(self) -> str:
        """The deadline for `<time datetime>`."""
        return iso(self.deadline or 0)

    @property
    def until(self) -> str:
        """The deadline in words, in UTC; the page's script converts it to local time."""
        return date_and_time(moment(self.deadline or 0))
