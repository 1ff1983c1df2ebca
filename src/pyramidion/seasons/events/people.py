"""Events about the people of a season: settings, hosts, cast."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from pyramidion.event_log import Entry, NotPossible
from pyramidion.names import Name, OptionalText, Title
from pyramidion.seasons.events.checks import check_zone, require_in_range
from pyramidion.seasons.people import Contestant, FormerPlayer, Role, SeasonHost, Withdrawal
from pyramidion.seasons.season import Season, SeasonSettings
from pyramidion.translation import _

MOST_CAST = 100
NUDGE_PAUSE = 10 * 60_000


@dataclass(frozen=True, slots=True)
class SettingsChanged(SeasonSettings):
    """A host changes the settings; the first ones begin the season."""

    kind: Literal["settings"] = "settings"

    def apply(self, season: Season, entry: Entry) -> None:
        """Replace the settings."""
        if not 0 <= self.delay <= 24 * 60:
            raise NotPossible(_("The delay must be 0 to 1440 hours."))
        if season.begun and self.talk != season.settings.talk:
            raise NotPossible(_("Who reads conversations is fixed when the first episode begins."))
        if not 0 <= self.strikes <= 100:
            raise NotPossible(_("A contestant can have 0 to 100 strikes."))
        check_zone(self.zone)
        season.settings = self


@dataclass(frozen=True, slots=True)
class Retitled:
    """The operators of the server give the season another title, which everybody sees at once (`fold.earlier`)."""

    title: Title
    kind: Literal["retitled"] = "retitled"

    def apply(self, season: Season, entry: Entry) -> None:
        """Replace the title."""
        season.settings = replace(season.settings, title=self.title)


@dataclass(frozen=True, slots=True)
class HostAdded:
    """A host adds another host."""

    name: Name
    role: Role = "host"
    kind: Literal["host-added"] = "host-added"

    def apply(self, season: Season, entry: Entry) -> None:
        """Add the host."""
        who = f"h{season.made[self.kind]}"
        season.hosts[who] = SeasonHost(who, self.name, self.role)


@dataclass(frozen=True, slots=True)
class HostRemoved:
    """A host removes a host."""

    host: str
    kind: Literal["host-removed"] = "host-removed"

    def apply(self, season: Season, entry: Entry) -> None:
        """Remove the host, whose name stays with what they did; the season keeps one with the role of host."""
        if self.host in season.hosts:
            season.former_hosts[self.host] = season.hosts.pop(self.host)
        if not any(host.role == "host" for host in season.hosts.values()):
            raise NotPossible(_("A season needs a host."))


@dataclass(frozen=True, slots=True)
class CastAdded:
    """A host adds a contestant with what they have at the beginning."""

    name: Name
    garnets: int = 0
    priority: int = 0
    bot: str | None = None
    kind: Literal["cast-added"] = "cast-added"

    def apply(self, season: Season, entry: Entry) -> None:
        """Add the contestant."""
        if season.episode is not None or season.over or len(season.cast) >= MOST_CAST:
            raise NotPossible(_("Contestants can be added between episodes, up to {limit}.").format(limit=MOST_CAST))
        who = f"c{season.made[self.kind]}"
        season.cast[who] = Contestant(who, self.name, self.bot)
        require_in_range(self.garnets)
        require_in_range(self.priority)
        if self.garnets < 0:
            raise NotPossible(_("Nobody can have fewer than 0 garnets."))
        season.ledger.change(entry.number, "garnets", who, self.garnets)
        season.ledger.change(entry.number, "priority", who, self.priority)


@dataclass(frozen=True, slots=True)
class CastChanged:
    """A host changes the name of a contestant, or the bot that plays for them."""

    contestant: str
    name: Name
    bot: str | None = None
    kind: Literal["cast-changed"] = "cast-changed"

    def apply(self, season: Season, entry: Entry) -> None:
        """Change the contestant."""
        contestant = season.contestant(self.contestant)
        contestant.name, contestant.bot = self.name, self.bot


@dataclass(frozen=True, slots=True)
class StoodIn:
    """A stand-in takes a contestant's place: balances and seats go over, nothing private does."""

    contestant: str
    name: Name
    bot: str | None = None
    kind: Literal["stood-in"] = "stood-in"

    def apply(self, season: Season, entry: Entry) -> None:
        """Give the place to the stand-in."""
        contestant = season.contestant(self.contestant)
        season.former_players.append(FormerPlayer(contestant.id, contestant.name, entry.at))
        CastChanged(self.contestant, self.name, self.bot).apply(season, entry)
        contestant.since, contestant.player = entry.at, contestant.player + 1
        contestant.withdrawal = None


