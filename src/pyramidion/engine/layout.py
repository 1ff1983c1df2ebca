"""What a state consists of, and who may see it: the one declaration from which the dtype and the redaction come.

    STATE = layout(
        seats=5,
        events=16,
        cash=own(int32),              # one entry per seat; a seat sees its own
        tiles=public(int8, SEATS, 4),
        deck=secret(int8, 63),        # nobody sees it
        price=party(int32),           # seen by the seats in the bitmask field price_party
    )

Every state begins with the header of `_header`; the fields a game declares follow it.
"""

from __future__ import annotations

from dataclasses import dataclass
from struct import Struct
from typing import Any, Final, cast

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
"""A dimension of one entry per seat."""
SPECTATOR: Final = redaction.SPECTATOR
"""The viewer who only watches."""
EVERYTHING: Final = redaction.EVERYTHING
"""The viewer from whom nothing is hidden; only a finished match is shown to it."""

_INT16, _ARGUMENTS = Struct("=h"), Struct(f"={EVENT_ARGUMENTS}i")
_RECORD_METHODS = frozenset(dir(np.recarray)) | frozenset(dir(np.record))

Records = npt.NDArray[np.void]
Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the state: element type, shape (dimensions may be `SEATS`) and audience."""

    audience: str
    dtype: Any
    shape: tuple[Any, ...]


def public(dtype: Any, *shape: Any) -> Field:
    """Declare a field that everybody sees."""
    return Field("public", dtype, shape)


def own(dtype: Any, *shape: Any) -> Field:
    """Declare a field with one entry per seat (of the given shape), of which a seat sees its own."""
    return Field("own", dtype, (SEATS, *shape))


def secret(dtype: Any, *shape: Any) -> Field:
    """Declare a field that nobody sees."""
    return Field("secret", dtype, shape)


def party(dtype: Any, *shape: Any) -> Field:
    """Declare a field `name` seen by the seats whose bits are set in the field `name_party`.

    `name_party` is declared beside it as a public uint16: one mask for the whole field, or, with the shape of the
    first dimensions of `name`, a mask for each of its entries.
    """
    return Field("party", dtype, shape)


def _header(events: int) -> dict[str, Field]:
    return {
        "seats": public(int8),
        "over": public(int8),
        "ending": public(int16),  # the rule that ended the game: 10_05 is rule 10.5
        "winners": public(uint16),  # bitmask, set when the game is over
        "acting": public(uint16),  # bitmask of the seats whose decision is due
        "free": public(uint16),  # bitmask of the seats that may act and are not waited for
        "submitted": Field("bits", uint16, ()),  # who has confirmed in a simultaneous step; a seat sees its own bit
        "submitted_shown": public(int8),  # 1 where the table's options make `submitted` public
        "ply": secret(int32),  # secret, since it would tell that somebody has submitted early
        "rng": secret(uint64, RNG_WORDS),
        # What the last action told. Redaction clears all of it - that an action nobody may know of took place would
        # show in it - and `visible_events` gives a viewer its own.
        "event_count": secret(int16),
        "event_code": secret(int16, events),
        "event_rule": secret(int16, events),
        "event_audience": secret(int16, events),
        "event_args": secret(int32, events, EVENT_ARGUMENTS),
    }


class Layout:
    """A state's dtype, and the one function that hides what a viewer may not see.

    Attributes:
        max_seats: seats that arrays are sized for.
        dtype: aligned structured dtype of a state.
        fields: name to `Field`, header first.
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
        self.dtype = _without_gaps([(name, f.dtype, self._shape(f)) for name, f in self.fields.items()])
        self._masks = self._viewer_masks()
        self._parties = self._party_table()
        self._submitted = self._places_of("submitted", "submitted_shown")
        names = ("event_count", "event_code", "event_rule", "event_audience", "event_args")
        self._event_places = (*self._places_of(*names).tolist(), events)

    def new(self, count: int = 1) -> Any:
        """Return `count` zeroed states, shape (count,)."""
        return _records(np.zeros(count, self.dtype))

    def from_bytes(self, data: bytes) -> Any:
        """Return the state that `data` holds, shape (1,), writable."""
        return _records(np.frombuffer(bytearray(data), self.dtype))

    def redact(self, state: Any, viewer: int) -> Any:
        """Return a copy, shape (1,), of `state`, shape (1,), with all that `viewer` may not see set to zero.

        `viewer` is a seat, `SPECTATOR`, or `EVERYTHING` (which hides nothing but the generator and the ply).
        """
        shown = np.empty(1, self.dtype)
        redaction.redact_bytes(
            as_bytes(state), as_bytes(shown), viewer, self._masks[viewer], self._parties, self._submitted
        )
        return _records(shown)

    def redact_bytes(self, data: bytes, viewer: int) -> bytes:
        """Return what `redact` leaves of a state, bytes from bytes; a table does it for each viewer of each ply."""
        shown = np.empty(len(data), np.uint8)
        source = np.frombuffer(bytearray(data), np.uint8)
        redaction.redact_bytes(source, shown, viewer, self._masks[viewer], self._parties, self._submitted)
        return shown.tobytes()

    def visible_events(self, data: bytes, viewer: int) -> list[tuple[int, int, tuple[int, ...]]]:
        """Return (code, rule number, arguments) of the last action's events that `viewer` may know, in order.

        `data` is the bytes of the whole state.
        """
        bit = SPECTATOR_BIT if viewer == SPECTATOR else viewer
        return [told for audience, told in self.events(data) if viewer == EVERYTHING or audience >> bit & 1]

    def events(self, data: bytes) -> list[tuple[int, tuple[int, int, tuple[int, ...]]]]:
        """Return (audience, (code, rule number, arguments)) of the last action's events, in order.

        The audience is a bitmask of seats and `SPECTATOR_BIT`; this is the referee's knowledge.
        """
        at_count, at_code, at_rule, at_audience, at_args, size = self._event_places
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
        """Return (masks, parties, submitted): what `redact_bytes` needs; `masks[viewer]` is that viewer's mask."""
        return self._masks, self._parties, self._submitted

    def _shape(self, f: Field) -> tuple[int, ...]:
        return tuple(self.max_seats if n == SEATS else int(n) for n in f.shape)

    def _viewer_masks(self) -> Bytes:
        """Return uint8 (max_seats + 2, bytes of a state): 255 where that viewer sees the byte; -1 and -2 index as
        named.
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
        """Return int64 (entries, 3): offset and size in bytes of what a mask guards, and the offset of that
        uint16 mask.
        """
        rows: list[tuple[int, int, int]] = []
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
            rows += [(offset + i * size, size, mask_offset + 2 * i) for i in range(count)]
        return np.array(rows, np.int64).reshape(-1, 3)

    def _places_of(self, *names: str) -> npt.NDArray[np.int64]:
        """Return the offsets in bytes of the named fields, int64."""
        return np.array([_place(self.dtype, name)[1] for name in names], np.int64)


def _place(dtype: np.dtype[Any], name: str) -> tuple[np.dtype[Any], int]:
    """Return the dtype and the offset in bytes of a field."""
    fields: Any = dtype.fields
    return fields[name][:2]


def _without_gaps(fields: list[tuple[str, Any, tuple[int, ...]]]) -> np.dtype[Any]:
    """Return the aligned dtype of `fields`, with a field of its own in every gap that aligning leaves.

    NumPy copies fields, not gaps; with these, equal states have equal bytes.
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
    """Declare a game's state for up to `seats` seats (at most 15) and `events` events per action.

    Raises ValueError for a field name that records cannot have and for a party field without its mask.
    """
    return Layout(seats, events, fields)


