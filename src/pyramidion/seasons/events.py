"""What can happen in a season: each event checks whether it can and changes the state."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, get_args

from pyramidion import names
from pyramidion.seasons.ledger import CURRENCIES, Currency, NotPossible
from pyramidion.seasons.season import (
    LARGEST,
    Contestant,
    Entry,
    Episode,
    Host,
    Item,
    Part,
    Played,
    Post,
    Role,
    Season,
    Settings,
)
from pyramidion.words import _

MOST_CAST = 100
MOST_TEXT = 4_000


def clean_text(text: str, longest: int = MOST_TEXT) -> str:
    """Return a text without spaces around it. Raises NotPossible for an empty or long one."""
    tidy = text.strip()
    if not 0 < len(tidy) <= longest:
        raise NotPossible(_("Write 1 to {limit} characters.").format(limit=longest))
    return tidy


def new_name(name: str, taken: Iterable[str]) -> str:
    """Return a tidy name that looks like nobody else's. Raises NotPossible."""
    try:
        tidy = names.clean(name)
    except names.BadName as error:
        raise NotPossible(str(error)) from None
    if tidy is None:
        raise NotPossible(_("Enter a name."))
    if names.looks(tidy) in map(names.looks, taken):
        raise NotPossible(_("The name {name} is taken in this season.").format(name=tidy))
    return tidy


def _within(number: int) -> None:
    if abs(number) > LARGEST:
        raise NotPossible(_("Numbers can be at most {limit}.").format(limit=LARGEST))


@dataclass(frozen=True, slots=True)
class SettingsChanged(Settings):
    """New settings; the first ones begin the season."""

    kind: Literal["settings"] = "settings"

    def apply(self, season: Season, entry: Entry) -> None:
        """Replace the settings."""
        clean_text(self.title, 80)
        if len(self.about) > MOST_TEXT or not 0 <= self.delay <= 24 * 60:
            raise NotPossible(_("The delay must be 0 to 1440 hours, and a text can have at most 4000 characters."))
        season.settings = self


@dataclass(frozen=True, slots=True)
class HostAdded:
    """A new host."""

    name: str
    role: Role = "host"
    kind: Literal["host-added"] = "host-added"

    def apply(self, season: Season, entry: Entry) -> None:
        """Add the host."""
        name = new_name(self.name, _all_names(season))
        who = f"h{season.made[self.kind]}"
        season.hosts[who] = Host(who, name, self.role)


@dataclass(frozen=True, slots=True)
class HostRemoved:
    """A host who is none any more."""

    host: str
    kind: Literal["host-removed"] = "host-removed"

    def apply(self, season: Season, entry: Entry) -> None:
        """Remove the host; the season keeps one with the role of host."""
        season.hosts.pop(self.host, None)
        if not any(one.role == "host" for one in season.hosts.values()):
            raise NotPossible(_("A season needs a host."))


@dataclass(frozen=True, slots=True)
class CastAdded:
    """A new contestant and what they begin with."""

    name: str
    garnets: int = 0
    priority: int = 0
    bot: str | None = None
    kind: Literal["cast-added"] = "cast-added"

    def apply(self, season: Season, entry: Entry) -> None:
        """Add the contestant."""
        if season.episode is not None or season.winner is not None or len(season.cast) >= MOST_CAST:
            raise NotPossible(_("Contestants can be added between episodes, up to {limit}.").format(limit=MOST_CAST))
        name = new_name(self.name, _all_names(season))
        who = f"c{season.made[self.kind]}"
        season.cast[who] = Contestant(who, name, self.bot)
        _within(self.garnets)
        _within(self.priority)
        if self.garnets < 0:
            raise NotPossible(_("Nobody can have fewer than 0 garnets."))
        season.ledger.change(entry.number, "garnets", who, self.garnets)
        season.ledger.change(entry.number, "priority", who, self.priority)


