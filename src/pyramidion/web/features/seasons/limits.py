"""Checks of how much people have written in a season against `competitions/limits.py`."""

from __future__ import annotations

from pyramidion.seasons.conversations import Conversations
from pyramidion.translation import _
from pyramidion.web.competitions.limits import (
    MOST_ENTRIES,
    MOST_MESSAGES,
    MOST_MESSAGES_OF_ONE,
    MOST_OF_CONTESTANT,
    MOST_OF_CONTESTANTS,
    MOST_SUBMISSIONS,
)
from pyramidion.web.errors import NotPossibleNow
from pyramidion.web.features.seasons.loaded import LoadedSeason


def require_room(loaded: LoadedSeason, who: str) -> None:
    """Raise NotPossibleNow if a host or contestant can add nothing more to a season's log."""
    log = loaded.season.log
    contestant = who in loaded.season.cast
    if contestant and sum(entry.by == who for entry in log) >= MOST_OF_CONTESTANT:
        message = _("You have added {limit} entries to this season, which is the most for a contestant.")
        raise NotPossibleNow(message.format(limit=MOST_OF_CONTESTANT))
    if len(log) >= (limit := MOST_OF_CONTESTANTS if contestant else MOST_ENTRIES):
        raise NotPossibleNow(_("This season is full: its log has {limit} entries.").format(limit=limit))


def require_room_for_message(conversations: Conversations, who: str) -> None:
    """Raise NotPossibleNow if a contestant can write nothing more in a season's conversations."""
    messages = [entry.by for entry in conversations.log if entry.event.kind != "submitted"]
    if messages.count(who) >= MOST_MESSAGES_OF_ONE:
        message = _("You have written {limit} messages in this season, which is the most for a contestant.")
        raise NotPossibleNow(message.format(limit=MOST_MESSAGES_OF_ONE))
    if len(messages) >= MOST_MESSAGES:
        message = _("The conversations of this season are full: they have {limit} messages.")
        raise NotPossibleNow(message.format(limit=MOST_MESSAGES))


def require_room_for_submission(conversations: Conversations, who: str) -> None:
    """Raise NotPossibleNow if a contestant has submitted as often as they can in a season."""
    if sum(entry.by == who and entry.event.kind == "submitted" for entry in conversations.log) >= MOST_SUBMISSIONS:
        message = _("You have submitted {limit} times in this season, which is the most for a contestant.")
        raise NotPossibleNow(message.format(limit=MOST_SUBMISSIONS))
