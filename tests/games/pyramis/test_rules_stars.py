"""PY 5: Shooting Stars."""

from collections import Counter

import pytest
from tests.games.pyramis.positions import (
    WITH_STAR,
    events,
    finish_game,
    hand,
    play,
    position,
    refused,
    rules_told,
    texts,
)

ALL = [1, 2, 3, 4, 5]


def stars(match):
    return [player["stars"] for player in match.view(None)["players"]]


@pytest.mark.parametrize("card", WITH_STAR)
def test_py_5_1_a_shooting_star_draws_from_the_reserve(card):
    table = position(river=[card, 2, 3])
    play(table, "place 1 a1")
    assert stars(table) == [1, 0]
    assert table.view(None)["reserve"] == 4
    assert table.view(None)["phase"] == "refill"
    assert rules_told(table, "drew") == {"PY 5.1"}


def test_py_5_1_a_card_without_one_draws_nothing():
    table = position(river=[1, 2, 3])
    play(table, "place 1 a1")
    assert stars(table) == [0, 0]
    assert table.view(None)["reserve"] == 5


def test_py_5_1_any_star_of_the_reserve_may_come():
    drawn = Counter()
    for seed in range(300):
        table = position(river=[13, 2, 3], hands={1: [2]}, seed=seed)
        play(table, "place 1 a1")
        drawn[hand(table, 0)[0]] += 1
    assert set(drawn) == {1, 3, 4, 5}
    assert min(drawn.values()) > 40


def test_py_5_1_the_last_star_is_drawn_not_stolen():
    table = position(river=[13, 2, 3], hands={1: [1, 2, 3, 4]})
    play(table, "place 1 a1")
    assert hand(table, 0) == [5]
    assert stars(table) == [1, 4]


def test_py_5_1_with_the_reserve_empty_another_player_is_chosen():
    table = position(4, river=[13, 2, 3], hands={0: [1], 1: [2], 3: [3, 4, 5]})
    play(table, "place 1 a1")
    assert texts(table, 0) == {"steal 1", "steal 3"}
    play(table, "steal 3")
    assert stars(table) == [2, 1, 0, 2]
    assert rules_told(table, "stole") == {"PY 5.1"}


def test_py_5_1_the_star_taken_is_random():
    taken = Counter()
    for seed in range(300):
        table = position(river=[13, 2, 3], hands={0: [1, 2], 1: [3, 4, 5]}, seed=seed)
        play(table, "place 1 a1", "steal 1")
        (star,) = set(hand(table, 0)) - {1, 2}
        taken[star] += 1
    assert set(taken) == {3, 4, 5}
    assert min(taken.values()) > 60


def test_py_5_1_taking_is_obligatory_and_before_the_refill():
    table = position(river=[13, 2, 3], hands={0: [1, 2, 3, 4], 1: [5]})
    play(table, "place 1 a1")
    assert texts(table, 0) == {"steal 1"}
    assert refused(table, 0, "refill left") == "PY 5.1"
    assert table.view(None)["river"][0] is None


def test_py_5_1_only_others_who_hold_one_can_be_chosen():
    table = position(3, river=[13, 2, 3], hands={0: [1], 2: [2, 3, 4, 5]})
    play(table, "place 1 a1")
    assert refused(table, 0, "steal 0") == "PY 5.1"
    assert refused(table, 0, "steal 1") == "PY 5.1"
    assert refused(table, 0, "steal 3") == "PY 5.1"
    assert refused(table, 0, "steal 2") == ""


def test_py_5_1_if_nobody_else_holds_one_nothing_happens():
    table = position(3, river=[13, 2, 3], hands={0: ALL})
    play(table, "place 1 a1")
    assert table.view(None)["phase"] == "refill"
    assert stars(table) == [5, 0, 0]
    assert rules_told(table, "no_star") == {"PY 5.1"}


def test_py_5_2_what_a_seat_draws_it_alone_knows():
    table = position(3, river=[13, 2, 3])
    play(table, "place 1 a1")
    assert len(hand(table, 0)) == 1
    assert events(table, "found", 0)
    for viewer in (None, 1, 2):
        assert table.view(viewer)["players"][0]["star_cards"] is None
        assert events(table, "found", viewer) == []
        assert events(table, "drew", viewer) == [{"seat": 0}]


def test_py_5_2_how_many_each_holds_is_open():
    table = position(3, hands={0: [1, 4], 2: [5]})
    for viewer in (None, 0, 1, 2):
        assert [player["stars"] for player in table.view(viewer)["players"]] == [2, 0, 1]


def test_py_5_2_a_stolen_star_is_known_to_thief_and_robbed():
    table = position(4, river=[13, 2, 3], hands={0: [1], 1: [2], 3: [3, 4, 5]})
    play(table, "place 1 a1", "steal 3")
    (star,) = set(hand(table, 0)) - {1}
    told = {"seat": 0, "victim": 3, "pyramids": 2 if star == 3 else 0, "aliens": 0 if star == 3 else 1}
    assert events(table, "stolen", 0) == events(table, "stolen", 3) == [told]
    assert events(table, "stolen", 1) == events(table, "stolen", 2) == events(table, "stolen", None) == []
    assert events(table, "stole", 1) == events(table, "stole", None) == [{"seat": 0, "victim": 3}]


def test_py_5_2_stars_are_laid_open_at_the_end():
    table = finish_game(position(2, filler={0: 9, 1: 10}, hands={0: [1, 2], 1: [3]}))
    for viewer in (None, 0, 1):
        shown = [player["star_cards"] for player in table.view(viewer)["players"]]
        assert {1, 2} <= {star["star"] for star in shown[0]}
        assert {3} <= {star["star"] for star in shown[1]}
