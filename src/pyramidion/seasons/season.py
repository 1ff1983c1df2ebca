"""The state of a season: cast, hosts, episodes, shop, posts and balances."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pyramidion.event_log import Entry, NotPossible
from pyramidion.names import OptionalText, Title
from pyramidion.seasons.episode import Episode, PlannedEpisode
from pyramidion.seasons.formats import EpisodeFormat
from pyramidion.seasons.ledger import CURRENCIES, Ledger
from pyramidion.seasons.own_match import OwnMatch, OwnMatchForm
from pyramidion.seasons.people import Contestant, FormerPlayer, SeasonHost
from pyramidion.seasons.spans import Span
from pyramidion.translation import _

Step = Literal[
    "cast", "open", "main", "main-playing", "own-match", "result", "candidate", "opponent",
    "duel", "duel-playing", "duel-result", "elimination", "close", "over",
]  # fmt: skip
"""What comes next in a season."""
Visibility = Literal["public", "own", "hosts"]
Audience = Literal["none", "episode", "phase", "live"]
ConversationAccess = Literal["none", "private", "hosts", "published"]
Publish = Literal["never", "episode", "season"]
LARGEST = 1_000_000


@dataclass(frozen=True, slots=True)
class SeasonSettings:
    """What the hosts have set for a season: who sees what and when, and what contestants can do.

    Attributes:
        garnets, priority: who sees these balances: everybody, each contestant their own, or hosts only.
        gifts: whether contestants can give each other garnets.
        audience: what viewers see: nothing, closed episodes, the parts of an episode that are over
            (`Episode.outcome`), or everything.
        delay: hours after which viewers see it.
        talk: conversations between contestants: none; read by those who are in them alone; by hosts, too; or by hosts,
            and by everybody when the season is over. Fixed when the first episode begins, and so are conversations
            possible.
        strikes: how many missed decisions a contestant may have before hosts are told to act, 0 to count none.
        zone: the time zone in which hosts enter dates, by its IANA name.
    """

    title: Title = ""
    about: OptionalText = ""
    garnets: Visibility = "own"
    priority: Visibility = "own"
    gifts: bool = False
    audience: Audience = "episode"
    delay: int = 0
    talk: ConversationAccess = "none"
    strikes: int = 0
    zone: str = "UTC"


@dataclass(frozen=True, slots=True)
class Item:
    """An item of the garnet shop: its price in garnets, and the priority that it gives.

    The limits count purchases by one contestant and by all; None for no limit.
    """

    name: Title
    price: int
    priority: int = 0
    words: OptionalText = ""
    per_person: int | None = None
    per_season: int | None = None


@dataclass(slots=True)
class Post:
    """An announcement, a ruling, or a contestant's question with its answer."""

    number: int
    at: int
    by: str
    what: Literal["announcement", "ruling", "question"]
    text: str
    answer: str | None = None
    to_all: bool = True


@dataclass(frozen=True, slots=True)
class Confession:
    """A confessional: what a contestant tells the hosts at a step of an episode, and when others may read it."""

    at: int
    by: str
    episode: int
    step: Step
    text: str
    publish: Publish


@dataclass(frozen=True, slots=True)
class Ending:
    """How hosts have ended the season: the ids of the winners, perhaps none, and their sentence about it."""

    winners: tuple[str, ...] = ()
    text: OptionalText = ""


@dataclass(frozen=True, slots=True)
class Phase:
    """A time span of the schedule; times are milliseconds since 1970.

    `reminder` is how many hours before its end people are reminded of it; None leaves that to the server.
    """

    id: str
    name: str
    starts: int
    ends: int
    reminder: int | None = None


@dataclass(frozen=True, slots=True)
class Holiday:
    """Days on which the hosts expect nothing to happen, from `first` to `last` (ISO dates), with a name or none."""

    first: str
    last: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Wish:
    """A contestant's request that a phase end later, by a number of hours.

    `declined`: the hosts' reason for declining it, perhaps empty, or None while it is open.
    """

    at: int
    by: str
    phase: str
    hours: int
    declined: str | None = None


