"""The core of tournaments: pairings that are balanced, standings with their tie-breaks, and the rules of the log."""

from collections import Counter
from dataclasses import asdict
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from tests.tournaments.helpers.tournament import extended, started

from pyramidion.event_log import NotPossible, decode, encode
from pyramidion.tournaments.events import (
    KINDS,
    Announced,
    Ended,
    Joined,
    Left,
    PlacesEntered,
    Replaced,
    Returned,
    RoundOpened,
    Started,
    TableOpened,
)
from pyramidion.tournaments.pairing import next_round, survivors
from pyramidion.tournaments.standings import points_of, standings, winner
from pyramidion.tournaments.state import Tournament, TournamentSettings, possible


def play(one, seed=1, result=None):
    """Play a tournament to its end; `result` says the places of a table, by default the better lot wins."""
    chance = Random(seed)
    lots = one.draw.index
    while one.step != "over":
        tables, byes = next_round(one, chance)
        one = extended(one, [RoundOpened(tuple(map(tuple, tables)), tuple(byes))], 0, "")
        for index, table in enumerate(tables):
            places = result(table) if result else tuple(1 + sum(lots(b) < lots(a) for b in table) for a in table)
            one = extended(one, [PlacesEntered(len(one.rounds), index, places)], 0, "host")
    return one


def met(one):
    found = one.meetings()
    return Counter(found[frozenset(pair)] for pair in combinations(one.draw, 2))


