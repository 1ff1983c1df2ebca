"""State layouts: declare the fields of a state and who may see them; dtype and redaction follow.

    STATE = layout(
        seats=5,
        events=16,
        cash=own(int32),              # one entry per seat, visible to that seat
        tiles=public(int8, SEATS, 4),
        deck=secret(int8, 63),        # hidden from everybody
        price=party(int32),           # visible to the seats in the bitmask field price_party
    )

Every state begins with the header fields in `_header`, followed by the game's own.
"""

from __future__ import annotations

from dataclasses import dataclass
from struct import Struct
from typing import Any, Final, NewType, cast

import numpy as np
import numpy.typing as npt

from pyramidion.engine import redaction
from pyramidion.engine.events import EVENT_ARGUMENTS, SPECTATOR_BIT
from pyramidion.engine.random import RNG_WORDS
from pyramidion.engine.rule import INTERPRETED

int8, int16, int32, int64 = np.int8, np.int16, np.int32, np.int64
uint8, uint16, uint64 = np.uint8, np.uint16, np.uint64
float32 = np.float32

SEATS: Final = "SEATS"
"""A dimension with one entry per seat."""
SPECTATOR: Final = redaction.SPECTATOR
"""The viewer id of a spectator."""
EVERYTHING: Final = redaction.EVERYTHING
"""The viewer id that sees everything; allowed only for a finished match."""


def is_open_to(viewer: int | None, seat: int) -> bool:
    """Return whether a viewer sees a seat's secrets: true for the seat itself and EVERYTHING."""
    return viewer in (seat, EVERYTHING)


def seat_of(viewer: int | None) -> int | None:
    """Return the seat of a viewer; None for a spectator and for EVERYTHING."""
    return None if viewer == EVERYTHING else viewer


_INT16, _ARGUMENTS = Struct("=h"), Struct(f"={EVENT_ARGUMENTS}i")
_RECORD_METHODS = frozenset(dir(np.recarray)) | frozenset(dir(np.record))

Records = npt.NDArray[np.void]
Bytes = npt.NDArray[np.uint8]
State = NewType("State", Records)
"""A state of the referee, shape (1,), with everybody's secrets. It never leaves the referee."""
Redacted = NewType("Redacted", Records)
"""A state redacted for a viewer, shape (1,): `Layout.redact` alone makes it. Views, bots and observations take nothing
else, which a type checker verifies; at run time both are the same arrays."""


@dataclass(frozen=True, slots=True)
class Field:
    """How a field of a state is declared: its audience, element type and shape (dimensions may be `SEATS`)."""

    audience: str
    dtype: Any
    shape: tuple[Any, ...]


def public(dtype: Any, *shape: Any) -> Field:
    """Declare a field that is visible to everybody."""
    return Field("public", dtype, shape)


def own(dtype: Any, *shape: Any) -> Field:
    """Declare a field with one entry per seat (of the given shape), visible to that seat only."""
    return Field("own", dtype, (SEATS, *shape))


def secret(dtype: Any, *shape: Any) -> Field:
    """Declare a field that is hidden from everybody."""
    return Field("secret", dtype, shape)


def party(dtype: Any, *shape: Any) -> Field:
    """Declare a field, such as `price`, visible to the seats whose bits are set in a second field, `price_party`.

    Declare that one as a public uint16: a scalar mask for the whole field, or, with the leading dimensions of the
    field, one mask per entry.
    """
    return Field("party", dtype, shape)


def _header(events: int) -> dict[str, Field]:
    """Return the fields with which every state begins; `events` is the number of events of an action that fit."""
    return {
        "seats": public(int8),
        "over": public(int8),
        "ending": public(int16),  # the rule that ended the game: 10_05 is rule 10.5
        "winners": public(uint16),  # bitmask, set when the game is over
        "acting": public(uint16),  # bitmask of the seats whose decision is due
        "free": public(uint16),  # bitmask of the seats that may act although no decision is due from them
        "submitted": Field("bits", uint16, ()),  # seats that have submitted in a simultaneous step; own bit visible
        "submitted_shown": public(int8),  # 1 if the table's options make `submitted` public
        "ply": secret(int32),  # secret, because it would reveal early submissions
        "rng": secret(uint64, RNG_WORDS),
        # Events of the last action. Redaction clears them all, since their presence would reveal a hidden action;
        # `visible_events` returns those that a viewer may see.
        "event_count": secret(int16),
        "event_code": secret(int16, events),
        "event_rule": secret(int16, events),
        "event_audience": secret(int16, events),
        "event_args": secret(int32, events, EVENT_ARGUMENTS),
    }


