"""The states of a match from its beginning, and what each viewer has seen of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from pyramidion.engine.events import SPECTATOR_BIT, RawEvent
from pyramidion.engine.game import Game
from pyramidion.engine.layout import EVERYTHING, SPECTATOR, State

DENSE = 16
"""Snapshot policy: keep the newest DENSE states, and of the older ones every DENSE-th."""


class History:
    """The past of a match: its actions, as (seat, action id), and the state after each of them.

    Only some of the states are kept in memory; the others are replayed when they are needed.
    """

    def __init__(self, game: Game, box: Any, state: State) -> None:
        self.actions: list[tuple[int, int]] = []
        self._snapshots: list[bytes | None] = [state.tobytes()]
        self._layout, self._step, self._box = game.layout, game.compiled.step, box
        self._most_legal = len(game.actions)
        self._last_events: tuple[bytes, list[tuple[int, RawEvent]]] = (b"", [])

    @property
    def kept(self) -> int:
        """The number of states in memory."""
        return sum(snapshot is not None for snapshot in self._snapshots)

    @property
    def kept_states(self) -> tuple[list[tuple[int, int]], list[bytes | None]]:
        """The actions, and the states from the first one on (None for each that is not kept), for `restore`."""
        return self.actions, self._snapshots

    def restore(self, actions: list[tuple[int, int]], states: list[bytes | None]) -> None:
        """Replace the actions and states with those that `kept_states` of another history has returned."""
        self.actions, self._snapshots = actions.copy(), states.copy()

    def add(self, seat: int, action_id: int, state: State) -> None:
        """Add an action and the state after it."""
        self.actions.append((seat, action_id))
        self._snapshots.append(state.tobytes())
        if (older := len(self.actions) - DENSE) % DENSE and older > 0:
            self._snapshots[older] = None

    def pop(self) -> tuple[int, int]:
        """Take back the last action and return it."""
        before = next(self.states(len(self.actions) - 1))
        self._snapshots.pop()
        self._snapshots[-1] = before
        return self.actions.pop()

    def replace_last(self, state: State) -> None:
        """Replace the last state, which is the current one of the match."""
        self._snapshots[-1] = state.tobytes()

    def until(self, ply: int) -> History:
        """Return a copy of the history that ends after the first `ply` actions."""
        earlier = History.__new__(History)
        earlier.__dict__.update(self.__dict__)
        earlier.actions, earlier._snapshots = self.actions[:ply], self._snapshots[: ply + 1]
        earlier._snapshots[-1] = next(self.states(ply))
        return earlier

    def states(self, ply: int) -> Iterator[bytes]:
        """Yield the bytes of the states from a ply on; those not kept are replayed from the nearest earlier one."""
        kept = ply
        while self._snapshots[kept] is None:
            kept -= 1
        state = None
        for number in range(kept, len(self._snapshots)):
            snapshot = self._snapshots[number]
            if snapshot is None:
                if state is None:
                    state = self._layout.from_bytes(cast("bytes", self._snapshots[number - 1]))
                self._step(self._box, state, *self.actions[number - 1], np.empty(self._most_legal, np.int32))
                snapshot = state.tobytes()
            else:
                state = None
            if number >= ply:
                yield snapshot

    def events_of(self, state: bytes) -> list[tuple[int, RawEvent]]:
        """Return the events of the action that led to a state, as (audience, event) pairs. The last result is cached,
        since every viewer asks for it.
        """
        if self._last_events[0] is not state:
            self._last_events = state, self._layout.events(state)
        return self._last_events[1]

    def redacted(self, state: bytes, viewer: int) -> bytes:
        """Return a state, given as bytes, redacted for a viewer."""
        return self._layout.redact_bytes(state, viewer)


@dataclass(slots=True)
class ViewerHistory:
    """What one viewer has seen of a match so far, its positions and events; it grows as the match goes on.

    `positions` holds the ply at which each position began. `events` holds the events (objects mostly shared between
    viewers), `event_positions` the position of each.
    """

    viewer: int
    last_ply: int = -1
    last_state: bytes = b""
    positions: list[int] = field(default_factory=list[int])
    events: list[RawEvent] = field(default_factory=list[RawEvent])
    event_positions: list[int] = field(default_factory=list[int])

    def extend(self, history: History) -> None:
        """Add the positions and events of the actions since the last call."""
        if self.last_ply == len(history.actions):
            return
        viewer = self.viewer
        bit = SPECTATOR_BIT if viewer == SPECTATOR else viewer
        for state in history.states(self.last_ply + 1):
            self.last_ply += 1
            data = history.redacted(state, viewer)
            events = [
                entry for audience, entry in history.events_of(state) if viewer == EVERYTHING or audience >> bit & 1
            ]
            if data == self.last_state and not events:
                continue
            self.last_state = data
            self.positions.append(self.last_ply)
            self.events += events
            self.event_positions += [len(self.positions) - 1] * len(events)