@pytest.mark.parametrize("players", [2, 5, 8, 11])
def test_in_a_round_robin_of_pairs_everybody_meets_everybody_once(players):
    one = play(started(players, format="robin"))
    assert met(one) == {1: players * (players - 1) // 2}
    assert all(len(played.byes) == players % 2 for played in one.rounds)
    assert [line.player for line in standings(one)] == list(one.draw)


@pytest.mark.parametrize(
    ("players", "seats", "rounds", "most"),
    # The last number is how often a pair meets at most; the fewest meetings are then one less than the mean at least.
    [(12, 3, 5, 2), (16, 4, 5, 2), (20, 5, 6, 2), (20, 10, 6, 4), (13, 4, 6, 2)],
)
def test_at_larger_tables_people_meet_as_evenly_as_they_can(players, seats, rounds, most):
    one = play(started(players, format="robin", least=2, seats=seats, rounds=rounds))
    found = met(one)
    mean = sum(count * pairs for count, pairs in found.items()) / sum(found.values())
    assert max(found) <= most
    assert min(found) >= int(mean) - 1
    # Drawn by lot, the same tables are far less even.
    chance, drawn = Random(1), Counter()
    for played in one.rounds:
        people = [who for group in played.groups for who in group.players]
        chance.shuffle(people)
        for group in played.groups:
            table = [people.pop() for _ in group.players]
            drawn.update(frozenset(pair) for pair in combinations(table, 2))
    assert sum(n * n * pairs for n, pairs in found.items()) < 0.97 * sum(n * n for n in drawn.values())


def test_swiss_pairs_meet_once_and_those_with_equal_points_meet():
    one = play(started(16, format="swiss"))
    assert len(one.rounds) == 4
    assert max(met(one)) == 1
    best = standings(one)[0]
    assert (best.player, best.points) == (one.draw[0], 4)
    last = {frozenset(group.players) for group in one.rounds[-1].groups}
    assert any(one.draw[0] in pair and Counter(pair)[one.draw[0]] for pair in last)


def test_byes_of_a_swiss_tournament_go_round():
    one = play(started(7, format="swiss", rounds=5))
    assert sorted(Counter(who for played in one.rounds for who in played.byes).values()) == [1] * 5
    assert max(met(one)) == 1


@pytest.mark.parametrize(("players", "rounds"), [(2, 1), (5, 3), (8, 3), (13, 4), (16, 4)])
def test_single_elimination_in_pairs_is_a_full_bracket_after_its_first_round(players, rounds):
    one = play(started(players, format="elimination"))
    assert len(one.rounds) == rounds
    assert sum(len(played.groups) for played in one.rounds) == players - 1
    assert not any(played.byes for played in one.rounds[1:])
    assert standings(one)[0].player == one.draw[0] == survivors(one)[0]


@pytest.mark.parametrize(
    ("players", "least", "seats", "sizes"),
    [(16, 2, 4, [4, 2, 1]), (9, 2, 4, [3, 1]), (20, 10, 10, [2, 1]), (30, 10, 10, [3, 2, 1]), (7, 3, 5, [2, 1])],
)
def test_single_elimination_at_larger_tables_ends_with_one_table(players, least, seats, sizes):
    one = play(started(players, format="elimination", least=least, seats=seats))
    assert [len(played.groups) for played in one.rounds] == sizes
    assert all(least <= len(group.players) <= seats for played in one.rounds for group in played.groups)
    assert standings(one)[0].player == one.draw[0]


@pytest.mark.parametrize("players", [4, 5, 8, 13])
def test_by_rating_the_best_two_meet_in_the_final_and_the_best_have_byes(players):
    one = play(started(players, format="elimination", seeding="rating"))
    best = one.draw[: 2 ** ((players - 1).bit_length()) - players]
    assert set(one.rounds[0].byes) == set(best)
    for played in one.rounds:
        there = [who for group in played.groups for who in group.players] + list(played.byes)
        assert set(there) == set(one.draw[: len(there)]), "The better one of each pair has won."
    assert {frozenset(group.players) for group in one.rounds[-1].groups} == {frozenset(one.draw[:2])}


@pytest.mark.parametrize(("form", "seats"), [("swiss", 2), ("swiss", 3), ("elimination", 4)])
def test_by_rating_the_first_tables_are_about_equally_strong(form, seats):
    one = started(12, format=form, least=2, seats=seats, seeding="rating")
    tables, _byes = next_round(one, Random(1))
    seeds = [sorted(one.draw.index(who) for who in table) for table in tables]
    strengths = [sum(table) for table in seeds]
    assert max(strengths) - min(strengths) <= seats
    assert sorted(table[0] for table in seeds) == list(range(len(tables)))


def test_a_start_waits_for_enough_players():
    made = asdict(TournamentSettings("Cup", "a-game", starts=1000, least=3, seats=3, auto=False))
    one = extended(Tournament(), [Announced("Hal", made), Joined("A"), Joined("B")], 0, "host")
    assert one.due() is None
    one = extended(one, [Joined("C")], 2000, "")
    assert one.due() == 1000
    one = extended(one, [Started(("p1", "p2", "p3"))], 2000, "")
    assert one.due() == 0, "The first round follows the start, even where the host begins the others."
    one = extended(one, [RoundOpened((("p1", "p2", "p3"),)), PlacesEntered(1, 0, (1, 2, 3))], 2000, "")
    assert one.due() is None


def test_those_who_tie_share_the_points_of_their_places():
    settings = TournamentSettings("Cup", "a-game", seats=4, points=(5, 3, 1))
    assert points_of(settings, (1, 2, 3, 4)) == [5, 3, 1, 0]
    assert points_of(settings, (1, 3, 1, 3)) == [4, Fraction(1, 2), 4, Fraction(1, 2)]
    assert points_of(TournamentSettings("Cup", "a-game", seats=3), (1, 1, 1)) == [1, 1, 1]


def test_ties_are_broken_by_wins_then_by_opponents_then_by_the_draw():
    one = started(4, format="robin", seats=2, points=(2, 1))
    one = extended(one, [RoundOpened((one.draw[:2], one.draw[2:]))], 0, "")
    a, b, c, d = one.draw
    one = extended(one, [PlacesEntered(1, 0, (2, 1)), PlacesEntered(1, 1, (1, 1))], 0, "host")
    lines = {line.player: line for line in standings(one)}
    assert [line.player for line in standings(one)] == [b, c, d, a]
    assert lines[c].points == Fraction(3, 2)
    assert (lines[c].wins, lines[b].wins) == (Fraction(1, 2), 1)
    assert lines[a].opponents == 2


def test_the_waiting_list_moves_up_and_later_nobody_comes_in():
    made = asdict(TournamentSettings("Cup", "a-game", places=2))
    one = extended(Tournament(), [Announced("Hal", made), *(Joined(name) for name in "ABC")], 0, "host")
    assert (one.entrants, one.waiting) == (["p1", "p2"], ["p3"])
    one = extended(one, [Left("p1")], 0, "p1")
    assert (one.entrants, one.waiting) == (["p2", "p3"], [])
    one = extended(one, [Started(("p3", "p2"))], 0, "host")
    with pytest.raises(NotPossible):
        extended(one, [Joined("D")], 0, "")
    one = extended(one, [RoundOpened((("p3", "p2"),))], 0, "")
    one = extended(one, [Left("p2")], 0, "p2")
    one = extended(one, [PlacesEntered(1, 0, (1, 2))], 0, "host")
    assert one.step == "over"
    for places in ((1,), (1, 3), (2, 2), (0, 1)):
        with pytest.raises(NotPossible):
            extended(one, [PlacesEntered(1, 0, places)], 0, "host")


def test_every_event_can_be_stored():
    one = play(started(5, format="swiss", least=2, seats=3, points=(3, 1)))
    for entry in one.log:
        assert decode(KINDS, entry.event.kind, encode(entry.event)) == entry.event


@pytest.mark.parametrize("seats", range(2, 11))
def test_the_default_points_do_not_depend_on_the_size_of_the_table(seats):
    """At every table the first gets the same, the last nothing, and a player by lot as much as at any other."""
    settings = TournamentSettings("Cup", "a-game", seats=seats, scale="share")
    for size in range(2, seats + 1):
        points = points_of(settings, tuple(range(1, size + 1)))
        assert (points[0], points[-1]) == (seats - 1, 0)
        assert sum(points) / size == Fraction(seats - 1, 2)
        assert points == [Fraction((seats - 1) * (size - 1 - n), size - 1) for n in range(size)]
        assert set(points_of(settings, (1,) * size)) == {Fraction(seats - 1, 2)}
    assert points_of(settings, (1,)) == [seats - 1], "A bye is a first place."


def test_tournaments_that_were_announced_keep_their_points():
    """A log without a scale, and points that the host has set."""
    old = {"title": "Cup", "game": "a-game", "seats": 4}
    one = extended(Tournament(), [Announced("Hal", old)], 0, "host")
    assert points_of(one.settings, (1, 2)) == [3, 2]
    settings = TournamentSettings("Cup", "a-game", seats=4, points=(5, 3), scale="share")
    assert points_of(settings, (1, 2, 3)) == [5, 3, 0]


@pytest.mark.parametrize("form", ["swiss", "robin", "elimination"])
@pytest.mark.parametrize("players", [2, 3, 4, 5, 8])
def test_who_has_left_does_not_win(form, players):
    """Whoever leaves at any time, the winner is somebody who has not, if there is anybody."""
    for seed in range(40):
        chance, one = Random(seed), started(players, seed, format=form)
        while one.step != "over":
            tables, byes = next_round(one, chance)
            event = RoundOpened(tuple(map(tuple, tables)), tuple(byes)) if tables else Ended()
            one = extended(one, [event], 0, "")
            for index, _table in enumerate(tables):
                if one.remaining and chance.random() < 0.3:
                    one = extended(one, [Left(chance.choice(one.remaining))], 0, chance.choice(["", "host"]))
                one = extended(one, [PlacesEntered(len(one.rounds), index, chance.choice([(1, 2), (2, 1)]))], 0, "host")
        best = winner(one)
        assert best is None or one.players[best].out is None
        if form != "elimination":
            assert (best is None) == (not one.remaining)
        assert best in (None, standings(one)[0].player)


def test_a_removal_can_be_taken_back_and_a_withdrawal_cannot():
    made = asdict(TournamentSettings("Cup", "a-game"))
    one = extended(Tournament(), [Announced("Hal", made), *(Joined(name) for name in "ABC")], 0, "host")
    removed = extended(one, [Left("p2")], 0, "host")
    assert removed.part("p2") == "removed"
    back = extended(removed, [Returned("p2")], 0, "host")
    assert (back.signed_up, back.part("p2")) == (["p1", "p2", "p3"], "playing")
    withdrawn = extended(one, [Left("p2")], 0, "")
    assert withdrawn.part("p2") == "withdrawn"
    for state, who in ((withdrawn, "p2"), (one, "p2"), (removed, "p9")):
        with pytest.raises(NotPossible, match="no such player"):
            extended(state, [Returned(who)], 0, "host")
    taken = extended(removed, [Joined("B")], 0, "")
    with pytest.raises(NotPossible, match="taken"):
        extended(taken, [Returned("p2")], 0, "host")


def test_a_bot_plays_for_somebody_from_the_next_table_on():
    one = started(3, format="robin")
    one = extended(one, [Replaced("p1", "random")], 0, "host")
    assert (one.players["p1"].bot, one.players["p1"].bot_from) == ("random", 1)
    with pytest.raises(NotPossible, match="is a bot already"):
        extended(one, [Replaced("p1", "random")], 0, "host")


def test_a_bot_begins_with_the_round_whose_table_is_not_yet_open():
    one = started(4, format="elimination")
    tables, byes = next_round(one, Random(1))
    one = extended(one, [RoundOpened(tuple(map(tuple, tables)), tuple(byes)), TableOpened(1, 0, "t")], 0, "")
    seated, waiting = tables[0][0], tables[1][0]
    one = extended(one, [Replaced(seated, "easy"), Replaced(waiting, "easy")], 0, "host")
    assert (one.players[seated].bot_from, one.players[waiting].bot_from) == (2, 1)


def test_winners_of_a_running_round_stand_above_those_who_still_play():
    one = started(4, format="elimination")
    tables, byes = next_round(one, Random(1))
    one = extended(one, [RoundOpened(tuple(map(tuple, tables)), tuple(byes))], 0, "")
    one = extended(one, [PlacesEntered(1, 1, (2, 1))], 0, "host")
    lines = standings(one)
    assert (lines[0].player, lines[-1].player) == (tables[1][1], tables[1][0])
    assert [line.through for line in lines] == [True, False, False, False]


def test_results_can_be_changed_until_the_next_round_follows_from_them():
    one = play(started(4, format="elimination"))
    assert [possible(one.require_changeable, number) for number in (1, 2)] == [False, True]
    one = play(started(4, format="swiss"))
    assert all(possible(one.require_changeable, number) for number in (1, 2))
