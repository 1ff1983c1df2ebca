"""Events of an episode, from its opening to its end."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from pyramidion.event_log import Entry, NotPossible
from pyramidion.names import OptionalTitle
from pyramidion.seasons.ledger import CURRENCIES
from pyramidion.seasons.season import (
    Episode,
    EpisodePart,
    PlannedEpisode,
    Season,
    SeasonTable,
)
from pyramidion.translation import _

MOST_PLANNED = 100


@dataclass(frozen=True, slots=True)
class EpisodeOpened:
    """A host opens an episode with a main match and a death match, each a game or, for None, played elsewhere."""

    game: str | None = None
    duel: str | None = None
    clock: int | None = None
    title: OptionalTitle = ""
    kind: Literal["episode-opened"] = "episode-opened"

    def apply(self, season: Season, entry: Entry) -> None:
        """Open the episode. Two contestants go straight to the death match, which is the final."""
        if season.step != "open":
            raise NotPossible(_("An episode can begin when the last one is closed and two contestants are left."))
        episode = Episode(len(season.episodes) + 1, self.title, self.game, self.duel, self.clock, began=entry.at)
        if len(season.remaining) == 2:
            episode.final = True
            episode.candidate, episode.opponent = season.remaining
        season.episodes.append(episode)


@dataclass(frozen=True, slots=True)
class MatchOpened:
    """The server opens a table with these contestants by seat.

    With `stakes` they play with their garnets and priority.
    """

    table: str
    part: EpisodePart
    cast: tuple[str, ...]
    stakes: bool = False
    kind: Literal["match-opened"] = "match-opened"

    def apply(self, season: Season, entry: Entry) -> None:
        """Add the table to the episode."""
        episode = season.opened()
        if (
            episode.candidate is not None
            if self.part == "main"
            else episode.opponent is None or episode.loser is not None
        ):
            raise NotPossible(_("This match cannot start now."))
        if any(who in played.cast for played in episode.at(self.part) for who in self.cast):
            raise NotPossible(_("This match has already started."))
        if any(who not in season.cast for who in self.cast):
            # So nobody who has been seated can be taken out of the cast by undoing.
            raise NotPossible(_("There is no such contestant."))
        players = tuple(season.cast[who].player for who in self.cast)
        episode.tables[self.table] = SeasonTable(self.table, self.part, self.cast, players, self.stakes)


@dataclass(frozen=True, slots=True)
class ResultTaken:
    """The server takes the result of a table that is over; numbers are by seat.

    Attributes:
        garnets, priority: changes of the balances, or None.
        tokens, candidate: what the game's own rule says, or None.
        missed: how many decisions the clock made for each seat; counted as strikes where the season counts them.
    """

    table: str
    winners: tuple[str, ...]
    points: tuple[int, ...]
    garnets: tuple[int, ...] | None = None
    priority: tuple[int, ...] | None = None
    tokens: tuple[int, ...] | None = None
    candidate: str | None = None
    missed: tuple[int, ...] | None = None
    kind: Literal["result-taken"] = "result-taken"

    def apply(self, season: Season, entry: Entry) -> None:
        """Enter the result in the ledger and the episode; a table has one result."""
        episode = season.opened()
        played = episode.tables.get(self.table)
        if played is None or played.winners is not None:
            raise NotPossible(_("This table cannot have a result now."))
        played.winners, played.points = self.winners, self.points
        for seat, who in enumerate(played.cast):
            for currency in CURRENCIES:
                if changes := getattr(self, currency):
                    season.ledger.change(entry.number, currency, who, changes[seat])
        if season.settings.strikes:
            for who, missed in zip(played.cast, self.missed or (), strict=False):
                season.cast[who].strikes += missed
        if self.tokens is not None:
            episode.tokens |= {who: count for who, count in zip(played.cast, self.tokens, strict=True) if count}
        if played.part == "duel":
            if len(self.winners) == 1:
                episode.loser = next(who for who in played.cast if who not in self.winners)
        elif len(episode.at("main")) == 1:
            episode.candidate = self.candidate


@dataclass(frozen=True, slots=True)
class ResultEntered:
    """A host enters or corrects the tokens of life and the elimination candidate."""

    candidate: str
    tokens: dict[str, int] = field(default_factory=dict[str, int])
    kind: Literal["result-entered"] = "result-entered"

    def apply(self, season: Season, entry: Entry) -> None:
        """Replace the tokens and the candidate."""
        episode = season.opened()
        if episode.final or episode.opponent is not None or episode.playing("main"):
            raise NotPossible(_("Tokens and the candidate are set after the main match and before the opponent."))
        episode.candidate = season.contestant(self.candidate).id
        if self.tokens.get(episode.candidate):
            raise NotPossible(_("The elimination candidate cannot have a token of life."))
        episode.tokens = {season.contestant(who).id: count for who, count in self.tokens.items() if count}
        for who in season.remaining:
            count = episode.tokens.get(who, 0)
            if not 0 <= count <= 10:
                raise NotPossible(_("A contestant can have 0 to 10 tokens."))
            season.ledger.change(entry.number, "tokens", who, count - season.ledger.balance(who, "tokens"))


@dataclass(frozen=True, slots=True)
class OpponentNamed:
    """The elimination candidate, or a host, names the opponent in the death match."""

    opponent: str
    kind: Literal["opponent-named"] = "opponent-named"

    def apply(self, season: Season, entry: Entry) -> None:
        """Note the opponent; until the death match begins, another one can be named."""
        episode = season.opened()
        if episode.candidate is None or episode.final or episode.loser is not None or episode.at("duel"):
            raise NotPossible(_("The opponent is named after the main match and before the death match."))
        if season.contestant(self.opponent).id not in season.challengeable():
            raise NotPossible(_("{name} cannot be named as the opponent.").format(name=season.name(self.opponent)))
        episode.opponent = self.opponent


@dataclass(frozen=True, slots=True)
class DuelEntered:
    """A host enters the loser of a death match."""

    loser: str
    kind: Literal["duel-entered"] = "duel-entered"

    def apply(self, season: Season, entry: Entry) -> None:
        """Note the loser."""
        episode = season.opened()
        if episode.opponent is None or episode.eliminated or episode.playing("duel"):
            raise NotPossible(_("The death match has not been played."))
        if self.loser not in (episode.candidate, episode.opponent):
            raise NotPossible(_("{name} is not in the death match.").format(name=season.name(self.loser)))
        episode.loser = self.loser


@dataclass(frozen=True, slots=True)
class Eliminated:
    """The loser of the death match leaves the season."""

    contestant: str
    kind: Literal["eliminated"] = "eliminated"

    def apply(self, season: Season, entry: Entry) -> None:
        """Let the contestant leave."""
        episode = season.opened()
        if episode.loser is None or self.contestant != episode.loser:
            raise NotPossible(_("Only the loser of the death match is eliminated."))
        season.contestant(self.contestant).out = episode.number
        episode.eliminated = True


@dataclass(frozen=True, slots=True)
class EpisodeClosed:
    """An episode ends; tokens of life go back to the bank."""

    kind: Literal["episode-closed"] = "episode-closed"

    def apply(self, season: Season, entry: Entry) -> None:
        """Close the episode."""
        episode = season.opened()
        if not episode.eliminated:
            raise NotPossible(_("An episode is closed after the elimination."))
        for who in season.cast:
            season.ledger.change(entry.number, "tokens", who, -season.ledger.balance(who, "tokens"))
        episode.closed, episode.ended = True, entry.at


@dataclass(frozen=True, slots=True)
class EpisodePlanned(PlannedEpisode):
    """A host adds an episode to the plan; when its turn comes, the form for a new episode proposes it."""

    kind: Literal["episode-planned"] = "episode-planned"

    def apply(self, season: Season, entry: Entry) -> None:
        """Add the episode to the plan."""
        if len(season.plan) >= MOST_PLANNED:
            raise NotPossible(_("A plan has up to {limit} episodes.").format(limit=MOST_PLANNED))
        # A plan that is made later counts from the next episode.
        played = season.episodes[len(season.plan) :]
        season.plan += [PlannedEpisode(episode.game, episode.duel, episode.clock, episode.title) for episode in played]
        season.plan.append(self)


@dataclass(frozen=True, slots=True)
class PlanCleared:
    """A host drops the plan of episodes."""

    kind: Literal["plan-cleared"] = "plan-cleared"

    def apply(self, season: Season, entry: Entry) -> None:
        """Clear the plan."""
        season.plan.clear()
