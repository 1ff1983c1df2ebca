"""The options of Pyramis, by the rule that each changes."""

import pytest
from tests.games.drawing import drawn
from tests.games.pyramis.positions import GAME, counts, events, finish_turn, fleet, play, position, showing, texts

FLEETS = {0: {"a1": 17, "a2": 18}, 1: {"a1": 19}, 2: {"a1": 20}}
"""Green cards of three players; 22 and 23 show a pair of green on their backs."""


def pair_of_green(**options):
    """A pair of green has come up in the turn of seat 1."""
    return showing(["green"], seats=3, active=1, fleets=FLEETS, tops=(None, 24), river=[1, 2, 43], **options)


@pytest.mark.parametrize("cards", range(4))
def test_py_2_2_the_option_says_how_many_river_cards_come_from_the_left_deck(cards):
    assert counts(GAME.new(3, 1, river_left=cards)) == [24 - cards, 21 + cards]


def test_py_2_2_two_river_cards_come_from_the_left_deck_unless_the_table_says_otherwise():
    assert GAME.new(3, 1).options["river_left"] == 2
    for wrong in (-1, 4):
        with pytest.raises(ValueError, match="river_left"):
            GAME.new(3, 1, river_left=wrong)


def test_py_6_4_at_once_everybody_chooses_in_secret():
    match = pair_of_green()
    assert match.acting == (0, 1, 2)
    match.play(1, "rotate a1")
    assert events(match, "turned") == []


def test_py_6_4_in_turn_each_card_turns_before_the_next_player_chooses():
    match = pair_of_green(rotations="in-turn")
    assert match.acting == (1,)
    assert match.refusal(0, "rotate a1").rule == "PY 6.4"
    assert "seat 1 is turning a card" in match.refusal(0, "rotate a1").reason
    match.play(1, "rotate a1")
    assert fleet(match, 1) == {"a1": -19}
    assert match.acting == (2,)
    assert match.refusal(1, "rotate a1").reason.endswith("seat 2 is turning a card.")
    match.play(2, "rotate a1")
    assert match.acting == (0,)
    assert texts(match, 0) == {"rotate a1", "rotate a2"}
    match.play(0, "rotate a2")
    assert [event["seat"] for event in events(match, "turned")] == [1, 2, 0]
    assert match.view(None)["phase"] == "place"
    assert match.acting == (2,)


def test_py_6_4_in_turn_whoever_has_no_card_to_turn_is_passed_over_and_told():
    fleets = {0: {"a1": 17}, 1: {"a1": 1}, 2: {"a1": 20}}
    match = showing(["green"], seats=3, active=1, fleets=fleets, tops=(None, 24), river=[2, 3, 43], rotations="in-turn")
    assert match.acting == (2,)
    assert match.refusal(1, "rotate a1").rule == "PY 6.3"
    assert "You have no accessible green card" in drawn(match, 1)
    match.play(2, "rotate a1")
    assert match.acting == (0,)
    # Whoever has turned a card is not told to have none, nor offered another.
    html = drawn(match, 2)
    assert "You have no accessible" not in html
    assert "can be turned now" not in html.partition('id="own"')[2].partition('id="others"')[0]
    assert "Ana is turning a green card" in html


@pytest.mark.parametrize(("largest_zone", "spaces"), [("cards", ["a1", "a2", "a3"]), ("pyramids", ["a4"])])
def test_py_7_3_the_largest_zone_has_the_most_cards_or_with_the_option_the_most_pyramids(largest_zone, spaces):
    """Three green cards of 1, 1 and 0 Pyramids beside a grey one of 4."""
    match = position(fleets={0: {"a1": 21, "a2": 24, "a3": 30, "a4": 45}}, largest_zone=largest_zone)
    zone = match.view(None)["players"][0]["zone"]
    assert zone["spaces"] == spaces
    assert zone["pyramids"] == (2 if largest_zone == "cards" else 4)
    assert match.view(0)["players"][0]["score"] == 6 + zone["pyramids"] + match.view(0)["players"][0]["aliens"]


def test_py_7_3_with_the_option_cards_decide_between_zones_of_equally_many_pyramids():
    """Two green cards of 1 and 1 Pyramids against a blue one of 2."""
    match = position(fleets={0: {"a1": 1, "a2": 21, "a3": 24}}, largest_zone="pyramids")
    assert match.view(None)["players"][0]["zone"]["spaces"] == ["a2", "a3"]


@pytest.mark.parametrize("options", [{}, {"rotations": "in-turn"}, {"largest_zone": "pyramids", "river_left": 0}])
def test_py_7_5_the_score_at_the_end_is_that_shown_before(options):
    match = GAME.new(2, 5, **options)
    while not match.over:
        finish_turn(match, "right" if match.view(None)["decks"][1]["left"] else "left")
    for seat, player in enumerate(match.view(None)["players"]):
        assert match.outcome.points[seat] == player["score"]


def test_py_4_3_the_refusal_names_one_or_two_empty_spaces():
    both = position(fleets={0: {"a3": 17}})
    refusal = both.refusal(0, "place 1 b1")
    assert (refusal.rule, refusal.reason) == ("PY 4.3", "A card on b1 lies over two cards; a1 and a2 are still empty.")
    one = position(fleets={0: {"a2": 17}})
    assert one.refusal(0, "place 1 b1").reason == "A card on b1 lies over two cards; a1 is still empty."


def test_py_5_1_a_preview_says_where_a_star_card_comes_from():
    river = [13, 1, 2]
    assert "brings a Star card" in drawn(position(river=river), 0)
    taking = drawn(position(river=river, hands={1: [1, 2, 3, 4, 5]}), 0)
    assert "takes a Star card from another player" in taking
    nothing = drawn(position(river=river, hands={0: [1, 2, 3, 4, 5]}), 0)
    assert "brings no Star card: nobody else holds one" in nothing
    assert "brings a Star card" not in taking + nothing


def test_py_6_1_with_one_deck_left_no_choice_is_promised():
    table = position(4, phase="refill", left=(0, 19), filler={0: 7, 1: 7, 2: 7, 3: 6})
    assert "from the only deck left" in drawn(table, 0)
    assert "from either deck" in drawn(position(phase="refill"), 0)
    play(table, "refill right")
