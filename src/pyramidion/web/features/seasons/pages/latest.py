"""What has just happened in a season, as its console says it, and whether a host can undo it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pyramidion.event_log import Entry, NotPossible
from pyramidion.seasons.events import (
    CastAdded,
    HostAdded,
    HostRemoved,
    LinkRenewed,
    MatchOpened,
    Noted,
    Nudged,
    Retitled,
    Revoked,
    SettingsChanged,
    SubmissionsRevealed,
)
from pyramidion.seasons.events.undo import LASTING
from pyramidion.seasons.fold import earlier, extended
from pyramidion.seasons.redaction import Viewer, redact
from pyramidion.seasons.season import Season
from pyramidion.seasons.story import Sentence
from pyramidion.translation import _, ngettext
from pyramidion.web.features.seasons.console.result import tie_sentence
from pyramidion.web.features.seasons.log_texts import entry_sentence
from pyramidion.web.features.seasons.match_moments import MatchMoments
from pyramidion.web.features.seasons.pages.story import story_of
from pyramidion.web.features.seasons.texts import names_then

UNSAID = (HostAdded, HostRemoved, LinkRenewed, Noted, Nudged, Retitled, SettingsChanged)
"""What a host or an operator does on the side: what happened before stays said."""
FIRST = ("main", "tokens")
"""The kinds of sentences that come before the headline."""
GOING_ON = ("begun", "playing")
MOST_SENTENCES = 2


@dataclass(frozen=True, slots=True)
class Latest:
    """What has just happened: the sentence, when (milliseconds since 1970), and the entry that a host can undo."""

    sentence: str
    at: int
    undo: int | None


async def latest(season: Season, view: Mapping[str, Any], moments: MatchMoments, now: int) -> Latest | None:
    """Return what has just happened in a season, from its `view` for a host; None before anything has.

    Where the latest entries change the story of the episode, its new sentences are said, otherwise what was done.
    """
    entry = next((entry for entry in reversed(season.log) if not isinstance(entry.event, UNSAID)), None)
    if entry is None:
        return None
    together = _together(season, entry)
    if together[0].number == 1:
        return None  # what a new season begins with is no news
    added = [logged for logged in together if isinstance(logged.event, CastAdded)]
    if len(added) > 1:
        text = ngettext(
            "{count} contestant was added to the cast.", "{count} contestants were added to the cast.", len(added)
        )
        return Latest(text.format(count=len(added)), entry.at, None)
    undo = entry.number if "revoked" in view["may"] and _undoable(season, entry, view["you"]) else None
    sentences = [] if isinstance(entry.event, Revoked) else await _news(season, view, entry, moments, now)
    texts = [sentence.text for sentence in sentences[:MOST_SENTENCES]]
    texts = texts or [_done(season, view, entry), *_ties(season, entry)]
    return Latest(" ".join(texts), entry.at, undo)


def _done(season: Season, view: Mapping[str, Any], entry: Entry) -> str:
    """Return the sentence that says what was done; the start of a match at several tables is said once."""
    tables = season.episode.at("main") if season.episode is not None else []
    started = isinstance(entry.event, MatchOpened) and entry.event.table in [table.table for table in tables]
    if started and len(tables) > 1:
        return _("The main match started at {count} tables.").format(count=len(tables))
    return entry_sentence(season, entry, name_of(view, entry))


def name_of(view: Mapping[str, Any], entry: Entry) -> Callable[[str], str]:
    """Return a function that tells what somebody was called at the time of an entry, by id."""
    then = names_then(view)
    return lambda who: then(who, entry.at) or ""


def _ties(season: Season, entry: Entry) -> list[str]:
    """Return the sentences about ties that have come out with the submissions of a match of the season's own."""
    match = season.own_matches.get(entry.event.match) if isinstance(entry.event, SubmissionsRevealed) else None
    return list(dict.fromkeys(tie_sentence(season, tie) for tie in match.ties)) if match is not None else []


def _undoable(season: Season, entry: Entry, who: str) -> bool:
    """Return whether the season's rules let a host undo an entry, which is not a contestant's own."""
    if entry.event.kind in LASTING or entry.number in season.revoked or entry.by in season.cast:
        return False
    try:
        extended(season, [Revoked(entry.number)], entry.at, who, "?")
    except NotPossible:
        return False
    return True


async def _news(
    season: Season, view: Mapping[str, Any], entry: Entry, moments: MatchMoments, now: int
) -> list[Sentence]:
    """Return the sentences of the latest episode's story that an entry, and those made together with it, have added."""
    number = len(view["episodes"])
    if not number:
        return []
    first = _together(season, entry)[0].number
    before = redact(earlier(season, first - 1, len(season.log)), Viewer("host", view["you"]), now)
    if len(before["episodes"]) < number:
        return []
    old = {sentence.text for sentence in await _story(before, moments)}
    new = [sentence for sentence in await _story(view, moments) if sentence.text not in old]
    return sorted(new, key=lambda sentence: sentence.kind not in FIRST)


def _together(season: Season, entry: Entry) -> list[Entry]:
    """Return the entries that were made together with an entry, in order."""
    return [logged for logged in season.log if (logged.at, logged.by) == (entry.at, entry.by)]


async def _story(view: Mapping[str, Any], moments: MatchMoments) -> list[Sentence]:
    """Return the sentences about the latest episode, without those that say only that something goes on."""
    number = len(view["episodes"])
    sentences = story_of(view, number, await moments.of(view["episodes"][-1]))
    return [sentence for sentence in sentences if sentence.kind not in GOING_ON]
