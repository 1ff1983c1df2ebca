"""Comparison of the game with a second implementation, ply by ply over random play."""

import random

import pytest
from tests.games.ponzi_scheme.positions import GAME, INDUSTRIES, position
from tests.games.ponzi_scheme.referee import Referee

# How often families of actions are chosen; the timid rarely borrow and so play long games.
BOLD = {"pass": 1, "fund": 12, "offer": 6, "amount": 1, "sell": 1, "counter": 1, "remove": 1, "give-back": 1, "buy": 4}
TIMID = BOLD | {"pass": 12, "fund": 2, "offer": 8}


def choose(match, chance, weights):
    legal = match.legal(match.acting[0])
    families = sorted({action.family for action in legal})
    family = chance.choices(families, [weights[name] for name in families])[0]
    return chance.choice([action for action in legal if action.family == family])


def drawn_by(match):
    """Return the cards drawn by the last action, in order."""
    state = match.state_copy()
    last = [event for event in match.events(None) if event.position == match.version(None)]
    assert int(state["event_count"][0]) >= len(last)
    return [value for event in last if event.name == "restocked" for value in event.data.values() if value]


def compare(match, referee):
    shown, cash = match.view(None), match.state_copy()["cash"][0]
    assert match.over == referee.over
    assert (shown["phase"], shown["round"], shown["start"]) == (referee.phase, referee.round, referee.start)
    assert match.acting == (() if referee.acting is None else (referee.acting,))
    assert [card["value"] for card in shown["market"]] == referee.market
    assert set(shown["discard"]) == referee.discard
    assert shown["deck_count"] == len(referee.deck)
    assert shown["supply"] == referee.supply
    for seat, player in enumerate(referee.players):
        told = shown["players"][seat]
        assert cash[seat] == player.cash
        assert told["tiles"] == player.tiles
        assert {card["value"]: card["space"] for card in told["wheel"]} == player.wheel
        assert {tile["luxury"] for tile in shown["luxuries"] if tile["owner"] == seat} == player.luxuries
    if referee.over:
        assert list(match.outcome.points) == referee.points()
        assert match.outcome.winners == referee.winners()
        assert [player["bankrupt"] for player in shown["players"]] == [player.bankrupt for player in referee.players]
    else:
        assert {str(action) for action in match.legal(referee.acting)} == referee.legal()


def follow(match, chance, weights, most=400):
    """Play at random, comparing after every action; return counts of the rarer situations."""
    referee = Referee(match)
    compare(match, referee)
    while not match.over and match.ply < most:
        action = str(match.play(match.acting[0], choose(match, chance, weights)))
        referee.play(action, drawn_by(match))
        compare(match, referee)
    return {event.name for event in match.events(None)}


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("advanced", [False, True])
def test_whole_games(seats, advanced):
    for n in range(6):
        chance = random.Random(f"{seats} {advanced} {n}")
        match = GAME.new(seats, f"whole {n}", advanced=advanced, round_limit=12 if n % 2 else 60)
        follow(match, chance, TIMID if n % 2 else BOLD)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_games_of_the_rich_who_empty_the_deck(seats):
    seen = set()
    for n in range(4):
        chance = random.Random(f"rich {seats} {n}")
        circulating = [*range(18, 24), 30, 31, 33, 34, *range(63, 71)]
        start = position(
            seats=seats,
            market=circulating[:6] + circulating[-3:],
            deck=circulating[6:12],
            discard=circulating[12:-3],
            wheels={seats - 1: {card: 5 for card in range(18, 81) if card not in circulating}},
            rest=0,
            cash=dict.fromkeys(range(seats), 400),
            tiles={seat: dict.fromkeys(INDUSTRIES, 1 + seat % 2) for seat in range(seats)},
            advanced=n % 2 == 1,
            seed=n,
            round_limit=14,
        )
        seen |= follow(start, chance, BOLD | {"amount": 1})
    assert {"reshuffled", "crashed", "gave_back", "sold", "countered", "bought"} <= seen
