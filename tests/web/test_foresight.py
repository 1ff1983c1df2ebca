"""Tests of previews: what is sure to follow from an action, as far as the seat knows, in every game."""

import random

import pytest
from tests.every_game import few_seats, limits
from tests.games.ponzi_scheme.positions import position

import pyramidion
from pyramidion.bots.foresight import question_before, sure_to_follow
from pyramidion.engine import registry

GAMES = [game for game in registry.all_games().values() if game.presentation.falls]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_what_is_foretold_happens(game):
    match, chance = game.new(few_seats(game), seed=11, **limits(game, 20)), random.Random(11)
    names, checked = game.names(), 0
    for _ in range(150):
        if match.over:
            break
        seat = chance.choice(match.acting)
        action = chance.choice(match.legal(seat))
        ahead = sure_to_follow(match, seat, action.id, names)
        before = len(match.events(seat))
        match.play(seat, action)
        told = [(event.name, event.data) for event in match.events(seat)[before:]]
        for event in ahead:
            assert (event.name, event.data) in told
        checked += 1
    assert checked > 10


@pytest.mark.parametrize(
    ("name", "kind", "rule"), [("ponzi-scheme", "bankrupt", "PZ 9.2"), ("pyramid-scheme", "out", "PS 3.2")]
)
def test_a_choice_that_takes_its_seat_out_of_the_game_says_so_first(name, kind, rule):
    game = pyramidion.load(name)
    for seed in range(40):
        match, chance = game.new(3, seed=seed), random.Random(seed)
        while not match.over:
            seat = match.acting[0]
            action = chance.choice(match.legal(seat))
            ahead = sure_to_follow(match, seat, action.id, ["Ann", "Bob", "Cy"])
            match.play(seat, action)
            if any(one.name == kind for one in ahead):
                assert (ahead[0].name, ahead[0].rule) == (kind, rule)
                return
    raise AssertionError(f"Nobody could foresee {kind}.")


def test_a_choice_after_which_the_interest_due_cannot_be_paid_is_asked_about():
    def short(price, cash):
        match = position(
            seats=3,
            phase="trading",
            cash={0: 60, 1: cash},
            tiles={0: {"grain": 1}, 1: {"grain": 1}},
            wheels={1: {12: 1}},
        )
        match.play(0, "offer 1 grain")
        match.play(0, f"amount {price}")
        due = match.view(1)["players"][1]["forecast"][0]["due"]
        assert 0 < due < cash
        ask = [question_before(match, 1, action.id, ["A", "B", "C"]) for action in match.legal(1)]
        assert [action.text for action in match.legal(1)] == ["sell", "counter"]
        return ask, price + due - cash

    asked, missing = short(45, 54)
    assert missing > 0
    assert asked == [None, f"You could not pay the interest due this turn: ${missing} short."]
    assert short(5, 54)[0] == [None, None]


def test_only_the_players_of_a_table_are_told(client, new_table):
    table = new_table(seed="ahead")
    assert client.get(f"/t/{table.id}/ahead?action=pass").json() == []
