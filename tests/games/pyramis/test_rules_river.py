"""PY 6: refilling the River, and rotations."""

from collections import Counter

import pytest
from tests.games.pyramis.positions import (
    GAME,
    counts,
    events,
    finish_game,
    fleet,
    play,
    position,
    refused,
    river,
    rules_told,
    showing,
    texts,
)

from pyramidion.engine.layout import record

# Cards by their backs: 34, 39, 45 green; 32, 33, 36, 44 blue; 2, 23, 24, 26 blue and green; 3, 5, 12, 46 pink.


@pytest.mark.parametrize(("deck", "index"), [("left", 0), ("right", 1)])
def test_py_6_1_the_gap_is_filled_from_the_deck_of_choice(deck, index):
    table = position(phase="refill", gap=2, river=[1, 2, 3], tops=(34, 46), left=(22, 24))
    play(table, f"refill {deck}")
    assert river(table) == [1, (34, 46)[index], 3]
    assert counts(table) == [22 - (index == 0), 24 - (index == 1)]
    assert rules_told(table, "refilled") == {"PY 6.1"}


def test_py_6_1_an_empty_deck_cannot_be_chosen():
    table = position(3, phase="refill", filler={0: 10, 1: 9, 2: 8}, left=(0, 19))
    assert texts(table, 0) == {"refill right"}
    assert refused(table, 0, "refill left") == "PY 6.1"
    table = position(3, phase="refill", filler={0: 10, 1: 9, 2: 8}, left=(19, 0))
    assert texts(table, 0) == {"refill left"}
    assert refused(table, 0, "refill right") == "PY 6.1"


def test_py_6_1_five_cards_are_left_when_four_have_played():
    table = finish_game(position(4))
    assert sum(counts(table)) == 5
    assert None not in river(table)


def test_py_6_1_the_deck_that_is_refilled_from_shows_a_new_back():
    seen = Counter()
    for seed in range(200):
        table = position(phase="refill", tops=(34, 46), seed=seed)
        play(table, "refill left")
        seen[tuple(table.view(None)["decks"][0]["back"])] += 1
        assert table.view(None)["decks"][1]["back"] == ["pink"]
    assert len(seen) > 8


def test_py_6_2_two_green_pyramids_and_everybody_turns_a_green_card():
    fleets = {0: {"a1": 17, "a2": 1}, 1: {"a1": 18}, 2: {"a2": 31, "a3": -19}}
    table = showing(["green"], fleets=fleets, tops=(None, 34), seats=3, river=[4, 5, 6])
    assert table.view(None)["turning"] == "green"
    assert table.acting == (0, 1, 2)
    assert [texts(table, seat) for seat in range(3)] == [{"rotate a1"}, {"rotate a1"}, {"rotate a3"}]
    play(table, "rotate a1", "rotate a1", "rotate a3")
    assert [fleet(table, seat) for seat in range(3)] == [{"a1": -17, "a2": 1}, {"a1": -18}, {"a2": 31, "a3": 19}]
    assert rules_told(table, "turned") == rules_told(table, "pair") == {"PY 6.2"}


def test_py_6_2_one_pyramid_of_a_colour_is_no_pair():
    table = showing([], fleets={0: {"a1": 17}, 1: {"a1": 1}}, tops=(None, 34))
    assert table.view(None)["phase"] == "place"
    assert table.acting == (1,)


def test_py_6_2_two_pairs_turn_one_card_of_each_colour():
    fleets = {0: {"a1": 17, "a2": 18, "a3": 1}, 1: {"a1": 19, "a2": 4}}
    table = showing(["blue", "green"], fleets=fleets, tops=(None, 2), river=[7, 5, 6])
    assert table.view(None)["turning"] == "blue"
    play(table, "rotate a3", "rotate a2")
    assert table.view(None)["turning"] == "green"
    assert texts(table, 0) == {"rotate a1", "rotate a2"}
    play(table, "rotate a2", "rotate a1")
    assert fleet(table, 0) == {"a1": 17, "a2": -18, "a3": -1}
    assert fleet(table, 1) == {"a1": -19, "a2": -4}
    assert table.view(None)["phase"] == "place"


