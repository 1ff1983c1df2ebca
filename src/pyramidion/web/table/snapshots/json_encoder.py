"""JSON for programs, encoded directly from a viewer's events and legal actions; optimised for busy servers."""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pyramidion import Game
from pyramidion.translation import language
from pyramidion.web.table.views.json_cache import CommonState

if TYPE_CHECKING:
    from pyramidion.web.table.seats.protocols import TableOrRoom
    from pyramidion.web.table.table import Table

_encode = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode


def encode(data: Any) -> bytes:
    """Encode data as compact JSON."""
    return _encode(data).encode()


class ActionEncoder:
    """Encodes a game's lists of legal actions; caches the encoding of each action."""

    def __init__(self, game: Game) -> None:
        self._actions = game.actions
        self._made: list[bytes | None] = [None] * len(game.actions)
        self._numbers = [family for family in game.actions.families.values() if family.numbers]

    def legal(self, ids: Sequence[int]) -> bytes:
        """Encode ascending action ids: `{"id", "text"}` each, and one entry for a range of numbers.

        A range is `{"family", "first_id", "low", "high"}`; its number n has the id `first_id + n - low`.
        """
        entries: list[bytes] = []
        start = 0
        for family in self._numbers:
            low, high = bisect_left(ids, family.first), bisect_right(ids, family.last)
            if low < high:
                entries += self._ordinary(ids[start:low])
                entries += self._runs(family, ids[low:high])
                start = high
        entries += self._ordinary(ids[start:])
        return b"[" + b",".join(entries) + b"]"

    def _ordinary(self, ids: Sequence[int]) -> list[bytes]:
        """Return an entry for each of these actions."""
        made = self._made
        return [made[i] or self._entry(i) for i in ids]

    def _entry(self, action_id: int) -> bytes:
        """Return the entry of one action, and cache it."""
        entry = encode({"id": action_id, "text": self._actions[action_id].text})
        self._made[action_id] = entry
        return entry

    @staticmethod
    def _runs(family: Any, ids: Sequence[int]) -> list[bytes]:
        """Return an entry for each run of successive ids in a family of numbers."""
        runs: list[bytes] = []
        first = last = ids[0]
        for action_id in [*ids[1:], -1]:
            if action_id != last + 1:
                offset = family.numbers.low - family.first
                runs.append(
                    encode({"family": family.name, "first_id": first, "low": first + offset, "high": last + offset})
                )
                first = action_id
            last = action_id
        return runs


@lru_cache(maxsize=64)
def action_encoder(game: Game) -> ActionEncoder:
    """Return the encoder of a game's legal actions; there is one per game."""
    return ActionEncoder(game)


def legal(table: Table, seat: int) -> bytes:
    """Return a seat's legal actions as JSON; an empty list while the table is paused."""
    return action_encoder(table.game).legal([] if table.clock.paused else table.visibility.legal_ids(seat))


def outcome(table: Table) -> dict[str, Any] | None:
    """Return the match's outcome, JSON-ready; None while it is in progress."""
    ended = table.match.outcome
    return asdict(ended) if ended is not None else None


def seats(table: Table) -> list[dict[str, Any]]:
    """Return the seats and their players, JSON-ready."""
    return seats_of(table)


def seats_of(table: TableOrRoom, here: Sequence[int] = ()) -> list[dict[str, Any]]:
    """Return the seats and their players, JSON-ready; the seats in `here` also count as present."""
    return [
        {
            "seat": s.number,
            "kind": s.kind,
            "name": name,
            "bot": s.bot,
            "level": s.level,
            "present": s.present or s.number in here,
        }
        | ({"stand_in": s.stand_in} if s.stand_in else {})
        | ({"reserved": True} if s.reserved else {})
        for s, name in zip(table.seating.seats, table.names, strict=True)
    ]


