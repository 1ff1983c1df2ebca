"""The people of a season: contestants with the players who have had their places, and hosts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Role = Literal["host", "co-host", "moderator", "announcer"]


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """A withdrawal from the season: after an episode, or `during` it, so that the contestant leaves as it is closed.

    `episode` is 0 before the first one, and `reason` what the hosts have noted, for hosts only.
    """

    episode: int
    during: bool
    reason: str = ""


@dataclass(slots=True)
class Contestant:
    """A member of the cast, and the player who has that place at present.

    Attributes:
        bot: the level of the bot that plays for them, or None.
        out: the episode that they left in, or None.
        strikes: missed decisions, less those that hosts have forgiven.
        since: when the present player took the place, milliseconds since 1970: nothing private from before is theirs.
        player: which player has the place: 0 for the first, 1 for the first stand-in, and so on.
        nudged: when they were last nudged.
        note: what the hosts have noted about them, for hosts only.
        withdrawal: how they have withdrawn, or None.
    """

    id: str
    name: str
    bot: str | None = None
    out: int | None = None
    strikes: int = 0
    since: int = 0
    player: int = 0
    nudged: int = 0
    note: str = ""
    withdrawal: Withdrawal | None = None

    @property
    def plays(self) -> bool:
        """Whether a person plays for them who has not withdrawn."""
        return self.bot is None and self.withdrawal is None


@dataclass(frozen=True, slots=True)
class FormerPlayer:
    """A player who had a contestant's place before a stand-in took it.

    `id` is the contestant's, `name` the player's, and `until` the time of the change in milliseconds since 1970.
    """

    id: str
    name: str
    until: int


@dataclass(slots=True)
class SeasonHost:
    """A host of the season, whose role decides what they may do."""

    id: str
    name: str
    role: Role
