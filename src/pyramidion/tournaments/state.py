"""The state of a tournament: settings, players, rounds and their tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from pyramidion.event_log import HOUR, Entry, NotPossible
from pyramidion.names import OptionalText, Title, lookalike
from pyramidion.translation import _

Format = Literal["elimination", "swiss", "robin"]
Seeding = Literal["lot", "rating"]
Scale = Literal["place", "share"]
Part = Literal["playing", "waiting", "withdrawn", "removed"]
"""What a player's part in a tournament is."""
Step = Literal["signup", "seating", "playing", "round", "over"]
"""What comes next: the start, tables to be opened, results, the next round, or nothing."""
MOST_PLAYERS = 100
MOST_SIGNED_UP = 2 * MOST_PLAYERS


@dataclass(frozen=True, slots=True)
class TournamentSettings:
    """The settings of a tournament, fixed when it is created.

    Attributes:
        game: the id of the game.
        format: single elimination, Swiss, or round robin.
        least, seats: the smallest and the largest table.
        rounds: the number of rounds; 0 for the usual one of the format. Single elimination ends by itself.
        points: points by place at a table, first place first; empty for those of `scale`.
        scale: points where no `points` are set. With `share`, each player gets the share of the opponents at the table
            whom they beat, times `seats - 1`, so that first places count the same at tables of any size, and last
            places count nothing. `place`, in tournaments from earlier versions, gives `seats` less the place.
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
    scale: Scale = "place"

    @property
    def sizes(self) -> range:
        """The numbers of seats that a table can have."""
        return range(self.least, self.seats + 1)


@dataclass(slots=True)
class Player:
    """A person who has signed up for a tournament, or a bot that the host has added.

    Attributes:
        bot: the level of the bot that plays, or None.
        bot_from: the first round in which the bot plays for a person, None for others.
        out: the round after which they left, or None.
        removed: whether they left because the host removed them.
    """

    id: str
    name: str
    bot: str | None = None
    bot_from: int | None = None
    out: int | None = None
    removed: bool = False


@dataclass(slots=True)
class Group:
    """One table of a round: its players by seat, and the place of each when it is over.

    `table` is its id once it is open on the server. Places count from 1, and those who tie share one.
    """

    players: tuple[str, ...]
    table: str | None = None
    places: tuple[int, ...] | None = None


@dataclass(slots=True)
class Round:
    """One round: its tables, the players who have none (`byes`), and when it began, in milliseconds since 1970."""

    number: int
    at: int
    groups: list[Group]
    byes: tuple[str, ...]

    @property
    def over(self) -> bool:
        """Whether the results of all tables of the round are known."""
        return all(group.places is not None for group in self.groups)


@dataclass(slots=True)
class Tournament:
    """The state of a tournament, made from its log by `event_log.fold`.

    `draw` are the ids of the players from the first lot to the last, once it has started. `ended`: whether it is over
    because no further table can be filled.
    """

    settings: TournamentSettings = TournamentSettings("", "")
    host: str = ""
    players: dict[str, Player] = field(default_factory=dict[str, Player])
    draw: tuple[str, ...] = ()
    ended: bool = False
    rounds: list[Round] = field(default_factory=list[Round])
    log: list[Entry] = field(default_factory=list[Entry])
    made: Counter[str] = field(default_factory=Counter[str])

    @property
    def names(self) -> list[str]:
        """The names of the players who have signed up and not left."""
        return [self.players[who].name for who in self.signed_up]

    @property
    def signed_up(self) -> list[str]:
        """The ids of the players who have signed up and not left, in the order in which they signed up."""
        return [player.id for player in self.players.values() if player.out is None]

    @property
    def entrants(self) -> list[str]:
        """The ids of the players in the draw; before the start, of those who would be in it now."""
        return list(self.draw) or self.signed_up[: self.settings.places]

    @property
    def waiting(self) -> list[str]:
        """The ids of the players on the waiting list; whoever is on it when the tournament starts does not play."""
        return [who for who in self.signed_up if who not in self.entrants]

    @property
    def remaining(self) -> list[str]:
        """The ids of the players in the draw who have not left, in its order."""
        return [who for who in self.draw if self.players[who].out is None]

    @property
    def total(self) -> int | None:
        """The number of rounds in all; None for single elimination, which ends with its final."""
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
        """What the tournament waits for: its start, tables, results, the next round, or nothing."""
        if self.ended:
            return "over"
        if not self.rounds:
            return "round" if self.draw else "signup"
        last = self.rounds[-1]
        if any(group.table is None and group.places is None for group in last.groups):
            return "seating"
        if not last.over:
            return "playing"
        return "over" if self._finished(last) else "round"

    def is_final(self, number: int) -> bool:
        """Return whether a round that has begun is the final of a single elimination, with its only match."""
        round_ = self.rounds[number - 1]
        return self.settings.format == "elimination" and len(round_.groups) + len(round_.byes) == 1

    def _finished(self, last: Round) -> bool:
        """Return whether the tournament is over after its last round, whose results are known."""
        if len(self.remaining) < self.settings.least:
            return True
        if self.total is None:
            return not last.groups or (len(last.groups) == 1 and not last.byes)
        return last.number >= self.total

    @property
    def removed(self) -> list[str]:
        """The ids of the players whom the host has removed."""
        return [player.id for player in self.players.values() if player.removed]

    def part(self, who: str) -> Part:
        """Return whether a player is playing, waiting, withdrawn or removed."""
        player = self.players[who]
        if player.out is not None:
            return "removed" if player.removed else "withdrawn"
        return "playing" if who in self.entrants else "waiting"

    def require_open(self) -> None:
        """Raise NotPossible if nobody can sign up any more."""
        if self.draw:
            raise NotPossible(_("The tournament has already started."))
        if len(self.signed_up) >= MOST_SIGNED_UP:
            raise NotPossible(_("The waiting list is full."))

    def require_present(self, who: str) -> Player:
        """Return a player by id. Raises NotPossible if they have left, or the tournament is over."""
        player = self.players.get(who)
        if player is None or player.out is not None:
            raise NotPossible(_("There is no such player."))
        self.require_going_on()
        return player

    def require_returnable(self, who: str) -> Player:
        """Return a player by id whom the host has removed. Raises NotPossible if they cannot be taken back."""
        player = self.players.get(who)
        if player is None or not player.removed:
            raise NotPossible(_("There is no such player."))
        self.require_going_on()
        if len(self.signed_up) >= MOST_SIGNED_UP:
            raise NotPossible(_("The waiting list is full."))
        if lookalike(player.name, self.names) is not None:
            raise NotPossible(_("The name {name} is taken.").format(name=player.name))
        return player

    def require_going_on(self) -> None:
        """Raise NotPossible if the tournament is over."""
        if self.step == "over":
            raise NotPossible(_("The tournament is over."))

    def require_startable(self) -> None:
        """Raise NotPossible if there are too few players for the start; bots that fill tables count."""
        least = 1 if self.settings.bot is not None else self.settings.least
        if len(self.entrants) < least:
            raise NotPossible(_("A tournament of this game needs at least {count} players.").format(count=least))

    def require_changeable(self, number: int) -> None:
        """Raise NotPossible if the results of a round are fixed, because the next round has begun from them."""
        if self.settings.format == "elimination" and number < len(self.rounds):
            raise NotPossible(_("The next round has begun, so this result cannot be changed."))

    def due(self) -> int | None:
        """Return when the server has to act next, in milliseconds since 1970; None until something else happens."""
        if self.step == "seating":
            return 0
        if self.step == "signup":
            return self.settings.starts if possible(self.require_startable) else None
        if self.step == "round" and not self.rounds:
            return 0
        if self.step == "round" and self.settings.auto:
            return self.rounds[-1].at + self.settings.hours * HOUR
        return None

    def awaited(self) -> set[str]:
        """Return the ids of the tables whose matches have begun and have no result yet."""
        last = self.rounds[-1].groups if self.rounds else []
        return {group.table for group in last if group.table is not None and group.places is None}

    def group(self, number: int, index: int) -> Group:
        """Return a table by the number of its round, from 1, and its index there, from 0.

        Raises NotPossible if there is none.
        """
        if not 1 <= number <= len(self.rounds) or not 0 <= index < len(self.rounds[number - 1].groups):
            raise NotPossible(_("There is no such table in this tournament."))
        return self.rounds[number - 1].groups[index]

    def meetings(self) -> Counter[frozenset[str]]:
        """Return how often each pair of players has been at one table."""
        met: Counter[frozenset[str]] = Counter()
        for group in (group for played in self.rounds for group in played.groups):
            met.update(frozenset((a, b)) for n, a in enumerate(group.players) for b in group.players[:n])
        return met

    def byes(self) -> Counter[str]:
        """Return how often each player has had no table in a round."""
        return Counter(who for played in self.rounds for who in played.byes)

    def name(self, who: str) -> str:
        """Return the name of a player by id, or that of the host."""
        return self.players[who].name if who in self.players else self.host


def possible(check: Callable[..., object], *given: object) -> bool:
    """Return whether `check` accepts the arguments `given` (raises no NotPossible), so that pages offer only that."""
    try:
        check(*given)
    except NotPossible:
        return False
    return True
