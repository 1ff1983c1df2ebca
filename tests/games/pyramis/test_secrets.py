"""Tests that nothing leaks (Star cards, the decks, who has chosen), and of what a redeal keeps."""

import re
from collections import Counter

import numpy as np
import pytest
from tests.games.pyramis.positions import GAME, finish_turn, hand, play, position, showing

from pyramidion.engine.game import chance_words
from pyramidion.engine.layout import record
from pyramidion.web.pages.picture import drawn_board


def redealt(match, viewer, seed):
    """A world that the viewer cannot tell from the truth, as a record."""
    state = match.redacted_state(viewer)
    GAME.compiled.redeal(match.box, state, -1 if viewer is None else viewer, chance_words(seed))
    return record(state)


@pytest.mark.parametrize("viewer", [None, 0, 1, 2])
def test_the_decks_are_in_no_byte(viewer):
    redacted = GAME.new(3, 1).redacted_state(viewer)
    for name in ("top", "pool", "rng", "ply"):
        assert not np.asarray(redacted[name]).any()


@pytest.mark.parametrize("viewer", [None, 0, 1, 2])
def test_the_stars_of_others_are_in_no_byte(viewer):
    table = position(3, hands={0: [1, 2], 1: [4], 2: [5]})
    shown = record(table.redacted_state(viewer))
    for seat in range(3):
        if seat != viewer:
            assert shown.stars[seat] == shown.drawn[seat] == 0
    other = position(3, hands={0: [1, 2], 1: [5], 2: [4]})
    if viewer in (None, 0):
        assert table.redacted(viewer) == other.redacted(viewer)
        assert table.view(viewer) == other.view(viewer)


def test_a_stolen_star_is_in_the_bytes_of_thief_and_robbed_only():
    table = position(4, river=[13, 2, 3], hands={0: [1], 1: [2], 3: [5]}, seed=3)
    position_with_all = position(4, river=[13, 2, 3], hands={0: [1], 1: [2], 2: [3, 4], 3: [5]})
    play(position_with_all, "place 1 a1", "steal 3")
    assert record(position_with_all.redacted_state(0)).theft_star[0] == 4
    assert record(position_with_all.redacted_state(3)).theft_star[0] == 4
    for viewer in (None, 1, 2):
        assert record(position_with_all.redacted_state(viewer)).theft_star[0] == 0
    assert not record(table.redacted_state(0)).thefts


@pytest.mark.parametrize("viewer", [None, 0, 1, 2, 3])
def test_caption_and_stage_show_a_stolen_star_to_thief_and_robbed_only(viewer):
    table = position(4, river=[13, 2, 3], hands={0: [1], 1: [2], 2: [3, 4], 3: [5]})
    play(table, "place 1 a1", "steal 3")
    html = drawn_board(table, viewer)
    caption = re.search(r'id="caption".*?</p>', html, re.S)[0]
    knows = viewer in (0, 3)
    assert ("shows" in caption) == knows
    assert ("took a Star card" in caption) != knows
    assert ('class="star-card lands"' in html) == knows


@pytest.mark.parametrize("viewer", [None, 0, 2])
def test_a_redeal_gives_every_deck_a_top_card_with_its_back(viewer):
    table = GAME.new(3, 8)
    for _ in range(9):
        finish_turn(table)
    box = record(table.box)
    tops = set()
    for seed in range(60):
        s = redealt(table, viewer, seed)
        assert [box.back[int(card) - 1] for card in s.top] == s.back.tolist()
        tops.add(tuple(s.top.tolist()))
    assert len(tops) > 1


def test_a_redeal_leaves_open_who_holds_which_unseen_star():
    table = position(3, hands={0: [1], 1: [2], 2: [3]})
    held = Counter(int(redealt(table, 0, seed).stars[1]) for seed in range(400))
    assert set(held) == {2, 4, 8, 16}
    assert min(held.values()) > 60


def test_a_spectator_knows_no_star():
    table = position(3, hands={0: [1], 1: [2], 2: [3]})
    assert {int(redealt(table, None, seed).stars[0]) for seed in range(200)} == {1, 2, 4, 8, 16}


def robbed():
    """Seat 0 has lost its one Star, number 1, to seat 1, which held 2 and 3; seat 2 has 4 and 5."""
    table = position(3, active=1, river=[13, 14, 3], hands={0: [1], 1: [2, 3], 2: [4, 5]})
    play(table, "place 1 a1", "steal 0")
    return finish_turn(table)


def test_a_redeal_remembers_a_star_that_the_seat_saw_go():
    table = robbed()
    for seed in range(100):
        s = redealt(table, 0, seed)
        assert int(s.stars[1]) & 1
        assert [int(s.stars[p]).bit_count() for p in range(3)] == [0, 3, 2]
    # Seat 2 saw nothing of it: any of the three others can be where it likes.
    held = Counter(int(redealt(table, 2, seed).stars[1]) for seed in range(100))
    assert set(held) == {7}


def test_a_redeal_weighs_where_a_star_may_have_gone_since():
    # Seat 2 takes one of the three from seat 1: for seat 0 it is star 1 once in three times.
    table = robbed()
    assert table.acting == (2,)
    slot = [card["star"] for card in table.view(None)["river"]].index(True) + 1
    play(table, f"place {slot} a1", "steal 1")
    gone = Counter(bool(int(redealt(table, 0, seed).stars[2]) & 1) for seed in range(600))
    assert 140 < gone[True] < 260
    # Who took it and who lost it know; what they know is kept.
    star = hand(table, 2)
    for seed in range(50):
        assert int(redealt(table, 2, seed).stars[2]) == sum(1 << n - 1 for n in star)
        thief_now = int(redealt(table, 1, seed).stars[2])
        lost = set(star) - {4, 5}
        assert thief_now >> (lost.pop() - 1) & 1


@pytest.mark.parametrize("seed", range(6))
def test_a_redeal_after_many_thefts_still_fits(seed):
    """With a Shooting Star on every card there are up to 35 thefts."""
    cards = (GAME.folder / "cards.toml").read_text("utf-8").replace("star = false", "star = true")
    table = GAME.new(4, seed, cards=cards)
    while not table.over:
        seat = table.acting[0]
        legal = table.legal(seat)
        play(table, str(legal[(seed + table.ply) % len(legal)]))
        if table.ply % 23 == 0 and not table.over:
            for viewer in range(4):
                s = redealt(table, viewer, table.ply)
                assert GAME.invariants(record(table.box), s) is None
                assert int(s.stars[viewer]) == int(record(table.state_copy()).stars[viewer])
    assert int(record(table.state_copy()).thefts) > 20


def test_a_redeal_in_a_rotation_leaves_somebody_to_choose():
    fleets = {0: {"a1": 17, "a2": 18}, 1: {"a1": 20, "a2": 21}, 2: {"a1": 22}}
    table = showing(["green"], seats=3, fleets=fleets, tops=(None, 34), river=[4, 5, 6])
    for viewer in (None, 0, 1):
        submitted = Counter(int(redealt(table, viewer, seed).submitted) for seed in range(100))
        assert 0b111 not in submitted
        assert len(submitted) > 2
    table.play(1, "rotate a2")
    assert all(int(redealt(table, 1, seed).choice[1]) == 2 for seed in range(20))
