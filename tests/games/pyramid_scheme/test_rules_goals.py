"""PS 8 and 9: goals and Police."""

from __future__ import annotations

import pytest
from tests.games.pyramid_scheme.helpers.rules_goals import NO_PLACE, double
from tests.games.pyramid_scheme.positions import (
    QUIET,
    edited,
    family,
    goal,
    hand,
    play,
    player,
    position,
    pyramid,
    refused,
    texts,
    told,
    with_wants,
)

FILL = ("five-green", "five-blue", "five-pink", "five-yellow", "two-of-each-colour", "smart-same-number", "three-3s")


def aimed(name, **more):
    """A position in which a goal is open, with others that it does not meet."""
    rest = [other for other in more.pop("rest", FILL) if other != name][:5]
    return position(goals=[name, *rest], **more)


def claimed_by(table, name, *actions):
    """Play, decline all flips that are left, and return who has claimed the goal."""
    play(table, *actions)
    while table.view(None)["phase"] == "flip":
        play(table, "done")
    return goal(table, name)["claimed"]


@pytest.mark.parametrize(
    ("name", "colour"),
    [("five-green", "green"), ("five-blue", "blue"), ("five-pink", "pink"), ("five-yellow", "yellow")],
)
def test_ps_8_1_to_8_4_five_of_a_colour_flipped_or_not(name, colour):
    tree = {f"{colour}-{letter}": "founder" for letter in "abcd"}
    table = aimed(
        name,
        hands={0: [f"{colour}-e"]},
        pyramids={0: tree},
        flipped=[f"{colour}-a"],
        market=["green-m", "blue-m", "pink-m"],
        top="green-n",
    )
    assert goal(table, name)["progress"] == [4, 0]
    assert claimed_by(table, name, f"place {colour}-e founder") == 0


def test_ps_8_1_five_green():
    test_ps_8_1_to_8_4_five_of_a_colour_flipped_or_not("five-green", "green")


def test_ps_8_2_five_blue():
    test_ps_8_1_to_8_4_five_of_a_colour_flipped_or_not("five-blue", "blue")


def test_ps_8_3_five_pink():
    test_ps_8_1_to_8_4_five_of_a_colour_flipped_or_not("five-pink", "pink")


def test_ps_8_4_five_yellow():
    test_ps_8_1_to_8_4_five_of_a_colour_flipped_or_not("five-yellow", "yellow")


def test_ps_8_5_two_of_each_colour():
    tree = {f"{colour}-{letter}": "founder" for colour in ("green", "blue", "pink") for letter in "ab"}
    table = aimed(
        "two-of-each-colour",
        hands={0: ["yellow-e"]},
        pyramids={0: {**tree, "green-c": "founder", "yellow-d": "founder"}},
        market=["green-m", "blue-m", "pink-m"],
        top="green-n",
    )
    assert goal(table, "two-of-each-colour")["progress"][0] == 7
    assert claimed_by(table, "two-of-each-colour", "place yellow-e founder") == 0


@pytest.mark.parametrize("police", [False, True])
def test_ps_8_6_six_levels_police_do_not_count_but_what_is_below_does(police):
    tree = {"green-p": "founder", "blue-p": "green-p", "pink-p": "blue-p", "yellow-p": "pink-p"}
    if police:
        tree["police-1"] = "yellow-p"
    under = "police-1" if police else "yellow-p"
    table = aimed("six-levels", hands={0: ["green-a"]}, pyramids={0: tree}, flipped=["police-1", "green-p"])
    assert goal(table, "six-levels")["progress"][0] == 5
    assert claimed_by(table, "six-levels", f"place green-a {under}") == 0


def test_ps_8_6_a_police_is_no_level():
    tree = {"green-p": "founder", "blue-p": "green-p", "pink-p": "blue-p", "police-1": "pink-p"}
    table = aimed("six-levels", hands={0: ["yellow-e"]}, pyramids={0: tree}, flipped=["police-1"])
    assert claimed_by(table, "six-levels", "place yellow-e police-1") is None
    assert goal(table, "six-levels")["progress"][0] == 5


