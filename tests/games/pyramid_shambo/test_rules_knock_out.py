"""SB 4: knock-outs, and SB 5: the end."""

import random

import pytest
from tests.games.pyramid_shambo.positions import (
    GAME,
    choices,
    events,
    lose,
    payment,
    pieces,
    pips,
    play,
    playing,
    position,
    rules_told,
    sentences,
    throws,
    win,
)

from pyramidion.engine.layout import record


def first_choices(table):
    """Play the first legal action until the turn has passed, or the game is over."""
    while not table.over and table.view(None)["phase"] not in ("challenge", "throw"):
        play(table, str(table.legal(table.acting[0])[0]))
    return table


def test_sb_4_1_who_holds_nothing_is_out_and_the_colour_leaves():
    table = win(position(4, {0: "a1 a2 c3", 1: "d1", 2: "b3 a3 d3", 3: "*"}), 1)
    assert playing(table) == [0, 2, 3]
    assert events(table, "out") == [{"seat": 1}]
    assert rules_told(table, "out") == {"SB 4.1"}
    left = " ".join(pieces(table, seat) for seat in range(4))
    assert not {"b1", "b2", "b3"} & set(left.split())
    assert pieces(table, 0) == "a1 a2 c3 d1"
    assert pieces(table, 2) == "a3 d3"
    assert "Seat 1 is out, and the B pieces leave the game." in sentences(table)


def test_sb_4_1_nobody_gets_anything_for_them():
    table = win(position(3, {0: "a1 b1 b2", 1: "b3", 2: "*"}), 1, ties=2)
    assert pips(table)[0] == 1
    assert sum(pips(table)) == 12


def test_sb_4_1_who_still_holds_a_piece_is_in():
    table = play(win(position(3, {0: "*", 1: "b1 b2", 2: "c1"}), 1), "pay b1")
    assert playing(table) == [0, 1, 2]


def test_sb_4_1_the_own_colour_in_other_hands_does_not_save_anybody():
    table = win(position(3, {0: "b1 b2 b3", 1: "a1", 2: "*"}), 1)
    assert playing(table) == [0, 2]


def test_sb_4_1_who_is_out_is_asked_nothing_any_more():
    table = first_choices(win(position(3, {0: "a1 a2 a3", 1: "c1", 2: "*"}), 1))
    assert table.refusal(1, "challenge 0").rule == "SB 4.1"


def test_sb_4_2_everybody_else_pays_the_winner_a_pip_clockwise_from_the_winners_left():
    hold = {0: "a1 a2", 1: "b1 b2", 2: "c1 c2", 3: "d1", 4: "e1 e2", 5: "*"}
    table = win(position(6, hold, active=2), 3)
    order = []
    while table.view(None)["phase"] != "challenge":
        shown = payment(table)
        assert (shown["bonus"], shown["fee"], shown["payee"]) == (True, 1, 2)
        order.append(shown["payer"])
        play(table, str(table.legal(table.acting[0])[0]))
    assert order == [4, 5, 0, 1]
    assert rules_told(table, "bonus") == {"SB 4.2"}
    assert pips(table)[2] == 3 + 4


def test_sb_4_2_the_winner_decides_everything_in_it():
    hold = {0: "a1", 1: "*", 2: "c1 b1", 3: "d1 d2 b2"}
    table = lose(position(4, hold), 3)
    # Seat 3 has knocked the active player out, and decides what seat 1 pays, clockwise from its own left.
    assert table.acting == (3,)
    assert payment(table)["payer"] == 1
    table = lose(position(4, {0: "a1", 1: "b2 b3", 2: "*", 3: "d1 d2 c1"}), 3)
    play(table, "pay b3")
    assert (table.view(None)["phase"], table.acting) == ("change", (3,))


def test_sb_4_2_change_is_made_as_in_any_payment():
    table = win(position(4, {0: "a1 a2", 1: "b1", 2: "c2 c3", 3: "*"}), 1)
    assert (payment(table)["payer"], payment(table)["way"]) == (2, "change")
    play(table, "pay c2", "change a1")
    assert pieces(table, 2) == "a1 c3"


