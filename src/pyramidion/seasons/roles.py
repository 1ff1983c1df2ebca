"""Who may do what in a season."""

from __future__ import annotations

from pyramidion.event_log import kinds_of
from pyramidion.seasons.events import (
    Asked,
    Bought,
    CandidateNamed,
    Confessed,
    Event,
    ExtensionAsked,
    Gave,
    OpponentNamed,
    RequestedEvent,
)
from pyramidion.seasons.people import Role
from pyramidion.seasons.season import Season

CONTESTANTS = (Asked, Bought, Confessed, ExtensionAsked, Gave)
"""What contestants do for themselves."""
WORDS = frozenset(kinds_of(Asked | Confessed | ExtensionAsked))
"""What hosts cannot do in a contestant's name."""
POSTS = frozenset({"posted"})
MODERATES = POSTS | {
    "answered",
    "corrected",
    "withdrawn",
    "cast-changed",
    "struck",
    "nudged",
    "noted",
    "phase-extended",
    "extension-declined",
}
HOSTS = frozenset(kinds_of(RequestedEvent)) - WORDS
ALLOWED: dict[Role, frozenset[str]] = {
    "host": HOSTS,
    "co-host": HOSTS - {"host-added", "host-removed"},
    "moderator": MODERATES,
    "announcer": POSTS,
}
"""The kinds of entries that the hosts of each role may add."""


def allowed(season: Season, who: str) -> frozenset[str]:
    """Return the kinds of entries that a host may add; none for anybody else."""
    return ALLOWED[season.hosts[who].role] if who in season.hosts else frozenset()


def may(season: Season, who: str, event: Event) -> bool:
    """Return whether a host or a contestant, by id, may bring about this event."""
    if who not in season.cast:
        return event.kind in allowed(season, who)
    if isinstance(event, CONTESTANTS):
        return event.contestant == who
    if isinstance(event, CandidateNamed):
        return season.namer("candidate") == who
    return isinstance(event, OpponentNamed) and season.namer("opponent") == who


def runs(season: Season, who: str) -> bool:
    """Return whether a host may open episodes, and so take the steps that run the season."""
    return "episode-opened" in allowed(season, who)
