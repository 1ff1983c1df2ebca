"""PY 1 to 3: components, setup, and the order of a turn."""

import re
import tomllib
from collections import Counter

import pytest
from tests.games.pyramis.positions import (
    COLOURS,
    GAME,
    WITH_STAR,
    backs,
    counts,
    events,
    finish_turn,
    fleet,
    play,
    position,
    river,
    rules_told,
    texts,
)

from pyramidion.engine.layout import record

OWN_CARDS = tomllib.loads((GAME.folder / "cards.toml").read_text("utf-8"))


def box():
    return record(GAME.new(2).box)


def test_py_1_1_forty_eight_cards_of_four_colours():
    counted = Counter(COLOURS[c] for c in box().colour)
    assert counted == {"blue": 16, "green": 14, "pink": 12, "gray": 6}
    assert GAME.actions.families["place"].size == 30


def test_py_1_1_a_card_has_two_ends_and_only_the_one_on_top_counts():
    table = position(fleets={0: {"a1": 1}, 1: {"a1": -2}})
    first, second = (table.view(None)["players"][seat] for seat in (0, 1))
    assert first["fleet"][0]["up"] == {"pyramids": 2, "aliens": 0}
    assert first["fleet"][0]["down"] == {"pyramids": 1, "aliens": 1}
    assert (first["pyramids"], first["aliens"]) == (2, 0)
    assert second["fleet"][0]["up"] == {"pyramids": 2, "aliens": 0}
    assert (second["pyramids"], second["aliens"]) == (2, 0)


def test_py_1_1_a_back_shows_no_pyramid_one_or_two():
    shown = {len(card["back"]) for card in OWN_CARDS["exodus_cards"]}
    assert shown == {0, 1, 2}


def test_py_1_1_the_list_on_the_rules_page_is_the_one_that_plays():
    rows = re.findall(
        r"(\d+) \| (blue|green|pink|gray) \| (\d)((?:\+A)*) / (\d)((?:\+A)*) \| (star)? ?\| ([a-z, ]+) \|",
        GAME.rules_text,
    )
    listed = {
        int(number): {
            "colour": colour,
            "top": [int(top), top_aliens.count("A")],
            "bottom": [int(bottom), bottom_aliens.count("A")],
            "star": bool(star),
            "back": [] if back == "none" else back.split(", "),
        }
        for number, colour, top, top_aliens, bottom, bottom_aliens, star, back in rows
    }
    assert listed == dict(enumerate(OWN_CARDS["exodus_cards"], 1))


def test_py_1_1_the_box_holds_the_list():
    for i, card in enumerate(OWN_CARDS["exodus_cards"]):
        assert [box().pyramids[i, 0], box().aliens[i, 0]] == card["top"]
        assert [box().pyramids[i, 1], box().aliens[i, 1]] == card["bottom"]
        assert bool(box().star[i]) == card["star"] == (i + 1 in WITH_STAR)


def test_py_1_2_five_star_cards_worth_pyramids_or_aliens():
    stars = OWN_CARDS["shooting_stars"]
    assert len(stars) == 5
    assert all((star["pyramids"] > 0) != (star["aliens"] > 0) for star in stars)
    assert sorted((star["pyramids"], star["aliens"]) for star in stars) == [(0, 1), (0, 1), (1, 0), (1, 0), (2, 0)]


def test_py_1_2_a_base_card_shows_no_pyramid():
    # The last card of the left deck is drawn: its Base card shows.
    table = position(3, phase="refill", filler={0: 10, 1: 9, 2: 9}, left=(1, 17), tops=(22, 23))
    play(table, "refill left")
    assert counts(table) == [0, 17]
    assert backs(table)[0] == []
    assert table.view(None)["decks"][0]["base"]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_py_2_1_two_decks_of_twenty_four_of_which_three_cards_are_the_river(seats):
    table = GAME.new(seats, 7)
    assert counts(table) == [22, 23]
    assert sum(counts(table)) + len(river(table)) == 48


def test_py_2_1_everybody_sees_the_backs_on_top():
    table = GAME.new(3, 11)
    s = record(table.state_copy())
    for deck in (0, 1):
        card = OWN_CARDS["exodus_cards"][int(s.top[deck]) - 1]
        for viewer in (None, 0, 1, 2):
            assert sorted(table.view(viewer)["decks"][deck]["back"]) == sorted(card["back"])


def test_py_2_1_every_card_can_come_first():
    first = {card for seed in range(600) for card in river(GAME.new(2, seed))}
    assert first == set(range(1, 49))


def test_py_2_2_the_river_is_three_different_cards():
    for seed in range(30):
        shown = river(GAME.new(2, seed))
        assert len(set(shown)) == 3
        assert None not in shown


def test_py_2_2_backs_that_show_a_pair_at_the_beginning_turn_nothing():
    with_pair = [GAME.new(2, seed) for seed in range(60)]
    with_pair = [table for table in with_pair if table.view(None)["pairs"]]
    assert with_pair
    for table in with_pair:
        assert table.view(None)["phase"] == "place"
        assert not events(table, "pair")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_py_2_3_nobody_has_a_card_and_all_stars_are_in_the_reserve(seats):
    table = GAME.new(seats, 3)
    assert table.view(None)["reserve"] == 5
    assert [player["stars"] for player in table.view(None)["players"]] == [0] * seats
    assert [fleet(table, seat) for seat in range(seats)] == [{}] * seats


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_py_2_3_chance_chooses_who_starts(seats):
    starts = Counter(GAME.new(seats, seed).acting[0] for seed in range(400))
    assert set(starts) == set(range(seats))
    assert min(starts.values()) > 400 / seats / 2


def test_py_2_3_turns_go_clockwise():
    table = GAME.new(3, 5)
    seat = table.acting[0]
    for _ in range(7):
        assert table.acting == (seat,)
        finish_turn(table)
        seat = (seat + 1) % 3


def test_py_3_1_a_turn_is_place_then_refill():
    table = position(river=[1, 2, 3])
    play(table, "place 2 a3")
    assert table.view(None)["phase"] == "refill"
    assert river(table) == [1, None, 3]
    assert table.acting == (0,)
    play(table, "refill right")
    assert table.view(None)["phase"] == "place"
    assert table.acting == (1,)


def test_py_3_1_the_star_comes_before_the_refill():
    table = position(river=[13, 2, 3], hands={1: [1, 2, 3, 4, 5]})
    play(table, "place 1 a1")
    assert table.view(None)["phase"] == "steal"
    play(table, "steal 1")
    assert table.view(None)["phase"] == "refill"


def test_py_3_1_no_step_can_be_skipped():
    table = position(river=[1, 2, 3])
    assert all(text.startswith("place") for text in texts(table, 0))
    play(table, "place 1 a1")
    assert texts(table, 0) == {"refill left", "refill right"}
    assert rules_told(table, "placed") == {"PY 4.1"}