def test_sb_4_2_a_third_player_trades_if_the_winner_has_no_change():
    table = win(position(4, {0: "a3", 1: "b3", 2: "c3 d3", 3: "*"}), 1, ties=2)
    assert (payment(table)["payer"], payment(table)["way"]) == (2, "trade")
    play(table, "trade d3", "for d1", "for d2", "pay d1")
    assert pieces(table, 2) == "c3 d2"


def test_sb_4_2_the_bonus_is_not_doubled():
    # Two are left after the knock-out; the one who is left pays a single pip.
    table = win(position(3, {0: "a1 a2 a3 b2", 1: "c1", 2: "*"}), 1)
    assert payment(table)["fee"] == 1
    assert table.view(None)["doubled"]


def test_sb_4_2_as_an_option_the_bonus_is_doubled_when_two_are_left():
    table = win(position(3, {0: "a1 a2 a3 b2", 1: "c1", 2: "*"}, double_bonus=True), 1)
    assert (payment(table)["fee"], payment(table)["raised"]) == (2, False)
    table = win(position(4, {0: "a1 a2 a3 b2", 1: "c1", 2: "c2 b3", 3: "*"}, double_bonus=True), 1)
    assert payment(table)["fee"] == 1


def test_sb_4_2_no_bonus_without_a_knock_out():
    table = play(win(position(3), 1), "pay b1")
    assert events(table, "bonus") == []


def test_sb_4_2_no_bonus_in_a_game_for_two():
    table = win(position(2, {0: "*", 1: "b2"}), 1)
    assert table.over
    assert events(table, "bonus") == []


def test_sb_4_2_a_winner_who_is_out_gets_no_bonus():
    # Seat 0 holds colour B only, and gets the last B from seat 1.
    table = win(position(4, {0: "b1 b2", 1: "b3", 2: "*", 3: "d1 d2"}), 1, ties=2)
    assert playing(table) == [2, 3]
    assert events(table, "bonus") == []
    assert table.acting == (2,)


def test_sb_4_2_a_winner_who_goes_out_gets_no_further_bonus():
    # Seat 2 pays its last pip, a1, and is out; its colour C is all that seat 0 holds beside what leaves with seat 1.
    hold = {0: "b1 c1 c2", 1: "b2", 2: "c3", 3: "*", 4: "e1 e2"}
    table = win(position(5, hold, active=0), 1, ties=1)
    assert payment(table)["payer"] == 2
    assert payment(table)["way"] == "change"
    hold = {0: "b1 c1 c2", 1: "b2", 2: "c3 d1", 3: "*", 4: "e1 e2"}
    table = win(position(5, hold), 1, ties=1)
    play(table, "pay d1")
    assert pieces(table, 0) == "c1 c2 d1"
    table = win(position(5, {0: "b1 c1", 1: "b2", 2: "c2", 3: "*", 4: "e1 c3"}), 1, ties=1)
    # c2 for c1 in change, and seat 2 lives; here it holds one pip, and pays everything.
    assert payment(table)["way"] == "change"
    table = win(position(5, {0: "b1 c2 c3", 1: "b2", 2: "c1", 3: "*", 4: "e1 e2"}), 1, ties=1)
    assert playing(table) == [3, 4]
    assert [event["seat"] for event in events(table, "out")] == [1, 2, 0]
    assert [event["seat"] for event in events(table, "bonus")] == [2]


