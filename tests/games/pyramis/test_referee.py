"""Comparison of the game with a second implementation, ply by ply over random play."""

import random

import pytest
from tests.games.pyramis.positions import GAME, backs, counts, fleet, river
from tests.games.pyramis.referee import Referee

from pyramidion.engine.layout import record


def compare(match, referee):
    shown, state = match.view(None), record(match.state_copy())
    assert match.over == referee.over
    assert shown["phase"] == referee.phase
    assert set(match.acting) == referee.due
    assert river(match, shown) == referee.river
    assert counts(match, shown) == referee.left
    for seat, player in enumerate(referee.players):
        assert fleet(match, seat, shown) == {n: -card if turned else card for n, (card, turned) in player.fleet.items()}
        assert {star for star in range(1, 6) if int(state.stars[seat]) >> star - 1 & 1} == player.stars
        told = shown["players"][seat]
        zone = told["zone"]
        assert ((zone["cards"], zone["pyramids"]) if zone else (0, 0)) == player.zone(referee.by_pyramids)
    if referee.over:
        assert list(match.outcome.points) == referee.points()
        assert match.outcome.winners == referee.winners()
    else:
        for seat in match.acting:
            assert {str(action) for action in match.legal(seat)} == referee.legal(seat)


def moved(before, after, seats):
    """The Star card that changed hands or came from the reserve, or None."""
    hands = [[int(record(state).stars[seat]) for seat in range(seats)] for state in (before, after)]
    gained = [new & ~old for old, new in zip(*hands, strict=True)]
    return next((mask.bit_length() for mask in gained if mask), None)


OPTIONS = (
    {"rotations": "in-turn", "river_left": 0},
    {"largest_zone": "pyramids", "river_left": 3},
    {"rotations": "in-turn", "largest_zone": "pyramids", "river_left": 1},
)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize(("seed", "options"), [*((seed, {}) for seed in range(6)), *enumerate(OPTIONS, 6)])
def test_a_random_game_is_as_the_second_referee_has_it(seats, seed, options):
    match, chance = GAME.new(seats, f"referee {seed}", **options), random.Random(seed)
    referee = Referee(match)
    compare(match, referee)
    while not match.over:
        before, old_river = match.state_copy(), river(match)
        seat = chance.choice(match.acting)
        action = str(match.play(seat, chance.choice(match.legal(seat))))
        new_river = river(match)
        came = [card for card in new_river if card and card not in old_river]
        star = moved(before, match.state_copy(), seats)
        referee.play(seat, action, backs(match), came[0] if came else None, star)
        compare(match, referee)
