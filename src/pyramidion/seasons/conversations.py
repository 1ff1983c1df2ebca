"""Conversations between contestants: a log of their own, which no page of the season's log gives away.

A conversation is between two contestants (its id is both of theirs, `c1-c2`) or in an alliance (`a1`). Who reads them
besides is a setting of the season, fixed when its first episode begins; before that nobody can write.

The log counts all alliances. A contestant knows those that they are in by ids that count their own (`own_ids`), since
a gap would tell of secret ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
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
    """A contestant's message; `to` is the id of its conversation, and `at` is milliseconds since 1970."""

    at: int
    by: str
    to: str
    text: str


@dataclass(frozen=True, slots=True)
class Submission:
    """What a contestant has submitted in secret, saved or confirmed (`seasons.submissions`)."""

    at: int
    values: Mapping[str, int | str]
    confirmed: bool


@dataclass(slots=True)
class Alliance:
    """An alliance of contestants, who have a conversation; `members` maps their ids to when they came in.

    `joins` are the entries with which everybody who has ever been in it came in, in order.
    """

    id: str
    name: str
    members: dict[str, int] = field(default_factory=dict[str, int])
    joins: list[tuple[str, Entry]] = field(default_factory=list[tuple[str, Entry]])

    def add(self, who: str, entry: Entry) -> None:
        """Let a contestant in."""
        self.members[who] = entry.at
        self.joins.append((who, entry))


@dataclass(slots=True)
class Conversations:
    """All conversations of a season, made from their log by `event_log.fold`.

    The log also holds what else contestants write in private: `submissions` to matches, by the match's id, the number
    of its round and the contestant.
    """

    alliances: dict[str, Alliance] = field(default_factory=dict[str, Alliance])
    messages: list[Message] = field(default_factory=list[Message])
    submissions: dict[tuple[str, int, str], Submission] = field(default_factory=dict[tuple[str, int, str], Submission])
    log: list[Entry] = field(default_factory=list[Entry])
    made: Counter[str] = field(default_factory=Counter[str])

    @property
    def names(self) -> tuple[str, ...]:
        """An empty tuple: alliances do not know of each other, so their names may be alike."""
        return ()

    def alliance(self, alliance: str) -> Alliance:
        """Return an alliance by id. Raises NotPossible if there is none."""
        if alliance not in self.alliances:
            raise NotPossible(_("There is no such conversation."))
        return self.alliances[alliance]


@dataclass(frozen=True, slots=True)
class Said:
    """A contestant writes to another one, or to an alliance that they are in."""

    to: str
    text: Text
    kind: Literal["said"] = "said"

    def check(self, season: Season, conversations: Conversations, by: str) -> None:
        """Raise NotPossible unless the message can be written."""
        if self.to in season.cast:
            season.contestant(self.to)
            if self.to == by:
                raise NotPossible(_("Choose somebody else."))
        else:
            _require_member(season, conversations, self.to, by)

    def apply(self, conversations: Conversations, entry: Entry) -> None:
        """Add the message."""
        to = pair_id(entry.by, self.to) if self.to not in conversations.alliances else self.to
        conversations.messages.append(Message(entry.at, entry.by, to, self.text))


@dataclass(frozen=True, slots=True)
class AllianceFormed:
    """A contestant forms an alliance with others."""

    name: Annotated[str, partial(clean_title, longest=60, required=True)]
    members: tuple[str, ...]
    kind: Literal["alliance-formed"] = "alliance-formed"

    def check(self, season: Season, conversations: Conversations, by: str) -> None:
        """Raise NotPossible unless the alliance can be formed."""
        for who in self.members:
            season.contestant(who)
        if not set(self.members) - {by}:
            raise NotPossible(_("Choose somebody else."))
        if (
            sum(entry.by == by and isinstance(entry.event, AllianceFormed) for entry in conversations.log)
            >= MOST_FORMED
        ):
            raise NotPossible(_("You can form up to {limit} alliances.").format(limit=MOST_FORMED))

    def apply(self, conversations: Conversations, entry: Entry) -> None:
        """Form the alliance."""
        made = f"a{len(conversations.alliances) + 1}"
        alliance = conversations.alliances[made] = Alliance(made, self.name)
        for who in sorted({entry.by, *self.members}):
            alliance.add(who, entry)


