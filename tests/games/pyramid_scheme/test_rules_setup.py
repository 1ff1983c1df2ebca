"""PS 1 and 2: components and setup."""

from __future__ import annotations

import io
import tomllib
from collections import Counter

import pytest
from rich.console import Console
from tests.games.pyramid_scheme.positions import GAME, edited, hand, play, player, position, told, with_wants

import pyramidion
from pyramidion.engine.cards import BadCards
from pyramidion.engine.layout import record
from pyramidion.games.pyramid_scheme.terminal import draw

TOML = (GAME.folder / "cards.toml").read_text("utf-8")
FILE = tomllib.loads(TOML)
SEATS = pytest.mark.parametrize("seats", [2, 3, 4])


def test_ps_1_1_sixteen_victims_of_each_colour_and_no_reward_on_1s():
    victims = FILE["victims"]
    assert Counter(card["colour"] for card in victims) == dict.fromkeys(("green", "blue", "pink", "yellow"), 16)
    assert {card["number"] for card in victims} == {1, 2, 3, 4, 5}
    assert all(("reward" in card) == (card["number"] > 1) for card in victims)
    box = record(GAME.new(2).box)
    assert [int(n) for n in box.number[:64]] == [card["number"] for card in victims]


@SEATS
def test_ps_1_2_a_founder_of_12_gives_a_reset_token(seats):
    view = GAME.new(seats, 3).view(None)
    for seat in range(seats):
        (founder,) = view["players"][seat]["pyramid"]
        assert (founder["kind"], founder["number"], founder["colour"]) == ("founder", 12, None)
        assert founder["reward"] == "reset +1"
        assert founder["wants"] == ["green", "blue", "pink", "yellow"]


def test_ps_1_3_eighteen_police_of_3_without_a_colour():
    box = record(GAME.new(2).box)
    assert GAME.new(2).view(None)["police_left"] == 18
    assert {
        (int(n), int(c), int(r))
        for n, c, r in zip(box.number[64:82], box.colour[64:82], box.reward[64:82], strict=True)
    } == {(3, 4, 0)}


def test_ps_1_4_there_are_seventeen_goals():
    seen = {goal["goal"] for seed in range(60) for goal in GAME.new(2, seed).view(None)["goals"]}
    assert len(seen) == 17


def test_ps_1_5_a_short_supply_gives_what_is_left():
    table = position(
        hands={0: ["green-f"]},
        pyramids={0: {"blue-p": "founder", "pink-j": "founder"}},
        tokens={0: 9, 1: 9},
        cards=with_wants("blue-p", "[2]", "reset +3"),
    )
    play(table, "place green-f blue-p", "flip blue-p")
    assert player(table, 0)["tokens"] == 11
    assert table.view(None)["supply"] == 0


def test_ps_1_5_limit_tokens_come_from_the_same_supply():
    table = position(
        hands={0: ["green-f"]},
        pyramids={0: {"blue-p": "founder"}},
        tokens={0: 9, 1: 9},
        cards=with_wants("blue-p", "[2]", "limit +3"),
    )
    play(table, "place green-f blue-p", "flip blue-p", "limit green-f")
    assert next(c["limits"] for c in player(table, 0)["pyramid"] if c["card"] == "green-f") == 2
    assert table.view(None)["supply"] == 0


def test_ps_1_6_a_flipped_victim_keeps_number_and_colour():
    table = position(hands={0: ["pink-f"]}, pyramids={0: {"green-j": "founder"}})
    play(table, "place pink-f green-j", "flip green-j", "limit founder")
    card = next(c for c in player(table, 0)["pyramid"] if c["card"] == "green-j")
    assert card["flipped"]
    assert (card["colour"], card["number"], card["room"]) == ("green", 3, 1)


@SEATS
def test_ps_2_1_two_victims_each_three_in_the_market_and_a_top_card(seats):
    table = GAME.new(seats, 11)
    view = table.view(None)
    assert len(view["market"]) == 3
    assert view["deck_top"]
    assert view["deck_count"] == 64 - 3 - 2 * seats
    for seat in range(seats):
        assert len(hand(table, seat)) == 2
        assert view["players"][seat]["hand"] == []
        assert view["players"][seat]["hidden"] == 2


def test_ps_2_1_what_was_taken_from_the_market_is_known_to_all():
    table = position(seats=3)
    play(table, "take yellow-a")
    for viewer in (None, 1, 2):
        assert [card["card"] for card in table.view(viewer)["players"][0]["hand"]] == ["yellow-a"]


