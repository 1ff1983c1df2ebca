"""What can happen in a tournament: each event checks whether it can and changes the state."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

from pyramidion.event_log import Entry, NotPossible, kinds_of
from pyramidion.names import Name, Title
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
    """The first event: a host announces a tournament. `settings` are the fields of `TournamentSettings`."""

    host: Name
    settings: dict[str, Any]
    kind: Literal["announced"] = "announced"

    def apply(self, tournament: Tournament, entry: Entry) -> None:
        """Set the tournament's host and settings. Raises NotPossible for settings that no tournament can have."""
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
class Retitled:
    """The operators of the server give the tournament another title."""

    title: Title
    kind: Literal["retitled"] = "retitled"

    def apply(self, tournament: Tournament, entry: Entry) -> None:
        """Replace the title."""
        tournament.settings = replace(tournament.settings, title=self.title)


@dataclass(frozen=True, slots=True)
class Joined:
    """Somebody signs up for the tournament, or the host adds a bot."""

    name: Name
    bot: str | None = None
    kind: Literal["joined"] = "joined"

    def apply(self, tournament: Tournament, entry: Entry) -> None:
        """Add the player, who goes on the waiting list if all places are taken."""
        tournament.require_open()
        who = f"p{tournament.made[self.kind]}"
        tournament.players[who] = Player(who, self.name, self.bot)


@dataclass(frozen=True, slots=True)
class Left:
    """A player leaves the tournament, or the host removes one. In later rounds they have no table."""

    player: str
    kind: Literal["left"] = "left"

    def apply(self, tournament: Tournament, entry: Entry) -> None:
        """Note the round after which the player left, and whether the host removed them."""
        player = tournament.require_present(self.player)
        player.out, player.removed = len(tournament.rounds), entry.by == HOST


@dataclass(frozen=True, slots=True)
class Returned:
    """The host takes back the removal of a player, who gets tables again from the next round on."""

    player: str
    kind: Literal["returned"] = "returned"

    def apply(self, tournament: Tournament, entry: Entry) -> None:
        """Let the player take part again, unless somebody has taken their name meanwhile."""
        player = tournament.require_returnable(self.player)
        player.out, player.removed = None, False


@dataclass(frozen=True, slots=True)
class Replaced:
    """The host lets a bot play for a player, from their next table on."""

    player: str
    bot: str
    kind: Literal["replaced"] = "replaced"

    def apply(self, tournament: Tournament, entry: Entry) -> None:
        """Note the bot that plays for the player from now on."""
        player = tournament.require_present(self.player)
        if player.bot is not None:
            raise NotPossible(_("{name} is a bot already.").format(name=player.name))
        latest = tournament.rounds[-1].groups if tournament.rounds else []
        unopened = any(self.player in group.players and group.table is None for group in latest)
        player.bot, player.bot_from = self.bot, len(tournament.rounds) + (0 if unopened else 1)


@dataclass(frozen=True, slots=True)
class Started:
    """The tournament starts; `order` is the draw: the ids of the players from the first lot to the last."""

    order: tuple[str, ...]
    kind: Literal["started"] = "started"

    def apply(self, tournament: Tournament, entry: Entry) -> None:
        """Fix who plays. Raises NotPossible unless the draw has exactly the entrants, and enough of them."""
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
    """A round begins.

    `groups` are the ids of the players at each table, by seat, and `byes` those of the players without one.
    """

    groups: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...] = ()
    kind: Literal["round-opened"] = "round-opened"

    def apply(self, tournament: Tournament, entry: Entry) -> None:
        """Add the round with its tables."""
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
    """A table of the open round is opened on the server, and its match begins.

    `group` is its number in the round, from 0, and `table` its id on the server.
    """

    round: int
    group: int
    table: str
    kind: Literal["table-opened"] = "table-opened"

    def apply(self, tournament: Tournament, entry: Entry) -> None:
        """Note the table's id."""
        group = tournament.group(self.round, self.group)
        if group.table is not None or group.places is not None:
            raise NotPossible(_("This table has already been opened."))
        group.table = self.table


@dataclass(frozen=True, slots=True)
class ResultTaken:
    """The server takes the result of a match that is over: the place of each seat, from 1."""

    table: str
    places: tuple[int, ...]
    kind: Literal["result-taken"] = "result-taken"

    def apply(self, tournament: Tournament, entry: Entry) -> None:
        """Enter the places. Raises NotPossible if the table's result is not awaited, as when it has been taken."""
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
        """Set the result of the table. Raises NotPossible in single elimination after the next round has begun."""
        group = tournament.group(self.round, self.group)
        tournament.require_changeable(self.round)
        group.places = check_places(self.places, len(group.players))


Event = (
    Announced
    | Retitled
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
    """Return the places of a table, such as (1, 3, 1), if they are valid: those who tie share the better place.

    Raises NotPossible otherwise.
    """
    ranks = {place: index + 1 for index, place in reversed(list(enumerate(sorted(places))))}
    if len(places) != seats or any(ranks[place] != place for place in places):
        raise NotPossible(_("Enter a place for each player, such as 1, 2, 3, or 1, 1, 3 for a tie."))
    return tuple(places)