def test_ps_8_7_three_placed_limit_tokens():
    table = aimed(
        "three-limit-tokens",
        hands={0: ["green-f"]},
        pyramids={0: {"blue-p": "founder"}},
        limits={"founder": 2},
        cards=with_wants("blue-p", "[2]", "limit +1"),
    )
    assert goal(table, "three-limit-tokens")["progress"][0] == 2
    play(table, "place green-f blue-p", "flip blue-p", "limit green-f")
    assert goal(table, "three-limit-tokens")["claimed"] == 0


def test_ps_8_8_five_1s():
    table = aimed(
        "five-1s",
        hands={0: ["green-a"]},
        pyramids={0: dict.fromkeys(["green-b", "blue-a", "blue-b", "pink-a"], "founder")},
    )
    assert claimed_by(table, "five-1s", "place green-a founder") == 0


def test_ps_8_9_four_2s():
    table = aimed(
        "four-2s", hands={0: ["green-f"]}, pyramids={0: dict.fromkeys(["green-g", "blue-f", "pink-f"], "founder")}
    )
    assert claimed_by(table, "four-2s", "place green-f founder") == 0


def test_ps_8_10_three_3s_without_police():
    tree = dict.fromkeys(["green-j", "blue-j", "police-1"], "founder")
    table = aimed("three-3s", hands={0: ["pink-j"]}, pyramids={0: tree}, flipped=["police-1"])
    assert goal(table, "three-3s")["progress"][0] == 2
    assert claimed_by(table, "three-3s", "place pink-j founder") == 0


def test_ps_8_11_one_each_of_1_to_5_without_police():
    tree = {
        "green-p": "founder",
        "blue-m": "founder",
        "pink-f": "founder",
        "yellow-e": "founder",
        "police-1": "green-p",
    }
    table = aimed("one-to-five", hands={0: ["yellow-j"]}, pyramids={0: tree})
    assert goal(table, "one-to-five")["progress"][0] == 4
    assert claimed_by(table, "one-to-five", "place yellow-j blue-m") == 0


def test_ps_8_12_three_unused_reset_tokens():
    table = aimed(
        "three-reset-tokens",
        hands={0: ["green-f"]},
        pyramids={0: {"blue-p": "founder"}},
        tokens={0: 2},
        cards=with_wants("blue-p", "[2]", "reset +1"),
    )
    play(table, "place green-f blue-p", "flip blue-p")
    assert goal(table, "three-reset-tokens")["claimed"] == 0


def test_ps_8_13_smart_asses_of_all_colours():
    tree = dict.fromkeys(["green-a", "pink-a", "yellow-e", "blue-j"], "founder")
    table = aimed(
        "smart-all-colours",
        hands={0: ["green-b"]},
        pyramids={0: tree},
        flipped=["green-a", "pink-a", "yellow-e"],
        cards=with_wants("blue-j", "[1]", "reset +1"),
    )
    assert claimed_by(table, "smart-all-colours", "place green-b blue-j", "flip blue-j") == 0


def smart_then(name, tree, flipped, last, wants="[1]"):
    """Flip one more card by placing a 1 below it."""
    table = aimed(
        name,
        hands={0: ["yellow-e"]},
        pyramids={0: tree},
        flipped=flipped,
        cards=with_wants(last, wants, "reset +1") if last[-1] > "e" else with_wants(last, wants),
    )
    before = goal(table, name)["progress"][0]
    seat = claimed_by(table, name, f"place yellow-e {last}", f"flip {last}")
    assert goal(table, name)["progress"][0] == before + 1
    return seat


def test_ps_8_14_four_smart_asses_of_one_colour():
    tree = dict.fromkeys(["green-a", "green-b", "green-c", "green-j"], "founder")
    assert smart_then("smart-same-colour", tree, ["green-a", "green-b", "green-c"], "green-j") == 0


