"""PY 7: end and scoring."""

import pytest
from tests.games.pyramis.positions import (
    SPACES,
    events,
    finish_game,
    fleet,
    play,
    position,
    rules_told,
)

from pyramidion.games.pyramis import rules


def scored(fleets, seats=2, hands=None):
    """The players as seat 0 sees them, with what their Fleets come to."""
    return position(seats, fleets=fleets, hands=hands).view(0)["players"]


def zone(fleet_of_0):
    """The largest zone that a Fleet is shown with."""
    return position(fleets={0: fleet_of_0}).view(None)["players"][0]["zone"]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_py_7_1_the_game_ends_after_the_last_turn_of_the_last_player(seats):
    table = position(seats, filler=dict.fromkeys(range(1, seats), 10) | {0: 9})
    assert not table.over
    play(table, str(table.legal(0)[0]))
    assert not table.over
    finish_game(table)
    assert table.over
    assert table.outcome.rule == "PY 7.1"
    assert rules_told(table, "ended") == {"PY 7.1"}


def test_py_7_1_everybody_has_had_ten_turns():
    table = finish_game(position(4))
    assert [len(fleet(table, seat)) for seat in range(4)] == [10] * 4
    assert len(events(table, "refilled")) == 40


def test_py_7_2_pyramids_of_covered_cards_count_too():
    # 9: 2 / 2, 25: 2 / 2, 47: 3 / 2.
    (player, _) = scored({0: {"a1": 9, "a2": 25, "b1": 47}})
    assert player["pyramids"] == 2 + 2 + 3


def test_py_7_2_only_the_end_on_top_counts():
    (player, _) = scored({0: {"a1": -5, "a2": 21}})
    assert player["pyramids"] == 3 + 1


def test_py_7_2_stars_count():
    (player, _) = scored({0: {"a1": 9}}, hands={0: [1, 3, 4]})
    assert player["pyramids"] == 2 + 1 + 2
    assert player["aliens"] == 1


def test_py_7_3_beside_and_over_are_touching():
    blue = {"a1": 1, "a2": 2, "b1": 5}
    assert zone(blue)["cards"] == 3
    assert zone(blue)["pyramids"] == 2 + 1 + 1
    assert zone(blue)["colour"] == "blue"


@pytest.mark.parametrize(
    ("spaces", "cards"),
    [
        (["a1", "a2"], 2),
        (["a1", "a3"], 1),
        (["a1", "b1"], 2),
        (["a1", "b2"], 1),
        (["a2", "b1"], 2),
        (["a2", "b2"], 2),
        (["b1", "b3"], 1),
        (["b1", "c1", "d1"], 3),
        (["b1", "c2"], 1),
        (["a1", "b1", "c1", "d1", "c2", "b3", "a4"], 7),
        (["a1", "a2", "a3", "a4", "c1"], 4),
    ],
)
def test_py_7_3_what_hangs_together(spaces, cards):
    mask = sum(1 << SPACES.index(space) for space in spaces)
    hangs = int(rules.zone_at(mask))
    assert hangs & ~mask == 0
    assert hangs.bit_count() == cards


def test_py_7_3_equally_many_cards_and_the_pyramids_decide():
    # Two blue with 2 + 1 Pyramids, two green with 1 + 3; then two blue with 2 + 3.
    lying = {"a1": 1, "a2": 2, "a3": 20, "a4": 22}
    assert zone(lying) == {"colour": "green", "cards": 2, "pyramids": 4, "spaces": ["a3", "a4"]}
    lying = {"a1": 1, "a2": 6, "a3": 20, "a4": 22}
    assert zone(lying)["colour"] == "blue"


def test_py_7_3_the_most_cards_are_the_largest_whatever_they_show():
    # Three blue cards with no Pyramid in all but one, and two gray with 3 + 4.
    lying = {"a1": 12, "a2": 15, "b1": -11, "a3": 43, "a4": 45}
    assert zone(lying) == {"colour": "blue", "cards": 3, "pyramids": 0, "spaces": ["a1", "a2", "b1"]}


def test_py_7_3_a_card_alone_is_a_zone_of_one():
    assert zone({"a1": 6}) == {"colour": "blue", "cards": 1, "pyramids": 3, "spaces": ["a1"]}


def test_py_7_3_no_cards_no_zone():
    assert zone({}) is None


def test_py_7_3_stars_are_in_no_zone():
    assert scored({0: {"a1": 6}}, hands={0: [1, 2, 3]})[0]["zone"]["pyramids"] == 3


