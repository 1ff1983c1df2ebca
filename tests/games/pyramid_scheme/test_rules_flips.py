"""PS 6 and 7: flips and rewards."""

from __future__ import annotations

from html import unescape

import pytest
from tests.games.pyramid_scheme.positions import (
    GAME,
    edited,
    family,
    goal,
    hand,
    places,
    play,
    player,
    position,
    pyramid,
    refused,
    texts,
    told,
    with_wants,
)

from pyramidion.engine.layout import record
from pyramidion.games.pyramid_scheme import rules
from pyramidion.web.pages.picture import picture


def rewarded(reward, **more):
    """A table where blue-p has just been flipped for a reward by a 2 placed below it."""
    tree = {"blue-p": "founder", **more.pop("tree", {})}
    more["hands"] = {0: ["green-f", *more.pop("hand", [])], **more.get("hands", {})}
    changes = {"blue-p": ("[2]", reward)}
    if reward.startswith("hand"):  # all hand rewards together are limited
        changes["yellow-n"] = ("[2]", "limit +2")
    table = position(pyramids={0: tree}, cards=edited(changes), **more)
    return play(table, "place green-f blue-p", "flip blue-p")


def test_ps_6_1_after_placing_flips_one_after_another_in_any_order():
    cards = edited({"blue-p": ('["pink"]', "reset +1"), "pink-j": ('["green"]', "reset +1")})
    for order in (("blue-p", "pink-j"), ("pink-j", "blue-p")):
        table = position(hands={0: ["green-a"]}, pyramids={0: {"blue-p": "founder", "pink-j": "blue-p"}}, cards=cards)
        play(table, "place green-a pink-j")
        assert texts(table) == {"flip blue-p", "flip pink-j", "done"}
        play(table, f"flip {order[0]}", f"flip {order[1]}")
        assert table.view(None)["phase"] == "act"
        assert table.view(None)["actions_left"] == 1
        assert player(table, 0)["tokens"] == 2


def test_ps_6_1_a_flip_passed_over_may_be_made_after_a_later_placement():
    table = position(
        hands={0: ["green-f", "yellow-e"]},
        pyramids={0: {"blue-p": "founder"}},
        cards=with_wants("blue-p", "[2]", "reset +1"),
    )
    play(table, "place green-f blue-p", "done")
    assert table.view(None)["phase"] == "act"
    assert pyramid(table, 0)["blue-p"]["may_flip"]
    play(table, "place yellow-e founder")
    assert "flip blue-p" in texts(table)


def test_ps_6_1_not_after_taking_and_not_while_the_condition_is_open():
    table = position(
        hands={0: ["green-f", "yellow-e"]},
        pyramids={0: {"blue-p": "founder"}},
        cards=with_wants("blue-p", "[2]", "reset +1"),
    )
    play(table, "place green-f blue-p")
    assert refused(table, "flip green-f") == (
        "PS 6.1",
        "The condition of green 2 is not met by the cards directly below it.",
    )
    assert refused(table, "flip pink-a")[1] == "Pink 1 (pink-a) is not in your pyramid."
    assert refused(table, "take yellow-a")[0] == "PS 6.1"
    play(table, "done", "take yellow-a")
    assert table.acting == (1,)


@pytest.mark.parametrize(
    ("reward", "pyramid_more", "hand_more"),
    [("flip police", {}, []), ("discard police", {}, []), ("discard hand", {}, [])],
)
def test_ps_6_2_a_reward_that_can_do_nothing_is_lost(reward, pyramid_more, hand_more):
    table = rewarded(reward, tree=pyramid_more, hand=hand_more)
    assert table.view(None)["phase"] == "act"
    assert told(table, "lost")[0].rule == "PS 6.2"


@pytest.mark.parametrize("reward", ["limit +2", "flip", "flip + bonus", "reserve goal"])
def test_ps_6_2_other_rewards_may_be_declined(reward):
    table = rewarded(reward)
    assert "done" in texts(table)
    assert table.view(None)["phase"] == "reward"
    play(table, "done")
    assert table.view(None)["phase"] == "act"


@pytest.mark.parametrize("reward", ["hand +2", "reset +3"])
def test_ps_6_2_a_larger_hand_and_reset_tokens_come_without_a_question(reward):
    table = rewarded(reward)
    assert table.view(None)["phase"] == "act"


