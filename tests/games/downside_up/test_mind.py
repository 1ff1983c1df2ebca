"""The policy mixes and wins; redealt worlds are possible ones; what is observed."""

from collections import Counter

import numpy as np
import pytest
from tests.games.downside_up.positions import GAME, claimed, fight, position, state, submit
from tests.games.ten_minds import check_parts, dealt_and_held, foreseen, holders, policy_games, redealt, weights

from pyramidion.lab.statistics.intervals import wilson


@pytest.fixture(scope="module")
def played():
    return policy_games(GAME, 12)


def test_no_part_of_a_submission_can_be_foreseen(played):
    numbers = sum((check_parts(match) for match in played), Counter())
    assert foreseen(numbers, "bid", 0) < 0.3
    for n in range(1, 5):
        assert foreseen(numbers, "claim", n) < 0.8
        assert foreseen(numbers, "challenge", n) < 0.35
        assert foreseen(numbers, "attack", n) < 0.6
        assert foreseen(numbers, "defend", n) < 0.6


def test_every_candidate_has_a_real_chance():
    table = GAME.new(10, 1, garnets=(20, *[10] * 9))
    assert max(weights(table, 0).values()) < 0.2
    assert len(weights(table, 0)) == 21
    table = position("claim")
    assert set(weights(table, 9)) == {f"claim {n}" for n in range(1, 5)}
    table.play(9, "claim 2")
    assert weights(table, 9) == {"challenge h": 0.5, "challenge i": 0.5}
    table.play(9, "challenge h")
    assert weights(table, 9) == {"confirm": 1.0}
    table = claimed("abcefh", tickets={4: 12}, garnets={4: 1}, round_number=2)
    assert max(weights(table, 4).values()) < 0.4
    assert {text.split()[0] for text in weights(table, 4)} == {"attack"}
    table.play(4, "attack 3")
    assert {text.split()[0] for text in weights(table, 4)} == {"defend"}
    table.play(4, "defend 5")
    assert weights(table, 4) == {"confirm": 1.0}


def test_whoever_stands_high_claims_more():
    def mean(seat):
        return sum(int(text.split()[1]) * share for text, share in weights(position("claim"), seat).items())

    assert mean(0) > mean(5) > mean(9)


def test_a_seat_that_is_not_waited_for_is_still_answered():
    table = position("claim", garnets={3: 1})
    table.play(3, "confirm")
    assert weights(table, 3) == {"reopen": 1.0}


def test_one_policy_among_random_seats_wins_far_more_than_its_share():
    token, bankrupt = holders(GAME, 2000)
    assert wilson(token, 2000)[0] > 0.75  # by chance less than 0.5
    assert wilson(bankrupt, 2000)[1] < 0.04  # by chance 0.1


def test_a_redeal_is_a_possible_world():
    table = submit(claimed("abcefh"))
    worlds = [redealt(table, 2, seed) for seed in range(10)]
    assert len({world.tickets.tobytes() for world in worlds}) == 10
    for world in worlds:
        assert (world.tickets[2], world.garnets[2]) == (state(table).tickets[2], state(table).garnets[2])
    assert redealt(table, -1, 5).tickets.any()


def test_everybody_is_dealt_what_everybody_begins_with_until_the_bids_and_the_claims():
    bidding, placed = GAME.new(10, 3), submit(GAME.new(10, 3), {2: "bid 9", 5: "bid 3"})
    for seed in range(20):
        world = redealt(bidding, 4, seed)
        assert (world.tickets.tolist(), world.garnets.tolist()) == ([5] * 10, [10] * 10)
        world = redealt(placed, -1, seed)
        assert world.tickets.tolist() == [5] * 10
        left = world.garnets[world.at].tolist()
        assert left == sorted(left), "the highest bid was placed first"
    free = submit(GAME.new(10, 3, all_pay=False), {2: "bid 9", 5: "bid 3"})
    world = redealt(free, -1, 1)
    assert world.garnets[world.at][4:].tolist() == [10] * 6


@pytest.mark.parametrize(("name", "most"), [("tickets", 1.8), ("garnets", 1.5)])
def test_holdings_are_dealt_as_they_lie_in_games(played, name, most):
    for at, (dealt, held) in dealt_and_held(played, name).items():
        assert dealt.mean() == pytest.approx(held.mean(), abs=most), at
        assert dealt.std() < held.std() + most


def test_whoever_has_won_battles_is_dealt_fewer_tickets():
    table = fight("bbdegi", {4: "attack 3", 5: "attack 5", 1: "defend 4"})
    assert state(table).won[[5, 1]].tolist() == [1, 0]
    tickets = np.stack([redealt(table, -1, seed).tickets for seed in range(200)]).mean(axis=0)
    assert tickets[5] + 1 < tickets[1]


def test_the_observation_turns_with_the_seat():
    seen = []
    for first in (0, 4):
        seats = [(first + n) % 10 for n in range(10)]
        priority = [0] * 10
        for n, seat in enumerate(seats):
            priority[seat] = 10 - n
        table = claimed("abcefh", at=seats, priority=priority)
        table.play(seats[4], "attack 2")
        out = GAME.observation.new()
        GAME.compiled.observe(table.box, table.redacted_state(seats[4]), seats[4], out)
        seen.append(out)
    assert (seen[0] == seen[1]).all()
    assert seen[0][-2:].tolist() == [np.float32(0.3), 0.0]
