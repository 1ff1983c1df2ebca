"""What the table says can follow from the challenges, against what follows for every submission tried."""

import itertools
import random

import pytest
from tests.games.downside_up.positions import GAME, claimed, state
from tests.games.drawing import NAMES, drawn

from pyramidion import Match

SPACES = "ABCDEFGHIJ"
BOARDS = ("acdefh", "bbcefh", "abcefi", "bcdfgi", "abdegh")


def outcomes(match, times, seed):
    """Yield the events of battle phases in which everybody submits 0 to 3 at random."""
    chance, opening = random.Random(seed), match.state_copy()
    for _ in range(times):
        table = Match.from_state(GAME, opening, options=match.options, seed=1)
        for seat in table.acting:
            for part in table.view(seat)["you"]["parts"]:
                table.play(seat, f"{part['part']} {chance.randrange(4)}")
        for seat in table.acting:
            table.play(seat, "confirm")
        yield [event for event in table.events(None) if event.name in ("held", "took")]


@pytest.mark.parametrize("board", BOARDS)
def test_du_4_2_who_may_defend_a_space_is_exactly_who_ever_does(board):
    match = claimed(board)
    told = {battle["space"]: set(battle["may_defend"]) for battle in match.view(None)["battles"]}
    seen = {space: set() for space in told}
    for events in outcomes(match, 120, board):
        for event in events:
            defender = event.data["other" if event.name == "took" else "seat"]
            seen[SPACES[event.data["space"]]].add(defender)
    assert seen == told


@pytest.mark.parametrize("board", BOARDS)
def test_du_4_2_the_falls_of_a_defender_are_exactly_those_that_happen(board):
    match = claimed(board)
    told = {
        seat: {(fall["by"], fall["to"]) for fall in part["falls"]}
        for seat in match.acting
        for part in match.view(seat)["you"]["parts"]
        if part["part"] == "defend"
    }
    spaces = {seat: SPACES[int(space)] for seat, space in enumerate(state(match).space)}
    seen = {seat: set() for seat in told}
    for events in outcomes(match, 120, board):
        for event in events:
            if event.name == "took":
                seen[event.data["other"]].add((event.data["seat"], spaces[event.data["seat"]]))
    assert seen == told


def test_the_battle_page_says_what_happens_to_a_defender_in_a_chain():
    """Yan on E attacks Xia on A, and Zoe on H attacks E: Xia pays nothing, or a defence that holds on E."""
    html = drawn(claimed("acdefi"), 0)
    assert "pay your defence only if it holds further down" in html
    assert f"If {NAMES[4]} pushes you down to E, the same defence meets {NAMES[7]} there" in html
    assert "and pay nothing" not in html
    # Nobody attacks G, from which Gus attacks D.
    assert "Otherwise you go down to G and pay nothing" in drawn(claimed("acdefi"), 3)


def test_the_battle_page_says_which_attack_counts_and_whose_defence_it_meets():
    match = claimed("bbcefh")
    for seat, other in itertools.permutations((4, 5), 2):
        html = drawn(match, seat)
        assert f"Of your attack and that of {NAMES[other]} only the larger counts" in html
        assert ("yours does: you have the higher priority" in html) == (seat == 4)
    # Hal attacks E, and Eve may have gone up to B.
    assert f"If {NAMES[4]} has already moved up, the player who came down defends E: {NAMES[1]} (" in drawn(match, 7)
    assert "has already moved up" not in drawn(match, 4)


def test_the_battle_page_says_when_a_defence_is_not_needed():
    match = claimed("acdefi")
    assert "If your own attack wins, you leave E before it is attacked" in drawn(match, 4)
    assert "If your own attack wins" not in drawn(match, 0)


def test_whoever_is_in_no_battle_is_told_that_and_no_more():
    match = claimed("acdefi")
    assert 1 not in match.acting
    assert "You are not in a battle this round." in drawn(match, 1)
