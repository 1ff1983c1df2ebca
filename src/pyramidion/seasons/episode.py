"""Episodes of a season: their tables, how far they have led, and those that are planned."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from pyramidion.names import OptionalTitle
from pyramidion.seasons.formats import STANDARD, EpisodeFormat

EpisodePart = Literal["main", "duel"]


@dataclass(slots=True)
class SeasonTable:
    """A table of the season: who sat there, by seat, and who won once it is over.

    `players` are those of the contestants (`Contestant.player`) when the match began.
    """

    table: str
    part: EpisodePart
    cast: tuple[str, ...]
    players: tuple[int, ...]
    stakes: bool
    winners: tuple[str, ...] | None = None
    points: tuple[int, ...] = ()


@dataclass(slots=True)
class Episode:
    """One episode: its main match and death match, and how far they have led.

    Attributes:
        game, duel: the ids of the games of the main match and the death match, None for another match.
        own: the name of a main match of the host's own, or empty.
        winner: the id of the contestant who won the main match, None until it is known, as are the following.
        candidate, second: the elimination candidates; the format has none, one or two.
        opponent: the candidate's opponent in the death match.
        loser: who lost the death match, or the candidate where there is none.
        main_over: whether the result of the main match is complete.
        began, ended: milliseconds since 1970, None until then.
        tie_reasons: why hosts have broken a tie as they did, by the part in which it was; for everybody.
    """

    number: int
    title: str
    game: str | None
    duel: str | None
    clock: int | None
    final: bool = False
    tables: dict[str, SeasonTable] = field(default_factory=dict[str, SeasonTable])
    tokens: dict[str, int] = field(default_factory=dict[str, int])
    candidate: str | None = None
    opponent: str | None = None
    loser: str | None = None
    eliminated: bool = False
    closed: bool = False
    began: int | None = None
    ended: int | None = None
    format: EpisodeFormat = STANDARD
    winner: str | None = None
    second: str | None = None
    main_over: bool = False
    own: str = ""
    tie_reasons: dict[EpisodePart, str] = field(default_factory=dict[EpisodePart, str])

    @property
    def named(self) -> list[str]:
        """The ids of the elimination candidates who are known."""
        return [who for who in (self.candidate, self.second) if who is not None]

    @property
    def leaving(self) -> list[str]:
        """The ids of the contestants who leave in this episode, once all of them are known."""
        if self.format.death_match:
            return [self.loser] if self.loser is not None else []
        return self.named if len(self.named) == self.format.candidates else []

    @property
    def outcome(self) -> tuple[object, ...] | None:
        """The results of the episode so far, None during the main match. It changes whenever one more part is over."""
        if not self.main_over:
            return None
        return tuple(self.tokens.items()), *self.named, self.opponent, self.loser, self.eliminated, self.closed

    def name_candidate(self, who: str) -> None:
        """Add an elimination candidate; two who meet in the death match are opponents, others leave without one."""
        if self.candidate is None:
            self.candidate = who
        else:
            self.second = who
        if len(self.named) == self.format.candidates:
            if not self.format.death_match:
                self.loser = self.candidate
            elif self.second is not None:
                self.opponent = self.second

    def at(self, part: EpisodePart) -> list[SeasonTable]:
        """Return the episode's tables of the main match or of the death match."""
        return [played for played in self.tables.values() if played.part == part]

    def playing(self, part: EpisodePart) -> bool:
        """Return whether a table of the main match, or of the death match, is not over yet."""
        return any(played.winners is None for played in self.at(part))


@dataclass(frozen=True, slots=True)
class PlannedEpisode:
    """An episode that hosts have planned: what the form for opening it proposes, with the fields of `Episode`.

    `format` is the name of one of the season's formats, or empty for the one without a name. `own` is the name of a
    match of the host's own that is the main match, or empty.
    """

    game: str | None = None
    duel: str | None = None
    clock: int | None = None
    title: OptionalTitle = ""
    format: OptionalTitle = ""
    own: OptionalTitle = ""