def test_sb_4_3_as_an_option_nobody_pays_a_bonus_after_a_cascade():
    hold = {0: "a1 a2 a3", 1: "c1", 2: "b1 b3", 3: "*"}
    assert payment(win(position(4, hold), 1))["payer"] == 3
    table = win(position(4, hold, cascade_ends_bonuses=True), 1)
    assert playing(table) == [0, 3]
    assert events(table, "bonus") == []
    assert table.view(None)["phase"] == "challenge"
    # Seat 2 pays its last pip as a bonus and is out: seats 3 and 4, who come after it, pay nothing.
    hold = {0: "a1 a2 a3", 1: "b1", 2: "c1", 3: "d1 d2 c2", 4: "*"}
    assert payment(win(position(5, hold), 1))["payer"] == 3
    table = win(position(5, hold, cascade_ends_bonuses=True), 1)
    assert [event["seat"] for event in events(table, "bonus")] == [2]
    assert table.view(None)["phase"] == "challenge"
    # Without a cascade everybody pays.
    table = win(position(3, {0: "a1 a2 a3 b2", 1: "c1", 2: "*"}, cascade_ends_bonuses=True), 1)
    assert payment(table)["bonus"]


def test_sb_4_3_who_is_left_without_pieces_by_a_colour_is_out_too():
    table = win(position(4, {0: "a1 a2 a3", 1: "c1", 2: "b1 b3", 3: "*"}), 1)
    assert playing(table) == [0, 3]
    assert [event["seat"] for event in events(table, "out")] == [1, 2]
    assert rules_told(table, "out") == {"SB 4.1", "SB 4.3"}


def test_sb_4_3_no_bonus_is_paid_for_that():
    table = first_choices(win(position(4, {0: "a1 a2 a3", 1: "c1", 2: "b1 b3", 3: "*"}), 1))
    # One bonus, by the only other player: seat 3.
    assert [event["seat"] for event in events(table, "bonus")] == [3]


def test_sb_4_3_it_goes_on_until_nobody_is_left_without_pieces():
    hold = {0: "a1 a2 a3", 1: "e2", 2: "b1", 3: "c1 c2", 4: "d1 d2 d3", 5: "*"}
    table = win(position(6, hold), 1, ties=1)
    # B leaves: seat 2 is out; C leaves: seat 3; D leaves: seat 4; E leaves, and seat 5 has F and more.
    assert [event["seat"] for event in events(table, "out")] == [1, 2, 3, 4]
    assert playing(table) == [0, 5]


def test_sb_4_3_who_pays_a_bonus_with_the_last_pip_is_out():
    table = win(position(4, {0: "a1 a2 a3", 1: "b1", 2: "d1", 3: "*"}), 1)
    assert playing(table) == [0, 3]
    assert [event["seat"] for event in events(table, "bonus")] == [2]
    assert "Seat 2 pays Seat 0 the small D as a knock-out bonus." in sentences(table)
    # Only seat 3 is left to pay: nobody pays a bonus for seat 2.
    assert payment(table)["payer"] == 3


def test_sb_4_3_who_is_out_before_their_bonus_pays_none():
    # Seat 2 pays its last pip; C leaves, which is all that seat 3 holds.
    table = win(position(5, {0: "a1 a2 a3", 1: "b1", 2: "d1", 3: "c1 c2", 4: "*"}), 1)
    assert playing(table) == [0, 4]
    assert [event["seat"] for event in events(table, "out")] == [1, 2, 3]
    assert payment(table)["payer"] == 4


def test_sb_4_3_everybody_in_the_game_holds_a_piece_when_the_next_bonus_is_paid():
    table = win(position(5, {0: "a1 a2 a3", 1: "b1", 2: "d1", 3: "c1 c2", 4: "*"}), 1)
    assert all(player["pieces"] for player in table.view(None)["players"] if player["playing"])


def test_sb_5_1_the_last_player_in_the_game_wins():
    table = win(position(2, {0: "*", 1: "b1"}), 1)
    assert table.over
    assert (table.outcome.winners, table.outcome.rule, table.outcome.payoffs) == ((0,), "SB 5.1", (1.0, 0.0))
    assert table.outcome.points == (6, 0)


def test_sb_5_1_a_cascade_may_end_the_game():
    table = win(position(4, {0: "a1 a2 a3 b1", 1: "c1", 2: "b2 d1", 3: "*"}), 1)
    assert not table.over
    table = win(position(3, {0: "*", 1: "c1", 2: "b1"}), 1)
    assert table.over
    assert table.outcome.winners == (0,)
    assert events(table, "bonus") == []


