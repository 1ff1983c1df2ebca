"""Conversations between contestants: a log of their own, which no page of the season's log gives away.

A conversation is between two contestants (its id is both of theirs, `c1-c2`) or in an alliance (`a1`). Who reads them
besides is a setting of the season, fixed when its first episode begins; before that nobody can write.

The log counts all alliances. A contestant knows those that they are in by ids that count their own (`own_ids`), since
a gap would tell of secret ones.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Annotated, Literal

from pyramidion.event_log import Entry, NotPossible, kinds_of, with_clean_texts
from pyramidion.names import Text, clean_title
from pyramidion.seasons.season import Season
from pyramidion.translation import _

MOST_FORMED = 50
"""How many alliances one contestant can form. A limit for all together would tell how many there are."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message in a conversation; `at` is milliseconds since 1970."""

    at: int
    by: str
    to: str
    text: str


@dataclass(slots=True)
class Alliance:
    """A named alliance: `members` are contestants and when they came in.

    `came` are the entries with which everybody who has ever been in it came in, in order.
    """

    id: str
    name: str
    members: dict[str, int] = field(default_factory=dict[str, int])
    came: list[tuple[str, Entry]] = field(default_factory=list[tuple[str, Entry]])

    def add(self, who: str, entry: Entry) -> None:
        """Let a contestant in."""
        self.members[who] = entry.at
        self.came.append((who, entry))


@dataclass(slots=True)
class Talk:
    """All conversations of a season, made from their log by `event_log.fold`."""

    alliances: dict[str, Alliance] = field(default_factory=dict[str, Alliance])
    lines: list[Message] = field(default_factory=list[Message])
    log: list[Entry] = field(default_factory=list[Entry])
    made: Counter[str] = field(default_factory=Counter[str])

    @property
    def names(self) -> tuple[str, ...]:
        """None: alliances do not know of each other, so their names may be alike."""
        return ()

    def alliance(self, alliance: str) -> Alliance:
        """Return an alliance. Raises NotPossible."""
        if alliance not in self.alliances:
            raise NotPossible(_("There is no such conversation."))
        return self.alliances[alliance]


@dataclass(frozen=True, slots=True)
class Said:
    """A message to a contestant, or to an alliance that one is in."""

    to: str
    text: Text
    kind: Literal["said"] = "said"

    def check(self, season: Season, talk: Talk, by: str) -> None:
        """Raise NotPossible unless the message can be written."""
        if self.to in season.cast:
            season.contestant(self.to)
            if self.to == by:
                raise NotPossible(_("Choose somebody else."))
        else:
            _own(season, talk, self.to, by)

    def apply(self, talk: Talk, entry: Entry) -> None:
        """Add the message."""
        to = pair(entry.by, self.to) if self.to not in talk.alliances else self.to
        talk.lines.append(Message(entry.at, entry.by, to, self.text))


@dataclass(frozen=True, slots=True)
class AllianceFormed:
    """A new alliance of its author and others."""

    name: Annotated[str, partial(clean_title, longest=60, required=True)]
    members: tuple[str, ...]
    kind: Literal["alliance-formed"] = "alliance-formed"

    def check(self, season: Season, talk: Talk, by: str) -> None:
        """Raise NotPossible unless the alliance can be formed."""
        for who in self.members:
            season.contestant(who)
        if not set(self.members) - {by}:
            raise NotPossible(_("Choose somebody else."))
        if sum(entry.by == by and isinstance(entry.event, AllianceFormed) for entry in talk.log) >= MOST_FORMED:
            raise NotPossible(_("You can form up to {limit} alliances.").format(limit=MOST_FORMED))

    def apply(self, talk: Talk, entry: Entry) -> None:
        """Form the alliance."""
        made = f"a{len(talk.alliances) + 1}"
        alliance = talk.alliances[made] = Alliance(made, self.name)
        for who in sorted({entry.by, *self.members}):
            alliance.add(who, entry)


