"""Who may do what in a season, and what the server refuses beside what the season's own rules refuse."""

from __future__ import annotations

from collections.abc import Sequence

from pyramidion import bots
from pyramidion.bots.labels import label
from pyramidion.seasons.events import (
    CastAdded,
    CastChanged,
    Confessed,
    EpisodeOpened,
    Event,
    HostAdded,
    Nudged,
    StoodIn,
    Withdrawn,
)
from pyramidion.seasons.fold import check
from pyramidion.seasons.roles import may, runs
from pyramidion.seasons.season import Season
from pyramidion.translation import _, marked
from pyramidion.web.errors import NotPossibleNow, NotYours
from pyramidion.web.features.seasons import matches
from pyramidion.web.features.seasons.loaded import LoadedSeason, SeasonRequester
from pyramidion.web.names import player_name

NOT_YOURS = marked("You cannot do that in this season.")


def require_running(loaded: LoadedSeason, requester: SeasonRequester) -> str:
    """Return the requester's id if it is a host who may take the season's steps. Raises NotYours otherwise."""
    if requester.who is None or not runs(loaded.season, requester.who):
        raise NotYours(_(NOT_YOURS))
    return requester.who


def require_host(loaded: LoadedSeason, requester: SeasonRequester) -> None:
    """Raise NotYours unless the requester is a host of the season, whatever the role."""
    if requester.who not in loaded.season.hosts:
        raise NotYours(_(NOT_YOURS))


def require_renewable(loaded: LoadedSeason, requester: SeasonRequester, who: str) -> None:
    """Raise NotYours or NotPossibleNow unless a requester may renew the personal link of the person `who`."""
    by = require_running(loaded, requester)
    if who in loaded.season.hosts and loaded.season.hosts[by].role != "host":
        raise NotYours(_(NOT_YOURS))
    if who not in loaded.people or who == by:
        raise NotPossibleNow(_("There is no such person."))


def require_allowed(loaded: LoadedSeason, requester: SeasonRequester, events: Sequence[Event]) -> None:
    """Raise NotYours, NotPossibleNow or BadTable unless a requester may add these events to the season's log."""
    who = requester.who
    if who is None or not all(may(loaded.season, who, event) for event in events):
        raise NotYours(_(NOT_YOURS))
    check_bots(events)
    for event in events:
        if isinstance(event, Confessed) and not requester.private:
            raise NotYours(_("Take your place with the link first."))
        if isinstance(event, EpisodeOpened):
            matches.check_episode(event, len(loaded.season.remaining))
        if isinstance(event, Nudged):
            _require_joined(loaded, event.contestant)


def check_new(season: Season, events: Sequence[Event]) -> None:
    """Raise NotPossible if the season's rules forbid new events, BadRequest for a name reserved for bots or seats."""
    check(season, events)
    for event in events:
        if isinstance(event, (HostAdded, CastAdded, CastChanged, StoodIn)) and event.name not in season.names:
            player_name(event.name)


def bot_labels() -> dict[str, str]:
    """Return what people call the bots that can play for contestants, by the bots' names."""
    return {name: label(name) for name in bots.names()}


def check_bots(events: Sequence[Event]) -> None:
    """Raise NotPossibleNow if the bot assigned to a contestant does not exist."""
    for event in events:
        if isinstance(event, (CastAdded, CastChanged, StoodIn, Withdrawn)) and event.bot not in (None, *bots.names()):
            message = _("There is no bot {name}. Take one of these: {bots}.")
            raise NotPossibleNow(message.format(name=(event.bot or "")[:40], bots=_(", ").join(bots.names())))


def _require_joined(loaded: LoadedSeason, who: str) -> None:
    """Raise NotPossibleNow if a contestant has not opened the personal link, so that no notice can arrive."""
    if who in loaded.season.cast and not loaded.joined(who):
        message = _("{name} has not opened the invitation yet. Send it again.")
        raise NotPossibleNow(message.format(name=loaded.season.name(who)))