@SEATS
def test_ps_2_2_one_reset_token_each_and_six_goals(seats):
    view = GAME.new(seats, 5).view(None)
    assert [p["tokens"] for p in view["players"]] == [1] * seats
    assert view["supply"] == 20 - seats
    assert len({goal["goal"] for goal in view["goals"]}) == 6
    assert all(goal["claimed"] is None and goal["reserved"] is None for goal in view["goals"])


@SEATS
def test_ps_2_3_the_lowest_sum_starts_and_ties_are_drawn(seats):
    tied = Counter()
    for seed in range(300):
        table = GAME.new(seats, seed)
        sums = [sum(card["number"] for card in player(table, seat)["hand"]) for seat in range(seats)]
        start = table.view(None)["start"]
        assert table.acting == (start,)
        assert sums[start] == min(sums)
        lowest = [seat for seat in range(seats) if sums[seat] == min(sums)]
        if len(lowest) > 1:
            tied[lowest.index(start)] += 1
    assert tied[0] > 5
    assert tied[1] > 5


def test_ps_2_3_as_an_option_anybody_starts():
    starts = Counter(GAME.new(4, seed, start="random").view(None)["start"] for seed in range(200))
    assert min(starts[seat] for seat in range(4)) > 25


def test_ps_2_3_play_goes_clockwise():
    table = position(seats=3, turn=2, hands={0: ["green-a"]})
    play(table, "take yellow-a", "take yellow-b")
    assert table.acting == (0,)


# Card files


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("tokens = 20", "tokens = 21", "'tokens' must be a whole number from 20 to 20"),
        (
            "police = {number = 3",
            "police = {number = 4",
            r"line \d+, police, field 'number': must be 3, not 4; .*PS 1.3",
        ),
        ("count = 18", "count = 17", "police, field 'count': must be 18, not 17"),
        ("founder = {number = 12", "founder = {number = 11", "founder, field 'number': must be 12"),
        ('reward = "reset +1"}\n', 'reward = "reset +2"}\n', "founder, field 'reward': must be 'reset \\+1'"),
        (
            '{colour = "green", number = 1, wants = ["blue"]}',
            '{colour = "blue", number = 1, wants = ["blue"]}',
            "victims number 1, field 'colour': this Victim must be green",
        ),
        (
            '{colour = "green", number = 1, wants = ["blue"]}',
            '{colour = "green", number = 6, wants = ["blue"]}',
            "field 'number': must be a whole number from 1 to 5, not 6",
        ),
        ('number = 1, wants = ["blue"]}', "number = 1, wants = []}", "field 'wants': must be a list of 1 to 4 demands"),
        ('number = 1, wants = ["blue"]}', 'number = 1, wants = ["red"]}', "a colour or 'any', not 'red'"),
        (
            'number = 1, wants = ["blue"]}',
            'number = 1, wants = ["blue"], reward = "flip"}',
            "field 'reward': a 1 has none",
        ),
        ('reward = "flip + bonus"', 'reward = "flips"', "field 'reward': must be one of .*, not 'flips'"),
        ('reward = "limit +3"', 'reward = "limit +4"', "field 'reward': must be one of .*, not 'limit \\+4'"),
        ('wants = [3], reward = "limit +3"', "wants = [3]", "field 'reward': must be one of"),
        (
            'wants = [3], reward = "flip police"',
            'wants = [3], reward = "hand +3"',
            "all hand rewards together may add 7",
        ),
    ],
)
def test_a_card_file_that_cannot_be_played_is_explained(old, new, message):
    assert old in TOML
    with pytest.raises(BadCards, match=message):
        GAME.new(2, cards=TOML.replace(old, new, 1))


def test_another_deck_needs_no_new_rules():
    table = GAME.new(3, 1, cards=edited({"green-a": ('[1, 2, "pink", "any"]', None)}))
    assert pyramidion.Match.from_record(table.record()).record() == table.record()


def test_the_rules_page_lists_the_deck():
    for n, card in enumerate(FILE["victims"]):
        wants = ", ".join(map(str, card["wants"]))
        row = (
            f"| {card['colour']} {'abcdefghijklmnop'[n % 16]} | {card['number']} | {wants} | {card.get('reward', '')} |"
        )
        assert row in GAME.rules_text


def test_dealt_cards_are_told_to_their_holder_alone():
    table = GAME.new(2, 1)
    assert not told(table, "dealt")
    assert [event.data["seat"] for event in table.events(1) if event.name == "dealt"] == [1, 1]


def test_the_terminal_draws_a_whole_game():
    table = GAME.new(3, 4)
    while not table.over:
        table.play(table.acting[0], table.legal(table.acting[0])[0])
        text = io.StringIO()
        Console(file=text, width=100).print(draw(table.view(0), ["Ada", "Ben", "Cem"]))
        assert "Ada" in text.getvalue()
    assert "PS 10" in text.getvalue()
