"""PS 10: reset tokens and the end; what every game keeps to; and how large a pyramid can get."""

from __future__ import annotations

import random

import pytest
from tests.games.pyramid_scheme.helpers.rules_goals import NO_PLACE, double
from tests.games.pyramid_scheme.positions import GAME, family, play, player, position, pyramid, refused, texts, told

from pyramidion.engine.layout import record
from pyramidion.games.pyramid_scheme.layout import HAND, OPEN_GOALS, PYRAMID, VICTIM_NAMES


def test_ps_10_1_a_token_discards_the_market_before_between_and_after_the_actions():
    table = position(tokens={0: 3}, hands={0: ["green-a"]})
    play(table, "reset")
    view = table.view(None)
    assert {card["card"] for card in view["discard"]} == {"yellow-a", "yellow-b", "yellow-c"}
    assert view["market"][0]["card"] == "yellow-d"
    assert view["supply"] == 18
    assert view["actions_left"] == 2
    play(table, "place green-a founder", "reset")
    take = sorted(family(table, "take"))[0]
    play(table, f"take {take}")
    assert texts(table) == {"reset", "end"}
    assert table.acting == (0,)
    assert refused(table, "place green-a founder")[0] == refused(table, f"take {take}")[0] == "PS 3.1"
    play(table, "reset")
    assert table.acting == (1,)
    assert player(table, 0)["tokens"] == 0
    assert refused(position(), "reset") == ("PS 10.1", "You have no reset token.")


def test_ps_10_1_who_keeps_a_token_says_when_the_turn_ends():
    table = play(position(tokens={0: 1}), "take yellow-a", "take yellow-b", "end")
    assert table.acting == (1,)
    assert player(table, 0)["tokens"] == 1


def test_ps_10_1_not_while_flips_or_police_are_settled():
    table = double(seats=2, tokens={1: 1})
    assert "reset" not in texts(table)
    assert table.acting == (1,)


def test_ps_10_2_the_last_one_left_wins_at_once():
    stuck = {
        "green-p": "founder", "blue-p": "green-p", "pink-p": "blue-p", "yellow-p": "pink-p",
        "pink-o": "founder", "yellow-o": "pink-o", "green-o": "yellow-o", "blue-o": "green-o",
    }  # fmt: skip
    table = position(hands={0: ["green-k", "blue-k", "pink-k"]}, pyramids={0: stuck}, turn=1)
    play(table, "take yellow-a", "take yellow-b")
    assert table.over
    assert table.outcome.winners == (1,)
    assert table.outcome.rule == "PS 10.2"
    assert table.outcome.points == (-1, 0)
    assert table.outcome.payoffs == (0.0, 1.0)


def test_ps_10_2_when_the_victims_run_out_the_most_flipped_win():
    tree = dict.fromkeys(["green-a", "green-b", "police-1"], "founder")
    table = position(
        seats=3,
        deck=[],
        pyramids={0: tree, 1: {"blue-a": "founder"}},
        flipped=["green-a", "police-1", "blue-a"],
        founders_flipped=[0],
    )
    play(table, "take yellow-a")
    assert table.outcome.winners == (0,)
    assert table.outcome.points == (3, 1, 0)


def test_ps_10_2_all_who_are_tied_win_together():
    table = position(
        seats=3, deck=[], pyramids={0: {"green-a": "founder"}, 2: {"blue-a": "founder"}}, flipped=["green-a", "blue-a"]
    )
    play(table, "take yellow-a")
    assert table.outcome.winners == (0, 2)
    assert table.outcome.payoffs == (0.5, 0.0, 0.5)
    assert table.view(None)["outcome"]["exhausted"]


def test_ps_10_2_who_is_out_does_not_win_when_the_victims_run_out():
    # Seat 2 is out over the claim of seat 0, which then takes the last Victim of the deck.
    table = double(
        seats=3,
        others={2: NO_PLACE, 1: {"pink-a": "founder"}},
        flipped=["pink-f", "pink-g", "pink-a"],
        deck=[],
        recycle_crumbled=False,
    )
    play(table, "police founder", "police founder", "take green-m")
    assert table.over
    assert table.outcome.winners == (1,)
    assert table.outcome.points == (0, 1, -1)


def test_ps_10_3_the_claimant_wins_when_all_others_go_out_over_the_claim():
    other = {
        "pink-p": "founder", "blue-p": "founder", "pink-h": "blue-p", "yellow-f": "blue-p", "blue-h": "pink-p",
        "yellow-h": "pink-p",
    }  # fmt: skip
    table = double(seats=3, others={1: NO_PLACE, 2: other})
    assert table.over
    assert table.outcome.winners == (0,)
    assert [event.data["seat"] for event in told(table, "out")] == [1, 2]
    assert told(table, "ended")[0].rule == "PS 10.2"


# What holds in every game, beside the laws


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_victims_police_and_tokens_are_accounted_for_after_every_action(seats):
    for n in range(4):
        chance = random.Random(f"{seats} {n}")
        table = GAME.new(seats, n, recycle_crumbled=n % 2)
        while not table.over:
            seat = table.acting[0]
            table.play(seat, chance.choice(table.legal(seat)))
            s = record(table.state_copy())
            assert GAME.invariants(record(table.box), s) is None
            police = sum(1 for card in range(64, 82) if s.parent[card] >= 0)
            assert police + table.view(None)["police_left"] == 18


def test_no_pyramid_can_hold_more_than_its_bound():
    # While a decision is due, three Victims are in the market and one on top of the deck (PS 4.2, 4.3), thus in no
    # pyramid; a seat places one Police for each goal of others, of which there are six (PS 8.21); and its Founder.
    assert PYRAMID == 64 - 3 - 1 + OPEN_GOALS + 1
    state = GAME.new(2, 1).state_copy()
    assert state["pile"].shape[-1] == PYRAMID
    # The bound is met by a tree that keeps every rule: one chain of flipped cards, the highest numbers above.
    away = ["yellow-a", "yellow-b", "yellow-c", "yellow-d"]
    names = [n for n in VICTIM_NAMES if n not in away] + [f"police-{n + 1}" for n in range(OPEN_GOALS)]
    number = dict(zip("abcdefghijklmnop", [1] * 5 + [2] * 4 + [3] * 3 + [4] * 2 + [5] * 2, strict=True))
    chain = sorted(names, key=lambda n: -3 if n.startswith("police") else -number[n[-1]])
    tree = dict(zip(chain, ["founder", *chain], strict=False))
    table = position(pyramids={0: tree}, flipped=chain, deck=[])
    assert len(pyramid(table, 0)) == PYRAMID
    assert max(card["level"] for card in pyramid(table, 0).values()) == 61


def test_no_hand_can_hold_more_than_its_bound():
    box = record(GAME.new(2).box)
    assert 3 + sum(int(n) for n, r in zip(box.reward_count, box.reward, strict=True) if r == 7) <= HAND == 10


def test_the_bound_on_decisions_holds_by_far():
    for seats in GAME.seats:
        table = GAME.new(seats, 1)
        while not table.over:
            table.play(table.acting[0], table.legal(table.acting[0])[0])
        assert table.ply < GAME.longest(seats) / 4