@pytest.mark.parametrize(
    ("wants", "below", "met"),
    [
        ('["green"]', ["green-a"], True),
        ('["green"]', ["pink-a"], False),
        ("[1]", ["pink-a"], True),
        ("[1]", ["pink-f"], False),
        ("[1, 1]", ["pink-a"], False),
        ("[1, 1]", ["pink-a", "green-a"], True),
        ('[1, "green"]', ["green-a"], False),
        ('[1, "green"]', ["green-a", "green-f"], True),
        ('["green", 1]', ["green-a", "green-f"], True),
        ('[1, "green"]', ["green-a", "pink-f"], False),
        ('["any", 1, "green"]', ["green-a", "green-f", "pink-a"], True),
        ('["green", 1, "green"]', ["green-a", "pink-b", "pink-c"], False),
        ('["any"]', ["police-1"], False),
        ("[3]", ["police-1"], False),
        ("[3]", ["police-1", "green-f"], False),
        ("[3]", ["green-j"], True),
        ('[1, 1, "any", "any"]', ["pink-a", "pink-b", "pink-c", "pink-d"], True),
    ],
)
def test_ps_6_3_each_demand_by_a_different_card_directly_below(wants, below, met):
    tree = {"blue-p": "founder", **dict.fromkeys(below, "blue-p")}
    table = position(hands={0: ["yellow-e"]}, pyramids={0: tree}, cards=with_wants("blue-p", wants, "reset +1"))
    play(table, "place yellow-e founder")
    assert ("flip blue-p" in texts(table)) == met


@pytest.mark.parametrize("flipped", [[], ["police-1", "pink-a"]])
@pytest.mark.parametrize(
    ("wants", "below", "met"),
    [
        ('["any"]', ["police-1"], True),
        ("[3]", ["police-1"], True),
        ('[3, "any"]', ["police-1"], False),
        ('[3, "any"]', ["police-1", "pink-a"], True),
        ('["green", "any"]', ["police-1", "pink-a"], False),
    ],
)
def test_ps_6_3_police_meet_demands_as_an_option_alone_but_never_as_a_colour(wants, below, met, flipped):
    tree = {"blue-p": "founder", **dict.fromkeys(below, "blue-p")}
    for option in (False, True):
        table = position(
            hands={0: ["yellow-e"]},
            pyramids={0: tree},
            flipped=flipped,
            cards=with_wants("blue-p", wants, "reset +1"),
            police_in_conditions=option,
        )
        assert pyramid(table, 0)["blue-p"]["may_flip"] == (met and option)
        play(table, "place yellow-e founder")
        assert ("flip blue-p" in texts(table)) == (met and option)


@pytest.mark.parametrize("option", [False, True])
def test_ps_6_3_the_preview_of_a_placement_counts_police_as_the_rules_do(option):
    table = position(
        hands={0: ["yellow-e"]},
        pyramids={0: {"blue-p": "founder", "police-1": "blue-p"}},
        cards=with_wants("blue-p", "[3, 1]", "reset +1"),
        police_in_conditions=option,
    )
    preview = next(p for p in table.view(0)["placements"] if p["below"] == "blue-p")
    assert [card["card"] for card in preview["flips"]] == (["blue-p"] if option else [])


def test_ps_6_3_a_smart_ass_meets_a_demand_like_a_victim():
    table = position(
        pyramids={0: {"blue-p": "founder", "green-j": "blue-p"}},
        flipped=["green-j"],
        cards=with_wants("blue-p", "[3]", "reset +1"),
    )
    assert pyramid(table, 0)["blue-p"]["may_flip"]


def test_ps_6_3_cards_further_down_do_not_count():
    table = position(
        hands={0: ["yellow-e"]},
        pyramids={0: {"blue-p": "founder", "green-j": "blue-p", "pink-a": "green-j"}},
        cards=edited({"blue-p": ("[1]", "reset +1"), "green-j": ("[2]", "limit +1")}),
    )
    play(table, "place yellow-e founder")
    assert "flip blue-p" not in texts(table)


def test_ps_7_1_limit_tokens_go_on_one_victim_the_founder_or_a_flipped_police():
    tree = {"police-1": "founder", "police-2": "founder"}
    table = rewarded("limit +3", tree=tree, flipped=["police-2"])
    assert family(table, "limit") == {"founder", "blue-p", "green-f", "police-2"}
    assert refused(table, "limit police-1") == ("PS 7.1", "A Police card takes limit tokens only once flipped.")
    assert refused(table, "limit pink-a")[1] == "Pink 1 (pink-a) is not in your pyramid."
    play(table, "limit green-f")
    assert pyramid(table, 0)["green-f"]["limits"] == 3
    assert pyramid(table, 0)["green-f"]["limit"] == 5
    assert table.view(None)["supply"] == 17