@dataclass(frozen=True, slots=True)
class LinkRenewed:
    """A person gets a new personal link.

    A host could open it, so nothing private from before can be read with it.
    """

    person: str
    kind: Literal["link-renewed"] = "link-renewed"

    def apply(self, season: Season, entry: Entry) -> None:
        """Note the time: a contestant's link opens nothing private from before it."""
        if self.person in season.cast:
            season.cast[self.person].since = entry.at
        elif self.person not in season.hosts:
            raise NotPossible(_("There is no such person."))


@dataclass(frozen=True, slots=True)
class Struck:
    """A host gives a contestant strikes, with a reason; a negative number takes some back."""

    contestant: str
    amount: int = 1
    kind: Literal["struck"] = "struck"

    def apply(self, season: Season, entry: Entry) -> None:
        """Count the strikes."""
        contestant = season.contestant(self.contestant)
        if not entry.reason.strip():
            raise NotPossible(_("Give a reason."))
        if self.amount == 0 or not 0 <= contestant.strikes + self.amount <= 100:
            raise NotPossible(_("A contestant can have 0 to 100 strikes."))
        contestant.strikes += self.amount


@dataclass(frozen=True, slots=True)
class Nudged:
    """A host reminds a contestant who keeps the season waiting."""

    contestant: str
    kind: Literal["nudged"] = "nudged"

    def apply(self, season: Season, entry: Entry) -> None:
        """Note the time; nobody is nudged twice within a few minutes."""
        contestant = season.contestant(self.contestant)
        if entry.at - contestant.nudged < NUDGE_PAUSE:
            raise NotPossible(_("{name} was nudged a few minutes ago.").format(name=contestant.name))
        contestant.nudged = entry.at


@dataclass(frozen=True, slots=True)
class Noted:
    """A host writes a note about a contestant for the hosts; an empty text removes it."""

    contestant: str
    text: OptionalText = ""
    kind: Literal["noted"] = "noted"

    def apply(self, season: Season, entry: Entry) -> None:
        """Replace the note."""
        if self.contestant not in season.cast:
            raise NotPossible(_("There is no such contestant."))
        season.cast[self.contestant].note = self.text


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A contestant leaves the season without a death match: at once, or when the open episode is closed.

    Until then `bot` plays for them; with None nobody does, unless a bot has done so before.
    """

    contestant: str
    bot: str | None = None
    kind: Literal["withdrawn"] = "withdrawn"

    def apply(self, season: Season, entry: Entry) -> None:
        """Let the contestant leave, or note that they will."""
        contestant, episode = season.contestant(self.contestant), season.episode
        if contestant.withdrawal is not None:
            raise NotPossible(_("{name} has withdrawn.").format(name=contestant.name))
        contestant.withdrawal = Withdrawal(len(season.episodes), episode is not None, entry.reason.strip())
        if episode is None:
            contestant.out = len(season.episodes)
            return
        contestant.bot = self.bot or contestant.bot
        to_leave = 0 if episode.eliminated else episode.format.eliminations
        if episode.final:
            raise NotPossible(_("Nobody withdraws from the final. Enter instead who lost it."))
        if sum(season.cast[who].withdrawal is None for who in season.remaining) <= to_leave:
            message = _("With so few left, {name} can only withdraw after this episode. Until then a bot can play.")
            raise NotPossible(message.format(name=contestant.name))

    def check(self, season: Season) -> None:
        """Raise NotPossible if the season is over: a new entry must not take the winner from it."""
        if season.over:
            raise NotPossible(_("The season is over."))
