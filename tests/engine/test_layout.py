"""Tests of layouts: what each audience sees, and the bytes of a state."""

from __future__ import annotations

import numpy as np
import pytest

from pyramidion.engine.layout import (
    EVERYTHING,
    SEATS,
    SPECTATOR,
    Layout,
    int8,
    int16,
    int32,
    layout,
    own,
    party,
    public,
    record,
    secret,
    uint16,
)


@pytest.fixture
def state() -> tuple[Layout, np.ndarray]:
    made = layout(
        seats=3,
        events=2,
        cash=own(int32),
        hand=own(int8, 4),
        board=public(int8, SEATS, 2),
        deck=secret(int16, 5),
        price=party(int32),
        price_party=public(uint16),
        note=party(int8, 2, 3),
        note_party=public(uint16, 2),
    )
    state = made.new()
    for name in ("cash", "hand", "board", "deck", "price", "note", "rng", "ply"):
        state[name] = 7
    state["seats"] = 3
    state["price_party"] = 0b011
    state["note_party"] = [0b100, 0b001]
    state["acting"] = 0b111
    state["submitted"] = 0b110
    return made, state


@pytest.mark.parametrize("viewer", [0, 1, 2, SPECTATOR])
def test_each_audience_sees_its_own(state: tuple[Layout, np.ndarray], viewer: int) -> None:
    made, whole = state
    shown = record(made.redact(whole, viewer))
    for seat in range(3):
        assert shown.cash[seat] == (7 if seat == viewer else 0)
        assert shown.hand[seat].tolist() == [7 if seat == viewer else 0] * 4
    assert (shown.board == 7).all()
    assert not shown.deck.any()
    assert not shown.rng.any()
    assert shown.ply == 0
    assert shown.price == (7 if viewer in (0, 1) else 0)
    assert shown.note[0].tolist() == [7 if viewer == 2 else 0] * 3
    assert shown.note[1].tolist() == [7 if viewer == 0 else 0] * 3
    assert shown.acting == 0b111
    assert shown.submitted == (0b110 & 1 << viewer if viewer >= 0 else 0)


def test_a_table_may_show_who_has_submitted(state: tuple[Layout, np.ndarray]) -> None:
    made, whole = state
    whole["submitted_shown"] = 1
    assert record(made.redact(whole, 0)).submitted == 0b110


def test_everything_hides_the_generator_only(state: tuple[Layout, np.ndarray]) -> None:
    made, whole = state
    shown = record(made.redact(whole, EVERYTHING))
    assert (shown.cash == 7).all()
    assert (shown.deck == 7).all()
    assert shown.price == 7
    assert not shown.rng.any()


def test_redacting_copies(state: tuple[Layout, np.ndarray]) -> None:
    made, whole = state
    before = whole.tobytes()
    made.redact(whole, 0)["board"] = 9
    assert whole.tobytes() == before


def test_states_have_no_gaps_that_copies_would_leave_out(state: tuple[Layout, np.ndarray]) -> None:
    made, whole = state
    whole.view(np.uint8)[:] = 255
    assert whole.copy().tobytes() == whole.tobytes()
    assert made.dtype.isalignedstruct


@pytest.mark.parametrize("name", ["acting", "rng", "all", "min", "round", "copy"])
def test_a_name_that_records_or_the_header_have_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"The field name '{name}' is taken"):
        layout(seats=2, events=1, **{name: public(int8)})


def test_a_party_field_needs_its_mask() -> None:
    with pytest.raises(ValueError, match="The party field price needs the public uint16 field price_party beside it"):
        layout(seats=2, events=1, price=party(int32))


@pytest.mark.parametrize("viewer", [0, 1, 2, None, SPECTATOR, EVERYTHING])
def test_what_is_hidden_reads_as_none_and_a_visible_nought_as_0(state: tuple[Layout, np.ndarray], viewer) -> None:
    made, whole = state
    whole["cash"][0, 1] = 0
    s = record(made.redact(whole, SPECTATOR if viewer is None else viewer))
    everything = viewer == EVERYTHING
    for seat, cash in enumerate((7, 0, 7)):
        assert made.visible(s, viewer, "cash", seat) == (cash if everything or viewer == seat else None)
        assert made.visible(s, viewer, "hand", seat, 3) == (7 if everything or viewer == seat else None)
        assert made.visible(s, viewer, "board", seat, 1) == 7
    assert made.visible(s, viewer, "deck", 4) == (7 if everything else None)
    assert made.visible(s, viewer, "price") == (7 if viewer in (0, 1, EVERYTHING) else None)
    assert made.visible(s, viewer, "note", 0, 2) == (7 if viewer in (2, EVERYTHING) else None)
    assert made.visible(s, viewer, "note", 1, 0) == (7 if viewer in (0, EVERYTHING) else None)
