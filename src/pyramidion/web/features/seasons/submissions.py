"""Secret submissions on the server: stores them, and reveals what is sealed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from pyramidion.event_log import NotPossible
from pyramidion.seasons.conversations import Conversations
from pyramidion.seasons.events import Event, OwnRoundSealed, SubmissionsRevealed
from pyramidion.seasons.events.own_matches import result_of_own_match
from pyramidion.seasons.fold import extended
from pyramidion.seasons.own_match import OwnMatch
from pyramidion.seasons.own_redaction import own_submissions
from pyramidion.seasons.season import Season
from pyramidion.seasons.submissions import Submitted, accepted, to_reveal
from pyramidion.translation import _
from pyramidion.web.competitions.log_cache import LogCache
from pyramidion.web.competitions.request_keys import KeyedRequest, RequestKey
from pyramidion.web.db.changes import retrying, together
from pyramidion.web.db.writer import Change
from pyramidion.web.errors import NotPossibleNow, NotYours
from pyramidion.web.features.seasons import store
from pyramidion.web.features.seasons.limits import require_room, require_room_for_submission
from pyramidion.web.features.seasons.loaded import LoadedSeason, SeasonRequester, who_holds
from pyramidion.web.features.seasons.matches import drawn_order
from pyramidion.web.features.seasons.notifications import submission_reminders_over
from pyramidion.web.features.seasons.permissions import require_running
from pyramidion.web.table.tables import Tables


@dataclass(frozen=True, slots=True)
class DueSubmission:
    """A submission that somebody has not confirmed yet, in a match that still takes submissions.

    Attributes:
        season, title: the id and the title of the season.
        match, name: the id and the name of the match.
        saved: whether something is saved.
        deadline: milliseconds since 1970, None without one.
    """

    season: str
    title: str
    match: str
    name: str
    saved: bool
    deadline: int | None


class Append(Protocol):
    """Appends the events that `plan` returns to a season's log (`Competition._append`)."""

    def __call__(
        self,
        competition: str,
        by: str,
        plan: Callable[[LoadedSeason], Sequence[Event]],
        /,
        *,
        also: Callable[[Season], Change],
    ) -> Awaitable[LoadedSeason]:
        """Append them as the person `by`; `also` returns what else is stored, after them."""
        ...


