"""The latest encodings at a table, most of which the next viewer receives as well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pyramidion import Match
from pyramidion.web.table.clock.clock_state import ClockState
from pyramidion.web.table.log.viewer_log import LogEntry

MOST_TEXTS = 512
"""Maximum number of cached event texts per table and language."""


@dataclass(frozen=True, slots=True)
class CommonState:
    """The part of an update that is the same for all viewers of a position.

    Attributes:
        match, ply, clock_state: identify the position.
        acting: the seats whose decision is due, or None while viewers see different ones.
        clocked: whether there may be a status to report: clock, submissions or a pause.
    """

    match: Match
    ply: int
    clock_state: ClockState
    acting: tuple[int, ...] | None
    free: tuple[int, ...]
    over: bool
    clocked: bool


class JsonCache:
    """Keeps what was last encoded at a table, so that it is encoded once for several viewers.

    Attributes:
        texts_by_language: by language, event texts with the current names.
        common: what all viewers of the latest position share.
    """

    def __init__(self) -> None:
        self.texts_by_language: dict[str, dict[tuple[Any, ...], bytes]] = {}
        self.common: CommonState | None = None
        # The latest encoded events: language, first event number, entries and their JSON.
        self._last: tuple[str, int, Sequence[LogEntry], bytes] | None = None

    def texts(self, tag: str) -> dict[tuple[Any, ...], bytes]:
        """Return the cache of encoded event texts in a language, by log entry without version."""
        texts = self.texts_by_language.setdefault(tag, {})
        if len(texts) > MOST_TEXTS:
            texts.clear()
        return texts

    def events(self, tag: str, since: int, log_entries: Sequence[LogEntry]) -> bytes | None:
        """Return the JSON of these entries, numbered from `since` on, if they were the last encoded, else None."""
        last = self._last
        return last[3] if last is not None and last[2] == log_entries and last[:2] == (tag, since) else None

    def keep_events(self, tag: str, since: int, log_entries: Sequence[LogEntry], text: bytes) -> None:
        """Keep the JSON of these entries, numbered from `since` on."""
        self._last = tag, since, log_entries, text

    def keep_common(self, common: CommonState) -> None:
        """Keep what all viewers of a position share."""
        self.common = common

    def forget_texts(self) -> None:
        """Drop all texts, which contain names."""
        self.texts_by_language.clear()
        self._last = None