def _records(array: Any) -> Any:
    """Return `array` such that its elements are records with attributes, compiled or interpreted."""
    return array.view(np.recarray) if INTERPRETED else array


def record(state: Any) -> Any:
    """Return the one state or box in an array of shape (1,) as a record to read from Python."""
    return state.view(np.recarray)[0]


class _Seen(np.record):  # pyright: ignore[reportIncompatibleVariableOverride]  # its module is not numpy
    """A record that looks each of its fields up once; a field that is one number is read as it was then."""

    __getattribute__ = np.void.__getattribute__

    def __getattr__(self, name: str) -> Any:
        names: Any = self.dtype.names
        if name not in names:
            raise AttributeError(f"There is no field {name!r}.")
        # Of the array that this is a record of: what is got from the record itself would hold it, and be held by it,
        # and circles through arrays are never found by the garbage collector.
        field: Any = cast(Any, self.base)[name]
        if field.dtype.names is not None and field.ndim == 1:
            field = field.view(np.dtype((_Seen, field.dtype)))
        value = self.__dict__[name] = field[0]
        return value


def seen(state: Any) -> Any:
    """Return the one state or box in an array of shape (1,) as a record that is read, often, and does not change."""
    return state.view(np.dtype((_Seen, state.dtype)))[0]


def as_bytes(state: Any) -> Any:
    """Return the memory of an array of records of shape (1,) as uint8."""
    return state.view(np.ndarray).view(np.uint8)
