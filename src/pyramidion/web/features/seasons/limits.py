"""How much people can write in a season: its logs are read and folded as a whole whenever they grow."""

from __future__ import annotations

from pyramidion.seasons.conversations import Conversations
from pyramidion.translation import _
from pyramidion.web.errors import NotPossibleNow
from pyramidion.web.features.seasons.loaded import LoadedSeason

MOST_ENTRIES = 5_000
"""The entries of a season's log. The server adds further ones, such as results."""
MOST_OF_CONTESTANTS, MOST_OF_CONTESTANT = 4_000, 300
"""Contestants add nothing to a log of the first length, so that hosts always can; each adds the second number."""
MOST_MESSAGES, MOST_MESSAGES_OF_ONE, MOST_SUBMISSIONS = 20_000, 5_000, 1_000
"""The entries of the log of conversations: all messages, those of a contestant, and a contestant's submissions."""


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
