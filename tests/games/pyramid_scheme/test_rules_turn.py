"""PS 3 to 5: the turn, taking and placing."""

from __future__ import annotations

import pytest
from tests.games.pyramid_scheme.helpers.rules_turn import STUCK
from tests.games.pyramid_scheme.positions import (
    GAME,
    family,
    hand,
    places,
    play,
    player,
    position,
    pyramid,
    refused,
    texts,
    told,
)


def test_ps_3_1_two_actions_of_any_kind_and_order():
    for actions in (
        ["take yellow-a", "take yellow-b"],
        ["place green-a founder", "take yellow-a"],
        ["take yellow-a", "place yellow-a founder"],
        ["place green-a founder", "place blue-b founder"],
    ):
        table = position(hands={0: ["green-a", "blue-b"]})
        if actions == ["take yellow-a", "take yellow-b"]:
            table = position(hands={0: ["green-a"]})
        play(table, actions[0])
        assert table.acting == (0,)
        assert table.view(None)["actions_left"] == 1
        play(table, actions[1])
        assert table.acting == (1,)
        assert table.view(None)["actions_left"] == 2


def test_ps_3_1_the_turn_cannot_end_early():
    table = position(tokens={0: 1})
    assert "end" not in texts(table)
    assert refused(table, "end")[0] == "PS 3.1"


def test_ps_3_2_a_full_hand_that_fits_nowhere_is_out():
    table = position(
        seats=3,
        hands={0: ["green-k", "blue-k", "pink-k"], 1: ["green-a"]},
        pyramids={0: STUCK},
        tokens={0: 2},
        turn=2,
    )
    play(table, "take yellow-a", "take yellow-b")
    assert player(table, 0)["out"]
    assert table.acting == (1,)
    assert told(table, "out")[0].rule == "PS 3.2"
    assert refused(table, "take yellow-c", 0) == ("PS 3.2", "Your pyramid has crumbled; you are out of the game.")


def test_ps_3_2_out_before_the_second_action():
    table = position(
        seats=3, hands={0: ["green-k", "blue-k"]}, pyramids={0: STUCK}, market=["green-l", "blue-a", "blue-b"]
    )
    play(table, "take green-l")
    assert player(table, 0)["out"]
    assert table.acting == (1,)


def test_ps_3_2_not_out_after_the_second_action():
    table = position(seats=3, hands={0: ["green-k"]}, pyramids={0: STUCK}, market=["green-l", "blue-k", "blue-b"])
    play(table, "take green-l", "take blue-k")
    assert not player(table, 0)["out"]
    assert table.acting == (1,)


def test_ps_3_2_with_room_in_hand_one_can_always_take():
    table = position(seats=3, hands={0: ["green-k", "blue-k"]}, pyramids={0: STUCK})
    assert texts(table) == {"take yellow-a", "take yellow-b", "take yellow-c"}


def test_ps_3_3_crumbled_pyramids_are_recycled_unless_a_table_says_otherwise():
    assert GAME.new(2).options["recycle_crumbled"] is True


@pytest.mark.parametrize("recycle", [False, True])
def test_ps_3_3_what_the_fallen_leave(recycle):
    table = position(
        seats=3,
        turn=2,
        hands={0: ["green-k", "blue-k", "pink-k"]},
        tokens={0: 3},
        recycle_crumbled=recycle,
        pyramids={0: {"police-1": "founder", **STUCK}},
        limits={"founder": 3},
    )
    play(table, "take yellow-a", "take yellow-b")
    view = table.view(None)
    assert view["players"][0]["out"]
    victims = {"green-k", "blue-k", "pink-k", *STUCK}
    assert {card["card"] for card in view["discard"]} == (victims if recycle else set())
    assert {card["card"] for card in view["gone"]} == (set() if recycle else victims)
    assert view["police_left"] == 18
    assert view["supply"] == 20
    assert view["players"][0]["pyramid"] == []


def test_ps_4_1_one_of_three_and_not_with_a_full_hand():
    table = position(hands={0: ["green-a", "blue-a"]})
    assert family(table, "take") == {"yellow-a", "yellow-b", "yellow-c"}
    play(table, "take yellow-b")
    assert hand(table, 0) == {"green-a", "blue-a", "yellow-b"}
    assert not family(table, "take")
    assert refused(table, "take yellow-a") == ("PS 4.1", "Your hand is full: you may hold 3; place a Victim first.")
    assert refused(position(), "take green-a") == ("PS 4.1", "Green 1 (green-a) is not in the market.")


def test_ps_4_2_the_top_card_fills_the_gap_at_once():
    table = position(top="pink-p")
    play(table, "take yellow-b")
    view = table.view(None)
    assert [card["card"] for card in view["market"]] == ["yellow-a", "pink-p", "yellow-c"]
    assert view["deck_top"]
    assert view["deck_count"] == 60
    assert "take pink-p" in texts(table)


def test_ps_4_3_the_discard_pile_becomes_the_deck_the_moment_that_is_empty():
    table = position(deck=[], discard=["green-a", "green-b"], seats=3)
    play(table, "take yellow-a")
    view = table.view(None)
    assert view["discard"] == []
    assert view["deck_count"] == 2
    assert view["deck_top"]["card"] in ("green-a", "green-b")
    assert told(table, "reshuffled")[0].data == {"cards": 2}


def test_ps_4_3_without_any_victim_left_the_game_ends_within_the_turn():
    table = position(deck=[], seats=3)
    play(table, "take yellow-a")
    assert table.over
    assert table.outcome.rule == "PS 4.3"
    assert told(table, "ended")[0].rule == "PS 4.3"