@dataclass(frozen=True, slots=True)
class AllianceJoined:
    """A contestant whom a member adds; what was said before they came stays with the others."""

    alliance: str
    contestant: str
    kind: Literal["alliance-joined"] = "alliance-joined"

    def check(self, season: Season, talk: Talk, by: str) -> None:
        """Raise NotPossible unless a member adds somebody who is not in it."""
        _own(season, talk, self.alliance, by)
        season.contestant(self.contestant)
        if member(season, talk.alliance(self.alliance), self.contestant):
            raise NotPossible(_("{name} is in this alliance already.").format(name=season.name(self.contestant)))

    def apply(self, talk: Talk, entry: Entry) -> None:
        """Add the member."""
        talk.alliance(self.alliance).add(self.contestant, entry)


@dataclass(frozen=True, slots=True)
class AllianceLeft:
    """A member who leaves."""

    alliance: str
    kind: Literal["alliance-left"] = "alliance-left"

    def check(self, season: Season, talk: Talk, by: str) -> None:
        """Raise NotPossible unless the author is a member."""
        _own(season, talk, self.alliance, by)

    def apply(self, talk: Talk, entry: Entry) -> None:
        """Remove the member."""
        talk.alliance(self.alliance).members.pop(entry.by, None)


TalkEvent = Said | AllianceFormed | AllianceJoined | AllianceLeft
TALK_KINDS: dict[str, type[TalkEvent]] = kinds_of(TalkEvent)


def pair(who: str, other: str) -> str:
    """Return the id of the conversation between two contestants."""
    return "-".join(sorted((who, other), key=lambda who: (len(who), who)))


def check_talk(season: Season, talk: Talk, by: str, event: TalkEvent) -> None:
    """Raise NotPossible with a sentence unless a contestant can do this now."""
    if season.settings.talk == "none" or not season.begun:
        raise NotPossible(_("Conversations open with the first episode, if the season has them."))
    season.contestant(by)
    with_clean_texts(event).check(season, talk, by)


def member(season: Season, alliance: Alliance, who: str) -> bool:
    """Return whether a contestant's present player is in an alliance; a stand-in inherits no alliances."""
    return alliance.members.get(who, -1) > season.cast[who].since if who in season.cast else False


def own_ids(season: Season, talk: Talk, who: str) -> dict[str, str]:
    """Return the ids by which a contestant's present player knows the alliances that they have ever been in.

    They count these alliances in the order in which the player came in, and stay as they are.
    """
    since, first = season.cast[who].since, dict[str, int]()
    for alliance in talk.alliances.values():
        numbers = [entry.number for joiner, entry in alliance.came if joiner == who and entry.at > since]
        if numbers:
            first[alliance.id] = numbers[0]
    return {alliance: f"a{number}" for number, alliance in enumerate(sorted(first, key=first.__getitem__), 1)}


def from_own(season: Season, talk: Talk, who: str, event: TalkEvent) -> TalkEvent:
    """Return what a contestant's player does, with the ids that the log has instead of the player's own."""
    alliances = {own: alliance for alliance, own in own_ids(season, talk, who).items()}
    match event:
        case Said(to) if to not in season.cast:
            return replace(event, to=alliances.get(to, ""))
        case AllianceJoined(alliance) | AllianceLeft(alliance):
            return replace(event, alliance=alliances.get(alliance, ""))
        case _:
            return event


def _own(season: Season, talk: Talk, alliance: str, by: str) -> None:
    if not member(season, talk.alliance(alliance), by):
        raise NotPossible(_("There is no such conversation."))


def heard(season: Season, talk: Talk, who: str) -> dict[str, list[Message]]:
    """Return the conversations that a contestant's present player is in, with what was said while they were."""
    since = season.cast[who].since
    conversations: dict[str, list[Message]] = {}
    for alliance in talk.alliances.values():
        if member(season, alliance, who):
            conversations[alliance.id] = []
    for line in talk.lines:
        if line.to in talk.alliances:
            came = talk.alliances[line.to].members.get(who) if line.to in conversations else None
            mine = came is not None and line.at >= came
        else:
            mine = who in line.to.split("-") and line.at > since
        if mine:
            conversations.setdefault(line.to, []).append(line)
    return conversations
