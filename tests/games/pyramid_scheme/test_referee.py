"""Comparison of the game with a second implementation, ply by ply over random play."""

import random

import pytest
from tests.games.pyramid_scheme.positions import GAME
from tests.games.pyramid_scheme.referee import Referee

from pyramidion.engine.layout import record
from pyramidion.games.pyramid_scheme.layout import FIRST_FOUNDER, GOALS, HOLDER_NAMES


def names(cards):
    return [HOLDER_NAMES[min(int(card), FIRST_FOUNDER)] for card in cards]


def deck(s):
    """The market, and the top card of the deck or None."""
    return names(s.market), None if s.deck_top < 0 else HOLDER_NAMES[int(s.deck_top)]


def hands(s):
    return [names(s.hand[p, : s.hand_count[p]]) for p in range(s.seats)]


def compare(match, referee):
    s = record(match.state_copy())
    assert match.over == (referee.phase == "over")
    assert set(names(s.deck[: s.deck_count])) == referee.deck or match.over
    assert int(s.supply) == referee.supply
    assert [sorted(hand) for hand in hands(s)] == [sorted(p.hand) for p in referee.players]
    for seat, player in enumerate(referee.players):
        pile = [int(card) for card in s.pile[seat, : s.pile_count[seat]]]
        above = {
            name: None if s.parent[card] < 0 else names([s.parent[card]])[0]
            for card, name in zip(pile, names(pile), strict=True)
        }
        assert above == player.above
        assert {name for card, name in zip(pile, names(pile), strict=True) if s.flipped[card]} == player.flipped
        assert {
            name: int(s.limits[card]) for card, name in zip(pile, names(pile), strict=True) if s.limits[card]
        } == player.limits
        assert (int(s.tokens[seat]), int(s.hand_limit[seat])) == (player.tokens, player.holds)
    claimed = {GOALS[int(goal)]: str(int(by) - 1) if by else None for goal, by in zip(s.goals, s.claimed, strict=True)}
    assert claimed == referee.goals
    if match.over:
        assert match.outcome.winners == referee.winners
        assert match.outcome.rule == referee.rule
    else:
        assert match.acting == (referee.due,)
        assert {str(action) for action in match.legal(referee.due)} == referee.legal()


def lively(chance, legal):
    """Return an action that mostly places cards that fit and uses rewards, so that pyramids grow."""
    words = [action.split()[0] for action in legal]
    wanted = ("place", "flip", "limit", "remove", "reserve")
    useful = [action for action, word in zip(legal, words, strict=True) if word in wanted]
    return chance.choice(useful if useful and chance.random() < 0.7 else legal)


FLAGS = [name for name, option in GAME.options.items() if option.default in (True, False)]


@pytest.mark.parametrize("changed", [None, *FLAGS])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_random_games_are_as_the_second_referee_has_them(seats, changed):
    seen = set()
    options = {name: GAME.options[name].default != (name == changed) for name in FLAGS}
    for seed in range(8):
        match, chance = GAME.new(seats, f"referee {seed}", **options), random.Random(seed)
        s = record(match.state_copy())
        market, top = deck(s)
        referee = Referee(hands(s), market, top, [GOALS[int(goal)] for goal in s.goals], int(s.start_seat), options)
        compare(match, referee)
        while not match.over:
            action = lively(chance, sorted(referee.legal()))
            match.play(referee.due, action)
            referee.play(action, *deck(record(match.state_copy())))
            compare(match, referee)
            seen.add(action.split()[0])
    assert seen >= {"take", "place", "reset", "end", "flip", "limit", "police", "done"}