def test_ps_8_15_four_different_numbers_with_founder_and_police():
    tree = dict.fromkeys(["green-j", "police-1", "blue-g"], "founder")
    table = aimed(
        "smart-different-numbers",
        hands={0: ["yellow-e"]},
        pyramids={0: {**tree, "pink-a": "green-j"}},
        flipped=["police-1", "blue-g"],
        founders_flipped=[0],
        cards=with_wants("pink-a", "[1]"),
    )
    assert goal(table, "smart-different-numbers")["progress"][0] == 3
    play(table, "place yellow-e pink-a", "flip pink-a")
    assert goal(table, "smart-different-numbers")["claimed"] == 0


def test_ps_8_16_four_of_the_same_number_with_police():
    tree = dict.fromkeys(["green-j", "blue-j", "police-1", "police-2"], "founder")
    assert smart_then("smart-same-number", tree, ["police-1", "police-2", "green-j"], "blue-j") == 0


def test_ps_8_17_three_smart_asses_directly_below_one_card():
    tree = {"green-p": "founder", "blue-a": "green-p", "police-1": "green-p", "pink-a": "green-p"}
    assert smart_then("smart-below-one", tree, ["blue-a", "police-1"], "pink-a") == 0
    # Grandchildren do not count.
    tree = {"green-p": "founder", "blue-m": "green-p", "pink-a": "blue-m", "pink-b": "blue-m"}
    table = aimed(
        "smart-below-one", hands={0: ["yellow-e"]}, pyramids={0: tree}, flipped=["blue-m", "pink-a", "pink-b"]
    )
    assert goal(table, "smart-below-one")["progress"][0] == 2


def test_ps_8_20_claimed_once_after_the_placement_when_flips_and_rewards_are_done():
    goals = ["five-1s", "smart-all-colours", "three-reset-tokens", "five-blue", "five-pink", "five-yellow"]
    tree = {"blue-p": "founder", **dict.fromkeys(["green-a", "green-b", "pink-a", "pink-b"], "founder")}
    table = position(
        goals=goals,
        hands={0: ["yellow-e"]},
        pyramids={0: tree},
        tokens={0: 2},
        cards=with_wants("blue-p", "[1]", "reset +1"),
    )
    play(table, "place yellow-e blue-p")
    assert goal(table, "five-1s")["claimed"] is None
    play(table, "flip blue-p")
    assert goal(table, "five-1s")["claimed"] == goal(table, "three-reset-tokens")["claimed"] == 0
    assert [event.rule for event in told(table, "claimed")] == ["PS 8.20", "PS 8.20"]


def test_ps_8_20_as_an_option_goals_are_claimed_before_and_after_every_flip():
    goals = ["five-1s", "three-reset-tokens", "five-green", "five-blue", "five-pink", "five-yellow"]
    tree = {"blue-p": "founder", **dict.fromkeys(["green-a", "green-b", "pink-a", "pink-b"], "founder")}
    table = position(
        goals=goals,
        hands={0: ["yellow-e"]},
        pyramids={0: tree},
        tokens={0: 2},
        cards=with_wants("blue-p", "[1]", "reset +1"),
        claim_between_flips=True,
    )
    play(table, "place yellow-e blue-p")
    assert goal(table, "five-1s")["claimed"] == 0
    assert goal(table, "three-reset-tokens")["claimed"] is None
    assert table.acting == (1,)
    play(table, "police founder")
    assert texts(table) == {"flip blue-p", "done"}
    play(table, "flip blue-p")
    assert goal(table, "three-reset-tokens")["claimed"] == 0
    assert table.acting == (1,)
    play(table, "police founder")
    assert table.acting == (0,)
    assert table.view(None)["phase"] == "act"
    assert table.view(None)["actions_left"] == 1