def test_ps_7_2_flip_any_other_card_and_gain_its_reward_in_chains():
    cards = edited(
        {"blue-p": ("[2]", "flip + bonus"), "pink-p": ("[5]", "flip + bonus"), "yellow-j": ("[5]", "reset +2")}
    )
    table = position(
        hands={0: ["green-f"]},
        pyramids={0: {"blue-p": "founder", "pink-p": "founder", "yellow-j": "pink-p"}},
        cards=cards,
    )
    play(table, "place green-f blue-p", "flip blue-p")
    assert family(table, "flip") == {"founder", "pink-p", "yellow-j", "green-f"}
    assert refused(table, "flip blue-p") == ("PS 7.2", "Blue 5 is already flipped.")
    play(table, "flip pink-p", "flip yellow-j")
    assert player(table, 0)["tokens"] == 2
    assert table.view(None)["phase"] == "act"
    assert {event.rule for event in told(table, "flipped")} == {"PS 6.1", "PS 7.2"}


def test_ps_7_2_the_founder_gives_its_token_and_a_police_nothing():
    table = rewarded("flip + bonus", tree={"police-1": "founder"})
    play(table, "flip founder")
    assert player(table, 0)["tokens"] == 1
    assert pyramid(table, 0)["founder"]["flipped"]
    table = rewarded("flip + bonus", tree={"police-1": "founder"})
    play(table, "flip police-1")
    assert table.view(None)["phase"] == "act"
    assert pyramid(table, 0)["police-1"]["limit"] == 3


def test_ps_7_3_flip_without_the_reward():
    table = rewarded("flip", tree={"yellow-n": "founder"})
    play(table, "flip yellow-n")
    assert pyramid(table, 0)["yellow-n"]["flipped"]
    assert player(table, 0)["hand_limit"] == 3
    assert refused(rewarded("flip"), "flip blue-p")[0] == "PS 7.3"


def test_ps_7_4_a_police_with_nothing_below_it_returns_to_the_box():
    tree = {"police-1": "founder", "police-2": "founder", "pink-a": "police-2"}
    table = rewarded("discard police", tree=tree, flipped=["police-2"], limits={"police-2": 1})
    assert family(table, "remove") == {"police-1"}
    assert refused(table, "remove police-2") == ("PS 7.4", "That Police has cards below it.")
    room = pyramid(table, 0)["founder"]["room"]
    play(table, "remove police-1")
    assert "police-1" not in pyramid(table, 0)
    assert pyramid(table, 0)["founder"]["room"] == room + 3
    assert table.view(None)["police_left"] == 17


def test_ps_7_4_a_flipped_one_gives_its_tokens_back_and_no_longer_meets_a_condition():
    table = rewarded(
        "discard police",
        tree={"pink-p": "founder", "police-1": "pink-p"},
        flipped=["police-1"],
        limits={"police-1": 2},
        police_in_conditions=True,
    )
    assert table.view(None)["supply"] == 18
    assert pyramid(table, 0)["pink-p"]["may_flip"]
    play(table, "remove police-1")
    assert table.view(None)["supply"] == 20
    assert not pyramid(table, 0)["pink-p"]["may_flip"]


def test_ps_7_5_flip_a_police():
    table = rewarded("flip police", tree={"police-1": "founder"}, hand=["yellow-e"])
    assert family(table, "flip") == {"police-1"}
    assert refused(table, "flip founder") == ("PS 7.5", "The Founder is not a Police card.")
    play(table, "flip police-1")
    assert "police-1" in places(table, "yellow-e")


def test_ps_7_6_a_reserved_goal_is_for_one_seat_alone():
    goals = ("five-1s", "four-2s", "five-green", "five-blue", "five-pink", "five-yellow")
    ones = {f"pink-{letter}": "founder" for letter in "abcd"}
    table = position(
        hands={0: ["green-f"], 1: ["yellow-e"]},
        goals=goals,
        pyramids={0: {"blue-p": "founder"}, 1: ones},
        cards=with_wants("blue-p", "[2]", "reserve goal"),
    )
    play(table, "place green-f blue-p", "flip blue-p")
    assert family(table, "reserve") == set(goals)
    assert refused(table, "reserve three-3s") == ("PS 7.6", "The goal three 3s is not in this game.")
    play(table, "reserve five-1s", "take yellow-a")
    assert goal(table, "five-1s")["reserved"] == 0
    play(table, "place yellow-e founder")
    assert goal(table, "five-1s")["claimed"] is None
    assert goal(table, "five-1s")["progress"][1] == 5