class Submissions:
    """Stores submissions in the contestants' private log, `logs`, and reveals them in the season's log.

    `read` loads a season, `append` extends its log, and `keyed` returns a requester's idempotency key.
    """

    def __init__(
        self,
        tables: Tables,
        logs: LogCache[Conversations],
        read: Callable[[str], Awaitable[LoadedSeason]],
        append: Append,
        keyed: Callable[[str, SeasonRequester, RequestKey | None], Awaitable[KeyedRequest | None]],
    ) -> None:
        self._tables, self._logs, self._read, self._append, self._keyed = tables, logs, read, append, keyed

    async def due(self, holder: str) -> list[DueSubmission]:
        """Return the submissions that a visitor still has to confirm, those with the earliest deadlines first."""
        due, now = list[DueSubmission](), self._tables.now()
        for season_id in await asyncio.to_thread(store.seasons_with_own_matches, self._tables.store, holder):
            loaded = await self._read(season_id)
            season, match, who = loaded.season, loaded.season.own_match, who_holds(loaded, holder)
            if match is None or who is None or match.closed(now):
                continue
            for made in own_submissions(season, loaded.conversations, who, private=True):
                if (status := made["status"]) != "confirmed":
                    title, deadline = season.settings.title, match.round.deadline
                    due.append(DueSubmission(season_id, title, match.id, match.form.name, status == "saved", deadline))
        return sorted(due, key=lambda entry: (entry.deadline is None, entry.deadline or 0, entry.season))

    async def submit(
        self, season_id: str, requester: SeasonRequester, event: Submitted, key: RequestKey | None = None
    ) -> LoadedSeason:
        """Save or confirm a contestant's submission; a keyed request that is repeated does nothing.

        Raises NotYours, NotPossibleNow, KeyReused, UnknownSeason or NotSaved.
        """
        keyed = await self._keyed(season_id, requester, key)
        after: Conversations | None = None

        async def plan_submission() -> Change | None:
            """Return the change that stores the submission, or None if the request was carried out before."""
            nonlocal after
            loaded = await self._read(season_id)
            who = requester.who
            if who is None or who not in loaded.season.cast or not requester.private:
                raise NotYours(_("Only contestants can submit, once they have taken their place with their link."))
            # Only then: whether a request is a repeated one tells what was sent before.
            if keyed is not None and await asyncio.to_thread(keyed.repeated):
                return None
            require_room_for_submission(loaded.conversations, who)
            now = self._tables.now()
            try:
                tidied = accepted(loaded.season, event, who, now)
            except NotPossible as error:
                raise NotPossibleNow(str(error)) from None
            after = self._logs.extended(loaded.conversations, [tidied], now, who)
            stored = (keyed.insert,) if keyed is not None else ()
            insert = store.CONVERSATIONS.insert(season_id, after.log[len(loaded.conversations.log) :])
            unchanged = store.require_log(season_id, len(loaded.season.log))
            # Nobody is reminded of what they have confirmed.
            done = submission_reminders_over(loaded, who, tidied) if tidied.confirmed else []
            return together(unchanged, insert, *stored, *await self._tables.events.notify(done))

        if await retrying(self._tables.writer, plan_submission) and after is not None:
            self._logs.keep(season_id, after)
        return await self._read(season_id)

    async def reveal(
        self, season_id: str, requester: SeasonRequester, match: str, contestant: str | None
    ) -> LoadedSeason:
        """Reveal the submission of a contestant, or all that are left for None, to everybody.

        A round whose deadline has passed, or to which nobody can submit, is sealed first. With the last submission of
        the last round the result is entered, if the scores decide it. Raises NotYours, NotPossibleNow, UnknownSeason
        or NotSaved.
        """
        read = Conversations()

        def plan_reveal(loaded: LoadedSeason) -> Sequence[Event]:
            """Return the events that reveal the submissions, all or one contestant's. Raises NotPossibleNow."""
            nonlocal read
            by, read = require_running(loaded, requester), loaded.conversations
            require_room(loaded, by)
            try:
                return _revealing(loaded, by, match, contestant, self._tables.now())
            except NotPossible as error:
                raise NotPossibleNow(str(error)) from None

        return await self._append(
            season_id, requester.who or "", plan_reveal, also=lambda _after: store.require_submissions(season_id, read)
        )


def _revealing(loaded: LoadedSeason, by: str, match_id: str, contestant: str | None, now: int) -> list[Event]:
    """Return the events that reveal submissions, and enter the result where it follows. Raises NotPossible."""
    season, match = loaded.season, loaded.season.own_matches.get(match_id)
    if match is None or match is not season.own_match:
        raise NotPossible(_("This match is over."))
    events: list[Event] = []
    if not match.round.sealed and not season.takes_submissions(now):
        events.append(OwnRoundSealed(match.id))
    # The host's form proposes what the format's rule says, where the match itself leaves a tie to hosts.
    by_lot = "lot" in (match.form.tie, season.opened().format.tie)
    lot = (_earlier_lot(season, match) or drawn_order(match.scored)) if by_lot else ()
    revealed = to_reveal(loaded.conversations, match, contestant)
    left = [who for who in match.cast if who not in (*match.round.revealed, *revealed)]
    if all(season.cast[who].bot is not None for who in left):
        revealed |= to_reveal(loaded.conversations, match, None)  # bots submit nothing
    events.append(SubmissionsRevealed(match.id, revealed, lot))
    after = extended(season, events, now, by)
    played: OwnMatch = after.own_matches[match.id]
    if played.over and (result := result_of_own_match(after, played)) is not None:
        with suppress(NotPossible):  # hosts enter a result that the format does not allow
            extended(after, [result], now, by)
            events.append(result)
    return events


def _earlier_lot(season: Season, match: OwnMatch) -> tuple[str, ...]:
    """Return the order drawn by lot for a match whose reveal was undone, empty for none.

    Without it hosts could undo a reveal until the lot falls as they like.
    """
    reveals = (entry.event for entry in season.log if isinstance(entry.event, SubmissionsRevealed))
    lots = (event.lot for event in reveals if event.match == match.id and set(event.lot) == set(match.scored))
    return next(lots, ())
