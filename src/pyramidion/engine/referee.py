"""`Referee`: the full state of a game, and what each seat may do and each viewer may see. `Match` adds the history."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion.engine.actions import Action
from pyramidion.engine.errors import IllegalAction
from pyramidion.engine.game import Game, Refusal
from pyramidion.engine.layout import EVERYTHING, SEATS_IN, SPECTATOR, Redacted, State, seen
from pyramidion.engine.outcome import Outcome
from pyramidion.engine.refusals import refusal_of
from pyramidion.engine.seated import require_seat
from pyramidion.translation import _, seat_word


class Referee:
    """The keeper of a match's state: tells what each seat may do, and shows each viewer only what it may see.

    Everything that a viewer gets is computed from the state redacted for that viewer.

    Attributes:
        game, seats, seed, options: the match's configuration. `cards` is the text of a card file, or None for the
            game's own.
        rules_version: the version of the rules in use.
        box: the referee's read-only box, structured array of shape (1,); `box_for` redacts it for a viewer.
    """

    _state: State

    def _open(
        self, game: Game, seats: int, seed: int | str, options: dict[str, Any], cards: str | None, rules_version: int
    ) -> None:
        """Set all attributes but the state, from values that have been accepted."""
        self.game, self.seats, self.seed, self.options = game, seats, seed, options
        self.cards, self.rules_version = cards, rules_version
        self.box = game.make_box(options, cards, rules_version)
        self._hides = any(option.audience != "public" for option in game.options.values())
        self._boxes: dict[tuple[int | None, bool] | None, Any] = {}
        self._buffer = np.empty(len(game.actions), np.int32)
        self._legal = game.compiled.legal

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return bool(self._state["over"][0])

    # What is due

    @property
    def acting(self) -> tuple[int, ...]:
        """The seats whose decision is due, ascending; in a simultaneous step, those that have not submitted.

        For the referee only: use `acting_for` for a viewer.
        """
        return SEATS_IN[int(self._state["acting"][0]) & ~int(self._state["submitted"][0])]

    def acting_for(self, viewer: int | None) -> tuple[int, ...]:
        """Return the seats that a viewer knows to be due, ascending."""
        redacted = self._redact(viewer)
        return SEATS_IN[int(redacted["acting"][0]) & ~int(redacted["submitted"][0])]

    @property
    def submitted(self) -> tuple[int, ...]:
        """The seats that have submitted in the open simultaneous step; for the referee only."""
        return SEATS_IN[int(self._state["submitted"][0])]

    @property
    def free(self) -> tuple[int, ...]:
        """The seats that may act although no decision is due from them, ascending."""
        return SEATS_IN[int(self._state["free"][0])]

    def legal_ids(self, seat: int) -> npt.NDArray[np.int32]:
        """Return the ids of the legal actions of `seat`, ascending; empty if it may not act. Raises as `legal`."""
        return self._legal_now(seat).copy()

    def legal_mask(self, seat: int) -> npt.NDArray[np.bool_]:
        """Return which actions `seat` may play, bool[number of actions]; all False if it may not act.

        Raises as `legal`.
        """
        return self.game.actions.mask_of(self.legal_ids(seat))

    def legal(self, seat: int) -> list[Action]:
        """Return the legal actions of `seat`, ascending by id; empty if it may not act.

        Raises ValueError for a seat that does not exist.
        """
        return self.game.actions.list_of(self._legal_now(seat))

    def _legal_now(self, seat: int) -> npt.NDArray[np.int32]:
        """Return the ids of the seat's legal actions in a buffer, which the next call overwrites."""
        # Compiled code does no bounds checking, so it is never passed a seat that does not exist.
        self.require_seat(seat)
        return self._buffer[: self._legal(self.box, self._state, seat, self._buffer)]

    def require_seat(self, seat: int) -> None:
        """Raise ValueError for a seat that does not exist."""
        if type(seat) is not int or not 0 <= seat < self.seats:  # called at every ply: a second call only if in doubt
            require_seat(seat, self.seats)

    # What may be played

    def refusal(self, seat: int, action: Action | int | str) -> Refusal | None:
        """Return why `play` would refuse the action, or None if it is legal."""
        if not 0 <= seat < self.seats:
            message = _("There is no seat {seat}; this match has seats 0 to {last}.")
            return Refusal("", message.format(seat=seat, last=self.seats - 1))
        return refusal_of(self.game, self._box_seen(seat), seen(self._redact(seat)), seat, action)

    def label(self, action: Action, names: Sequence[str] | None = None) -> str:
        """Return the button label of an action; `names` are the players' names by seat."""
        return self.game.view.label(action, self.game.names(names), self._box_seen(None))

    def labels(self, actions: Sequence[Action], names: Sequence[str] | None = None) -> list[str]:
        """Return the button labels of actions to choose from; the game says more where several would be the same."""
        plain = [self.label(action, names) for action in actions]
        precise = getattr(self.game.view, "precise_label", None)
        if precise is None or len(set(plain)) == len(plain):
            return plain
        times, names, box = Counter(plain), self.game.names(names), self._box_seen(None)
        return [
            precise(action, names, box) if times[text] > 1 else text
            for action, text in zip(actions, plain, strict=True)
        ]

    def timeout(self, seat: int) -> Action:
        """Return the default action of an absent seat. Raises IllegalAction if its decision is not due."""
        if seat not in self.acting:
            raise IllegalAction("", _("There is nothing for {seat} to decide now.").format(seat=seat_word(seat)))
        return self.game.actions[int(self.game.compiled.timeout(self.box, self._state, seat))]

    # Per-viewer information, always derived from a redacted state

    def view(self, viewer: int | None, names: Sequence[str] | None = None) -> dict[str, Any]:
        """Return the table as a viewer sees it, JSON-ready.

        `viewer` is a seat, None for a spectator or, once the match is over, EVERYTHING.
        """
        box, state = self._box_seen(viewer), seen(self._redact(viewer))
        return self.game.view.view(box, state, None if viewer == SPECTATOR else viewer)

    def options_for(self, viewer: int | None) -> dict[str, Any]:
        """Return the options that a viewer may see; all of them once the match is over."""
        if self.over or not self._hides:
            return dict(self.options)
        return self.game.options_for(self.options, self._viewer(viewer))

    def box_for(self, viewer: int | None) -> Any:
        """Return the box redacted for a viewer, shape (1,), as passed to bots."""
        return self.game.make_box(self.options_for(viewer), self.cards, self.rules_version) if self._hides else self.box

    def _box_seen(self, viewer: int | None) -> Any:
        """Return `box_for` as a record, cached per viewer until the match is over."""
        key = (viewer, self.over) if self._hides else None
        if key not in self._boxes:
            self._boxes[key] = seen(self.box_for(viewer))
        return self._boxes[key]

    def redacted(self, viewer: int | None) -> bytes:
        """Return the bytes of the state redacted for a viewer."""
        return self._redact(viewer).tobytes()

    def redacted_state(self, viewer: int | None) -> Redacted:
        """Return the state redacted for a viewer, structured array of shape (1,), as passed to bots."""
        return self._redact(viewer)

    def observation(self, seat: int, out: npt.NDArray[np.float32] | None = None) -> npt.NDArray[np.float32]:
        """Return what `seat` observes as a vector, float32[D]; `game.observation` names its parts.

        `out` is written to and returned if given: C-contiguous, of that dtype and length. Every seat can observe at any
        time, whether or not its decision is due. Raises ValueError for another `out` or a seat that does not exist.
        """
        size = self.game.observation.size
        if out is None:
            out = np.empty(size, np.float32)
        elif out.dtype != np.float32 or out.shape != (size,) or not out.flags.c_contiguous:
            raise ValueError(f"An observation of {self.game.name} is written to a contiguous float32[{size}].")
        self.require_seat(seat)
        self.game.compiled.observe(self.box_for(seat), self._redact(seat), seat, out)
        return out

    @property
    def outcome(self) -> Outcome | None:
        """The result, or None while the match is in progress."""
        if not self.over:
            return None
        payoffs, points = np.zeros(self.seats), np.zeros(self.seats, np.int32)
        self.game.compiled.payoff(self.box, self._state, payoffs)
        self.game.compiled.points(self.box, self._state, points)
        return Outcome(
            SEATS_IN[int(self._state["winners"][0])],
            tuple(payoffs.tolist()),
            tuple(points.tolist()),
            self.game.rule_name(int(self._state["ending"][0])),
        )

    @property
    def rewards(self) -> npt.NDArray[np.float32]:
        """Each seat's payoff, float32[seats], as in `outcome`; 0 while the match is in progress."""
        outcome = self.outcome
        return np.zeros(self.seats, np.float32) if outcome is None else np.array(outcome.payoffs, np.float32)

    def state_copy(self) -> State:
        """Return a copy of the full state, secrets included, shape (1,); for tests and the referee only."""
        # NumPy copies a structured array field by field, which takes thirty times as long.
        return self.game.layout.from_bytes(self._state.tobytes())

    # Internals

    def _viewer(self, viewer: int | None) -> int:
        """Return a viewer as a number: a seat, SPECTATOR or EVERYTHING. Raises ValueError for any other."""
        if viewer is None:
            return SPECTATOR
        if viewer == EVERYTHING and not self.over:
            raise ValueError("Everything is shown only when the match is over.")
        if viewer not in (SPECTATOR, EVERYTHING):
            self.require_seat(viewer)
        return viewer

    def _redact(self, viewer: int | None) -> Redacted:
        """Return the state as a viewer knows it: hidden values are redacted."""
        return self.game.layout.redact(self._state, self._viewer(viewer))
