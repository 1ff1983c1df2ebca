"""The conversations of seasons on the server: reads and appends to their logs, and announces what is new."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from pyramidion import event_log
from pyramidion.event_log import NotPossible
from pyramidion.seasons.conversations import ConversationEvent, Conversations, check_conversation_event, with_log_ids
from pyramidion.translation import _
from pyramidion.web.competitions.log_cache import LogCache
from pyramidion.web.competitions.request_keys import KeyedRequest
from pyramidion.web.db.changes import retrying, together
from pyramidion.web.db.writer import Change
from pyramidion.web.errors import NotPossibleNow, NotYours
from pyramidion.web.features.seasons import store
from pyramidion.web.features.seasons.chat_events import ConversationAnnouncer, affected_readers
from pyramidion.web.features.seasons.limits import require_room_for_message
from pyramidion.web.features.seasons.loaded import LoadedSeason, SeasonRequester
from pyramidion.web.features.seasons.notifications import conversation_notices
from pyramidion.web.table.tables import Tables


class SeasonConversations(ConversationAnnouncer):
    """Reads and appends to the conversations of all seasons, and announces new messages to their readers.

    The arguments are those of ConversationAnnouncer.
    """

    def __init__(
        self,
        tables: Tables,
        kind: str,
        read: Callable[[str], Awaitable[LoadedSeason]],
        spawn: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        super().__init__(tables, kind, read, spawn)
        self.logs = LogCache(store.CONVERSATIONS, lambda entries: event_log.fold(Conversations(), entries))

    def read(self, season_id: str, length: int) -> Conversations:
        """Return the conversations of a season whose conversation log has `length` entries; blocks."""
        return self.logs.read(self._tables.store, season_id, length)

    async def say(
        self, season_id: str, requester: SeasonRequester, event: ConversationEvent, keyed: KeyedRequest | None
    ) -> None:
        """Append a contestant's message or change of an alliance; a keyed request that is repeated does nothing.

        Raises NotYours, NotPossibleNow, KeyReused, UnknownSeason or NotSaved.
        """
        loaded: LoadedSeason | None = None
        after, readers = Conversations(), set[str]()

        async def planned() -> Change | None:
            """Return the change that stores the message or alliance, or None for a repeated request."""
            nonlocal loaded, after, readers
            loaded = await self._read(season_id)
            if requester.who is None or requester.who not in loaded.season.cast or not requester.private:
                raise NotYours(_("Only contestants can write here, once they have taken their place with their link."))
            # Only then: whether a request is a repeated one tells what was sent before.
            if keyed is not None and await asyncio.to_thread(keyed.repeated):
                return None
            require_room_for_message(loaded.conversations, requester.who)
            meant = with_log_ids(loaded.season, loaded.conversations, requester.who, event)
            try:
                check_conversation_event(loaded.season, loaded.conversations, requester.who, meant)
            except NotPossible as error:
                raise NotPossibleNow(str(error)) from None
            after = self.logs.extended(loaded.conversations, [meant], self._tables.now(), requester.who)
            new = after.log[len(loaded.conversations.log) :]
            notifying = await self._tables.events.notify(conversation_notices(loaded, new[0]))
            readers = affected_readers(loaded.season, after, new[0])
            stored = (keyed.insert,) if keyed is not None else ()
            whispers = self.notify_servers(season_id, readers)
            return together(store.CONVERSATIONS.insert(season_id, new), whispers, *stored, *notifying)

        if await retrying(self._tables.writer, planned) and loaded is not None:
            self.logs.keep(season_id, after)
            self.announce(loaded, readers)
