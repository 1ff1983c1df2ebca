"""The policy mixes and wins; redealt worlds are possible ones; what is observed."""

from collections import Counter

import numpy as np
import pytest
from tests.games.ten_minds import check_parts, dealt_and_held, foreseen, holders, policy_games, redealt, weights
from tests.games.upside_down.positions import GAME, claimed, fight, position, state, submit

from pyramidion.lab.statistics.intervals import wilson


@pytest.fixture(scope="module")
def played():
    return policy_games(GAME, 12)


def test_no_part_of_a_submission_can_be_foreseen(played):
    numbers = sum((check_parts(match) for match in played), Counter())
    assert foreseen(numbers, "bid", 0) < 0.3
    for n in range(1, 6):
        assert foreseen(numbers, "ask", n) < 0.8
        assert foreseen(numbers, "challenge", n) < 0.35
        assert foreseen(numbers, "tickets", n) < 0.6


def test_every_candidate_has_a_real_chance():
    table = position("pregame")
    assert max(weights(table, 0).values()) < 0.2
    assert len(weights(table, 0)) == 21
    table = position("claim")
    assert set(weights(table, 9)) == {f"ask {n}" for n in range(5)}
    assert max(weights(table, 9).values()) < 0.8
    table.play(9, "ask 2")
    assert weights(table, 9) == {"challenge 7": 0.5, "challenge 8": 0.5}
    table.play(9, "challenge 7")
    assert weights(table, 9) == {"confirm": 1.0}
    table = claimed({}, tickets=dict.fromkeys(range(10), 9), garnets=dict.fromkeys(range(10), 0))
    fighter = table.acting[0]
    assert max(weights(table, fighter).values()) < 0.4


def test_the_last_round_is_fought_for_the_top_and_against_the_bottom():
    def mean(table, seat):
        return sum(int(text.split()[1]) * share for text, share in weights(table, seat).items())

    challenges = {9: 7, 8: 5, 7: 4, 6: 0, 5: 1, 4: 2}
    none = dict.fromkeys(range(10), 0)
    early = claimed(challenges, tickets=dict.fromkeys(range(10), 10), garnets=none, round_number=3)
    late = claimed(challenges, tickets=dict.fromkeys(range(10), 10), garnets=none, round_number=5)
    assert mean(late, 0) > mean(early, 0)
    assert mean(late, 9) > mean(early, 9)
    assert mean(late, 8) < mean(early, 8)  # one layer down or up there brings nothing any more


def test_a_seat_that_is_not_waited_for_is_still_answered():
    table = position("claim", garnets={3: 0})
    table.play(3, "confirm")
    assert weights(table, 3) == {"reopen": 1.0}
    table.play(4, "confirm")
    assert set(weights(table, 4)) == {"trade", "reopen"}


def test_one_policy_among_random_seats_wins_far_more_than_its_share():
    token, candidate = holders(GAME, 2000)
    assert wilson(token, 2000)[0] > 0.85  # by chance 0.6
    assert wilson(candidate, 2000)[1] < 0.03  # by chance 0.1


def test_before_the_first_bid_a_redeal_knows_which_priorities_there_are():
    table = position("pregame", priority=[17, *range(10, 17), 18, 19])
    dealt = {tuple(redealt(table, 0, seed).priority.tolist()) for seed in range(20)}
    assert len(dealt) == 20
    for values in dealt:
        assert values[0] == 17
        assert sorted(values) == list(range(10, 20))
    table = GAME.new(10, 3, priority=[5, 5, 5, 1, 2, 3, 4, 9, 9, -1])
    assert redealt(table, 4, 1).priority.tolist() == state(table).priority.tolist()


def test_a_redeal_keeps_the_order_of_the_last_battle_phase():
    table = submit(claimed({}))
    for seed in range(10):
        world = redealt(table, 2, seed)
        order = sorted(range(10), key=lambda seat: -int(world.priority[seat]))
        assert [int(world.rank[seat]) for seat in order] == list(range(10))
        assert world.tickets[2] == state(table).tickets[2]
    spectator = redealt(table, -1, 5)
    assert len(set(spectator.tickets.tolist())) > 1


@pytest.mark.parametrize("seat", [-1, 0, 7])
def test_everybody_is_dealt_what_everybody_begins_with_until_tickets_are_handed_out(seat):
    tables = [GAME.new(10, 3), submit(GAME.new(10, 3), {2: "bid 12", 5: "bid 3"})]
    for table in tables:
        for seed in range(20):
            world = redealt(table, seat, seed)
            assert world.tickets.tolist() == world.garnets.tolist() == [5] * 10
    priorities = np.stack([redealt(tables[1], seat, seed).priority for seed in range(200)])
    others = np.delete(priorities, seat, axis=1) if seat >= 0 else priorities
    assert 0 <= others.min() < others.max() < 20
    assert 3.5 < others.mean() < 6


def test_a_redeal_keeps_garnets_until_the_third_round_and_deals_fewer_and_fewer_then(played):
    found = {at: dealt.mean() for at, (dealt, _) in dealt_and_held(played, "garnets").items()}
    assert found.keys() >= {(n, phase) for n in range(1, 6) for phase in (2, 3)}
    early = [found[at] for at in found if at <= (3, 2)]
    assert early == [5.0] * 6
    late = [found[at] for at in sorted(found) if at >= (3, 2)]
    assert late == sorted(late, reverse=True)
    assert late[-1] < 0.2


@pytest.mark.parametrize(("name", "most"), [("tickets", 1.5), ("garnets", 0.8)])
def test_holdings_are_dealt_as_they_lie_in_games(played, name, most):
    for at, (dealt, held) in dealt_and_held(played, name).items():
        assert dealt.mean() == pytest.approx(held.mean(), abs=most), at
        assert dealt.std() < held.std() + most


def test_priorities_are_dealt_as_they_lie_in_games(played):
    """They spread further from round to round, as whoever is screwed costs others what they lack themselves."""
    for at, (dealt, held) in dealt_and_held(played, "priority", 8).items():
        median, below, above = np.percentile(dealt, [50, 10, 90])
        assert median == pytest.approx(np.median(held), abs=3), at
        assert below == pytest.approx(np.percentile(held, 10), abs=3 + 0.4 * held.std()), at
        assert above == pytest.approx(np.percentile(held, 90), abs=4), at


def test_whoever_has_won_battles_is_dealt_fewer_tickets():
    table = fight({4: 0, 5: 0, 6: 1, 7: 5, 8: 5, 9: 8}, {0: 4, 4: 2})
    winners, losers = [0, 8], [4, 9]
    assert state(table).won[winners + losers].tolist() == [1, 1, 0, 0]
    tickets = np.stack([redealt(table, -1, seed).tickets for seed in range(200)]).mean(axis=0)
    assert max(tickets[winners]) + 1 < min(tickets[losers])


def test_the_observation_turns_with_the_seat():
    seen = []
    for first in (0, 4):
        seats = [(first + n) % 10 for n in range(10)]
        priority = [0] * 10
        for n, seat in enumerate(seats):
            priority[seat] = 20 - n
        table = position("claim", at=seats, priority=priority, protected=[(first + 5) % 10])
        out = GAME.observation.new()
        GAME.compiled.observe(table.box, table.redacted_state(first), first, out)
        seen.append(out)
    assert (seen[0] == seen[1]).all()
    assert seen[0].any()