def test_py_6_2_the_same_pair_again_turns_again():
    table = showing(["green"], fleets={0: {"a1": 17}, 1: {"a1": 18}}, tops=(None, 34), river=[1, 4, 5])
    play(table, "rotate a1", "rotate a1")
    for seed in range(500):
        again = position(
            phase="refill", seed=seed, fleets={0: {"a1": -17}, 1: {"a1": -18}}, tops=(39, 34), river=[1, 4, 5]
        )
        assert again.view(None)["pairs"] == ["green"]
        play(again, "refill left")
        if again.view(None)["pairs"] == ["green"]:
            play(again, "rotate a1", "rotate a1")
            assert fleet(again, 0) == {"a1": 17}
            return
    raise AssertionError("the left deck never showed green again")


OWN_CARDS = (GAME.folder / "cards.toml").read_text("utf-8")


def with_backs(*numbered):
    """The game's cards with other backs for some: (number, colours)."""
    lines = OWN_CARDS.splitlines()
    cards = [i for i, line in enumerate(lines) if line.lstrip().startswith("{colour")]
    for number, colours in numbered:
        line = lines[cards[number - 1]]
        lines[cards[number - 1]] = line[: line.index("back")] + f"back = {list(colours)}".replace("'", '"') + "},"
    return "\n".join(lines)


def test_py_6_2_two_of_a_colour_on_one_back_are_a_pair():
    cards = with_backs((34, ["green", "green"]))
    table = position(phase="refill", cards=cards, tops=(11, 34), fleets={0: {"a1": 17}, 1: {"a1": 18}})
    play(table, "refill left")
    assert table.view(None)["turning"] == "green"


@pytest.mark.parametrize("other", [["green"], ["green", "green"]])
def test_py_6_2_three_or_four_of_a_colour_are_one_pair(other):
    every = [(number, other) for number in range(1, 49) if number != 34]
    cards = with_backs((34, ["green", "green"]), *every)
    table = position(
        phase="refill", cards=cards, tops=(11, 34), fleets={0: {"a1": 17, "a2": 19}, 1: {"a1": 18}}, river=[1, 4, 5]
    )
    play(table, "refill left")
    assert len([c for back in table.view(None)["decks"] for c in back["back"]]) == 2 + len(other)
    play(table, "rotate a1", "rotate a1")
    assert table.view(None)["phase"] == "place"
    assert fleet(table, 0) == {"a1": -17, "a2": 19}


def test_py_6_2_a_pair_on_the_backs_before_the_refill_counts_for_nothing():
    table = showing([], fleets={0: {"a1": 17}, 1: {"a1": 18}}, tops=(34, 39), river=[1, 4, 5])
    assert fleet(table, 0) == {"a1": 17}
    assert not events(table, "turned")


def test_py_6_3_a_covered_card_is_not_accessible():
    fleets = {0: {"a1": 17, "a2": 18, "a3": 19, "b1": 1}, 1: {"a1": 20}}
    table = showing(["green"], fleets=fleets, tops=(None, 34), river=[4, 5, 6])
    assert texts(table, 0) == {"rotate a3"}
    assert refused(table, 0, "rotate a1") == "PY 6.3"
    assert refused(table, 0, "rotate b1") == "PY 6.2"
    assert refused(table, 0, "rotate a4") == "PY 6.2"


def test_py_6_3_the_card_placed_this_turn_counts():
    for seed in range(500):
        table = position(fleets={0: {"a1": 1}}, river=[17, 4, 5], tops=(None, 34), seed=seed)
        play(table, "place 1 a2", "refill left")
        if table.view(None)["pairs"] == ["green"]:
            assert texts(table, 0) == {"rotate a2"}
            return
    raise AssertionError("the left deck never showed green")


def test_py_6_3_without_a_card_of_the_colour_a_player_is_not_asked():
    fleets = {0: {"a1": 1}, 1: {"a1": 18}}
    table = showing(["green"], fleets=fleets, tops=(None, 34), river=[4, 5, 6])
    assert table.acting == (1,)
    assert refused(table, 0, "rotate a1") == "PY 6.3"
    play(table, "rotate a1")
    assert fleet(table, 0) == {"a1": 1}


