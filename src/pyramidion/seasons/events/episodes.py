"""Events of an episode, from its opening to its end."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from pyramidion.event_log import Entry, NotPossible, encode
from pyramidion.names import OptionalText, OptionalTitle
from pyramidion.seasons.episode import Episode, EpisodePart, PlannedEpisode, SeasonTable
from pyramidion.seasons.formats import FINAL, STANDARD, EpisodeFormat
from pyramidion.seasons.ledger import CURRENCIES
from pyramidion.seasons.season import Ending, Season
from pyramidion.translation import _

MOST_PLANNED = 100
MOST_FORMATS = 20


@dataclass(frozen=True, slots=True)
class FormatSet(EpisodeFormat):
    """A host declares a format of episodes, or changes the one with this name; episodes under way keep theirs."""

    kind: Literal["format-set"] = "format-set"

    @property
    def format(self) -> EpisodeFormat:
        """The format as episodes that are opened keep it."""
        return EpisodeFormat(**encode(self))

    def apply(self, season: Season, entry: Entry) -> None:
        """Keep the format."""
        self.check()
        season.formats[self.name] = self.format
        if len(season.formats) > MOST_FORMATS:
            raise NotPossible(_("A season has up to {limit} formats.").format(limit=MOST_FORMATS))


@dataclass(frozen=True, slots=True)
class EpisodeOpened(PlannedEpisode):
    """A host opens an episode with a main match and a death match, each a game or, for None, played elsewhere."""

    kind: Literal["episode-opened"] = "episode-opened"

    def apply(self, season: Season, entry: Entry) -> None:
        """Open the episode. Two contestants go straight to the death match, which is the final."""
        if season.over:
            raise NotPossible(_("The season is over."))
        if season.step != "open":
            raise NotPossible(_("An episode can begin when the last one is closed and two contestants are left."))
        if self.format and self.format not in season.formats:
            raise NotPossible(_("The season has no format named {name}.").format(name=self.format))
        episode = Episode(len(season.episodes) + 1, self.title, self.game, self.duel, self.clock, began=entry.at)
        if self.own and (self.own not in season.own_forms or self.game is not None):
            message = _("The season has no match of its own named {name}, or the main match is another.")
            raise NotPossible(message.format(name=self.own))
        episode.own = self.own
        episode.format = season.formats.get(self.format, STANDARD)
        if len(season.remaining) == 2:
            episode.final = episode.main_over = True
            episode.format = replace(episode.format, **FINAL)
            episode.candidate, episode.opponent = season.remaining
            episode.second = episode.opponent
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
        if episode.main_over if self.part == "main" else episode.opponent is None or episode.loser is not None:
            raise NotPossible(_("This match cannot start now."))
        if any(who in played.cast for played in episode.at(self.part) for who in self.cast):
            raise NotPossible(_("This match has already started."))
        if any(who not in season.cast for who in self.cast):
            # So nobody who has been seated can be taken out of the cast by undoing.
            raise NotPossible(_("There is no such contestant."))
        players = tuple(season.cast[who].player for who in self.cast)
        episode.tables[self.table] = SeasonTable(self.table, self.part, self.cast, players, self.stakes)
        season.forget_nudges(self.cast)


@dataclass(frozen=True, slots=True)
class ResultTaken:
    """The server takes the result of a table that is over; numbers are by seat.

    Attributes:
        garnets, priority: changes of the balances, or None.
        tokens, candidate: what the game's own rule says, or None.
        missed: how many decisions the clock made for each seat; counted as strikes where the season counts them.
        lot: the players in an order drawn by lot, where the format decides ties so.
    """

    table: str
    winners: tuple[str, ...]
    points: tuple[int, ...]
    garnets: tuple[int, ...] | None = None
    priority: tuple[int, ...] | None = None
    tokens: tuple[int, ...] | None = None
    candidate: str | None = None
    missed: tuple[int, ...] | None = None
    lot: tuple[str, ...] = ()
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
            if (winner := season.tie_winner(self.winners, self.lot)) is not None:
                episode.loser = next(who for who in played.cast if who != winner)
        elif len(episode.at("main")) == 1:
            self._decide(season, episode)

    def _decide(self, season: Season, episode: Episode) -> None:
        """End the main match, if the result says all that the format asks for."""
        episode.winner = season.tie_winner(self.winners, self.lot)
        match episode.format:
            case EpisodeFormat(candidates_by="winner"):
                episode.main_over = self.tokens is not None and episode.winner is not None
            case EpisodeFormat(candidates=0):
                episode.main_over = self.tokens is not None
            case EpisodeFormat(candidates=1) if self.candidate is not None:
                episode.main_over = True
                episode.name_candidate(self.candidate)
            case _several:
                pass  # hosts enter what is missing


@dataclass(frozen=True, slots=True)
class ResultEntered:
    """A host enters or corrects the result of the main match.

    Attributes:
        candidate, second: the elimination candidates, as many as the format lets the result decide.
        winner: who won, needed where the winner names somebody.
        tie_reason: why hosts have broken a tie as they did, for everybody; empty for none.
    """

    candidate: str | None = None
    tokens: dict[str, int] = field(default_factory=dict[str, int])
    second: str | None = None
    winner: str | None = None
    tie_reason: OptionalText = ""
    kind: Literal["result-entered"] = "result-entered"

    def apply(self, season: Season, entry: Entry) -> None:
        """Replace the tokens, the winner and the candidates."""
        episode = season.opened()
        named = episode.opponent is not None and episode.second is None
        if episode.final or named or episode.eliminated or episode.at("duel") or episode.playing("main"):
            raise NotPossible(_("Tokens and the candidate are set after the main match and before the opponent."))
        self._name(season, episode)
        episode.tie_reasons = {"main": self.tie_reason} if self.tie_reason else {}
        if any(self.tokens.get(who) for who in episode.named):
            raise NotPossible(_("The elimination candidate cannot have a token of life."))
        episode.tokens = {season.contestant(who).id: count for who, count in self.tokens.items() if count}
        given, wanted = sum(episode.tokens.values()), episode.format.tokens
        if wanted is not None and given != wanted:
            message = _("This format gives out {wanted} tokens of life; the result has {given}.")
            raise NotPossible(message.format(wanted=wanted, given=given))
        for who in season.remaining:
            count = episode.tokens.get(who, 0)
            if not 0 <= count <= 10:
                raise NotPossible(_("A contestant can have 0 to 10 tokens."))
            season.ledger.change(entry.number, "tokens", who, count - season.ledger.balance(who, "tokens"))
        season.forget_nudges(season.remaining)

    def _name(self, season: Season, episode: Episode) -> None:
        """Note the winner and the candidates. Raises NotPossible unless they are as many as the format asks for."""
        named = [who for who in (self.candidate, self.second) if who is not None]
        asked, by_result = episode.format, episode.format.candidates_by == "result"
        if len(set(named)) != (asked.candidates if by_result else 0):
            raise NotPossible(
                _("The result of this episode names {count} elimination candidates, all different.").format(
                    count=asked.candidates
                )
                if by_result
                else _("The winner names the elimination candidate in this episode. Leave the candidate empty.")
            )
        if self.winner is None and "winner" in (asked.candidates_by, asked.opponent_by):
            raise NotPossible(_("Enter who won the main match, who names somebody in this episode."))
        episode.winner = season.contestant(self.winner).id if self.winner is not None else None
        episode.candidate = episode.second = episode.opponent = episode.loser = None
        episode.main_over = True
        for who in named:
            episode.name_candidate(season.contestant(who).id)


@dataclass(frozen=True, slots=True)
class CandidateNamed:
    """The winner of the main match, or a host, names an elimination candidate."""

    candidate: str
    kind: Literal["candidate-named"] = "candidate-named"

    def apply(self, season: Season, entry: Entry) -> None:
        """Note the candidate."""
        if season.step != "candidate":
            raise NotPossible(_("The candidate is named after the main match, where its winner names one."))
        if season.contestant(self.candidate).id not in season.challengeable():
            raise NotPossible(_("{name} cannot be named as the candidate.").format(name=season.name(self.candidate)))
        season.opened().name_candidate(self.candidate)
        season.forget_nudges(season.remaining)


@dataclass(frozen=True, slots=True)
class OpponentNamed:
    """The elimination candidate, or a host, names the opponent in the death match."""

    opponent: str
    kind: Literal["opponent-named"] = "opponent-named"

    def apply(self, season: Season, entry: Entry) -> None:
        """Note the opponent; until the death match begins, another one can be named."""
        episode = season.opened()
        if (
            episode.candidate is None
            or episode.format.opponent_by == "nobody"
            or episode.loser is not None
            or episode.at("duel")
        ):
            raise NotPossible(_("The opponent is named after the main match and before the death match."))
        if season.contestant(self.opponent).id not in season.challengeable():
            raise NotPossible(_("{name} cannot be named as the opponent.").format(name=season.name(self.opponent)))
        episode.opponent = self.opponent


@dataclass(frozen=True, slots=True)
class DuelEntered:
    """A host enters the loser of a death match; `tie_reason` is that of `ResultEntered`."""

    loser: str
    tie_reason: OptionalText = ""
    kind: Literal["duel-entered"] = "duel-entered"

    def apply(self, season: Season, entry: Entry) -> None:
        """Note the loser."""
        episode = season.opened()
        if episode.opponent is None or episode.eliminated or episode.playing("duel"):
            raise NotPossible(_("The death match has not been played."))
        if self.loser not in (episode.candidate, episode.opponent):
            raise NotPossible(_("{name} is not in the death match.").format(name=season.name(self.loser)))
        episode.loser = self.loser
        episode.tie_reasons.pop("duel", None)
        if self.tie_reason:
            episode.tie_reasons["duel"] = self.tie_reason


@dataclass(frozen=True, slots=True)
class Eliminated:
    """The loser of the death match leaves the season, or, without one, an elimination candidate."""

    contestant: str
    kind: Literal["eliminated"] = "eliminated"

    def apply(self, season: Season, entry: Entry) -> None:
        """Let the contestant leave."""
        episode = season.opened()
        if self.contestant not in episode.leaving:
            raise NotPossible(_("Only the loser of the death match is eliminated."))
        season.contestant(self.contestant).out = episode.number
        episode.eliminated = all(season.cast[who].out is not None for who in episode.leaving)


@dataclass(frozen=True, slots=True)
class EpisodeClosed:
    """An episode ends; tokens of life go back to the bank."""

    kind: Literal["episode-closed"] = "episode-closed"

    def apply(self, season: Season, entry: Entry) -> None:
        """Close the episode. Those who have withdrawn during it leave."""
        episode = season.opened()
        if season.step != "close":
            raise NotPossible(_("An episode is closed after the elimination."))
        for who in season.cast:
            season.ledger.change(entry.number, "tokens", who, -season.ledger.balance(who, "tokens"))
        episode.closed, episode.ended = True, entry.at
        for who in season.remaining:
            if season.cast[who].withdrawal is not None:
                season.cast[who].out = episode.number


@dataclass(frozen=True, slots=True)
class SeasonEnded(Ending):
    """A host ends the season between episodes, whoever is left; `text` is for everybody who sees the season."""

    kind: Literal["season-ended"] = "season-ended"

    def apply(self, season: Season, entry: Entry) -> None:
        """End the season. Viewers are shown it as they are shown a closed episode."""
        if season.over:
            raise NotPossible(_("The season is over."))
        if season.episode is not None:
            raise NotPossible(_("A season ends between episodes. Close the episode first."))
        if len({season.contestant(who).id for who in self.winners}) < len(self.winners):
            raise NotPossible(_("Name each winner once."))
        season.ending = self
        season.ends[entry.number] = True


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
        season.plan += map(planned, played)
        season.plan.append(self)


def planned(episode: Episode | PlannedEpisode) -> EpisodePlanned:
    """Return an episode that was played or planned as one to plan again."""
    name = episode.format if isinstance(episode.format, str) else episode.format.name
    return EpisodePlanned(episode.game, episode.duel, episode.clock, episode.title, name, episode.own)


@dataclass(frozen=True, slots=True)
class EpisodeRenamed:
    """A host gives an episode another title: one that was opened or planned, by its number, which counts from 1."""

    number: int
    title: OptionalTitle = ""
    kind: Literal["episode-renamed"] = "episode-renamed"

    def apply(self, season: Season, entry: Entry) -> None:
        """Change the title; the plan keeps it, too, so that it is not proposed again."""
        nth = self.number - 1
        if not 0 <= nth < max(len(season.episodes), len(season.plan)):
            raise NotPossible(_("There is no such episode."))
        if nth < len(season.episodes):
            season.episodes[nth].title = self.title
        if nth < len(season.plan):
            season.plan[nth] = replace(season.plan[nth], title=self.title)


@dataclass(frozen=True, slots=True)
class PlanCleared:
    """A host drops the plan of episodes."""

    kind: Literal["plan-cleared"] = "plan-cleared"

    def apply(self, season: Season, entry: Entry) -> None:
        """Clear the plan."""
        season.plan.clear()