def events(table: Table, viewer: int | None, since: int, most: int | None = None) -> tuple[bytes, int]:
    """Encode the viewer's events from number `since` on, at most `most`; return the JSON and how many there are in all.

    Each is `{"n", "position", "name", "rule", "data", "text"}`; `n` is its number.
    """
    tag, since_then, cache = language(), table.log_entries(viewer, since), table.json_cache
    entries = since_then if most is None else since_then[:most]
    if (cached := cache.events(tag, since, entries)) is not None:
        return cached, len(since_then)
    texts = cache.texts(tag)
    parts: list[bytes] = []
    # Texts repeat between viewers and rounds; only the numbers differ. So cache them without numbers.
    for n, entry in enumerate(entries, since):
        position, what = entry[0], entry[1:]
        if what not in texts:
            event = table.action_log.viewer_log.event(entry, table.names)
            texts[what] = encode({"name": event.name, "rule": event.rule, "data": event.data, "text": event.text})[1:]
        parts.append(b'{"n":%d,"position":%d,%b' % (n, position, texts[what]))
    text = b"[" + b",".join(parts) + b"]"
    cache.keep_events(tag, since, entries, text)
    return text, len(since_then)


def status_of(table: Table, viewer: int | None) -> dict[str, Any]:
    """Return the status: clock, pause, proposals, the viewer's submission, and who has confirmed if that is public.

    It is JSON-ready, and empty at a table without a clock or simultaneous decisions.
    """
    status: dict[str, Any] = {}
    if (timing := table.timing) is not None:
        status |= {"deadline": timing.deadline, "now": timing.now}
    if table.clock.paused:
        status["paused"] = {"since": table.clock.state.paused, "left": table.clock.state.left}
    if table.clock.releasing:
        status["releasing"] = True
    if proposals := table.action_log.proposals.open:
        status["proposals"] = [
            {"what": proposal.what, "seat": proposal.seat, "agreed": sorted(proposal.agreed)}
            for proposal in proposals.values()
        ]
    if viewer is not None and (submission := table.visibility.submission(viewer)) is not None:
        status["submission"] = asdict(submission)
        if (receipt := table.visibility.receipt(viewer)) is not None:
            status["receipt"] = receipt.as_json(opened=True)
    if (confirmed := table.visibility.confirmed(viewer)) is not None:
        status["confirmed"] = confirmed
    if (place := table.visibility.queued) is not None:
        status["queued"] = place
    return status


def _common_state(table: Table) -> CommonState:
    """Return what all viewers of the current position share, cached until the position changes."""
    match, now, kept = table.match, table.clock.state, table.json_cache.common
    ply = match.ply
    if kept is None or kept.match is not match or kept.ply != ply or kept.clock_state is not now:
        acting, free = table.visibility.due_to_all, () if table.clock.releasing else match.free
        clocked = table.settings.clock is not None or table.steps.simultaneous or bool(match.free) or table.clock.paused
        kept = CommonState(match, ply, now, acting, free, match.over, clocked)
        table.json_cache.keep_common(kept)
    return kept


@lru_cache(maxsize=1024)
def _seat_list(seats: tuple[int, ...]) -> bytes:
    """Return seats as JSON; cached."""
    return encode(seats)


def news(table: Table, viewer: int | None, version: int, since: int, *, people: bool) -> tuple[bytes, int]:
    """Encode an update for a program, with the events from number `since` on and, if `people`, the seats.

    Return the JSON and the next event number.
    """
    encoded, count = events(table, viewer, since)
    common = _common_state(table)
    acting = common.acting if common.acting is not None else table.visibility.due(viewer)
    parts = [
        b'{"version":%d,"events":%b,"acting":%b,"free":%b,"over":%b'
        % (version, encoded, _seat_list(acting), _seat_list(common.free), b"true" if common.over else b"false")
    ]
    if viewer is not None and (viewer in acting or viewer in common.free) and not table.clock.paused:
        parts += [b',"legal":', legal(table, viewer)]
    if common.over:
        parts += [b',"outcome":', encode(outcome(table))]
    if common.clocked and (more := status_of(table, viewer)):
        parts += [b",", encode(more)[1:-1]]
    if people:
        parts += [b',"seats":', encode(seats(table))]
    parts.append(b"}")
    return b"".join(parts), since + count