@dataclass(frozen=True, slots=True)
class CastChanged:
    """Another name for a contestant, another bot or none; a stand-in takes over name, balances and place."""

    contestant: str
    name: str
    bot: str | None = None
    kind: Literal["cast-changed"] = "cast-changed"

    def apply(self, season: Season, entry: Entry) -> None:
        """Change the contestant."""
        one = season.contestant(self.contestant)
        one.name = new_name(self.name, (name for name in _all_names(season) if name != one.name))
        one.bot = self.bot


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A contestant who leaves without a death match."""

    contestant: str
    kind: Literal["withdrawn"] = "withdrawn"

    def apply(self, season: Season, entry: Entry) -> None:
        """Let the contestant leave, between episodes."""
        if season.episode is not None:
            raise NotPossible(_("Contestants can withdraw between episodes."))
        season.contestant(self.contestant).out = len(season.episodes)


@dataclass(frozen=True, slots=True)
class ItemSet(Item):
    """An item of the shop, new or changed: `item` is the id of the one that it replaces."""

    item: str | None = None
    kind: Literal["item-set"] = "item-set"

    def apply(self, season: Season, entry: Entry) -> None:
        """Put the item in the shop."""
        clean_text(self.name, 80)
        limits = [one for one in (self.per_person, self.per_season) if one is not None]
        if not 0 < self.price <= LARGEST or not 0 <= self.priority <= LARGEST or any(one < 1 for one in limits):
            raise NotPossible(_("An item costs 1 garnet or more, and limits are 1 or more."))
        if self.item is not None and self.item not in season.items:
            raise NotPossible(_("There is no such item."))
        season.items[self.item or f"i{season.made[self.kind]}"] = self


@dataclass(frozen=True, slots=True)
class ItemRemoved:
    """An item that is not sold any more."""

    item: str
    kind: Literal["item-removed"] = "item-removed"

    def apply(self, season: Season, entry: Entry) -> None:
        """Take the item out of the shop."""
        if season.items.pop(self.item, None) is None:
            raise NotPossible(_("There is no such item."))


@dataclass(frozen=True, slots=True)
class Bought:
    """A purchase."""

    contestant: str
    item: str
    kind: Literal["bought"] = "bought"

    def apply(self, season: Season, entry: Entry) -> None:
        """Take the price, and add the priority."""
        who, item = season.contestant(self.contestant).id, season.items.get(self.item)
        if item is None:
            raise NotPossible(_("There is no such item."))
        season.require_free(who)
        sold = sum(count for (_who, what), count in season.bought.items() if what == self.item)
        if item.per_person is not None and season.bought[who, self.item] >= item.per_person:
            raise NotPossible(_("You cannot buy more of this."))
        if item.per_season is not None and sold >= item.per_season:
            raise NotPossible(_("This is sold out."))
        season.bought[who, self.item] += 1
        season.ledger.change(entry.number, "garnets", who, -item.price)
        season.ledger.change(entry.number, "priority", who, item.priority)


@dataclass(frozen=True, slots=True)
class Gave:
    """A gift of garnets."""

    contestant: str
    to: str
    amount: int
    kind: Literal["gave"] = "gave"

    def apply(self, season: Season, entry: Entry) -> None:
        """Move the garnets."""
        if not season.settings.gifts:
            raise NotPossible(_("Gifts are not allowed in this season."))
        for who in (self.contestant, self.to):
            season.require_free(season.contestant(who).id)
        season.ledger.move(entry.number, "garnets", self.amount, self.contestant, self.to)


@dataclass(frozen=True, slots=True)
class Corrected:
    """A change of a balance by a host, who gives a reason."""

    contestant: str
    currency: Currency
    amount: int
    kind: Literal["corrected"] = "corrected"

    def apply(self, season: Season, entry: Entry) -> None:
        """Change the balance."""
        if not entry.reason.strip():
            raise NotPossible(_("Give a reason."))
        if self.amount == 0:
            raise NotPossible(_("Enter a change other than 0."))
        _within(self.amount)
        if self.currency != "tokens":
            season.require_free(self.contestant)
        season.ledger.change(entry.number, self.currency, season.contestant(self.contestant).id, self.amount)


@dataclass(frozen=True, slots=True)
class TiesBroken:
    """Equal priorities made different: of equal ones whoever comes first in the drawn `order` stays lowest."""

    order: tuple[str, ...]
    kind: Literal["ties-broken"] = "ties-broken"

    def raised(self, priority: dict[str, int]) -> dict[str, int]:
        """Return the priorities once none are equal, raised by as little as possible."""
        last: int | None = None
        found: dict[str, int] = {}
        for who in sorted(self.order, key=lambda one: priority[one]):
            last = found[who] = priority[who] if last is None else max(priority[who], last + 1)
        return found

    def apply(self, season: Season, entry: Entry) -> None:
        """Raise the priorities."""
        before = {who: season.ledger.balance(who, "priority") for who in self.order}
        for who, priority in self.raised(before).items():
            season.ledger.change(entry.number, "priority", who, priority - before[who])


@dataclass(frozen=True, slots=True)
class EpisodeOpened:
    """A new episode with its main match and its death match, each a game or, for None, played elsewhere."""

    game: str | None = None
    duel: str | None = None
    clock: int | None = None
    title: str = ""
    kind: Literal["episode-opened"] = "episode-opened"

    def apply(self, season: Season, entry: Entry) -> None:
        """Open the episode. Two contestants go straight to the death match, which is the final."""
        if season.step != "open":
            raise NotPossible(_("An episode can begin when the last one is closed and two contestants are left."))
        if len(self.title) > 80:
            raise NotPossible(_("Write 1 to {limit} characters.").format(limit=80))
        one = Episode(len(season.episodes) + 1, self.title.strip(), self.game, self.duel, self.clock)
        if len(season.left) == 2:
            one.final = True
            one.candidate, one.opponent = season.left
        season.episodes.append(one)


@dataclass(frozen=True, slots=True)
class MatchOpened:
    """A table with the contestants by seat; with `stakes` they play with their garnets and priority."""

    table: str
    part: Part
    cast: tuple[str, ...]
    stakes: bool = False
    kind: Literal["match-opened"] = "match-opened"

    def apply(self, season: Season, entry: Entry) -> None:
        """Add the table to the episode."""
        one = season.opened()
        if one.candidate is not None if self.part == "main" else one.opponent is None or one.loser is not None:
            raise NotPossible(_("This match cannot start now."))
        if any(who in played.cast for played in one.at(self.part) for who in self.cast):
            raise NotPossible(_("This match has already started."))
        one.tables[self.table] = Played(self.table, self.part, self.cast, self.stakes)


@dataclass(frozen=True, slots=True)
class ResultTaken:
    """The result of a table, taken when it is over; numbers are by seat.

    Attributes:
        garnets, priority: changes of the balances, or None.
        tokens, candidate: what the game's own rule says, or None.
    """

    table: str
    winners: tuple[str, ...]
    points: tuple[int, ...]
    garnets: tuple[int, ...] | None = None
    priority: tuple[int, ...] | None = None
    tokens: tuple[int, ...] | None = None
    candidate: str | None = None
    kind: Literal["result-taken"] = "result-taken"

    def apply(self, season: Season, entry: Entry) -> None:
        """Enter the result in the ledger and the episode; a table has one result."""
        one = season.opened()
        played = one.tables.get(self.table)
        if played is None or played.winners is not None:
            raise NotPossible(_("This table cannot have a result now."))
        played.winners, played.points = self.winners, self.points
        for seat, who in enumerate(played.cast):
            for currency in CURRENCIES:
                if changes := getattr(self, currency):
                    season.ledger.change(entry.number, currency, who, changes[seat])
        if self.tokens is not None:
            one.tokens |= {who: count for who, count in zip(played.cast, self.tokens, strict=True) if count}
        if played.part == "duel":
            if len(self.winners) == 1:
                one.loser = next(who for who in played.cast if who not in self.winners)
        elif len(one.at("main")) == 1:
            one.candidate = self.candidate


@dataclass(frozen=True, slots=True)
class ResultEntered:
    """The tokens of life and the elimination candidate, as a host enters or corrects them."""

    candidate: str
    tokens: dict[str, int] = field(default_factory=dict[str, int])
    kind: Literal["result-entered"] = "result-entered"

    def apply(self, season: Season, entry: Entry) -> None:
        """Replace the tokens and the candidate."""
        one = season.opened()
        if one.final or one.opponent is not None or one.playing("main"):
            raise NotPossible(_("Tokens and the candidate are set after the main match and before the opponent."))
        one.candidate = season.contestant(self.candidate).id
        if self.tokens.get(one.candidate):
            raise NotPossible(_("The elimination candidate cannot have a token of life."))
        one.tokens = {season.contestant(who).id: count for who, count in self.tokens.items() if count}
        for who in season.left:
            count = one.tokens.get(who, 0)
            if not 0 <= count <= 10:
                raise NotPossible(_("A contestant can have 0 to 10 tokens."))
            season.ledger.change(entry.number, "tokens", who, count - season.ledger.balance(who, "tokens"))


@dataclass(frozen=True, slots=True)
class OpponentNamed:
    """The candidate's opponent in the death match."""

    opponent: str
    kind: Literal["opponent-named"] = "opponent-named"

    def apply(self, season: Season, entry: Entry) -> None:
        """Name the opponent; until the death match begins another one can be named."""
        one = season.opened()
        if one.candidate is None or one.final or one.loser is not None or one.at("duel"):
            raise NotPossible(_("The opponent is named after the main match and before the death match."))
        if season.contestant(self.opponent).id not in season.challengeable():
            raise NotPossible(_("{name} cannot be named as the opponent.").format(name=season.name(self.opponent)))
        one.opponent = self.opponent