@dataclass(slots=True)
class Season:
    """The state of a season, made from its log by `seasons.fold.fold`."""

    settings: SeasonSettings = SeasonSettings()
    cast: dict[str, Contestant] = field(default_factory=dict[str, Contestant])
    hosts: dict[str, SeasonHost] = field(default_factory=dict[str, SeasonHost])
    former_hosts: dict[str, SeasonHost] = field(default_factory=dict[str, SeasonHost])
    """Those who have been removed: what they did keeps their name, and they may do nothing."""
    former_players: list[FormerPlayer] = field(default_factory=list[FormerPlayer])
    items: dict[str, Item] = field(default_factory=dict[str, Item])
    bought: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    episodes: list[Episode] = field(default_factory=list[Episode])
    plan: list[PlannedEpisode] = field(default_factory=list[PlannedEpisode])
    formats: dict[str, EpisodeFormat] = field(default_factory=dict[str, EpisodeFormat])
    """The formats of episodes by name, empty for the one of all episodes that call none."""
    own_forms: dict[str, OwnMatchForm] = field(default_factory=dict[str, OwnMatchForm])
    """The matches of its own that hosts have declared, by name."""
    own_matches: dict[str, OwnMatch] = field(default_factory=dict[str, OwnMatch])
    posts: list[Post] = field(default_factory=list[Post])
    confessions: list[Confession] = field(default_factory=list[Confession])
    phases: dict[str, Phase] = field(default_factory=dict[str, Phase])
    undated: tuple[Span, ...] = ()
    """The phases that have been planned without dates."""
    wishes: list[Wish] = field(default_factory=list[Wish])
    holidays: tuple[Holiday, ...] = ()
    ledger: Ledger = field(default_factory=Ledger)
    log: list[Entry] = field(default_factory=list[Entry])
    revoked: frozenset[int] = frozenset()
    taken: set[str] = field(default_factory=set[str])
    """The tables whose results have been taken, those that were revoked included: none is taken a second time."""
    made: Counter[str] = field(default_factory=Counter[str])
    """How many entries of each kind there have been, those that were revoked included."""
    ends: dict[int, bool] = field(default_factory=dict[int, bool])
    """The entries with which a part of an episode was over, and whether they closed the episode or ended the season."""
    ending: Ending | None = None
    """How hosts have ended the season, None while it goes on or after a final."""
    earlier: dict[tuple[int, int], Season] = field(
        default_factory=dict[tuple[int, int], "Season"], repr=False, compare=False
    )
    """The season as it was before, where that has been asked for (`seasons.fold.earlier`)."""

    @property
    def names(self) -> list[str]:
        """The names of contestants and hosts."""
        return [person.name for person in (*self.cast.values(), *self.hosts.values())]

    @property
    def begun(self) -> bool:
        """Whether an episode has ever been opened, even if that was undone."""
        return bool(self.made["episode-opened"])

    @property
    def remaining(self) -> list[str]:
        """The ids of the contestants who have not left."""
        return [contestant.id for contestant in self.cast.values() if contestant.out is None]

    @property
    def episode(self) -> Episode | None:
        """The episode that is open, or None."""
        return self.episodes[-1] if self.episodes and not self.episodes[-1].closed else None

    @property
    def winners(self) -> tuple[str, ...]:
        """The ids of those who have won: the last contestant once the final is closed, or whom hosts have named."""
        if self.ending is not None:
            return self.ending.winners
        last = self.episodes[-1] if self.episodes else None
        return tuple(self.remaining) if last is not None and last.closed and len(self.remaining) == 1 else ()

    @property
    def over(self) -> bool:
        """Whether the season has come to its end, with a winner or without."""
        return self.ending is not None or bool(self.winners)

    @property
    def step(self) -> Step:
        """What the season waits for: a cast, an episode, a match, a result, a decision, or nothing."""
        episode = self.episode
        if episode is None:
            return "over" if self.over else "open" if len(self.remaining) > 1 else "cast"
        if self.own_match is not None:
            return "own-match"
        if not episode.main_over:
            if episode.playing("main") and not self.unseated():
                return "main-playing"
            return "main" if episode.game is not None and self.unseated() else "result"
        if len(episode.named) < episode.format.candidates:
            return "candidate"
        if not episode.format.death_match:
            return "close" if len(episode.leaving) == 0 or episode.eliminated else "elimination"
        if episode.opponent is None:
            return "opponent"
        if episode.loser is None:
            if episode.playing("duel"):
                return "duel-playing"
            return "duel" if episode.duel is not None and not episode.at("duel") else "duel-result"
        return "close" if episode.eliminated else "elimination"

    @property
    def own_match(self) -> OwnMatch | None:
        """The match of the host's own that is being played, or None."""
        match, episode = next(reversed(self.own_matches.values()), None), self.episode
        if match is None or episode is None or match.over or match.episode != episode.number:
            return None
        decided = episode.main_over if match.part == "main" else episode.loser is not None
        return None if decided else match

    @property
    def submitters(self) -> list[str]:
        """The ids of those who can submit to the match of the host's own that is being played: bots never do."""
        match = self.own_match
        return [who for who in match.cast if self.cast[who].plays] if match is not None else []

    def takes_submissions(self, now: int) -> bool:
        """Return whether somebody can submit to a match of the host's own, at `now` in milliseconds since 1970."""
        return self.own_match is not None and not self.own_match.closed(now) and bool(self.submitters)

    def takes_requests(self, phase: str, now: int) -> bool:
        """Return whether a phase can still get more time: it is not over, or late submissions wait for their hosts.

        `now` is milliseconds since 1970.
        """
        match = self.own_match
        late = match is not None and not match.round.sealed and match.round.phase == phase
        return late or now < self.phases[phase].ends

    def unseated(self) -> list[str]:
        """Return the ids of the contestants who have no table in the main match of the open episode yet."""
        seated = {who for played in self.opened().at("main") for who in played.cast}
        return [who for who in self.remaining if who not in seated]

    def name(self, who: str) -> str:
        """Return the name of a contestant, or of a present or former host, by id."""
        person = self.cast.get(who) or self.hosts.get(who) or self.former_hosts.get(who)
        return person.name if person else _("the server")

    def seat_name(self, table: str, seat: int) -> str:
        """Return the name of the contestant at a seat of one of the season's tables, empty for any other table."""
        casts = [episode.tables[table].cast for episode in self.episodes if table in episode.tables]
        return self.name(casts[0][seat]) if casts else ""

    def player(self, who: str) -> int | None:
        """Return which player has a contestant's place (`Contestant.player`), 0 for a host, None for anybody else."""
        return self.cast[who].player if who in self.cast else 0 if who in self.hosts else None

    def had(self, who: str, player: int) -> bool:
        """Return whether the player of this number (`Contestant.player`) has, or once had, a person's place."""
        latest = self.player(who)
        return latest is not None and player <= latest

    def contestant(self, who: str) -> Contestant:
        """Return a contestant by id. Raises NotPossible if there is none, or they have left."""
        contestant = self.cast.get(who)
        if contestant is None:
            raise NotPossible(_("There is no such contestant."))
        if contestant.out is not None:
            raise NotPossible(_("{name} has left the season.").format(name=contestant.name))
        return contestant

    def forget_nudges(self, cast: Iterable[str]) -> None:
        """Forget the nudges of contestants who have something new to do: what they were nudged about is over."""
        for who in cast:
            self.cast[who].nudged = 0

    def opened(self) -> Episode:
        """Return the open episode. Raises NotPossible if none is open."""
        if self.episode is None:
            raise NotPossible(_("No episode is open."))
        return self.episode

    def namer(self, what: Literal["candidate", "opponent"]) -> str | None:
        """Return the id of the contestant who names a candidate or the opponent, None if hosts do or nobody yet."""
        episode = self.episode
        if episode is None:
            return None
        if what == "candidate":
            return episode.winner if episode.format.candidates_by == "winner" else None
        return {"candidate": episode.candidate, "winner": episode.winner}.get(episode.format.opponent_by)

    def tie_winner(self, tied: Collection[str], lot: Sequence[str]) -> str | None:
        """Return who comes first of contestants with equal results, by the rule of the open episode's format.

        `lot` is the order that the server has drawn. None if hosts decide.
        """
        rule = self.opened().format.tie
        if len(tied) > 1 and rule == "priority":
            most = max(self.ledger.balance(who, "priority") for who in tied)
            tied = [who for who in tied if self.ledger.balance(who, "priority") == most]
        elif len(tied) > 1 and rule == "lot":
            tied = [who for who in lot if who in tied][:1]
        return next(iter(tied)) if len(tied) == 1 else None

    def challengeable(self) -> list[str]:
        """Return the ids of the contestants who can be named as the candidate, or as the opponent of one.

        They are those without a token of life, or everybody else if all have one. Nobody names themselves.
        """
        episode = self.opened()
        what = "candidate" if len(episode.named) < episode.format.candidates else "opponent"
        others = [who for who in self.remaining if who not in (*episode.named, self.namer(what))]
        return [who for who in others if not self.ledger.balance(who, "tokens")] or others

    def awaited(self) -> set[str]:
        """Return the ids of the tables whose results are still to be taken."""
        tables = self.episode.tables if self.episode is not None else {}
        return {table for table, played in tables.items() if played.winners is None} - self.taken

    def require_garnets(self, who: str, amount: int) -> None:
        """Raise NotPossible if a contestant has too few garnets, where only hosts see balances.

        The message hides the balance. Where balances are shown, `Ledger.move` refuses, with the number.
        """
        if self.settings.garnets == "hosts" and self.ledger.balance(who, "garnets") < amount:
            raise NotPossible(_("{name} does not have enough garnets.").format(name=self.name(who)))

    def require_free(self, who: str) -> None:
        """Raise NotPossible while a contestant's garnets and priority are at stake at a table."""
        episode = self.episode
        for played in episode.tables.values() if episode is not None else ():
            if played.stakes and played.winners is None and who in played.cast:
                message = _(
                    "{name} is playing with these garnets and priority. They can change when the match is over."
                )
                raise NotPossible(message.format(name=self.name(who)))

    def balances(self, who: str) -> dict[str, int]:
        """Return what a contestant has, by currency."""
        return {currency: self.ledger.balance(who, currency) for currency in CURRENCIES}
