"""What programs are sent: JSON made straight from what a viewer knows, in as few steps as a busy server needs."""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pyramidion import Game
from pyramidion.words import language

if TYPE_CHECKING:
    from pyramidion import Match
    from pyramidion.web.moves import Standing
    from pyramidion.web.seating import Seating
    from pyramidion.web.table import Table

_encode = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode


def encode(data: Any) -> bytes:
    """Return compact JSON."""
    return _encode(data).encode()


class Notation:
    """Writes a game's legal lists; what it wrote for an action once is kept."""

    def __init__(self, game: Game) -> None:
        self._actions = game.actions
        self._made: list[bytes | None] = [None] * len(game.actions)
        self._numbers = [family for family in game.actions.families.values() if family.numbers]

    def legal(self, ids: Sequence[int]) -> bytes:
        """Return ascending action ids as JSON: `{"id", "text"}` each, and a run of numbers as one entry.

        A run reads `{"family", "first_id", "low", "high"}`: a number n of it has the id `first_id + n - low`.
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
        made = self._made
        return [made[i] or self._entry(i) for i in ids]

    def _entry(self, action_id: int) -> bytes:
        entry = encode({"id": action_id, "text": self._actions[action_id].text})
        self._made[action_id] = entry
        return entry

    @staticmethod
    def _runs(family: Any, ids: Sequence[int]) -> list[bytes]:
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
def notation(game: Game) -> Notation:
    """Return the notation of a game."""
    return Notation(game)


def legal(table: Table, seat: int) -> bytes:
    """Return what a seat may do now, as JSON; while the table is paused that is nothing."""
    return notation(table.game).legal([] if table.paused else table.legal_ids(seat))


def outcome(table: Table) -> dict[str, Any] | None:
    """Return how the match ended, JSON-ready."""
    ended = table.match.outcome
    return asdict(ended) if ended is not None else None


def seats(table: Table) -> list[dict[str, Any]]:
    """Return who sits where, JSON-ready."""
    return seats_of(table)


def seats_of(table: Seating, here: Sequence[int] = ()) -> list[dict[str, Any]]:
    """Return who sits where, JSON-ready; those who are `here` are present as well."""
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
        for s, name in zip(table.seats, table.names, strict=True)
    ]


def events(table: Table, viewer: int | None, since: int) -> tuple[bytes, int]:
    """Return the events a viewer knows from its own event number `since` on, as JSON, and how many they are.

    Each is `{"n", "position", "name", "rule", "data", "text"}` with `n` its number.
    """
    tag, all_told, last = language(), table.told(viewer, since), table.last_said
    if last is not None and last[2] == all_told and last[:2] == (tag, since):
        return last[3], len(all_told)
    said = table.said.setdefault(tag, {})
    parts: list[bytes] = []
    # What a seat is told is what others are told, but for its numbers, and told again in the next round.
    for n, told in enumerate(all_told, since):
        position, what = told[0], told[1:]
        if what not in said:
            event = table.event(told)
            said[what] = encode({"name": event.name, "rule": event.rule, "data": event.data, "text": event.text})[1:]
        parts.append(b'{"n":%d,"position":%d,%b' % (n, position, said[what]))
    text = b"[" + b",".join(parts) + b"]"
    table.last_said = tag, since, all_told, text
    return text, len(parts)


def standing(table: Table, viewer: int | None) -> dict[str, Any]:
    """Return how the clock stands, how the viewer's own submission does, and who has confirmed where that is shown.

    JSON-ready, and empty at a table without a clock where nothing is decided at the same time.
    """
    told: dict[str, Any] = {}
    if (timing := table.timing) is not None:
        told |= {"deadline": timing.deadline, "now": timing.now}
    if table.paused:
        told["paused"] = {"since": table.standing.paused, "left": table.standing.left}
    if table.asks.open:
        told["asks"] = [{"what": a.what, "seat": a.seat, "agreed": sorted(a.agreed)} for a in table.asks.open.values()]
    if viewer is not None and (submission := table.submission(viewer)) is not None:
        told["submission"] = asdict(submission)
        if (receipt := table.receipt(viewer)) is not None:
            told["receipt"] = receipt.as_json(opened=True)
    if (confirmed := table.confirmed(viewer)) is not None:
        told["confirmed"] = confirmed
    if (place := table.queue_shown) is not None:
        told["queued"] = place
    return told


@dataclass(frozen=True, slots=True)
class Common:
    """What is the same for all viewers of a position.

    Attributes:
        match, ply, standing: which position it is.
        acting: whose decision is due, or None while that is not the same for everybody.
        clocked: whether there may be something to tell of the clock, of submissions or of a pause.
    """

    match: Match
    ply: int
    standing: Standing
    acting: tuple[int, ...] | None
    free: tuple[int, ...]
    over: bool
    clocked: bool


def _common(table: Table) -> Common:
    match, now, kept = table.match, table.standing, table.common
    ply = match.ply
    if kept is None or kept.match is not match or kept.ply != ply or kept.standing is not now:
        acting = table.due_to_all
        clocked = table.clock is not None or table.steps.together or bool(match.free) or table.paused
        kept = table.common = Common(match, ply, now, acting, match.free, match.over, clocked)
    return kept


@lru_cache(maxsize=1024)
def _seat_list(seats: tuple[int, ...]) -> bytes:
    return encode(seats)


def news(table: Table, viewer: int | None, version: int, since: int, *, people: bool) -> tuple[bytes, int]:
    """Return what a program needs to go on from its event number `since` to `version`, and the next event's number."""
    told, count = events(table, viewer, since)
    common = _common(table)
    acting = common.acting if common.acting is not None else table.due(viewer)
    parts = [
        b'{"version":%d,"events":%b,"acting":%b,"free":%b,"over":%b'
        % (version, told, _seat_list(acting), _seat_list(common.free), b"true" if common.over else b"false")
    ]
    if viewer is not None and (viewer in acting or viewer in common.free) and not table.paused:
        parts += [b',"legal":', legal(table, viewer)]
    if common.over:
        parts += [b',"outcome":', encode(outcome(table))]
    if common.clocked and (more := standing(table, viewer)):
        parts += [b",", encode(more)[1:-1]]
    if people:
        parts += [b',"seats":', encode(seats(table))]
    parts.append(b"}")
    return b"".join(parts), since + count
