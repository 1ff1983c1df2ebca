"""Secret submissions to a match of the host's own.

They are kept in the log of what contestants write in private (`seasons.conversations`), so the season's own log tells
nothing of them before they are revealed: no values, no numbers of entries, no times.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from pyramidion.event_log import Entry, NotPossible
from pyramidion.seasons.conversations import CONVERSATION_KINDS, Conversations, Submission
from pyramidion.seasons.own_match import OwnMatch, Values
from pyramidion.seasons.season import Season
from pyramidion.translation import _


@dataclass(frozen=True, slots=True)
class Submitted:
    """A contestant saves a submission, or confirms it; a later one of the same round replaces it."""

    match: str
    round: int
    values: Values = field(default_factory=Values)
    confirmed: bool = False
    kind: Literal["submitted"] = "submitted"

    def apply(self, conversations: Conversations, entry: Entry) -> None:
        """Keep the submission."""
        key = (self.match, self.round, entry.by)
        conversations.submissions[key] = Submission(entry.at, self.values, self.confirmed)


PRIVATE_KINDS = {**CONVERSATION_KINDS, "submitted": Submitted}
"""The kinds of entries in the log of what contestants write in private."""


def accepted(season: Season, event: Submitted, by: str, now: int) -> Submitted:
    """Return a contestant's submission with tidied values. Raises NotPossible with a sentence if it cannot be made.

    `now` is milliseconds since 1970.
    """
    match = season.own_matches.get(event.match)
    if match is None or by not in match.cast:
        raise NotPossible(_("There is no such form for you."))
    if match is not season.own_match:
        raise NotPossible(_("This match is over."))
    if event.round != len(match.rounds):
        raise NotPossible(_("This round is over. Reload the page."))
    if match.round.sealed:
        raise NotPossible(_("The submissions are sealed. They can no longer change."))
    if match.closed(now):
        raise NotPossible(_("The deadline has passed. Ask the hosts for more time."))
    return replace(event, values=match.accepted(event.values, by))


def submission(conversations: Conversations, match: OwnMatch, who: str) -> Submission | None:
    """Return what a contestant has submitted in the latest round of a match, None for nothing."""
    return conversations.submissions.get((match.id, len(match.rounds), who))


def to_reveal(conversations: Conversations, match: OwnMatch, who: str | None) -> dict[str, Values | None]:
    """Return the submissions of the latest round that are not revealed yet: that of `who`, or all for None."""
    hidden = [author for author in match.cast if author not in match.round.revealed and who in (None, author)]
    made = {author: submission(conversations, match, author) for author in hidden}
    return {author: dict(given.values) if given is not None else None for author, given in made.items()}