def test_ps_4_3_reset_cards_may_come_back():
    table = position(deck=[], tokens={0: 1}, top="pink-p")
    play(table, "reset")
    view = table.view(None)
    found = {card["card"] for card in [*view["market"], view["deck_top"]]}
    assert found == {"yellow-a", "yellow-b", "yellow-c", "pink-p"}
    assert not table.over


def test_ps_5_1_below_the_founder_or_any_own_card():
    table = position(hands={0: ["green-a"]}, pyramids={0: {"blue-j": "founder"}, 1: {"pink-j": "founder"}})
    assert places(table, "green-a") == {"founder", "blue-j"}
    assert refused(table, "place green-a pink-j") == ("PS 5.1", "Pink 3 (pink-j) is not in your pyramid.")
    assert refused(table, "place green-b founder") == ("PS 5.1", "Green 1 (green-b) is not in your hand.")
    play(table, "place green-a blue-j")
    assert pyramid(table, 0)["green-a"]["below"] == "blue-j"


def test_ps_5_2_the_numbers_directly_below_add_up_to_the_limit_at_most():
    # A 3 with a 1 below it takes another 1 and a 2; a 5 with 5 below it takes nothing; the Founder with 8 takes a 4.
    table = position(
        hands={0: ["yellow-e", "yellow-f", "yellow-j"]},
        pyramids={0: {"green-j": "founder", "blue-a": "green-j", "pink-p": "founder", "green-p": "pink-p"}},
    )
    assert "green-j" in places(table, "yellow-e")
    assert "green-j" in places(table, "yellow-f")
    assert places(table, "yellow-j") == {"founder", "green-p"}
    assert "pink-p" not in places(table, "yellow-e")
    assert refused(table, "place yellow-j green-j") == (
        "PS 5.2",
        "The cards below green 3 already add up to 1 of 3; 3 more is too much.",
    )


def test_ps_5_2_cards_further_down_do_not_count():
    table = position(
        hands={0: ["yellow-e"]}, pyramids={0: {"green-p": "founder", "blue-m": "green-p", "pink-m": "blue-m"}}
    )
    assert places(table, "yellow-e") == {"founder", "green-p", "pink-m"}


def test_ps_5_2_limit_tokens_raise_the_limit_of_their_card_alone():
    table = position(
        hands={0: ["yellow-j"]},
        pyramids={0: {"green-p": "founder", "blue-p": "green-p"}},
        limits={"green-p": 3},
    )
    assert places(table, "yellow-j") == {"founder", "green-p", "blue-p"}
    assert pyramid(table, 0)["green-p"]["room"] == 3
    assert pyramid(table, 0)["founder"]["room"] == 7


def test_ps_5_3_no_unflipped_victim_of_the_colour_above_at_any_height():
    tree = {"green-p": "founder", "blue-p": "green-p", "pink-m": "blue-p"}
    table = position(hands={0: ["green-a", "blue-a"]}, pyramids={0: tree})
    assert places(table, "green-a") == {"founder"}
    assert refused(table, "place green-a pink-m") == (
        "PS 5.3",
        "Green 5 (green-p) stands above it in that branch, not flipped: no other green Victim may go below it.",
    )
    assert refused(table, "place green-a green-p")[0] in ("PS 5.2", "PS 5.3")
    table = position(hands={0: ["green-a"]}, pyramids={0: tree}, flipped=["green-p"])
    assert places(table, "green-a") == {"founder", "pink-m", "blue-p"}


def test_ps_5_3_other_branches_police_and_founder_forbid_no_colour():
    table = position(
        hands={0: ["green-a"]},
        pyramids={0: {"green-j": "founder", "blue-j": "founder", "police-1": "founder", "pink-a": "police-1"}},
        flipped=["police-1"],
    )
    assert places(table, "green-a") == {"founder", "blue-j", "police-1", "pink-a"}


def test_ps_5_4_nothing_below_an_unflipped_police():
    tree = {"blue-p": "founder", "police-1": "blue-p"}
    table = position(hands={0: ["green-a", "green-j"]}, pyramids={0: tree})
    assert places(table, "green-a") == {"founder", "blue-p"}
    assert refused(table, "place green-a police-1") == (
        "PS 5.4",
        "Nothing may be placed below a Police card that is not flipped.",
    )
    table = position(
        hands={0: ["green-a", "green-j"]}, pyramids={0: tree}, flipped=["police-1"], limits={"police-1": 1}
    )
    assert places(table, "green-a") >= {"police-1"}
    assert places(table, "green-j") >= {"police-1"}
    assert pyramid(table, 0)["police-1"]["limit"] == 4


def test_ps_5_5_a_card_may_have_any_number_of_cards_below_it():
    ones = [f"{colour}-{letter}" for colour in ("green", "blue", "pink") for letter in "abcd"]
    table = position(pyramids={0: dict.fromkeys(ones, "founder")}, hands={0: ["yellow-e"]})
    assert len(pyramid(table, 0)) == 13
    assert "founder" not in places(table, "yellow-e")


def test_refusals_out_of_phase():
    table = position(hands={0: ["green-a"]})
    assert refused(table, "done")[0] == "PS 3.1"
    assert refused(table, "take yellow-a", 1)[0] == "PS 3.1"
    assert GAME.new(2, 1).refusal(0, "reset") is None or GAME.new(2, 1).refusal(1, "reset") is None