class Layout:
    """The layout of a game's states: their dtype, and which viewer may see which bytes.

    Attributes:
        max_seats: number of seats that arrays have room for.
        dtype: aligned structured dtype of a state.
        fields: fields by name, header first.
        declared: names of the game's own fields.
    """

    def __init__(self, max_seats: int, events: int, declared: dict[str, Field]) -> None:
        header = _header(events)
        for name in declared:
            if name in header or name in _RECORD_METHODS:
                raise ValueError(
                    f"The field name {name!r} is taken by the header or by a method of records; rename it."
                )
        self.max_seats = max_seats
        self.fields = header | declared
        self.declared = tuple(declared)
        self.dtype = _without_gaps([(name, f.dtype, self._shape(f)) for name, f in self.fields.items()])
        self._masks = self._viewer_masks()
        self._parties = self._party_table()
        self._submitted = self._offsets_of("submitted", "submitted_shown")
        names = ("event_count", "event_code", "event_rule", "event_audience", "event_args")
        self._event_offsets = (*self._offsets_of(*names).tolist(), events)

    def new(self, count: int = 1) -> Any:
        """Return `count` zeroed states, shape (count,)."""
        return _records(np.zeros(count, self.dtype))

    def from_bytes(self, data: bytes) -> State:
        """Return the state in `data` as a writable array, shape (1,)."""
        return _records(np.frombuffer(bytearray(data), self.dtype))

    def redact(self, state: State | Redacted, viewer: int) -> Redacted:
        """Return a copy of `state`, both of shape (1,), with everything hidden from `viewer` set to zero.

        `viewer` is a seat, `SPECTATOR`, or `EVERYTHING` (which hides only the generator, the ply and the events).
        """
        redacted = np.empty(self.dtype.itemsize, np.uint8)
        redaction.redact_bytes(as_bytes(state), redacted, viewer, self._masks[viewer], self._parties, self._submitted)
        return _records(redacted.view(self.dtype))

    def visible(self, s: Any, viewer: int | None, name: str, *index: int) -> int | None:
        """Return an entry of the field `name` as a viewer sees it: a whole number, or None if it is hidden.

        `s` is the redacted record that views get, in which everything hidden is 0; `viewer` is a seat, None for a
        spectator, or EVERYTHING. `index` begins with the seat in a field with an entry per seat.
        """
        field, value = self.fields[name], getattr(s, name)
        if viewer != EVERYTHING:
            bit = SPECTATOR_BIT if viewer is None or viewer == SPECTATOR else viewer
            if field.audience == "secret" or (field.audience == "own" and index[0] != bit):
                return None
            if field.audience == "party":
                parties = np.asarray(getattr(s, f"{name}_party"))
                if not int(parties[index[: parties.ndim]]) >> bit & 1:
                    return None
        return int(value[index]) if index else int(value)

    def redact_bytes(self, data: bytes, viewer: int) -> bytes:
        """Redact a state from bytes to bytes, like `redact`, but without arrays, which is faster."""
        redacted = np.empty(len(data), np.uint8)
        source = np.frombuffer(bytearray(data), np.uint8)
        redaction.redact_bytes(source, redacted, viewer, self._masks[viewer], self._parties, self._submitted)
        return redacted.tobytes()

    def visible_events(self, data: bytes, viewer: int) -> list[tuple[int, int, tuple[int, ...]]]:
        """Return (code, rule number, arguments) of the last action's events visible to `viewer`, in order.

        `data` is the bytes of the full state.
        """
        bit = SPECTATOR_BIT if viewer == SPECTATOR else viewer
        return [event for audience, event in self.events(data) if viewer == EVERYTHING or audience >> bit & 1]

    def events(self, data: bytes) -> list[tuple[int, tuple[int, int, tuple[int, ...]]]]:
        """Return (audience, (code, rule number, arguments)) of the last action's events, in order.

        The audience is a bitmask of seats and `SPECTATOR_BIT`. For the referee only.
        """
        at_count, at_code, at_rule, at_audience, at_args, size = self._event_offsets
        return [
            (
                _INT16.unpack_from(data, at_audience + 2 * n)[0],
                (
                    _INT16.unpack_from(data, at_code + 2 * n)[0],
                    _INT16.unpack_from(data, at_rule + 2 * n)[0],
                    _ARGUMENTS.unpack_from(data, at_args + _ARGUMENTS.size * n),
                ),
            )
            for n in range(min(_INT16.unpack_from(data, at_count)[0], size))
        ]

    def hiding(self) -> tuple[Bytes, npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return (masks, parties, submitted) for `redaction.redact_bytes`, which gets a viewer's row of `masks`."""
        return self._masks, self._parties, self._submitted

    def _shape(self, f: Field) -> tuple[int, ...]:
        """Return the shape of a field with the number of seats in place of `SEATS`."""
        return tuple(self.max_seats if n == SEATS else int(n) for n in f.shape)

    def _viewer_masks(self) -> Bytes:
        """Return a mask for each viewer, uint8[max_seats + 2, bytes of a state]: 255 at the bytes that it sees, else 0.

        SPECTATOR and EVERYTHING come last: they are the indices -1 and -2.
        """
        masks = np.zeros(self.max_seats + 2, self.dtype)
        raw = masks.view(np.uint8).reshape(len(masks), -1)
        every = np.uint8(255)
        for name, f in self.fields.items():
            place, offset = _place(self.dtype, name)
            where = slice(offset, offset + place.itemsize)
            if f.audience in ("public", "party", "bits"):
                raw[:, where] = every
            elif f.audience == "own":
                size = place.itemsize // self.max_seats
                for seat in range(self.max_seats):
                    raw[seat, offset + seat * size : offset + (seat + 1) * size] = every
            if name not in ("rng", "ply") and not name.startswith("event_"):
                raw[EVERYTHING, where] = every
        return raw

    def _party_table(self) -> npt.NDArray[np.int64]:
        """Return a row for each `party` field, int64[fields, 4]: offset and size of its entries, offset of their masks
        of seats, number of entries.
        """
        rows: list[tuple[int, int, int, int]] = []
        for name, f in self.fields.items():
            if f.audience != "party":
                continue
            guard = self.fields.get(f"{name}_party")
            if guard is None or guard.audience != "public" or guard.dtype is not uint16:
                raise ValueError(f"The party field {name} needs the public uint16 field {name}_party beside it.")
            place, offset = _place(self.dtype, name)
            masks, mask_offset = _place(self.dtype, f"{name}_party")
            count = masks.itemsize // 2
            size = place.itemsize // count
            rows.append((offset, size, mask_offset, count))
        return np.array(rows, np.int64).reshape(-1, 4)

    def _offsets_of(self, *names: str) -> npt.NDArray[np.int64]:
        """Return the byte offsets of the named fields in a state, int64[number of names]."""
        return np.array([_place(self.dtype, name)[1] for name in names], np.int64)


def _place(dtype: np.dtype[Any], name: str) -> tuple[np.dtype[Any], int]:
    """Return the dtype of a field and its offset in bytes."""
    fields: Any = dtype.fields
    return fields[name][:2]


def _without_gaps(fields: list[tuple[str, Any, tuple[int, ...]]]) -> np.dtype[Any]:
    """Return the aligned structured dtype of `fields`, with fields of its own for all padding.

    NumPy does not copy padding, so without these fields equal states could have different bytes.
    """
    plain = np.dtype(fields, align=True)
    filled: list[tuple[str, Any, tuple[int, ...]]] = []
    end = 0
    for name, dtype, shape in fields:
        place, offset = _place(plain, name)
        if offset > end:
            filled.append((f"gap_{end}", uint8, (offset - end,)))
        filled.append((name, dtype, shape))
        end = offset + place.itemsize
    if plain.itemsize > end:
        filled.append((f"gap_{end}", uint8, (plain.itemsize - end,)))
    return np.dtype(filled, align=True)


def layout(*, seats: int, events: int, **fields: Field) -> Layout:
    """Declare the layout of a game's states, for up to `seats` seats (at most 15) and `events` events per action.

    Raises ValueError for a reserved field name and for a party field without its mask.
    """
    return Layout(seats, events, fields)


def _records(array: Any) -> Any:
    """Return `array` as a recarray in interpreted mode, where rules need attribute access."""
    return array.view(np.recarray) if INTERPRETED else array


def record(state: Any) -> Any:
    """Return the only element of a state or box, an array of shape (1,), as a record with attributes."""
    return state.view(np.recarray)[0]


class _Seen(np.record):  # pyright: ignore[reportIncompatibleVariableOverride]  # its module is not numpy
    """A record that reads a field once and keeps its value, which does not reflect later changes of the array."""

    __getattribute__ = np.void.__getattribute__

    def __getattr__(self, name: str) -> Any:
        names: Any = self.dtype.names
        if name not in names:
            raise AttributeError(f"There is no field {name!r}.")
        # Read from the base array: a view of this record, cached here, would create a reference cycle, and the
        # garbage collector does not find cycles through NumPy arrays.
        field: Any = cast(Any, self.base)[name]
        if field.dtype.names is not None and field.ndim == 1:
            field = field.view(np.dtype((_Seen, field.dtype)))
        value = self.__dict__[name] = field[0]
        return value


def seen(state: Redacted) -> Any:
    """Return the element of a redacted state or box as a record, as views read it; the array must not change."""
    array: Any = state
    return array.view(np.dtype((_Seen, array.dtype)))[0]


class _SeatTable(dict[int, tuple[int, ...]]):
    """A dictionary from bitmask to the tuple of its seats, filled on first access."""

    def __missing__(self, mask: int) -> tuple[int, ...]:
        seats = self[mask] = tuple(seat for seat in range(16) if mask >> seat & 1)
        return seats


SEATS_IN = _SeatTable()
"""The seats of a bitmask, ascending: `SEATS_IN[0b101]` is `(0, 2)`."""


def copy_of(array: Any) -> Any:
    """Return a copy of a box or a state, byte by byte; NumPy copies field by field, with anything in gaps."""
    return _records(np.frombuffer(bytearray(array.tobytes()), array.dtype))


def as_bytes(state: Any) -> Any:
    """Return the memory of a state or box, shape (1,), as uint8[bytes] that shares it."""
    return state.view(np.ndarray).view(np.uint8)