@dataclass(frozen=True, slots=True)
class AllianceJoined:
    """A member of an alliance adds another contestant, who does not see what was said before."""

    alliance: str
    contestant: str
    kind: Literal["alliance-joined"] = "alliance-joined"

    def check(self, season: Season, conversations: Conversations, by: str) -> None:
        """Raise NotPossible unless `by` is a member of the alliance, and the contestant is not."""
        _require_member(season, conversations, self.alliance, by)
        season.contestant(self.contestant)
        if is_member(season, conversations.alliance(self.alliance), self.contestant):
            raise NotPossible(_("{name} is in this alliance already.").format(name=season.name(self.contestant)))

    def apply(self, conversations: Conversations, entry: Entry) -> None:
        """Add the member."""
        conversations.alliance(self.alliance).add(self.contestant, entry)


@dataclass(frozen=True, slots=True)
class AllianceLeft:
    """A member leaves an alliance."""

    alliance: str
    kind: Literal["alliance-left"] = "alliance-left"

    def check(self, season: Season, conversations: Conversations, by: str) -> None:
        """Raise NotPossible unless the author is a member."""
        _require_member(season, conversations, self.alliance, by)

    def apply(self, conversations: Conversations, entry: Entry) -> None:
        """Remove the member."""
        conversations.alliance(self.alliance).members.pop(entry.by, None)


ConversationEvent = Said | AllianceFormed | AllianceJoined | AllianceLeft
CONVERSATION_KINDS: dict[str, type[ConversationEvent]] = kinds_of(ConversationEvent)


def pair_id(who: str, other: str) -> str:
    """Return the id of the conversation between two contestants."""
    return "-".join(sorted((who, other), key=lambda who: (len(who), who)))


def check_conversation_event(season: Season, conversations: Conversations, by: str, event: ConversationEvent) -> None:
    """Raise NotPossible with a sentence unless the contestant `by` can do this now."""
    if season.settings.talk == "none" or not season.begun:
        raise NotPossible(_("Conversations open with the first episode, if the season has them."))
    season.contestant(by)
    with_clean_texts(event).check(season, conversations, by)


def is_member(season: Season, alliance: Alliance, who: str) -> bool:
    """Return whether a contestant's present player is in an alliance; a stand-in inherits no alliances."""
    return alliance.members.get(who, -1) > season.cast[who].since if who in season.cast else False


def own_ids(season: Season, conversations: Conversations, who: str) -> dict[str, str]:
    """Return the ids by which a contestant's present player knows the alliances that they have ever been in.

    The keys are the alliances' ids in the log. A player's own ids count these alliances in the order in which the
    player came in, and stay as they are.
    """
    since, first = season.cast[who].since, dict[str, int]()
    for alliance in conversations.alliances.values():
        numbers = [entry.number for joiner, entry in alliance.joins if joiner == who and entry.at > since]
        if numbers:
            first[alliance.id] = numbers[0]
    return {alliance: f"a{number}" for number, alliance in enumerate(sorted(first, key=first.__getitem__), 1)}


def with_log_ids(season: Season, conversations: Conversations, who: str, event: ConversationEvent) -> ConversationEvent:
    """Return an event of a contestant with the alliance ids of the log instead of the contestant's own ids."""
    alliances = {own: alliance for alliance, own in own_ids(season, conversations, who).items()}
    match event:
        case Said(to) if to not in season.cast:
            return replace(event, to=alliances.get(to, ""))
        case AllianceJoined(alliance) | AllianceLeft(alliance):
            return replace(event, alliance=alliances.get(alliance, ""))
        case _:
            return event


def _require_member(season: Season, conversations: Conversations, alliance: str, by: str) -> None:
    """Raise NotPossible unless the contestant `by` is in the alliance."""
    if not is_member(season, conversations.alliance(alliance), by):
        raise NotPossible(_("There is no such conversation."))


def conversations_of(season: Season, conversations: Conversations, who: str) -> dict[str, list[Message]]:
    """Return the conversations that a contestant's present player is in, by id, each with the messages they may read.

    These are the messages since they came in.
    """
    since = season.cast[who].since
    messages_by_id: dict[str, list[Message]] = {}
    for alliance in conversations.alliances.values():
        if is_member(season, alliance, who):
            messages_by_id[alliance.id] = []
    for message in conversations.messages:
        if message.to in conversations.alliances:
            came = conversations.alliances[message.to].members.get(who) if message.to in messages_by_id else None
            mine = came is not None and message.at >= came
        else:
            mine = who in message.to.split("-") and message.at > since
        if mine:
            messages_by_id.setdefault(message.to, []).append(message)
    return messages_by_id
