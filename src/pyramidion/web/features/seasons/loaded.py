"""Seasons as the server reads them, and who sends a request about one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import get_args

from pyramidion.seasons.conversations import Conversations
from pyramidion.seasons.people import Role
from pyramidion.seasons.season import Season
from pyramidion.web.competitions.rows import vacant
from pyramidion.web.db.identity_changes import is_nobody
from pyramidion.web.errors import Refused
from pyramidion.web.features.seasons.store import Person

ROLES: tuple[Role, ...] = get_args(Role)


class UnknownSeason(Refused, LookupError):
    """The season, or the part asked for, does not exist or is hidden from the requester."""

    status = 404
    code = "unknown-season"


@dataclass(frozen=True, slots=True)
class LoadedSeason:
    """A season as read from the database, with its people, conversations and the marks of uploaded pictures.

    It is never changed in place. `people` are by id. `private` says whether it belongs to a private club. `marks` are
    the marks of pictures by pairs of person id and player number (`Season.player`).
    """

    id: str
    season: Season
    people: dict[str, Person] = field(default_factory=dict[str, Person])
    conversations: Conversations = field(default_factory=Conversations)
    private: bool = False
    marks: Mapping[tuple[str, int], str] = field(default_factory=dict[tuple[str, int], str])

    @property
    def state(self) -> Season:
        """The season, under the name that all competitions use."""
        return self.season

    def vacant(self) -> list[str]:
        """Return the ids of people whose links to renew: those of deleted accounts, and a visitor's second places."""
        places = [who for who in self.season.remaining if self.season.cast[who].bot is None]
        hosts = [who for who in self.season.hosts if is_nobody(self.people[who].holder)]
        return [*hosts, *vacant({who: self.people[who].holder for who in places})]

    @property
    def holders(self) -> dict[str, str | None]:
        """The visitor ids of people by id, None for those who have not opened their links."""
        return {person.who: person.holder for person in self.people.values()}

    def joined(self, who: str) -> bool:
        """Return whether a visitor has opened this person's personal link."""
        return who in self.people and self.people[who].holder is not None


@dataclass(frozen=True, slots=True)
class SeasonRequester:
    """The sender of a request about a season: a host, a contestant or anybody else.

    Attributes:
        who: the id of a host or contestant, None for anybody else.
        private: whether private texts may be shown. A contestant's link alone does not allow it, since hosts know it.
    """

    who: str | None
    private: bool


def who_holds(loaded: LoadedSeason, visitor: str) -> str | None:
    """Return the id of the host or contestant that a visitor is in a season, or None.

    Of several the host with the highest role comes first, then contestants who have not left.
    """
    season = loaded.season

    def rank(who: str) -> tuple[int, bool]:
        """Return the sort key that puts hosts first, by role, and contestants who have left last."""
        host = season.hosts.get(who)
        return (ROLES.index(host.role), False) if host is not None else (len(ROLES), season.cast[who].out is not None)

    mine = [person.who for person in loaded.people.values() if person.holder == visitor]
    return min((who for who in mine if who in season.hosts or who in season.cast), key=rank, default=None)


def authors_of(loaded: LoadedSeason, who: str | None) -> list[str]:
    """Return the authors under which a person's idempotency keys may be stored, the person's own first.

    An author is `ID.PLAYER`, and `ID.PLAYER.TURN` once the link has been renewed: whoever opens a new link must not
    learn what was sent before. A visitor who signs in may come to have two places: a request that is sent again
    afterwards may belong to either.
    """
    holder = loaded.people[who].holder if who in loaded.people else None
    places = [who, *(person.who for person in loaded.people.values() if holder is not None and person.holder == holder)]
    turns = {place: loaded.people[place].turn if place in loaded.people else 0 for place in places if place is not None}
    return [f"{place}.{loaded.season.player(place)}{f'.{turn}' if turn else ''}" for place, turn in turns.items()]


def season_requester_of(loaded: LoadedSeason, visitor: str | None) -> SeasonRequester:
    """Return who a visitor is as a requester in a season; None stands for nobody."""
    return SeasonRequester(who_holds(loaded, visitor) if visitor is not None else None, True)
