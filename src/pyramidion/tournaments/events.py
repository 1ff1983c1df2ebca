"""What can happen in a tournament: each event checks whether it can and changes the state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from pyramidion.event_log import Entry, NotPossible, kinds_of
from pyramidion.names import Name
from pyramidion.tournaments.state import (
    MOST_PLAYERS,
    Group,
    Player,
    Round,
    Tournament,
    TournamentSettings,
)
from pyramidion.translation import _

MOST_ROUNDS = 100
HOST = "host"
"""The author of what the host does."""


@dataclass(frozen=True, slots=True)
class Announced:
    """The beginning: a host announces a tournament. `settings` are the fields of `TournamentSettings`."""

    host: Name
    settings: dict[str, Any]
    kind: Literal["announced"] = "announced"

    def apply(self, tournament: Tournament, entry: Entry) -> None:
        """Take over the settings."""
        given: dict[str, Any] = {**self.settings, "points": tuple(self.settings.get("points", ()))}
        settings = TournamentSettings(**given)
        if not 2 <= settings.least <= settings.seats:
            raise NotPossible(_("The smallest table needs two seats or more, and no more than the largest."))
        if not settings.least <= settings.places <= MOST_PLAYERS:
            message = _("A tournament has {least} to {most} players.")
            raise NotPossible(message.format(least=settings.least, most=MOST_PLAYERS))
        if not 0 <= settings.rounds <= MOST_ROUNDS or not 0 <= settings.hours <= 24 * 366:
            message = _("A tournament has at most {most} rounds, and at most a year between two.")
            raise NotPossible(message.format(most=MOST_ROUNDS))
        if len(settings.points) > 10 or any(not 0 <= points <= 1000 for points in settings.points):
            raise NotPossible(_("Points by place are up to ten numbers from 0 to 1000."))
        if sorted(settings.points, reverse=True) != list(settings.points):
            raise NotPossible(_("A better place cannot give fewer points."))
        tournament.settings, tournament.host = settings, self.host


@dataclass(frozen=True, slots=True)
class Joined:
    """Somebody signs up, or the host adds a bot."""

    name: Name
    bot: str | None = None
    kind: Literal["joined"] = "joined"

    def apply(self, tournament: Tournament, entry: Entry) -> None:
        """Add the player; those who come when all places are taken wait."""
        tournament.require_open()
        who = f"p{tournament.made[self.kind]}"
        tournament.players[who] = Player(who, self.name, self.bot)


@dataclass(frozen=True, slots=True)
class Left:
    """A player leaves, or the host removes one. During the tournament they get no more tables."""

    player: str
    kind: Literal["left"] = "left"

    def apply(self, tournament: Tournament, entry: Entry) -> None:
        """Take the player out."""
        player = tournament.require_present(self.player)
        player.out, player.removed = len(tournament.rounds), entry.by == HOST


@dataclass(frozen=True, slots=True)
class Returned:
    """The host takes back the removal of a player, who gets tables again from the next round on."""

    player: str
    kind: Literal["returned"] = "returned"

    def apply(self, tournament: Tournament, entry: Entry) -> None:
        """Let the player take part again, under a name that nobody has taken meanwhile."""
        player = tournament.require_returnable(self.player)
        player.out, player.removed = None, False


@dataclass(frozen=True, slots=True)
class Replaced:
    """The host lets a bot play for somebody, from their next table on."""

    player: str
    bot: str
    kind: Literal["replaced"] = "replaced"

    def apply(self, tournament: Tournament, entry: Entry) -> None:
        """Let the bot play."""
        player = tournament.require_present(self.player)
        if player.bot is not None:
            raise NotPossible(_("{name} is a bot already.").format(name=player.name))
        player.bot = self.bot


@dataclass(frozen=True, slots=True)
class Started:
    """The tournament starts; `order` is the draw, from the first lot to the last."""

    order: tuple[str, ...]
    kind: Literal["started"] = "started"

    def apply(self, tournament: Tournament, entry: Entry) -> None:
        """Fix who plays."""
        if tournament.draw:
            raise NotPossible(_("The tournament has already started."))
        if sorted(self.order) != sorted(tournament.entrants):
            raise NotPossible(_("The players have changed. Try again."))
        least = tournament.settings.least
        if len(self.order) < least:
            raise NotPossible(_("A tournament of this game needs at least {count} players.").format(count=least))
        tournament.draw = self.order


@dataclass(frozen=True, slots=True)
class RoundOpened:
    """A round begins: who sits at which table, and who has none."""

    groups: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...] = ()
    kind: Literal["round-opened"] = "round-opened"

    def apply(self, tournament: Tournament, entry: Entry) -> None:
        """Add the round."""
        if tournament.step != "round":
            raise NotPossible(_("The next round cannot begin yet."))
        number = len(tournament.rounds) + 1
        tournament.rounds.append(
            Round(number, entry.at, [Group(tuple(players)) for players in self.groups], tuple(self.byes))
        )


@dataclass(frozen=True, slots=True)
class Ended:
    """The tournament is over before its last round, since no further table can be filled."""

    kind: Literal["ended"] = "ended"

    def apply(self, tournament: Tournament, entry: Entry) -> None:
        """End the tournament."""
        if tournament.step != "round":
            raise NotPossible(_("The next round cannot begin yet."))
        tournament.ended = True


@dataclass(frozen=True, slots=True)
class TableOpened:
    """A match of the open round begins at a table."""

    round: int
    group: int
    table: str
    kind: Literal["table-opened"] = "table-opened"

    def apply(self, tournament: Tournament, entry: Entry) -> None:
        """Note the table."""
        group = tournament.group(self.round, self.group)
        if group.table is not None or group.places is not None:
            raise NotPossible(_("This table has already been opened."))
        group.table = self.table


@dataclass(frozen=True, slots=True)
class ResultTaken:
    """A match is over: the place of each seat."""

    table: str
    places: tuple[int, ...]
    kind: Literal["result-taken"] = "result-taken"

    def apply(self, tournament: Tournament, entry: Entry) -> None:
        """Take the result, once."""
        if self.table not in tournament.awaited():
            raise NotPossible(_("The result of this match is not awaited."))
        group = next(group for group in tournament.rounds[-1].groups if group.table == self.table)
        group.places = check_places(self.places, len(group.players))


@dataclass(frozen=True, slots=True)
class PlacesEntered:
    """The host enters or corrects a result: the place of each seat of a table."""

    round: int
    group: int
    places: tuple[int, ...]
    kind: Literal["result-entered"] = "result-entered"

    def apply(self, tournament: Tournament, entry: Entry) -> None:
        """Set the result. Where the next round follows from it, it can only be changed before that begins."""
        group = tournament.group(self.round, self.group)
        tournament.require_changeable(self.round)
        group.places = check_places(self.places, len(group.players))


Event = (
    Announced
    | Joined
    | Left
    | Returned
    | Replaced
    | Started
    | RoundOpened
    | Ended
    | TableOpened
    | ResultTaken
    | PlacesEntered
)
HostEvent = Joined | Left | Returned | Replaced | PlacesEntered
"""What the host can do as an event; the start and the rounds have requests of their own."""
KINDS: dict[str, type[Event]] = kinds_of(Event)


def check_places(places: tuple[int, ...], seats: int) -> tuple[int, ...]:
    """Return the places of a table such as (1, 3, 1): those who tie share the better place. Raises NotPossible."""
    ranks = {place: index + 1 for index, place in reversed(list(enumerate(sorted(places))))}
    if len(places) != seats or any(ranks[place] != place for place in places):
        raise NotPossible(_("Enter a place for each player, such as 1, 2, 3, or 1, 1, 3 for a tie."))
    return tuple(places)
