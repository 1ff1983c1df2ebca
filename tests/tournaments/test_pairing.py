"""Pairings against brute force, over all results and withdrawals of small tournaments."""

from itertools import combinations
from random import Random

import pytest
from tests.tournaments.helpers.tournament import extended, started

from pyramidion.tournaments.events import Ended, Left, PlacesEntered, Returned, RoundOpened
from pyramidion.tournaments.pairing import next_round, swiss_objective
from pyramidion.tournaments.standings import standings


def opened(one, chance=None):
    """Return a tournament with its next round, or ended where there is none."""
    tables, byes = next_round(one, chance or Random(1))
    event = RoundOpened(tuple(map(tuple, tables)), tuple(byes)) if tables else Ended()
    return extended(one, [event], 0, "")


def decided(one, results):
    """Return a tournament with results for the pairs of its last round: a win, a loss or a tie."""
    number = len(one.rounds)
    events = [PlacesEntered(number, group, places) for group, places in enumerate(results)]
    return extended(one, events, 0, "host")


def pairings(people):
    """Yield all ways to pair people; of an odd number one has a bye."""
    if len(people) < 2:
        yield [], list(people)
        return
    first, *others = people
    for other in others:
        for tables, byes in pairings([who for who in others if who != other]):
            yield [[first, other], *tables], byes
    if len(people) % 2:
        yield from ((tables, [first]) for tables, byes in pairings(others) if not byes)


def test_the_pairings_of_the_tests_are_all():
    assert [len(list(pairings(list(range(count))))) for count in range(2, 8)] == [1, 3, 3, 15, 15, 105]


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6, 7])
def test_swiss_pairs_are_the_best_ones_after_any_results_and_withdrawals(players):
    """In every history of withdrawals, with results by chance, no other pairing costs less."""
    chance, count = Random(players), 0

    def compare(one, rounds):
        nonlocal count
        tables, byes = next_round(one, chance)
        costs = [swiss_objective(one, *pairing) for pairing in pairings(one.remaining)]
        assert swiss_objective(one, tables, byes) == min(costs)
        assert sorted([who for table in tables for who in table] + byes) == sorted(one.remaining)
        count += 1
        if not rounds:
            return
        one = opened(one, chance)
        one = decided(one, [chance.choice([(1, 2), (2, 1), (1, 1)]) for _ in one.rounds[-1].groups])
        for leaving in range(min(3, len(one.remaining) - 1)):
            for gone in list(combinations(one.remaining, leaving))[:: max(1, 2 ** (players - 5))]:
                after = extended(one, [Left(who) for who in gone], 0, "")
                if after.step == "round":
                    compare(after, rounds - 1)

    compare(started(players, format="swiss", rounds=4), 3 if players < 6 else 2)
    assert count > players - 2


def test_nobody_meets_again_where_the_bye_can_go_to_somebody_else():
    one = started(4, format="swiss", rounds=3)
    one = extended(one, [RoundOpened((("p4", "p1"), ("p3", "p2")))], 0, "")
    one = decided(one, [(1, 2), (1, 2)])
    one = extended(one, [Left("p1")], 0, "")
    tables, _byes = next_round(one, Random(1))
    assert sorted(tables[0]) != ["p2", "p3"]


@pytest.mark.parametrize("form", ["swiss", "robin"])
@pytest.mark.parametrize(("players", "seats"), [(6, 3), (7, 4), (7, 3), (5, 3)])
def test_small_tournaments_at_larger_tables_meet_as_seldom_as_can_be(form, players, seats):
    """The local search finds what brute force finds: the fewest meetings again, of those who are not free."""
    one = started(players, format=form, seats=seats, rounds=5)
    chance = Random(1)
    while one.step != "over":
        tables, byes = next_round(one, chance)
        met = one.meetings()

        def again(tables, met=met):
            pairs = [frozenset(pair) for table in tables for pair in combinations(table, 2)]
            return sum(4 ** met[pair] if form == "robin" else met[pair] for pair in pairs)

        people, sizes = [who for who in one.remaining if who not in byes], sorted(map(len, tables))
        first = combinations(people, sizes[0])
        others = [[list(table), [who for who in people if who not in table]] for table in first]
        if len(sizes) == 2:
            assert again(tables) == min(map(again, others))
        one = extended(one, [RoundOpened(tuple(map(tuple, tables)), tuple(byes))], 0, "")
        one = decided(one, [tuple(range(1, len(table) + 1)) for table in tables])
        if len(one.rounds) == 2:
            one = extended(one, [Left(one.remaining[0])], 0, "")
    assert len(one.rounds) > 2


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("form", ["robin", "elimination", "swiss"])
def test_no_round_is_without_a_table_whoever_withdraws(form, players):
    """Over all pairs who withdraw, after any round."""
    for leaving in (1, 2, 3):
        for gone in combinations([f"p{n}" for n in range(1, players + 1)], leaving):
            for after in range(3):
                one = started(players, format=form)
                while one.step != "over":
                    if len(one.rounds) == after:
                        for who in gone:
                            one = extended(one, [Left(who)], 0, "") if one.step != "over" else one
                    if one.step == "over":
                        break
                    one = opened(one)
                    if one.step == "playing" or one.step == "seating":
                        assert one.rounds[-1].groups
                        one = decided(one, [(1, 2)] * len(one.rounds[-1].groups))
                left = [line.player for line in standings(one) if line.player in one.remaining]
                if form == "robin":
                    met = one.meetings()
                    assert all(met[frozenset(pair)] == 1 for pair in combinations(left, 2))


@pytest.mark.parametrize("gone", ["p1", "p2", "p3"])
def test_a_round_robin_of_three_with_one_withdrawn_plays_the_one_match_that_is_left(gone):
    one = decided(opened(started(3, format="robin")), [(1, 2)])
    one = extended(one, [Left(gone)], 0, "")
    met = one.meetings()[frozenset(one.remaining)]
    while one.step != "over":
        one = opened(one)
        one = decided(one, [(1, 2)] if one.step == "seating" else [])
    assert len(one.rounds) == (1 if met else 2)


def test_who_comes_back_is_paired_again():
    one = opened(started(4, format="swiss", rounds=3))
    one = decided(one, [(1, 2)] * 2)
    gone = one.draw[0]
    one = extended(one, [Left(gone)], 0, "host")
    assert one.part(gone) == "removed"
    one = extended(one, [Returned(gone)], 0, "host")
    tables, byes = next_round(one, Random(1))
    assert not byes
    assert gone in [who for table in tables for who in table]
