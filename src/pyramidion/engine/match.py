"""`Match`: a game in progress. Its record determines everything else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.metadata import entry_points
from typing import Any, cast

import numpy as np

from pyramidion.engine.actions import Action
from pyramidion.engine.errors import IllegalAction
from pyramidion.engine.events import Event, RawEvent, described_events
from pyramidion.engine.game import Game
from pyramidion.engine.history import History, ViewerHistory
from pyramidion.engine.layout import SPECTATOR, State, record
from pyramidion.engine.random import accept_seed, seed_words
from pyramidion.engine.referee import Referee
from pyramidion.engine.refusals import id_of
from pyramidion.engine.seat_view import SeatView
from pyramidion.translation import quantity

DISPLAYS = "pyramidion.displays"
"""Entry-point group of functions that draw a match as HTML for notebooks."""


class Match(Referee):
    """A match: holds its configuration, state and past, plays actions, and shows each viewer only what it may see.

    Attributes:
        game, seats, seed, options: the match's configuration. `cards` is the text of a card file, or None for the
            game's own.
        rules_version: the version of the rules in use.
        box: the referee's read-only box, structured array of shape (1,); `box_for` redacts it for a viewer.
    """

    _past: History

    def __init__(
        self,
        game: Game,
        seats: int,
        seed: int | str,
        options: Mapping[str, Any],
        cards: str | None = None,
        rules_version: int | None = None,
    ) -> None:
        if not isinstance(cast("Any", game), Game):
            raise TypeError(f"A match is of a game, which `pyramidion.load` returns, not of {game!r:.40}.")
        seats, seed = game.accept_seats(seats), accept_seed(seed)
        version = game.rules_version if rules_version is None else rules_version
        if version not in game.versions:
            raise ValueError(f"{game.name} cannot be played under version {version} of its rules.")
        agreed = game.accept_options({**game.earlier_versions.get(version, {}), **options})
        self._open(game, seats, seed, agreed, cards, version)
        state: State = game.layout.new()
        state["seats"] = self.seats
        state["rng"] = seed_words(self.seed)
        game.compiled.setup(self.box, state)
        self._begin(state)

    def _open(
        self, game: Game, seats: int, seed: int | str, options: dict[str, Any], cards: str | None, rules_version: int
    ) -> None:
        """Set all attributes but the state and the history, as `Referee._open` does; no viewer has a history yet."""
        super()._open(game, seats, seed, options, cards, rules_version)
        self._set_up = False
        self._viewer_histories: dict[int, ViewerHistory] = {}
        self._step = game.compiled.step

    @staticmethod
    def _opened(game: Game, *accepted: Any) -> Match:
        """Return a match that has no state yet; `accepted` are the further arguments of `_open`."""
        match = Match.__new__(Match)
        match._open(game, *accepted)
        return match

    def _begin(self, state: State) -> None:
        """Begin the history at `state`, which becomes the current one."""
        self._state, self._past = state, History(self.game, self.box, state)

    def __reduce__(self) -> Any:
        # Compiled functions cannot be pickled, so a match is made again, and given its history.
        options = dict(self.options)
        made_of = (self.game, self.seats, self.seed, options, self.cards, self.rules_version)
        return Match._opened, made_of, (self._set_up, self._state.tobytes(), *self._past.kept_states)

    def __setstate__(self, kept: tuple[bool, bytes, list[tuple[int, int]], list[bytes | None]]) -> None:
        self._set_up, state, actions, snapshots = kept
        self._begin(self.game.layout.from_bytes(state))
        self._past.restore(actions, snapshots)

    @staticmethod
    def from_state(
        game: Game,
        state: Any,
        *,
        options: Mapping[str, Any] | None = None,
        cards: str | None = None,
        seed: int | str = 0,
        rules_version: int | None = None,
    ) -> Match:
        """Return a match that begins at `state`, for example a test position or a puzzle.

        `state` is a structured array of shape (1,) with the dtype of `game.layout`, as returned by `game.layout.new()`
        and `match.state_copy()`; it is copied. It includes the number of seats, the seats that are due and the random
        generator (`rng`). `options`, `cards`, `seed` and `rules_version` are as for `Game.new`; the seed is only a
        label here.

        The match has no record, since no actions lead to its first position. Raises ValueError for a wrong shape or
        dtype, an unsupported number of seats, an unfinished game in which no seat is due, and a state that violates the
        game's invariants.
        """
        _check_form(game, state)
        match = Match(game, int(state["seats"][0]), seed, options or {}, cards, rules_version)
        match._set_up = True
        match._replace(state)
        return match

    @staticmethod
    def of_known_options(
        game: Game, state: Any, options: Mapping[str, Any], *, seed: int | str, cards: str | None, rules_version: int
    ) -> Match:
        """Return a match that begins at `state`, like `from_state`, but knows only the options that one seat knows."""
        match = Match._opened(game, int(state["seats"][0]), accept_seed(seed), dict(options), cards, rules_version)
        match._set_up = True
        match._begin(state)
        match._replace(state)
        return match

    def with_state(self, state: Any) -> Match:
        """Return a copy of the match with its current state replaced; history and earlier states are kept.

        Use it for determinizations. Like a match made by `from_state`, the copy has no record. Raises the same
        ValueErrors.
        """
        _check_form(self.game, state)
        if int(state["seats"][0]) != self.seats:
            raise ValueError(f"The match has {quantity(self.seats, 'seat')}, and the state {int(state['seats'][0])}.")
        other = self.at(self.ply)
        other._set_up = True
        other._replace(state)
        return other

    def _replace(self, state: Any) -> None:
        """Replace the current state. Raises ValueError if the new one cannot be a state of this match."""
        acting, everybody = int(state["acting"][0]), (1 << self.seats) - 1
        if bool(acting) == bool(state["over"][0]) or acting & ~everybody:
            raise ValueError("Seats of the table must be due in a state that is not over, and none in one that is.")
        try:
            wrong = self.game.invariants(record(self.box), record(state))
        except IndexError as error:
            wrong = f"a number in it counts something that there is not ({error})"
        if wrong is not None:
            raise ValueError(f"This is no state of {self.game.name}: {wrong}.")
        self._state = self.game.layout.from_bytes(state.tobytes())
        self._past.replace_last(self._state)

    @property
    def history(self) -> list[tuple[int, int]]:
        """The actions played, as (seat, action id)."""
        return self._past.actions

    @property
    def ply(self) -> int:
        """The number of actions played."""
        return len(self.history)

    # Playing

    def play(self, seat: int, action: Action | int | str) -> Action:
        """Play an action (an `Action`, an id or notation) for a seat, and return the action.

        Raises IllegalAction with the rule and a sentence; the match is then unchanged.
        """
        action_id = action if type(action) is int else self._id(action)
        if type(seat) is not int:
            self.require_seat(seat)
        if not (0 <= seat < self.seats and 0 <= action_id < len(self.game.actions)):
            raise self._refused(seat, action_id)
        if self._step(self.box, self._state, seat, action_id, self._buffer):
            raise self._refused(seat, action_id)
        self._past.add(seat, action_id, self._state)
        return self.game.actions[action_id]

    # What viewers have seen

    def positions(self, viewer: int | None) -> list[int]:
        """Return the plies at which the viewer's view changed, beginning with 0.

        An index into this list is the viewer's own position number. Show viewers this number, never the ply: in a
        simultaneous step the ply would reveal that somebody has submitted.
        """
        return self._viewer_history(viewer).positions

    def version(self, viewer: int | None) -> int:
        """Return the number of the viewer's current position: how many times the view has changed since the start."""
        return len(self._viewer_history(viewer).positions) - 1

    def events(self, viewer: int | None, since: int = 0, names: Sequence[str] | None = None) -> list[Event]:
        """Return the events visible to a viewer, from that viewer's event number `since` on.

        `names` are the players' names by seat, used in the texts.
        """
        return described_events(self.game, self.raw_events(viewer, since), names)

    def raw_events(self, viewer: int | None, since: int = 0) -> list[tuple[int, *RawEvent]]:
        """Return the same events as `events`, as raw (position, code, rule number, arguments) tuples."""
        history = self._viewer_history(viewer)
        return [(at, *entry) for at, entry in zip(history.event_positions[since:], history.events[since:], strict=True)]

    def seen_by(self, seat: int) -> SeatView:
        """Return what a seat sees of the match, for a bot, which can reach nothing else of the match from there.

        Raises ValueError for a seat that does not exist.
        """
        self.require_seat(seat)
        options, events = tuple(self.options_for(seat).items()), tuple(self.raw_events(seat))
        return SeatView(
            self.game,
            self.seats,
            self.rules_version,
            self.cards,
            seat,
            self.outcome,
            options,
            self.redacted(seat),
            events,
            self.version(seat),
        )

    def determinized(self, seat: int, seed: int | str) -> Match:
        """Return a match that `seat` cannot tell from this one, with all that it does not see sampled anew.

        See `SeatView.determinized`.
        """
        return self.seen_by(seat).determinized(seed)

    # Earlier states, and others

    def at(self, ply: int) -> Match:
        """Return a copy of the match as it was after `ply` actions."""
        if not 0 <= ply <= self.ply:
            raise ValueError(f"The match has plies 0 to {self.ply}, not {ply}.")
        earlier = Match.__new__(Match)
        earlier.__dict__.update(self.__dict__)
        earlier._past = self._past.until(ply)
        earlier._state = self.game.layout.from_bytes(next(earlier._past.states(ply)))
        earlier._buffer = np.empty_like(self._buffer)
        earlier._viewer_histories = {}
        return earlier

    def as_if_submitted(self, seat: int) -> Match:
        """Return a copy in which `seat` has submitted in the current step and the step is still open.

        Tables show it while they hold back the last submission of a step. Do not play actions on it.
        """
        submitted = self.at(self.ply)
        submitted._state["submitted"] |= 1 << seat
        return submitted

    def undo(self) -> tuple[int, Action]:
        """Take back the last action; return (seat, action). Raises ValueError if no action has been played."""
        if not self.history:
            raise ValueError("There is nothing to undo: the match is at its opening.")
        seat, action_id = self._past.pop()
        self._state = self.game.layout.from_bytes(next(self._past.states(self.ply)))
        self._viewer_histories = {}
        return seat, self.game.actions[action_id]

    # The record

    def record(self) -> dict[str, Any]:
        """Return the full match as JSON-ready data. It contains every secret: publish it only after the match.

        Raises ValueError for a match made by `from_state` or `with_state`: no actions lead to its state.
        """
        if self._set_up:
            raise ValueError("A match that was set up from a state has no record.")
        actions = self.game.actions
        data: dict[str, Any] = {
            "game": self.game.id,
            "rules_version": self.rules_version,
            "seats": self.seats,
            "options": {name: _as_json(value) for name, value in self.options.items()},
            "seed": self.seed,
            "actions": [[seat, actions[action_id].text] for seat, action_id in self.history],
        }
        if self.cards is not None:
            data["cards"] = self.cards
        return data

    @staticmethod
    def from_record(data: Any) -> Match:
        """Replay a record and return its match.

        Verifies every action and, if the record has them, the seals and the origin of the seed. Raises BadRecord with a
        sentence that names the missing or malformed key, the first illegal ply and the reason, the first ply whose seal
        does not match, or the failed check of the seed.
        """
        from pyramidion.engine.records import replayed

        return replayed(data)

    def __repr__(self) -> str:
        state = "over" if self.over else f"seats {', '.join(map(str, self.acting))} to act"
        return f"<Match {self.game.id}, {quantity(self.seats, 'seat')}, ply {self.ply}, {state}>"

    def _repr_html_(self) -> str | None:
        """Return the match drawn for a notebook, or None for plain text."""
        # For notebooks: drawn by the first installed package that can (entry points), as plain text otherwise.
        for point in entry_points(group=DISPLAYS):
            with suppress(ModuleNotFoundError):
                return cast("str", point.load()(self))
        return None

    # Internals

    def _id(self, action: Action | int | str) -> int:
        """Return the id of an action. Raises IllegalAction for anything that is not an action."""
        try:
            return id_of(self.game, action)
        except ValueError as error:
            raise IllegalAction("", str(error)) from None

    def _refused(self, seat: int, action_id: int) -> IllegalAction:
        """Return the exception that says why a seat's action is not legal."""
        refusal = self.refusal(seat, action_id)
        if refusal is None:
            raise AssertionError(
                f"{self.game.id}: action {action_id} of seat {seat} is not legal, and the view says no reason."
            )
        return IllegalAction(refusal.rule, refusal.reason)

    def _viewer_history(self, viewer: int | None) -> ViewerHistory:
        """Return the history of what a viewer has seen, brought up to the current ply."""
        history = self._viewer_histories.get(SPECTATOR if viewer is None else viewer)
        if history is None:
            at = self._viewer(viewer)
            history = self._viewer_histories[at] = ViewerHistory(at)
        history.extend(self._past)
        return history


def _check_form(game: Game, state: Any) -> None:
    """Raise ValueError unless `state` is a single state of the game, shape (1,)."""
    if not isinstance(cast("Any", game), Game):
        raise TypeError(f"A match is of a game, which `pyramidion.load` returns, not of {game!r:.40}.")
    shape, fields = getattr(state, "shape", None), getattr(getattr(state, "dtype", None), "fields", None)
    if shape != (1,) or fields != game.layout.dtype.fields:
        raise ValueError(f"A state of {game.name} is a structured array of shape (1,) with the dtype of its layout.")


def _as_json(value: Any) -> Any:
    """Return the value of an option, with a list in place of a tuple."""
    return list(cast("tuple[int, ...]", value)) if isinstance(value, tuple) else value


__all__ = ["DISPLAYS", "IllegalAction", "Match"]
