"""Tests of simultaneous decisions, replaced submissions and timeouts, with the external toy game Sealed Bid."""

from __future__ import annotations

from pathlib import Path

import pytest

import pyramidion
from pyramidion.engine.errors import IllegalAction
from pyramidion.engine.match import Match


@pytest.fixture
def match(outside: Path) -> Match:
    return pyramidion.load("sealed-bid").new(seed=1)


def test_games_from_outside_are_there_by_their_entry_points(outside: Path) -> None:
    assert {"sealed-bid", "high-card", "ponzi-scheme"} <= set(pyramidion.all_games())


def test_all_are_due_at_once(match: Match) -> None:
    assert match.acting == (0, 1, 2)


def test_a_submission_may_be_replaced_until_it_is_confirmed(match: Match) -> None:
    match.play(1, "bid 4")
    match.play(1, "bid 6")
    assert match.view(1)["bid"] == 6
    match.play(1, "confirm")
    assert match.acting == (0, 2)
    with pytest.raises(IllegalAction, match="Your bid is confirmed; wait for the others"):
        match.play(1, "bid 2")


def test_the_step_resolves_when_all_have_confirmed(match: Match) -> None:
    for seat, bid in enumerate((3, 6, 6)):
        match.play(seat, f"bid {bid}")
    for seat in (2, 0, 1):
        assert match.view(None)["round"] == 0
        match.play(seat, "confirm")
    assert match.view(None)["round"] == 1
    assert match.view(None)["score"] == [0, 0, 0]


def test_nobody_is_told_of_an_early_submission(match: Match) -> None:
    before = {viewer: (match.redacted(viewer), match.version(viewer)) for viewer in (None, 0, 2)}
    match.play(1, "bid 4")
    match.play(1, "confirm")
    for viewer, (shown, version) in before.items():
        assert match.redacted(viewer) == shown
        assert match.version(viewer) == version
        assert match.events(viewer) == []
        assert match.acting_for(viewer) == (0, 1, 2)
    assert match.version(1) == 2
    assert match.acting_for(1) == (0, 2)
    assert [event.name for event in match.events(1)] == ["saved", "confirmed"]


def test_a_table_may_show_who_has_confirmed(outside: Path) -> None:
    match = pyramidion.load("sealed-bid").new(seed=1, show_submitted=True)
    match.play(1, "confirm")
    assert match.view(None)["submitted"] == [1]
    assert match.acting_for(0) == (0, 2)


def test_an_absent_seat_confirms_what_it_has_saved(match: Match) -> None:
    match.play(0, "bid 5")
    for seat in (0, 1, 2):
        match.play(seat, match.timeout(seat))
    assert match.view(None)["score"] == [1, 0, 0]
    with pytest.raises(IllegalAction, match="There is nothing for seat 7 to decide now"):
        match.timeout(7)