def test_py_6_3_if_nobody_has_one_the_turn_ends():
    table = showing(["green"], fleets={0: {"a1": 1}, 1: {"a1": 4}}, tops=(None, 34), river=[7, 5, 6])
    assert table.view(None)["phase"] == "place"
    assert rules_told(table, "nobody") == {"PY 6.3"}


def test_py_6_3_with_several_the_player_chooses_one():
    fleets = {0: {"a1": 17, "a2": 18, "a3": 19}, 1: {"a1": 20}}
    table = showing(["green"], fleets=fleets, tops=(None, 34), river=[4, 5, 6])
    assert texts(table, 0) == {"rotate a1", "rotate a2", "rotate a3"}
    play(table, "rotate a2", "rotate a1")
    assert fleet(table, 0) == {"a1": 17, "a2": -18, "a3": 19}


def two_choose():
    fleets = {0: {"a1": 17, "a2": 18}, 1: {"a1": 20, "a2": 21}, 2: {"a1": 22}}
    return showing(["green"], seats=3, fleets=fleets, tops=(None, 34), river=[4, 5, 6])


def test_py_6_4_choices_are_hidden_until_all_have_chosen():
    table = two_choose()
    before = {viewer: (table.redacted(viewer), len(table.events(viewer))) for viewer in (None, 0, 2)}
    table.play(1, "rotate a2")
    for viewer, (seen, told) in before.items():
        assert table.redacted(viewer) == seen
        assert len(table.events(viewer)) == told
    assert table.view(1)["players"][1]["chosen"] == "a2"
    assert table.view(1)["acting"] == [0, 2]
    assert table.view(0)["acting"] == [0, 1, 2]
    assert fleet(table, 1) == {"a1": 20, "a2": 21}


def test_py_6_4_cards_turn_together_in_whatever_order_seats_chose():
    ends = []
    for order in ((0, 1, 2), (2, 1, 0), (1, 2, 0)):
        table = two_choose()
        choice = {0: "rotate a1", 1: "rotate a2", 2: "rotate a1"}
        for seat in order:
            table.play(seat, choice[seat])
        state = record(table.state_copy())
        ends.append((state.turned.tolist(), int(state.active), [e["seat"] for e in events(table, "turned")]))
    assert ends[0] == ends[1] == ends[2]
    assert ends[0][2] == [0, 1, 2]


def test_py_6_4_who_has_chosen_cannot_choose_again():
    table = two_choose()
    table.play(0, "rotate a1")
    assert refused(table, 0, "rotate a2") == "PY 6.4"


@pytest.mark.parametrize(("wanted", "top"), [("blue green", 2), ("blue pink", 7), ("green pink", 18)])
def test_py_6_4_colours_come_in_the_order_blue_green_pink_gray(wanted, top):
    fleets = {0: {"a1": 1, "a2": 17, "a3": 31, "a4": 43}, 1: {"a1": 4}}
    table = showing(wanted.split(), fleets=fleets, tops=(None, top), river=[8, 5, 6])
    first, second = wanted.split()
    assert table.view(None)["turning"] == first
    assert table.view(None)["turning_next"] == [second]


def test_py_6_4_a_card_may_be_turned_again():
    table = showing(["green"], fleets={0: {"a1": -17}, 1: {"a1": 18}}, tops=(None, 34), river=[1, 4, 5])
    play(table, "rotate a1", "rotate a1")
    assert fleet(table, 0) == {"a1": 17}


def test_py_6_4_the_last_placement_too_is_followed_by_refill_and_rotation():
    fleets = {0: {"a1": 19}}
    for seed in range(400):
        table = position(filler={0: 8, 1: 10}, fleets=fleets, river=[17, 18, 20], tops=(None, 34), seed=seed, active=0)
        play(table, "place 1 d1")
        assert not table.over
        play(table, "refill left")
        if table.view(None)["pairs"] == ["green"]:
            assert table.acting[0] == 0
            play(table, "rotate d1")
            finish_game(table)
            assert fleet(table, 0)["d1"] == -17
            return
    raise AssertionError("the left deck never showed green")