def test_ps_8_20_a_claimed_goal_is_gone_and_nothing_is_claimed_by_taking():
    tree = dict.fromkeys(["green-b", "blue-a", "blue-b", "pink-a"], "founder")
    goals = ["five-1s", *QUIET[:5]]
    table = position(
        goals=goals,
        hands={0: ["green-a"], 1: ["green-c"]},
        pyramids={0: tree, 1: dict.fromkeys(["pink-b", "pink-c", "blue-c", "blue-d"], "founder")},
    )
    assert claimed_by(table, "five-1s", "place green-a founder") == 0
    play(table, "police founder", "take yellow-a", "place green-c founder")
    assert goal(table, "five-1s")["claimed"] == 0
    assert table.acting == (1,)
    assert table.view(None)["phase"] == "act"


def test_ps_8_21_all_place_for_the_first_goal_then_for_the_second_from_the_claimants_left():
    table = double(turn=1)
    asked = []
    while table.view(None)["phase"] == "police":
        asked.append(table.acting[0])
        play(table, "police founder")
    assert asked == [2, 3, 0, 2, 3, 0]
    assert table.acting == (1,)
    assert table.view(None)["actions_left"] == 1
    assert table.view(None)["police_left"] == 12


def test_ps_8_21_who_is_out_is_not_asked():
    table = double(others={2: NO_PLACE})
    assert table.acting == (1,)
    play(table, "police founder")
    assert player(table, 2)["out"]
    assert table.acting == (3,)
    asked = []
    while table.view(None)["phase"] == "police":
        asked.append(table.acting[0])
        play(table, "police founder")
    assert asked == [3, 1, 3]


def test_ps_9_1_a_police_goes_where_a_3_fits_whatever_the_colour():
    tree = {"green-p": "founder", "blue-f": "founder", "police-1": "founder", "pink-j": "green-p"}
    table = double(seats=2, others={1: tree}, limits={"green-p": 3})
    assert family(table, "police") == {"pink-j", "green-p"}
    assert refused(table, "police founder") == (
        "PS 5.2",
        "The cards below the Founder already add up to 10 of 12; 3 more is too much.",
    )
    assert refused(table, "police police-1")[0] == "PS 5.4"
    assert refused(table, "take green-m")[0] == "PS 8.21"
    play(table, "police pink-j")
    assert pyramid(table, 1)["police-2"]["below"] == "pink-j"


def test_ps_9_2_without_a_place_for_the_police_the_seat_is_out():
    table = double(seats=3, others={1: NO_PLACE})
    assert player(table, 1)["out"]
    assert table.acting == (2,)
    assert told(table, "out")[0].rule == "PS 9.2"
    assert refused(table, "end", seat=1) == ("PS 9.2", "Your pyramid has crumbled; you are out of the game.")


def test_ps_9_2_out_at_the_second_police():
    tree = {"blue-o": "founder", "yellow-p": "founder", "pink-g": "blue-o", "green-g": "blue-o", "pink-f": "yellow-p"}
    table = double(seats=3, others={1: tree})
    assert family(table, "police") == {"yellow-p"}
    play(table, "police yellow-p", "police founder")
    assert player(table, 1)["out"]
    assert table.acting == (2,)
    play(table, "police founder")
    assert table.acting == (0,)
    assert not table.over


def test_ps_9_3_placing_a_police_flips_nothing_and_claims_nothing():
    # The 3 that blue-p wants comes as a Police; and a Police cannot make anybody claim.
    cards = edited({"blue-p": ("[3]", "reset +1")})
    tree = dict.fromkeys(["green-a", "green-b", "pink-a", "pink-b"], "founder")
    goals = ["five-1s", *QUIET[:5]]
    table = position(
        goals=goals,
        hands={0: ["yellow-e"], 1: ["pink-e"]},
        pyramids={0: tree, 1: {"blue-p": "founder"}},
        cards=cards,
        police_in_conditions=True,
    )
    play(table, "place yellow-e founder", "police blue-p")
    assert table.acting == (0,)
    assert not pyramid(table, 1)["blue-p"]["flipped"]
    play(table, "take yellow-a", "place pink-e founder")
    assert table.acting == (1,)
    assert family(table, "flip") == {"blue-p"}


def test_the_hand_is_untouched_by_police():
    table = double(seats=2)
    assert hand(table, 1) == set()
