"""Events: who they name, which rule they cite, and how they read."""

import random

import pytest
from tests.games.ponzi_scheme.positions import GAME, INDUSTRIES, play, position, trade

BY_ACTION = {
    "pass": {"passed": {"PZ 4.1", "PZ 5.1"}},
    "fund": {"funded": {"PZ 4.4"}},
    "offer": {"offered": {"PZ 5.1"}},
    "amount": {"envelope": {"PZ 5.2"}},
    "sell": {"sold": {"PZ 5.3"}},
    "counter": {"countered": {"PZ 5.3"}},
    "buy": {"bought": {"PZ 11.1"}},
    "remove": {"removed": {"PZ 6.2"}},
    "give-back": {"gave_back": {"PZ 7.3"}},
}


def random_game(n):
    """Yield the seat, the action and the new events at each ply of a random game, as that seat sees them."""
    chance = random.Random(n)
    seats = 3 + n % 3
    match = GAME.new(seats, n, advanced=True)
    while not match.over and match.ply < 200:
        legal = match.legal(match.acting[0])
        families = sorted({action.family for action in legal} - ({"pass"} if chance.random() < 0.8 else set()))
        family = chance.choice(families or ["pass"])
        seat, before = match.acting[0], len(match.events(match.acting[0]))
        action = match.play(seat, chance.choice([action for action in legal if action.family == family]))
        yield match, seat, action, match.events(seat)[before:]


@pytest.mark.parametrize("n", range(6))
def test_the_first_event_of_an_action_names_its_seat_and_its_rule(n):
    for _, seat, action, events in random_game(n):
        ((name, rules),) = BY_ACTION[action.family].items()
        assert events[0].name == name
        assert events[0].data["seat"] == seat
        assert events[0].rule in rules


def test_every_kind_of_event_can_happen_and_reads_as_a_sentence():
    seen = {}
    for n in range(9):
        for match, *_ in random_game(n):
            last = match
        for viewer in (None, 0, 1, 2):
            seen |= {event.name: event for event in last.events(viewer, names=["Ana", "Ben", "Cleo"])}
    reshuffled = play(position(deck=[], rest=3, discard=[50, 51]), "fund media 18")
    seen |= {event.name: event for event in reshuffled.events(None)}
    assert set(seen) == set(GAME.events.kinds)
    for event in seen.values():
        assert event.text[0].isupper() or event.text[0].isdigit()
        assert event.text.endswith(".")
        assert "{" not in event.text


def story(table, viewer=None):
    return [event.text for event in table.events(viewer, names=["Ana", "Ben", "Cleo", "Dora"][: table.seats])]


def test_the_events_of_a_trade_read_for_each_viewer():
    table = position(phase="trading", tiles={0: {"real-estate": 1}, 2: {"real-estate": 1}}, cash={0: 9, 2: 9})
    trade(table, 2, "real-estate", 4, "counter")
    assert story(table) == [
        "Ana hands Cleo an envelope for real estate.",
        "Cleo countered and took a real estate tile from Ana.",
    ]
    for party in (0, 2):
        assert story(table, party)[1] == "Ana put $4 into the envelope for Cleo."
        assert len(story(table, party)) == 3


@pytest.mark.parametrize("industry", INDUSTRIES)
def test_industries_read_without_hyphens(industry):
    table = play(position(), f"fund {industry} 18")
    assert industry.replace("-", " ") in story(table)[0]
    assert "-" not in story(table)[0]


def test_a_starting_card_that_is_removed_is_said_to_leave():
    table = play(position(phase="marker", market=range(15, 24)), "remove 17")
    assert story(table)[0] == "Ana removed the $17 card from the market; it leaves the game."
    table = play(position(phase="marker"), "remove 18")
    assert story(table)[0] == "Ana removed the $18 card from the market."


def test_a_restocking_reads_as_a_list():
    table = position(phase="marker", seats=3, market=[17, *range(18, 21), *range(63, 68)], deck=[50], rest=2)
    play(table, "remove 17")
    told = [text for text in story(table) if "restocked" in text]
    assert told[0] == "The market is restocked with $50."
    assert [text.count("$") for text in told] == [1, 4, 1]
    assert " and " in told[1]


def test_events_since():
    table = position(phase="trading", tiles={0: {"grain": 1}, 1: {"grain": 1}}, cash={0: 5})
    trade(table, 1, "grain", 5, "sell")
    everything = table.events(0)
    for since in range(len(everything) + 2):
        assert table.events(0, since=since) == everything[since:]
