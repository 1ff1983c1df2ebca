"""What the view shows: previews, what decks may trigger, the Alien race, and how events read."""

import json
import random

import pytest
from tests.games.pyramis.positions import GAME, play, position, rules_told, showing

from pyramidion import EVERYTHING
from pyramidion.engine.lesson import lesson_of
from pyramidion.games.pyramis.layout import LANDSCAPES


def random_positions(seats, count):
    """Positions of random games, with the seats that are due."""
    chance = random.Random(f"view {seats}")
    for seed in range(count):
        match = GAME.new(seats, seed)
        stop = chance.randrange(10, 45 * seats // 2)
        while not match.over and match.ply < stop:
            seat = chance.choice(match.acting)
            match.play(seat, chance.choice(match.legal(seat)))
        if not match.over:
            yield match


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_preview_is_what_comes_of_a_placement_or_a_rotation(seats):
    seen = set()
    for match in random_positions(seats, 40):
        seat = match.acting[0]
        previews = match.view(seat)["previews"]
        family = match.legal(seat)[0].family
        wanted = {str(action) for action in match.legal(seat)} if family in ("place", "rotate") else set()
        assert set(previews) == wanted
        for action in match.legal(seat)[:3] if wanted else ():
            after = match.at(match.ply)
            after.play(seat, action)
            said, player = previews[str(action)], match.view(seat)["players"][seat]
            assert said["before"]["score"] == player["score"]
            if after.over or (family == "rotate" and match.acting != (seat,)):
                continue
            now = after.view(seat)["players"][seat]
            drew = now["stars"] > player["stars"]
            if not drew:
                assert said["after"]["pyramids"] == now["pyramids"]
                assert said["after"]["zone"] == now["zone"]["pyramids"]
                assert said["after"]["aliens"] == now["aliens"]
            assert said["zone"]["spaces"] == now["zone"]["spaces"]
            seen.add(family)
    assert "place" in seen


def test_a_preview_counts_the_aliens_where_they_would_be_the_most():
    table = position(river=[10, 1, 2], fleets={1: {"a1": 4}})
    said = table.view(0)["previews"]["place 1 a1"]
    assert said["before"] == {"pyramids": 0, "zone": 0, "aliens": 0, "score": 0}
    assert said["after"] == {"pyramids": 1, "zone": 1, "aliens": 1, "score": 3}
    assert table.view(0)["previews"]["place 2 a1"]["after"]["score"] == 4


def test_nobody_else_gets_a_preview():
    table = position(river=[10, 1, 2])
    assert table.view(1)["previews"] == table.view(None)["previews"] == {}


def test_what_a_deck_may_trigger_is_how_often_it_does():
    table = position(phase="refill", tops=(11, 2), river=[1, 4, 5], fleets={0: {"a1": 17}})
    said = {entry["colour"]: entry["percent"] for entry in table.view(None)["decks"][0]["triggers"]}
    assert set(said) == {"blue", "green"}
    counted = {"blue": 0, "green": 0}
    for seed in range(1000):
        again = position(phase="refill", tops=(11, 2), river=[1, 4, 5], fleets={0: {"a1": 17}}, seed=seed)
        play(again, "refill left")
        for colour in again.view(None)["pairs"]:
            counted[colour] += 1
    for colour, count in counted.items():
        assert abs(count / 10 - said[colour]) < 5


def test_the_last_card_of_a_deck_triggers_nothing_new():
    table = position(3, phase="refill", filler={0: 10, 1: 9, 2: 9}, left=(1, 17), tops=(11, 2))
    assert table.view(None)["decks"][0]["triggers"] == []


def test_scores_are_whole_for_oneself_and_as_known_for_others():
    table = position(hands={0: [3], 1: [1]}, fleets={0: {"a1": 9}, 1: {"a1": 1}})
    own, other = table.view(0)["players"]
    assert (own["score"], own["score_is_whole"]) == (2 + 2 + 2, True)
    assert (other["score"], other["score_is_whole"]) == (2 + 2, False)
    assert other["star_cards"] is None
    nobody_has_stars = position(fleets={0: {"a1": 9}})
    assert all(player["score_is_whole"] for player in nobody_has_stars.view(None)["players"])


def test_accessible_cards_are_marked_when_a_rotation_is_due():
    fleets = {0: {"a1": 17, "a2": 18, "b1": 19}, 1: {"a1": 18 + 2, "a2": 1}}
    table = showing(["green"], fleets=fleets, tops=(None, 34), river=[4, 5, 6])
    marked = [
        {place["space"] for place in player["fleet"] if place["card"] and place["may_turn"]}
        for player in table.view(None)["players"]
    ]
    assert marked == [{"b1"}, {"a1"}]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_views_are_json_and_everything_is_open_at_the_end(seats):
    chance = random.Random(seats)
    match = GAME.new(seats, 4)
    while not match.over:
        seat = chance.choice(match.acting)
        for viewer in (None, seat):
            assert json.loads(json.dumps(match.view(viewer))) == match.view(viewer)
        match.play(seat, chance.choice(match.legal(seat)))
    outcome = match.view(EVERYTHING)["outcome"]
    assert outcome == match.view(None)["outcome"]
    for row in outcome["table"]:
        assert row["total"] == row["pyramids"] + row["zone"] + row["alien_points"]
        assert row["total"] == match.outcome.points[row["seat"]] == match.view(None)["players"][row["seat"]]["score"]


def test_lesson_log_and_labels_call_a_card_by_its_colour():
    table = position(river=[13, 2, 3], fleets={1: {"a1": 17}})
    play(table, "place 1 a1", "refill left")
    texts = [event.text for event in table.events(0)]
    texts += [text for step in lesson_of(GAME).steps for text in (step.say, step.otherwise or "")]
    assert not [text for text in texts if any(landscape in text.lower() for landscape in LANDSCAPES)]


def test_events_read_as_sentences():
    table = position(river=[13, 2, 3], fleets={1: {"a1": 17}})
    play(table, "place 1 a1", "refill left")
    texts = [event.text for event in table.events(0, names=["Ana", "Ben"])]
    assert texts[0] == "Ana placed a blue card on a1."
    assert texts[1] == "Ana drew a Star card."
    assert texts[2].startswith("Ana's Star card has ")
    assert "from the left deck." in texts[3]
    assert rules_told(table, "refilled") == {"PY 6.1"}


def test_labels_name_the_player():
    names = ["Ana", "Ben", "Cy", "Dot"]
    label = GAME.view.label
    assert label(GAME.actions.parse("steal 1"), names) == "Take a Star card from Ben"
    assert label(GAME.actions.parse("place 2 b1"), names) == "Place River card 2 on b1"
    assert label(GAME.actions.parse("refill right"), names) == "Refill from the right deck"
    assert label(GAME.actions.parse("rotate c2"), names) == "Turn the card on c2"
