"""Who may do what in a season."""

from __future__ import annotations

from pyramidion.seasons.events import Asked, Bought, Confessed, Event, ExtensionAsked, Gave, OpponentNamed
from pyramidion.seasons.season import Season

POSTS = frozenset({"posted"})
MODERATES = POSTS | {
    "answered",
    "corrected",
    "withdrawn",
    "cast-changed",
    "struck",
    "nudged",
    "phase-extended",
    "extension-declined",
}
CONTESTANTS = (Asked, Bought, Confessed, ExtensionAsked, Gave)
"""What contestants do for themselves."""
WORDS = (Asked, Confessed, ExtensionAsked)
"""What hosts cannot do in a contestant's name."""
HOSTS_ONLY = frozenset({"host-added", "host-removed"})


def may(season: Season, who: str, event: Event) -> bool:
    """Return whether a host or a contestant may do this."""
    if host := season.hosts.get(who):
        if isinstance(event, WORDS):
            return False
        if host.role == "host":
            return True
        if host.role == "co-host":
            return event.kind not in HOSTS_ONLY
        return event.kind in (MODERATES if host.role == "moderator" else POSTS)
    if who not in season.cast:
        return False
    if isinstance(event, CONTESTANTS):
        return event.contestant == who
    return isinstance(event, OpponentNamed) and season.episode is not None and season.episode.candidate == who


def runs(season: Season, who: str) -> bool:
    """Return whether a host may take the next step."""
    return who in season.hosts and season.hosts[who].role in ("host", "co-host")