@dataclass(frozen=True, slots=True)
class DuelEntered:
    """The loser of a death match, as a host enters it."""

    loser: str
    kind: Literal["duel-entered"] = "duel-entered"

    def apply(self, season: Season, entry: Entry) -> None:
        """Note the loser."""
        one = season.opened()
        if one.opponent is None or one.eliminated or one.playing("duel"):
            raise NotPossible(_("The death match has not been played."))
        if self.loser not in (one.candidate, one.opponent):
            raise NotPossible(_("{name} is not in the death match.").format(name=season.name(self.loser)))
        one.loser = self.loser


@dataclass(frozen=True, slots=True)
class Eliminated:
    """The loser of the death match leaves."""

    contestant: str
    kind: Literal["eliminated"] = "eliminated"

    def apply(self, season: Season, entry: Entry) -> None:
        """Let the contestant leave."""
        one = season.opened()
        if one.loser is None or self.contestant != one.loser:
            raise NotPossible(_("Only the loser of the death match is eliminated."))
        season.contestant(self.contestant).out = one.number
        one.eliminated = True


@dataclass(frozen=True, slots=True)
class EpisodeClosed:
    """The end of an episode; tokens of life go back to the bank."""

    kind: Literal["episode-closed"] = "episode-closed"

    def apply(self, season: Season, entry: Entry) -> None:
        """Close the episode."""
        one = season.opened()
        if not one.eliminated:
            raise NotPossible(_("An episode is closed after the elimination."))
        for who in season.cast:
            season.ledger.change(entry.number, "tokens", who, -season.ledger.balance(who, "tokens"))
        one.closed = True