def test_sb_5_1_the_winner_of_the_last_challenge_need_not_win_the_game():
    # Seat 0 holds B alone: it goes with seat 1, and seat 2 is the last.
    table = win(position(3, {0: "b1 b2", 1: "b3", 2: "*"}), 1, ties=2)
    assert table.over
    assert (table.outcome.winners, table.outcome.payoffs) == ((2,), (0.0, 0.0, 1.0))


@pytest.mark.parametrize("seats", [2, 3, 6, 10])
def test_sb_5_1_somebody_is_always_left(seats):
    for seed in range(20):
        table = random_game(GAME.new(seats, seed=seed), seed)
        assert len(table.outcome.winners) == 1
        assert table.outcome.points[table.outcome.winners[0]] == 6


def random_game(table, seed, other=None):
    """Play at random to the end; `other` plays along."""
    chance = random.Random(seed)
    while not table.over:
        seat = chance.choice(table.acting)
        action = int(chance.choice(table.legal_ids(seat)))
        for each in (table, other):
            if each is not None:
                each.play(seat, action)
    return table


@pytest.mark.parametrize("limit", [1, 4])
def test_sb_5_2_after_the_turn_limit_the_most_pips_win(limit):
    table = position(4, {0: "a1", 1: "b1 b2 b3", 2: "*", 3: "d1"}, challenges=limit - 1, turn_limit=limit)
    play(win(table, 1), "pay b1")
    assert table.over
    assert (table.outcome.rule, table.outcome.winners) == ("SB 5.2", (2,))
    assert table.outcome.points == (2, 5, 16, 1)


def test_sb_5_2_equally_many_pips_share_the_win():
    hold = {0: "a1 a3 c1", 1: "b1 b2 b3 a2", 2: "*", 3: "d1 d2"}
    table = play(win(position(4, hold, turn_limit=4), 1), "pay b1")
    assert table.outcome.points == (6, 7, 8, 3)
    hold = {0: "a1 a3 c1 d1", 1: "b1 b2 b3 a2", 2: "*", 3: "d2 d3"}
    table = play(win(position(4, hold, turn_limit=4), 1), "pay b1")
    assert table.outcome.points == (7, 7, 5, 5)
    assert table.outcome.winners == (0, 1)
    assert table.outcome.payoffs == (0.5, 0.5, 0.0, 0.0)


def test_sb_5_2_called_off_challenges_count():
    table = position(3, turn_limit=4, tie_limit=1)
    throws(play(table, "challenge 2"), "rock", "rock")
    assert table.over
    assert (table.outcome.winners, table.outcome.payoffs) == ((0, 1, 2), (1 / 3, 1 / 3, 1 / 3))


def test_sb_5_2_the_last_payment_is_made_and_its_bonuses():
    table = win(position(4, {0: "a1 a2", 1: "b1", 2: "c1 c2 c3", 3: "*"}, turn_limit=4), 1)
    assert not table.over
    assert first_choices(table).over
    assert len(events(table, "bonus")) == 2
    assert table.outcome.rule == "SB 5.2"


@pytest.mark.parametrize("call", ["1-2-3", "1-2-3-go"])
def test_sb_5_3_the_call_changes_only_what_people_see(call):
    table, other = GAME.new(4, seed=9, call=call), GAME.new(4, seed=9)
    assert table.view(None)["call"] == call
    random_game(table, 5, other)
    assert table.state_copy().tobytes() == other.state_copy().tobytes()
    assert record(table.box).call == ("1-2-3", "1-2-3-go").index(call)


def test_self_elimination_in_the_showdown_ends_the_game():
    table = lose(position(2, {0: "a2", 1: "*"}), 1)
    assert table.over
    assert table.outcome.winners == (1,)


def test_choices_are_never_empty_when_a_bonus_is_due():
    table = win(position(3, {0: "a1 a2 a3", 1: "b1", 2: "*"}), 1)
    assert choices(table)
