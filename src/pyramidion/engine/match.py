"""`Match`: a game being played, as Python sees it. Its record is all there is; everything else is derived from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import index
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from pyramidion.engine import registry
from pyramidion.engine.actions import Action
from pyramidion.engine.events import SPECTATOR_BIT, Event
from pyramidion.engine.game import Game, Refusal
from pyramidion.engine.layout import EVERYTHING, SPECTATOR, seen
from pyramidion.engine.random import seed_words
from pyramidion.words import _, seat_word


class IllegalAction(ValueError):
    """An action that the rules do not allow; nothing has changed.

    Attributes:
        rule: number of the rule it met, `PZ 4.3`, or empty where no rule but the order of play forbids it.
        reason: a sentence.
    """

    def __init__(self, rule: str, reason: str) -> None:
        super().__init__(f"{reason} ({rule})" if rule else reason)
        self.rule, self.reason = rule, reason


class BadRecord(ValueError):
    """A record that is malformed, of another version of the rules, or holds an action that is not legal."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended.

    Attributes:
        winners: seats, possibly several or none.
        payoffs: one number per seat, in the game's declared form.
        points: one number per seat as the game scores; -1 for a seat that is not scored.
        rule: the rule that ended it.
    """

    winners: tuple[int, ...]
    payoffs: tuple[float, ...]
    points: tuple[int, ...]
    rule: str


@dataclass(slots=True)
class _Knowledge:
    """What one viewer has seen so far, kept up to date as the match goes on."""

    viewer: int
    upto: int = -1
    shown: bytes = b""
    positions: list[int] = field(default_factory=list[int])
    events: list[tuple[int, int, int, tuple[int, ...]]] = field(
        default_factory=list[tuple[int, int, int, tuple[int, ...]]]
    )


class Match:
    """A game with its seats, options, seed and the actions played so far.

    Attributes:
        game, seats, seed, options: what it began with. `cards` is the text of a card file, or None for the game's own.
        box: the read-only box, structured array of shape (1,).
        history: the actions played, as (seat, action id).
    """

    def __init__(
        self, game: Game, seats: int, seed: int | str, options: Mapping[str, Any], cards: str | None = None
    ) -> None:
        self.game = game
        self.seats = game.accept_seats(seats)
        if type(seed) not in (int, str):
            raise ValueError("The seed must be a whole number or text.")
        self.seed: int | str = seed
        self.options = game.accept_options(options)
        self.cards = cards
        self.box = game.make_box(self.options, cards)
        self._box = seen(self.box)
        self.history: list[tuple[int, int]] = []
        self._state = game.layout.new()
        self._state["seats"] = seats
        self._state["rng"] = seed_words(seed)
        game.compiled.setup(self.box, self._state)
        self._buffer = np.empty(len(game.actions), np.int32)
        self._snapshots: list[bytes] = [self._state.tobytes()]
        self._known: dict[int, _Knowledge] = {}
        self._last_told: tuple[bytes, list[tuple[int, tuple[int, int, tuple[int, ...]]]]] = (b"", [])
        self._legal, self._step = game.compiled.legal, game.compiled.step

    # What is due

    @property
    def ply(self) -> int:
        """How many actions have been played."""
        return len(self.history)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._state["over"][0])

    @property
    def acting(self) -> tuple[int, ...]:
        """The seats whose decision is due, ascending: in a simultaneous step those that have not submitted.

        The referee's knowledge. What a viewer may know of it is `acting_for`.
        """
        return _SEATS_OF[int(self._state["acting"][0]) & ~int(self._state["submitted"][0])]

    def acting_for(self, viewer: int | None) -> tuple[int, ...]:
        """Return the seats whose decision is due as far as a viewer knows, ascending."""
        shown = self._redact(viewer)
        return _SEATS_OF[int(shown["acting"][0]) & ~int(shown["submitted"][0])]

    @property
    def submitted(self) -> tuple[int, ...]:
        """The seats that have decided in a simultaneous step that is not yet resolved; the referee's knowledge."""
        return _SEATS_OF[int(self._state["submitted"][0])]

    @property
    def free(self) -> tuple[int, ...]:
        """The seats that may act but are not waited for, ascending."""
        return _SEATS_OF[int(self._state["free"][0])]

    def legal_ids(self, seat: int) -> npt.NDArray[np.int32]:
        """Return the ids of the legal actions of `seat`, ascending; empty if it may not act."""
        # Compiled code checks no range: a seat that is not there must not reach it.
        count = self._legal(self.box, self._state, seat, self._buffer) if 0 <= seat < self.seats else 0
        return self._buffer[:count].copy()

    def legal(self, seat: int) -> list[Action]:
        """Return the legal actions of `seat`, ascending by id; empty if it may not act."""
        if not 0 <= seat < self.seats:
            return []
        count = self._legal(self.box, self._state, seat, self._buffer)
        return self.game.actions.list_of(self._buffer[:count])

    # Playing

    def play(self, seat: int, action: Action | int | str) -> Action:
        """Play an action, given as itself, its id or its notation, and return it.

        Raises IllegalAction with the rule and a sentence; the match is then as it was.
        """
        action_id = action if type(action) is int else self._id(action)
        if not (0 <= seat < self.seats and 0 <= action_id < len(self.game.actions)):
            raise self._refused(seat, action_id)
        if self._step(self.box, self._state, seat, action_id, self._buffer):
            raise self._refused(seat, action_id)
        self.history.append((seat, action_id))
        self._snapshots.append(self._state.tobytes())
        return self.game.actions[action_id]

    def refusal(self, seat: int, action: Action | int | str) -> Refusal | None:
        """Return why `play` would refuse, or None if it would not."""
        try:
            action_id = self._id(action)
        except IllegalAction as error:
            return Refusal(error.rule, error.reason)
        if not 0 <= seat < self.seats:
            said = _("There is no seat {seat}; this match has seats 0 to {last}.")
            return Refusal("", said.format(seat=seat, last=self.seats - 1))
        if not 0 <= action_id < len(self.game.actions):
            said = _("There is no action {action}; the ids of {game} run from 0 to {last}.")
            last = len(self.game.actions) - 1
            return Refusal("", said.format(action=action_id, game=_(self.game.name), last=last))
        if self.over:
            return Refusal(self.game.rule_name(int(self._state["ending"][0])), _("The game is over."))
        shown = seen(self.game.layout.redact(self._state, seat))
        if seat not in self.acting and seat not in self.free:
            return Refusal(*self.game.view.not_due(self._box, shown, seat))
        refused = self.game.view.refusal(self._box, shown, seat, self.game.actions[action_id])
        return Refusal(*refused) if refused else None

    def label(self, action: Action, names: Sequence[str] | None = None) -> str:
        """Return what an action is called on a button; `names` are used for seats."""
        return self.game.view.label(action, self.game.names(names), self._box)

    def timeout(self, seat: int) -> Action:
        """Return the action that an absent seat takes. Raises IllegalAction if its decision is not due."""
        if seat not in self.acting:
            raise IllegalAction("", _("Nothing is due from {seat}.").format(seat=seat_word(seat)))
        return self.game.actions[int(self.game.compiled.timeout(self.box, self._state, seat))]

    # What a viewer knows: always made from a redacted state

    def view(self, viewer: int | None, names: Sequence[str] | None = None) -> dict[str, Any]:
        """Return what seat `viewer`, a spectator (None) or, once the match is over, EVERYTHING may see, as
        JSON-ready data.
        """
        shown = seen(self._redact(viewer))
        return self.game.view.view(self._box, shown, None if viewer is None or viewer < 0 else viewer)

    def redacted(self, viewer: int | None) -> bytes:
        """Return the bytes of the state as a viewer may see it."""
        return self._redact(viewer).tobytes()

    def redacted_state(self, viewer: int | None) -> Any:
        """Return the state as a viewer may see it, structured array of shape (1,): what a bot is given."""
        return self._redact(viewer)

    def positions(self, viewer: int | None) -> list[int]:
        """Return the plies at which the viewer's view changed, the opening (0) first.

        A place in this list is the viewer's own count of positions. It, and never the ply, may be shown to the viewer:
        in a simultaneous step the ply would tell that somebody has submitted.
        """
        return self._knowledge(viewer).positions

    def version(self, viewer: int | None) -> int:
        """Return how many times what the viewer sees has changed since the opening."""
        return len(self._knowledge(viewer).positions) - 1

    def events(self, viewer: int | None, since: int = 0, names: Sequence[str] | None = None) -> list[Event]:
        """Return what has happened as a viewer knows it, from that viewer's event number `since` on.

        `names` are used for seats in the texts.
        """
        game, called = self.game, self.game.names(names)
        told: list[Event] = []
        for position, code, rule_number, arguments in self.told(viewer, since):
            name, data = game.events.name(code), game.events.data(code, arguments)
            text = game.view.tell(name, data, called)
            told.append(Event(position, name, game.rule_name(rule_number), data, text))
        return told

    def told(self, viewer: int | None, since: int = 0) -> list[tuple[int, int, int, tuple[int, ...]]]:
        """Return (position, code, rule number, arguments) of the events that `events` puts into words."""
        return self._knowledge(viewer).events[since:]

    def at(self, ply: int) -> Match:
        """Return the match as it was after `ply` actions."""
        if not 0 <= ply <= self.ply:
            raise ValueError(f"The match has plies 0 to {self.ply}, not {ply}.")
        earlier = Match.__new__(Match)
        earlier.__dict__.update(self.__dict__)
        earlier.history = self.history[:ply]
        earlier._snapshots = self._snapshots[: ply + 1]
        earlier._state = self.game.layout.from_bytes(self._snapshots[ply])
        earlier._buffer = np.empty_like(self._buffer)
        earlier._known = {}
        return earlier

    def as_if_submitted(self, seat: int) -> Match:
        """Return the match as it would look if `seat` had submitted in the current step and the step were still open.

        For a table that keeps the submission which would end the step; no action may be played on it.
        """
        shown = self.at(self.ply)
        shown._state["submitted"] |= 1 << seat
        return shown

    def undo(self) -> tuple[int, Action]:
        """Take the last action back and return it with its seat. Raises ValueError at the opening."""
        if not self.history:
            raise ValueError("There is nothing to undo: the match is at its opening.")
        seat, action_id = self.history.pop()
        self._snapshots.pop()
        self._state = self.game.layout.from_bytes(self._snapshots[-1])
        self._known = {}
        return seat, self.game.actions[action_id]

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended, or None while it goes on."""
        if not self.over:
            return None
        payoffs, points = np.zeros(self.seats), np.zeros(self.seats, np.int32)
        self.game.compiled.payoff(self.box, self._state, payoffs)
        self.game.compiled.points(self.box, self._state, points)
        return Outcome(
            _SEATS_OF[int(self._state["winners"][0])],
            tuple(payoffs.tolist()),
            tuple(points.tolist()),
            self.game.rule_name(int(self._state["ending"][0])),
        )

    def state_copy(self) -> Any:
        """Return a copy of the whole state, secrets included, shape (1,); for tests and for the referee alone."""
        return self._state.copy()

    # The record

    def record(self) -> dict[str, Any]:
        """Return the whole match as JSON-ready data. It holds every secret: publish it after the end only."""
        actions = self.game.actions
        data: dict[str, Any] = {
            "game": self.game.id,
            "rules_version": self.game.rules_version,
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
        """Return the match that a record describes, replaying and checking every action, its seals if it has any, and
        its seed if it says where that comes from.

        Raises BadRecord with a sentence: what is missing or malformed, the first ply that is not legal and why, the
        first whose seal does not fit, or what of the seed does not hold.
        """
        if not isinstance(data, Mapping):
            raise BadRecord("A record is a JSON object.")
        return Match._from_mapping(cast("Mapping[str, Any]", data))

    @staticmethod
    def _from_mapping(data: Mapping[str, Any]) -> Match:
        for key, kind in _RECORD_KEYS.items():
            if not isinstance(data.get(key), kind) or isinstance(data.get(key), bool):
                raise BadRecord(f"The record's {key!r} is missing or malformed.")
        try:
            game = registry.load(data["game"])
        except KeyError as error:
            raise BadRecord(str(error)) from None
        if data["rules_version"] != game.rules_version:
            raise BadRecord(
                f"The record was played under version {data['rules_version']} of the rules of {game.name}; "
                f"this is version {game.rules_version}."
            )
        if not isinstance(data.get("cards"), (str, type(None))):
            raise BadRecord("The record's 'cards' is malformed.")
        try:
            match = Match(game, data["seats"], data["seed"], data["options"], data.get("cards"))
        except ValueError as error:
            raise BadRecord(str(error)) from None
        for ply, entry in enumerate(data["actions"], 1):
            match._replay(ply, entry)
        if "seals" in data:
            from pyramidion.engine.seals import check_seals

            check_seals(match, data)
        if "origin" in data:
            from pyramidion.engine.seeds import check_origin

            check_origin(match, data)
        return match

    def _replay(self, ply: int, entry: Any) -> None:
        match entry:
            case [int(seat), str(action)] if type(seat) is int:
                try:
                    self.play(seat, action)
                except IllegalAction as error:
                    raise BadRecord(f"Ply {ply}, {action[:60]!r} by seat {seat}, is not legal: {error}") from None
            case _:
                raise BadRecord(f"Ply {ply} is malformed; it should be a seat and an action.")

    def __repr__(self) -> str:
        state = "over" if self.over else f"seats {', '.join(map(str, self.acting))} to act"
        return f"<Match {self.game.id}, {self.seats} seats, ply {self.ply}, {state}>"

    def _repr_html_(self) -> str:
        # What a notebook shows. The one place where the engine looks up to the web, and only when it is asked for.
        from pyramidion.web.picture import frame

        return frame(self)

    # Inside

    def _id(self, action: Action | int | str) -> int:
        if isinstance(action, Action):
            return action.id
        if isinstance(action, str):
            try:
                return self.game.actions.parse(action).id
            except ValueError as error:
                raise IllegalAction("", str(error)) from None
        try:
            return index(action)
        except TypeError:
            said = _("An action is an Action, its id or its notation, not {what}.")
            raise IllegalAction("", said.format(what=f"{action!r:.40}")) from None

    def _refused(self, seat: int, action_id: int) -> IllegalAction:
        said = self.refusal(seat, action_id)
        if said is None:
            raise AssertionError(
                f"{self.game.id}: action {action_id} of seat {seat} is not legal, and the view says no reason."
            )
        return IllegalAction(said.rule, said.reason)

    def _viewer(self, viewer: int | None) -> int:
        if viewer is None:
            return SPECTATOR
        if viewer == EVERYTHING and not self.over:
            raise ValueError("Everything is shown only when the match is over.")
        if viewer not in (SPECTATOR, EVERYTHING) and not 0 <= viewer < self.seats:
            raise ValueError(f"There is no seat {viewer}; this match has seats 0 to {self.seats - 1}.")
        return viewer

    def _redact(self, viewer: int | None) -> Any:
        return self.game.layout.redact(self._state, self._viewer(viewer))

    def _knowledge(self, viewer: int | None) -> _Knowledge:
        known = self._known.get(SPECTATOR if viewer is None else viewer)
        if known is None:
            at = self._viewer(viewer)
            known = self._known[at] = _Knowledge(at)
        newest = len(self.history)
        if known.upto == newest:
            return known
        at, layout = known.viewer, self.game.layout
        bit = SPECTATOR_BIT if at == SPECTATOR else at
        while known.upto < newest:
            known.upto += 1
            data = layout.redact_bytes(self._snapshots[known.upto], at)
            told = [entry for audience, entry in self._told_at(known.upto) if at == EVERYTHING or audience >> bit & 1]
            if data == known.shown and not told:
                continue
            known.shown = data
            known.positions.append(known.upto)
            position = len(known.positions) - 1
            known.events += [(position, *entry) for entry in told]
        return known

    def _told_at(self, ply: int) -> list[tuple[int, tuple[int, int, tuple[int, ...]]]]:
        """Return the events of an action with their audiences; of the newest one, which all viewers ask for, they are
        kept.
        """
        if ply != len(self.history):
            return self.game.layout.events(self._snapshots[ply])
        state = self._snapshots[ply]
        if self._last_told[0] is not state:
            self._last_told = state, self.game.layout.events(state)
        return self._last_told[1]


def _as_json(value: Any) -> Any:
    return list(cast("tuple[int, ...]", value)) if isinstance(value, tuple) else value


class _SeatTable(dict[int, tuple[int, ...]]):
    """Bitmask to tuple of seats."""

    def __missing__(self, mask: int) -> tuple[int, ...]:
        seats = self[mask] = tuple(seat for seat in range(16) if mask >> seat & 1)
        return seats


_SEATS_OF = _SeatTable()
_RECORD_KEYS: dict[str, Any] = {
    "game": str,
    "rules_version": int,
    "seats": int,
    "options": Mapping,
    "seed": (int, str),
    "actions": list,
}
