"""The logs of one kind as a server keeps them in memory."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any, Generic, TypeVar

from pyramidion import event_log
from pyramidion.event_log import BadText, Entry, LogEvent, LogState, NotPossible
from pyramidion.web.competitions.rows import LogRows
from pyramidion.web.db.store import Store
from pyramidion.web.errors import BadRequest, NotPossibleNow

MOST_KEPT = 500


S = TypeVar("S", bound=LogState)


class LogCache(Generic[S]):
    """Reads the logs of one kind of competition, computes their states, and keeps these in memory.

    A log that has not grown is not read again. States are not changed.

    `check` raises NotPossible for new events beside what `fold` raises for all.
    """

    def __init__(
        self,
        rows: LogRows,
        fold: Callable[[list[Entry]], S],
        check: Callable[[S, Sequence[Any]], None] = lambda _state, _events: None,
    ) -> None:
        self.rows, self._fold, self._check = rows, fold, check
        self._kept: OrderedDict[str, S] = OrderedDict()
        self._keeping = Lock()

    def read(self, store: Store, owner: str, length: int) -> S:
        """Return the state of the competition `owner`, whose log has `length` entries; blocks."""
        state = self._kept.get(owner)
        if state is None or len(state.log) != length:
            state = self._fold(self.rows.read(store, owner) if length else [])
        if length:
            self.keep(owner, state)
        return state

    def keep(self, owner: str, state: S) -> None:
        """Keep the state of the competition `owner`, once it has been stored."""
        with self._keeping:
            self._kept[owner] = state
            self._kept.move_to_end(owner)
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)

    def extended(self, state: S, events: Sequence[LogEvent], at: int, by: str, reason: str = "") -> S:
        """Return the state after more events; `state` itself is not changed.

        Raises NotPossibleNow, or BadRequest for a name, title or text, with a sentence.
        """
        try:
            self._check(state, events)
            return event_log.extended(state, events, at, by, reason, self._fold)
        except BadText as error:
            raise BadRequest(str(error)) from None
        except NotPossible as error:
            raise NotPossibleNow(str(error)) from None