def test_ps_7_6_the_holder_may_claim_and_only_open_goals_are_reserved():
    goals = ("five-1s", "four-2s", "five-green", "five-blue", "five-pink", "five-yellow")
    tree = {"blue-p": "founder", "blue-o": "founder", **{f"pink-{letter}": "blue-o" for letter in "abcd"}}
    table = position(
        hands={0: ["green-f", "pink-e"]},
        goals=goals,
        pyramids={0: tree},
        cards=with_wants("blue-p", "[2]", "reserve goal"),
    )
    play(table, "place green-f blue-p", "flip blue-p", "reserve five-1s", "place pink-e blue-o")
    while table.view(None)["phase"] == "flip":
        play(table, "done")
    assert goal(table, "five-1s")["claimed"] == 0


@pytest.mark.parametrize("freed", [False, True])
def test_ps_7_6_a_goal_reserved_by_a_player_who_goes_out_is_lost_or_by_option_free(freed):
    goals = ("five-1s", "four-2s", "five-green", "five-blue", "five-pink", "five-yellow")
    table = position(
        seats=3,
        hands={0: ["green-f"], 1: ["yellow-e"]},
        goals=goals,
        pyramids={
            0: {"blue-p": "founder"},
            1: {f"pink-{letter}": "founder" for letter in "abcd"},
            2: {"green-g": "founder"},
        },
        cards=with_wants("blue-p", "[2]", "reserve goal"),
        free_reserved=freed,
    )
    play(table, "place green-f blue-p", "flip blue-p", "reserve five-1s", "take yellow-a")
    state = table.state_copy()
    rules.crumble(record(table.box), record(state), 0, 9_02)
    table = table.with_state(state)
    assert goal(table, "five-1s")["reserved"] == (None if freed else 0)
    board = unescape(picture(table, 1))
    assert ("nobody can claim it: Seat 0 is out" in board) is not freed
    assert "for Seat 0 only" not in board
    play(table, "place yellow-e founder")
    assert goal(table, "five-1s")["claimed"] == (1 if freed else None)


def test_ps_7_7_the_hand_limit_rises_for_good():
    table = rewarded("hand +2", hand=["green-a", "green-b"], top="pink-a")
    assert player(table, 0)["hand_limit"] == 5
    play(table, "take yellow-a", "take yellow-b", "take yellow-c", "take pink-a")
    assert len(hand(table, 0)) == 4
    assert len(family(table, "take")) == 3


def test_ps_7_8_discard_any_number_from_hand():
    table = rewarded("discard hand", hand=["pink-a", "yellow-e"])
    assert texts(table) == {"discard pink-a", "discard yellow-e", "done"}
    assert refused(table, "discard green-b") == ("PS 7.8", "Green 1 (green-b) is not in your hand.")
    play(table, "discard pink-a")
    assert texts(table) == {"discard yellow-e", "done"}
    play(table, "done")
    assert hand(table, 0) == {"yellow-e"}
    assert [card["card"] for card in table.view(None)["discard"]] == ["pink-a"]
    table = play(rewarded("discard hand", hand=["pink-a"]), "discard pink-a")
    assert table.view(None)["phase"] == "act"
    assert not hand(table, 0)


def test_ps_7_9_reset_tokens():
    assert player(rewarded("reset +3"), 0)["tokens"] == 3


def test_ps_7_9_the_games_own_deck_gives_one_reset_token_at_a_time():
    cards = [GAME.own_cards.data["founder"], *GAME.own_cards.data["victims"]]
    assert {card["reward"] for card in cards if card.get("reward", "").startswith("reset")} == {"reset +1"}


def test_every_reward_is_in_the_deck():
    rewards = {card["reward"] for card in GAME.own_cards.data["victims"] if "reward" in card}
    kinds = {
        reward.split(" +")[0] if reward.split(" +")[0] in ("limit", "hand", "reset") else reward for reward in rewards
    }
    assert len(kinds) == 9