@dataclass(frozen=True, slots=True)
class Posted:
    """An announcement or a ruling for everybody."""

    text: str
    what: Literal["announcement", "ruling"] = "announcement"
    kind: Literal["posted"] = "posted"

    def apply(self, season: Season, entry: Entry) -> None:
        """Pin the post."""
        season.posts.append(Post(entry.number, entry.at, entry.by, self.what, clean_text(self.text)))


@dataclass(frozen=True, slots=True)
class Asked:
    """A contestant's question to the hosts."""

    contestant: str
    text: str
    kind: Literal["asked"] = "asked"

    def apply(self, season: Season, entry: Entry) -> None:
        """Note the question; until it is answered to all, only hosts and its author see it."""
        who = season.contestant(self.contestant).id
        season.posts.append(Post(entry.number, entry.at, who, "question", clean_text(self.text), to_all=False))


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer to the question with this entry number, to its author or to all."""

    question: int
    text: str
    to_all: bool = False
    kind: Literal["answered"] = "answered"

    def apply(self, season: Season, entry: Entry) -> None:
        """Add the answer."""
        asked = [one for one in season.posts if one.number == self.question and one.what == "question"]
        if not asked:
            raise NotPossible(_("There is no such question."))
        asked[0].answer, asked[0].to_all = clean_text(self.text), self.to_all


@dataclass(frozen=True, slots=True)
class Revoked:
    """An entry that is taken back: everything is as if it had not happened, and the log shows both."""

    entry: int
    kind: Literal["revoked"] = "revoked"

    def apply(self, season: Season, entry: Entry) -> None:
        """Check what is taken back; the fold leaves it out."""
        found = [one for one in season.log if one.number == self.entry]
        if not found or isinstance(found[0].event, (Revoked, SettingsChanged, HostAdded, HostRemoved)):
            raise NotPossible(_("This entry cannot be undone."))
        if not entry.reason.strip():
            raise NotPossible(_("Give a reason."))


def _all_names(season: Season) -> list[str]:
    return [one.name for one in (*season.cast.values(), *season.hosts.values())]


Command = (
    SettingsChanged
    | HostAdded
    | HostRemoved
    | CastAdded
    | CastChanged
    | Withdrawn
    | ItemSet
    | ItemRemoved
    | Bought
    | Gave
    | Corrected
    | EpisodeOpened
    | ResultEntered
    | OpponentNamed
    | DuelEntered
    | Eliminated
    | EpisodeClosed
    | Posted
    | Asked
    | Answered
    | Revoked
)
"""What people do."""
Event = Command | TiesBroken | MatchOpened | ResultTaken
"""What can happen; the last three are the server's own."""
KINDS: dict[str, type[Event]] = {one.__dataclass_fields__["kind"].default: one for one in get_args(Event)}