def test_py_7_3_worked_example_of_equal_zones():
    lying = {"a1": 1, "a2": 2, "b1": 5, "a3": 20, "a4": 22, "b3": 17}
    assert zone(lying) == {"colour": "green", "cards": 3, "pyramids": 1 + 3 + 2, "spaces": ["a3", "a4", "b3"]}


def test_py_7_4_the_most_aliens_score_a_point_each():
    # 10: 1 Pyramid and 1 Alien on either end.
    first, second = scored({0: {"a1": 10, "a2": 4}, 1: {"a1": 2}})
    assert (first["aliens"], first["leads_aliens"]) == (2, True)
    assert (second["aliens"], second["leads_aliens"]) == (1, False)
    assert first["score"] == 1 + 1 + 2 + 2
    assert second["score"] == 1 + 1


def test_py_7_4_all_who_tie_score():
    first, second, third = scored({0: {"a1": 10}, 1: {"a1": 2}, 2: {"a1": 9}}, seats=3)
    assert [p["leads_aliens"] for p in (first, second, third)] == [True, True, False]
    assert first["score"] == second["score"] == 3
    assert third["score"] == 4


def test_py_7_4_stars_count_for_the_majority():
    first, _ = scored({0: {"a1": 9}, 1: {"a1": 2}}, hands={0: [4, 5]})
    assert first["aliens"] == 2
    assert first["leads_aliens"]


def test_py_7_4_nobody_has_any_and_nobody_scores():
    first, second = scored({0: {"a1": 9}, 1: {"a1": 25}})
    assert not first["leads_aliens"]
    assert not second["leads_aliens"]
    assert first["score"] == 4


# A whole game whose last turn is played, so that the referee's own sum is looked at.

# 20 Pyramids, 6 of them in the largest zone (blue: 4 cards), 5 Aliens; and 21, 8 in the largest zone, 4 Aliens.
ANA = {
    "a1": 8,  # blue 1
    "a2": 7,  # blue 2 + A
    "a3": 18,  # green 1 + A
    "a4": 34,  # pink 1 + A
    "b1": 5,  # blue 1
    "b2": 36,  # pink 1 + A
    "b3": 45,  # gray 4
    "c1": 16,  # blue 2
    "c2": 22,  # green 3
    "d1": 33,  # pink 3
}


def finished(fleets, seats=2, hands=None):
    """The match after the last turn: seat 0 places its card on d1, and no pair turns anything."""
    last = fleets[0]["d1"]
    lying = {seat: dict(fleet_of) for seat, fleet_of in fleets.items()}
    del lying[0]["d1"]
    for seed in range(500):
        table = position(seats, fleets=lying, hands=hands, river=[last, 1, 2], seed=seed)
        play(table, "place 1 d1", "refill left")
        if table.over:
            return table
    raise AssertionError("there was always a pair")


BEN = {
    "a1": 17,  # green 2
    "a2": 19,  # green 2
    "a3": 9,  # blue 2
    "a4": 32,  # pink 1 + A
    "b1": 23,  # green 2 + A
    "b2": 20,  # green 1 + A
    "b3": 6,  # blue 3
    "c1": 21,  # green 1
    "c2": 47,  # gray 3
    "d1": 37,  # pink 3
}


def test_py_7_5_worked_example_of_the_rulebook():
    # Both have two Star cards, one with a Pyramid and one with an Alien.
    table = finished({0: ANA, 1: BEN}, hands={0: [1, 4], 1: [2, 5]})
    rows = table.view(None)["outcome"]["table"]
    assert [(r["pyramids"], r["zone"], r["aliens"], r["alien_points"], r["total"]) for r in rows] == [
        (20, 6, 5, 5, 31),
        (21, 8, 4, 0, 29),
    ]


def test_py_7_5_the_highest_score_wins():
    table = finished({0: ANA, 1: BEN})
    assert table.outcome.points[0] > table.outcome.points[1]
    assert table.outcome.winners == (0,)
    assert table.outcome.payoffs == (1.0, 0.0)
    assert rules_told(table, "scored") == {"PY 7.5"}


def test_py_7_5_a_tie_shares_the_win():
    for seed in range(4000):
        table = finish_game(position(2, seed=seed))
        if table.outcome.points[0] == table.outcome.points[1]:
            assert table.outcome.winners == (0, 1)
            assert table.outcome.payoffs == (0.5, 0.5)
            return
    raise AssertionError("no game was tied")
