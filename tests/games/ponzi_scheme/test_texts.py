"""What the board tells of Ponzi Scheme is true at the edges too: an empty deck, too little cash, a crash."""

from tests.games.drawing import drawn
from tests.games.ponzi_scheme.positions import play, position


def test_pz_6_3_a_preview_says_what_is_drawn_after_a_removal():
    table = position(3, phase="marker", market=[9, *range(18, 26)], deck=[40], rest=2)
    assert drawn(table, 0).count("then one card is drawn.") == 9
    empty = drawn(position(3, phase="marker", market=[9, *range(18, 26)], deck=[], rest=2), 0)
    assert "then one card is drawn" not in empty
    assert empty.count("leaves the game; bears left: 0 of 3. There is no card to draw.") == 1
    assert empty.count("becomes the whole deck and comes straight back; bears left: 0 of 3.") == 8


def test_pz_6_3_a_bear_that_comes_straight_back_is_counted():
    html = drawn(position(3, phase="marker", market=[18, 19, 63], deck=[], rest=2), 0)
    assert "comes straight back; bears left: 1 of 3." in html
    assert "bears left: 0 of 3" not in html


def test_pz_8_1_once_the_market_has_crashed_the_payment_to_come_is_that_of_two_spaces():
    wheels = {1: {80: 2}}
    table = position(3, phase="marker", start=1, market=[18, *range(63, 71)], wheels=wheels, tiles={1: {"media": 1}})
    before = drawn(table, 1)
    assert "If the market crashes this round, $144 are due" in before
    play(table, "remove 18")
    assert table.view(None)["phase"] == "crash"
    html = drawn(table, 1)
    assert "Your next payment is $144 and you have $0: you would be bankrupt this round" in html
    assert "If the market crashes this round" not in html
    assert "<b>$144</b> due next" in drawn(table, 0)


def test_pz_11_1_only_luxuries_that_can_be_paid_are_previewed_and_points_are_counted_in_words():
    table = position(3, phase="trading", cash={0: 60}, advanced=True)
    assert drawn(table, 0).count('data-preview="luxury:') == 2
    play(table, "buy 30")
    assert table.events(None)[-1].text.endswith("bought the luxury for $30, worth 1 point.")
    table = play(position(3, phase="trading", cash={0: 60}, advanced=True), "buy 56")
    assert table.events(None)[-1].text.endswith("bought the luxury for $56, worth 2 points.")


def test_pz_5_4_who_cannot_counter_is_shown_no_counter():
    tiles = {0: {"media": 1}, 1: {"media": 1}}
    for cash, counters in ((19, 0), (20, 1)):
        table = position(3, phase="trading", cash={0: 30, 1: cash}, tiles=tiles)
        html = drawn(play(table, "offer 1 media", "amount 20"), 1)
        assert html.count('data-preview="counter"') == counters
        assert html.count('data-preview="sell"') == 1
