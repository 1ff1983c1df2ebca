"""The state of a tournament: settings, players, rounds and their tables."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from pyramidion.event_log import HOUR, Entry, NotPossible
from pyramidion.names import OptionalText, Title
from pyramidion.words import _

Format = Literal["elimination", "swiss", "robin"]
Seeding = Literal["lot", "rating"]
Step = Literal["signup", "seating", "playing", "round", "over"]
"""What comes next: the start, tables to be opened, results, the next round, or nothing."""
MOST_PLAYERS = 100


@dataclass(frozen=True, slots=True)
class TournamentSettings:
    """The settings of a tournament, fixed when it is created.

    Attributes:
        game: the id of the game.
        format: single elimination, Swiss, or round robin.
        least, seats: the smallest and the largest table.
        rounds: the number of rounds; 0 for the usual one of the format. Single elimination ends by itself.
        points: points by place at a table, first place first; empty for one point for each place behind.
        places: how many can play; whoever signs up later is on the waiting list.
        clock: seconds per decision, or None.
        auto: whether rounds begin by themselves.
        bot: the level of the bots that fill tables at the start, or None.
        starts: when the first round begins by itself, milliseconds since 1970, or None for when the host starts it;
            with too few players by then, it begins as soon as there are enough.
        hours: hours from the beginning of a round to that of the next at the earliest.
        seeding: whether the draw is by lot, or by rating with the best first.
    """

    title: Title
    game: str
    format: Format = "swiss"
    least: int = 2
    seats: int = 2
    rounds: int = 0
    points: tuple[int, ...] = ()
    places: int = MOST_PLAYERS
    clock: int | None = None
    auto: bool = True
    bot: str | None = None
    starts: int | None = None
    hours: int = 0
    about: OptionalText = ""
    seeding: Seeding = "lot"

    @property
    def sizes(self) -> range:
        """The sizes that a table can have."""
        return range(self.least, self.seats + 1)


@dataclass(slots=True)
class Player:
    """Somebody who has signed up. `bot`: the level of the bot that plays; `out`: the round after which they left."""

    id: str
    name: str
    bot: str | None = None
    out: int | None = None


@dataclass(slots=True)
class Group:
    """The players of one table by seat, and each one's place (from 1; ties share a place) once it is over."""

    players: tuple[str, ...]
    table: str | None = None
    places: tuple[int, ...] | None = None


@dataclass(slots=True)
class Round:
    """One round; `byes` are those who have no table in it, `at` is when it began."""

    number: int
    at: int
    groups: list[Group]
    byes: tuple[str, ...]

    @property
    def over(self) -> bool:
        """Whether all results are known."""
        return all(one.places is not None for one in self.groups)


@dataclass(slots=True)
class Tournament:
    """The state of a tournament, made from its log by `event_log.fold`.

    `draw` are the players of the tournament from the first lot to the last, once it has started.
    """

    settings: TournamentSettings = TournamentSettings("", "")
    host: str = ""
    players: dict[str, Player] = field(default_factory=dict[str, Player])
    draw: tuple[str, ...] = ()
    rounds: list[Round] = field(default_factory=list[Round])
    log: list[Entry] = field(default_factory=list[Entry])
    made: Counter[str] = field(default_factory=Counter[str])

    @property
    def names(self) -> list[str]:
        """The names of those who have signed up."""
        return [self.players[who].name for who in self.signed_up]

    @property
    def signed_up(self) -> list[str]:
        """Those who are there, in the order in which they have signed up."""
        return [one.id for one in self.players.values() if one.out is None]

    @property
    def entrants(self) -> list[str]:
        """Those who play, or will if nothing changes."""
        return list(self.draw) or self.signed_up[: self.settings.places]

    @property
    def waiting(self) -> list[str]:
        """The waiting list."""
        return [] if self.draw else self.signed_up[self.settings.places :]

    @property
    def left(self) -> list[str]:
        """The players who have not withdrawn, in the order of the draw."""
        return [who for who in self.draw if self.players[who].out is None]

    @property
    def total(self) -> int | None:
        """The number of rounds; None for single elimination, which ends with its final."""
        count, settings = len(self.entrants), self.settings
        if settings.format == "elimination":
            return None
        if settings.rounds:
            return settings.rounds
        if settings.format == "swiss":
            return max(1, (count - 1).bit_length())
        if settings.seats == 2:
            return max(1, count - 1 + count % 2)
        return max(1, -(-(count - 1) // (settings.seats - 1)))

    @property
    def step(self) -> Step:
        """What comes next."""
        if not self.rounds:
            return "round" if self.draw else "signup"
        last = self.rounds[-1]
        if any(one.table is None and one.places is None for one in last.groups):
            return "seating"
        if not last.over:
            return "playing"
        return "over" if self._finished(last) else "round"

    def _finished(self, last: Round) -> bool:
        if len(self.left) < self.settings.least:
            return True
        if self.total is None:
            return not last.groups or (len(last.groups) == 1 and not last.byes)
        return last.number >= self.total

    def due(self) -> int | None:
        """Return when the server has something to do, milliseconds since 1970; None until something else happens."""
        if self.step == "seating":
            return 0
        if self.step == "signup":
            least = 1 if self.settings.bot is not None else self.settings.least
            return self.settings.starts if len(self.entrants) >= least else None
        if self.step == "round" and not self.rounds:
            return 0
        if self.step == "round" and self.settings.auto:
            return self.rounds[-1].at + self.settings.hours * HOUR
        return None

    def awaited(self) -> set[str]:
        """Return the tables whose results are still to be taken."""
        last = self.rounds[-1].groups if self.rounds else []
        return {one.table for one in last if one.table is not None and one.places is None}

    def group(self, number: int, index: int) -> Group:
        """Return a table of a round. Raises NotPossible."""
        if not 1 <= number <= len(self.rounds) or not 0 <= index < len(self.rounds[number - 1].groups):
            raise NotPossible(_("There is no such table in this tournament."))
        return self.rounds[number - 1].groups[index]

    def meetings(self) -> Counter[frozenset[str]]:
        """Return how often each pair of players has met."""
        met: Counter[frozenset[str]] = Counter()
        for one in (group for played in self.rounds for group in played.groups):
            met.update(frozenset((a, b)) for n, a in enumerate(one.players) for b in one.players[:n])
        return met

    def name(self, who: str) -> str:
        """Return what a player or the host is called."""
        return self.players[who].name if who in self.players else self.host
