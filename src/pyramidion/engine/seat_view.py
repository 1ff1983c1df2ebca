"""`SeatView`: what one seat sees of a match. It is made of redacted data, and holds no reference to the match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn, cast

import numpy as np
import numpy.typing as npt

from pyramidion.engine.actions import Action
from pyramidion.engine.events import Event, RawEvent, described_events
from pyramidion.engine.game import Game, Refusal, chance_words
from pyramidion.engine.layout import SEATS_IN, Redacted, copy_of, record, seen
from pyramidion.engine.outcome import Outcome
from pyramidion.engine.random import accept_seed
from pyramidion.engine.refusals import refusal_of
from pyramidion.engine.seated import require_seat

OWN: Final = -3
"""The viewer of a `SeatView`'s methods by default: its own seat, the only one it knows."""


@dataclass(frozen=True, slots=True, repr=False)
class SeatView:
    """What a seat sees of a match, made by `Match.seen_by`. Bots are given it in the place of the match.

    Its methods are those of `Match` of the same name, for this seat; a seat may be passed, and must be this one. It
    does not change when the match goes on. Two views are equal if their seats cannot tell the positions apart.

    Attributes:
        game, seats, rules_version, cards: as in `Match`.
        seat: the seat whose view it is.
        outcome: as in `Match`.
    """

    game: Game
    seats: int
    rules_version: int
    cards: str | None
    seat: int
    outcome: Outcome | None
    _options: tuple[tuple[str, Any], ...]
    _shown: bytes = field(hash=False)
    _events: tuple[tuple[int, *RawEvent], ...] = field(hash=False)
    _version: int

    def __getattr__(self, name: str) -> NoReturn:
        """Say what to do for what a match has, and a seat's view has not."""
        raise AttributeError(
            f"What a seat sees of a match has no {name!r}, which may tell secrets. To look ahead, play on a match that "
            "`determinized(seed)` samples from what the seat knows."
        )

    def __repr__(self) -> str:
        state = "over" if self.over else f"seats {', '.join(map(str, self.acting))} to act"
        return f"<SeatView {self.game.id}, seat {self.seat} of {self.seats}, position {self._version}, {state}>"

    @property
    def options(self) -> dict[str, Any]:
        """The options, as the seat may see them."""
        return dict(self._options)

    def options_for(self, viewer: int = OWN) -> dict[str, Any]:
        """Return the options, as the seat may see them."""
        self._require_own(viewer)
        return self.options

    # What is due

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return bool(self._state()["over"][0])

    @property
    def acting(self) -> tuple[int, ...]:
        """The seats whose decision is due as far as this seat knows, ascending."""
        state = self._state()
        return SEATS_IN[int(state["acting"][0]) & ~int(state["submitted"][0])]

    def acting_for(self, viewer: int = OWN) -> tuple[int, ...]:
        """Return the seats whose decision is due as far as this seat knows, ascending."""
        self._require_own(viewer)
        return self.acting

    @property
    def submitted(self) -> tuple[int, ...]:
        """The seats that have submitted in the open simultaneous step, as far as this seat knows."""
        return SEATS_IN[int(self._state()["submitted"][0])]

    @property
    def free(self) -> tuple[int, ...]:
        """The seats that may act although no decision is due from them, ascending."""
        return SEATS_IN[int(self._state()["free"][0])]

    def legal_ids(self, seat: int = OWN) -> npt.NDArray[np.int32]:
        """Return the ids of the seat's legal actions, ascending; empty if it may not act."""
        self._require_own(seat)
        ids = np.empty(len(self.game.actions), np.int32)
        return ids[: self.game.compiled.legal(self._box(), self._state(), self.seat, ids)]

    def legal_mask(self, seat: int = OWN) -> npt.NDArray[np.bool_]:
        """Return which actions the seat may play, bool[number of actions]; all False if it may not act."""
        return self.game.actions.mask_of(self.legal_ids(seat))

    def legal(self, seat: int = OWN) -> list[Action]:
        """Return the seat's legal actions, ascending by id; empty if it may not act."""
        return self.game.actions.list_of(self.legal_ids(seat))

    def refusal(self, seat: int, action: Action | int | str) -> Refusal | None:
        """Return why `Match.play` would refuse the seat's action, or None if it is legal."""
        self._require_own(seat)
        return refusal_of(self.game, self._seen_box(), seen(self._state()), self.seat, action)

    def label(self, action: Action, names: Sequence[str] | None = None) -> str:
        """Return the button label of an action; `names` are the players' names by seat."""
        return self.game.view.label(action, self.game.names(names), self._seen_box())

    # What the seat sees

    def view(self, viewer: int = OWN) -> dict[str, Any]:
        """Return the table as the seat sees it, JSON-ready."""
        self._require_own(viewer)
        return self.game.view.view(self._seen_box(), seen(self._state()), self.seat)

    def observation(self, seat: int = OWN) -> npt.NDArray[np.float32]:
        """Return what the seat observes as a vector, float32[D]; `game.observation` names its parts."""
        self._require_own(seat)
        out = self.game.observation.new()
        self.game.compiled.observe(self._box(), self._state(), self.seat, out)
        return out

    def events(self, viewer: int = OWN, since: int = 0, names: Sequence[str] | None = None) -> list[Event]:
        """Return the events that the seat has seen, from its event number `since` on; `names` are as for `label`."""
        self._require_own(viewer)
        return described_events(self.game, self._events[since:], names)

    def raw_events(self, viewer: int = OWN, since: int = 0) -> list[tuple[int, *RawEvent]]:
        """Return the same events as `events`, as raw (position, code, rule number, arguments) tuples."""
        self._require_own(viewer)
        return list(self._events[since:])

    def version(self, viewer: int = OWN) -> int:
        """Return how many times the seat's view has changed since the start: the number of its position."""
        self._require_own(viewer)
        return self._version

    def redacted(self, viewer: int = OWN) -> bytes:
        """Return the bytes of the state, redacted for the seat."""
        self._require_own(viewer)
        return self._shown

    def redacted_state(self, viewer: int = OWN) -> Redacted:
        """Return a copy of the state, redacted for the seat, structured array of shape (1,)."""
        self._require_own(viewer)
        return self._state()

    def box_for(self, viewer: int = OWN) -> Any:
        """Return a copy of the box, redacted for the seat, shape (1,)."""
        self._require_own(viewer)
        return copy_of(self._box())

    @property
    def rewards(self) -> npt.NDArray[np.float32]:
        """Each seat's payoff, float32[seats], as in `outcome`; 0 while the match is in progress."""
        return np.array(self.outcome.payoffs if self.outcome else [0.0] * self.seats, np.float32)

    def require_seat(self, seat: int) -> None:
        """Raise ValueError for a seat that does not exist."""
        require_seat(seat, self.seats)

    def seen_by(self, seat: int = OWN) -> SeatView:
        """Return this view itself, so that a program need not know whether it was given a match or a view."""
        self._require_own(seat)
        return self

    def determinized(self, seed: int | str) -> Any:
        """Return a `Match` for looking ahead that goes on from this position as far as the seat can tell.

        The game's `redeal` samples from `seed` what the seat cannot see, chance included: in a simultaneous step,
        nobody else has submitted yet. What the seat does not know of the options stays hidden there, too. The match
        begins at this position, so it has no earlier events and no record. The same seed gives the same match.
        """
        from pyramidion.engine.match import Match

        state, box = self._state(), self._box()
        self.game.compiled.redeal(box, state, self.seat, chance_words(accept_seed(seed)))
        return Match.of_known_options(
            self.game, state, self.options, seed=seed, cards=self.cards, rules_version=self.rules_version
        )

    def _require_own(self, viewer: int | None) -> None:
        """Raise ValueError if a program asks for what another viewer sees."""
        if viewer not in (OWN, self.seat):
            who = "a spectator sees" if viewer is None or viewer < 0 else f"seat {viewer} sees"
            raise ValueError(f"This is what seat {self.seat} sees; what {who} cannot be made of it.")

    def _state(self) -> Redacted:
        """Return the redacted state as a new array, shape (1,)."""
        return cast("Redacted", self.game.layout.from_bytes(self._shown))

    def _box(self) -> Any:
        """Return the box as the seat may see it, shape (1,), from the game's cache."""
        return self.game.make_box(self.options, self.cards, self.rules_version)

    def _seen_box(self) -> Any:
        """Return the options and card tables as the seat knows them."""
        return record(self._box())
