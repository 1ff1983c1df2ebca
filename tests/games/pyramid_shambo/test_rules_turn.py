"""SB 1: pieces, and SB 2: the turn."""

import itertools

import pytest
from tests.games.pyramid_shambo.positions import (
    BEATEN,
    COLOURS,
    GAME,
    events,
    lose,
    payment,
    pieces,
    pips,
    play,
    playing,
    position,
    rules_told,
    texts,
    throws,
    tie,
    win,
)

THROWS = ("rock", "paper", "scissors")


@pytest.mark.parametrize("seats", GAME.seats)
def test_sb_1_1_everybody_begins_with_the_trio_of_their_colour(seats):
    table = GAME.new(seats, seed=3)
    for seat in range(seats):
        assert pieces(table, seat) == " ".join(f"{COLOURS[seat]}{n}" for n in (1, 2, 3))
    assert pips(table) == [6] * seats


def test_sb_1_1_ten_colours_without_an_i():
    players = GAME.new(10).view(None)["players"]
    assert "".join(player["letter"] for player in players) == "ABCDEFGHJK"


def test_sb_1_1_small_medium_and_large_are_one_two_and_three_pips():
    shown = GAME.new(2).view(None)["players"][1]["pieces"]
    assert [(piece["size"], piece["pips"]) for piece in shown] == [("small", 1), ("medium", 2), ("large", 3)]


def test_sb_1_1_a_piece_keeps_its_colour_when_it_changes_hands():
    table = play(win(position(3), 1), "pay b1")
    assert pieces(table, 0) == "a1 a2 a3 b1"
    piece = table.view(None)["players"][0]["pieces"][-1]
    assert (piece["colour"], piece["letter"]) == ("b", "B")


def test_sb_1_1_everything_but_a_throw_is_open():
    table = win(position(4, {0: "a1 a2", 1: "b2", 2: "c1 c2", 3: "*"}), 1)
    views = [table.view(viewer) for viewer in (None, 0, 1, 2, 3)]
    for view in views:
        for player, first in zip(view["players"], views[0]["players"], strict=True):
            assert player["pieces"] == first["pieces"]
        assert view["payment"] == views[0]["payment"]


def test_sb_2_1_chance_draws_who_begins():
    first = {GAME.new(4, seed=seed).acting for seed in range(60)}
    assert first == {(0,), (1,), (2,), (3,)}
    assert rules_told(GAME.new(4), "starts") == {"SB 2.1"}


@pytest.mark.parametrize("active", range(5))
def test_sb_2_1_any_other_player_in_the_game_may_be_challenged(active):
    table = position(5, active=active)
    assert texts(table) == {f"challenge {seat}" for seat in range(5) if seat != active}


def test_sb_2_1_who_is_out_is_not_challenged():
    assert texts(position(5, out=[1, 3])) == {"challenge 2", "challenge 4"}


def test_sb_2_1_turns_go_clockwise():
    table = position(4, active=2)
    order = []
    for _ in range(6):
        seat = table.acting[0]
        order.append(seat)
        throws(play(table, f"challenge {(seat + 1) % 4}"), "rock", "paper")
        while table.view(None)["phase"] != "challenge":
            play(table, str(table.legal(table.acting[0])[0]))
    assert order == [2, 3, 0, 1, 2, 3]


@pytest.mark.parametrize("one", THROWS)
@pytest.mark.parametrize("other", THROWS)
def test_sb_2_2_rock_paper_scissors(one, other):
    table = throws(play(position(3), "challenge 1"), one, other)
    reveal = table.view(None)["reveal"]
    if one == other:
        assert reveal["tie"]
        assert reveal["winner"] is None
        assert table.view(None)["phase"] == "throw"
    else:
        winner = 0 if BEATEN[one] == other else 1
        assert reveal["winner"] == winner
        assert payment(table)["payee"] == winner
        assert payment(table)["payer"] == 1 - winner


@pytest.mark.parametrize("first", [0, 2])
def test_sb_2_2_a_throw_is_hidden_until_both_have_thrown(first):
    table = play(position(4), "challenge 2")
    before = {viewer: (table.view(viewer), table.version(viewer)) for viewer in (None, 0, 1, 2, 3)}
    table.play(first, "throw rock")
    for viewer in (None, 1, 2 - first, 3):
        assert (table.view(viewer), table.version(viewer)) == before[viewer]
    assert table.view(first)["players"][first]["throw"] == "rock"
    assert before[first][0]["players"][first]["throw"] is None
    table.play(2 - first, "throw paper")
    hands = {hand["seat"]: hand["throw"] for hand in table.view(None)["reveal"]["hands"]}
    assert hands == {first: "rock", 2 - first: "paper"}
    assert all(table.view(viewer)["players"][viewer]["throw"] is None for viewer in range(4))


def test_sb_2_2_the_order_of_the_throws_does_not_matter():
    tables = [play(position(3), "challenge 1") for _ in range(2)]
    for table, order in zip(tables, [(0, 1), (1, 0)], strict=True):
        for seat in order:
            table.play(seat, "throw rock" if seat == 0 else "throw paper")
    assert tables[0].redacted(0) == tables[1].redacted(0)


def test_sb_2_2_a_throw_is_made_once():
    table = play(position(3), "challenge 1")
    table.play(0, "throw rock")
    assert table.legal(0) == []
    refused = table.refusal(0, "throw paper")
    assert refused.rule == "SB 2.2"
    assert "thrown" in refused.reason


def test_sb_2_2_only_the_two_throw():
    table = play(position(4), "challenge 2")
    assert table.acting == (0, 2)
    assert [len(table.legal(seat)) for seat in range(4)] == [3, 0, 3, 0]


def test_sb_2_2_ties_are_thrown_again():
    table = tie(play(position(3), "challenge 1"), 3)
    assert table.acting == (0, 1)
    assert table.view(None)["ties"] == 3
    assert rules_told(table, "tied") == {"SB 2.3"}


@pytest.mark.parametrize("limit", [1, 2, 20])
def test_sb_2_2_after_the_tie_limit_the_challenge_is_called_off(limit):
    table = position(3, tie_limit=limit)
    tie(play(table, "challenge 1"), limit - 1)
    assert table.view(None)["phase"] == "throw"
    tie(table)
    assert events(table, "called_off") == [{"seat": 0, "other": 1, "ties": limit}]
    assert rules_told(table, "called_off") == {"SB 2.2"}
    assert pips(table) == [6, 6, 6]
    assert (table.acting, table.view(None)["phase"]) == ((1,), "challenge")


def test_sb_2_2_the_tie_limit_is_twenty_unless_the_table_says_otherwise():
    assert GAME.new(3).options["tie_limit"] == 20
    with pytest.raises(ValueError, match="tie_limit"):
        GAME.new(3, tie_limit=0)


@pytest.mark.parametrize("ties", range(7))
def test_sb_2_3_the_fee_is_one_pip_and_one_per_tie(ties):
    table = win(position(4, {0: "a1", 1: "*", 2: "c1", 3: "d1"}), 1, ties)
    assert payment(table)["fee"] == 1 + ties
    assert events(table, "won")[0]["fee"] == 1 + ties


@pytest.mark.parametrize("ties", range(3))
def test_sb_2_3_with_two_left_the_fee_is_doubled(ties):
    table = win(position(4, {0: "a1", 3: "*"}, out=[1, 2]), 3, ties)
    assert events(table, "won")[0]["fee"] == 2 * (1 + ties)


def test_sb_2_3_two_seats_play_for_double_from_the_start():
    table = GAME.new(2, seed=4)
    view = table.view(None)
    assert view["doubled"]
    assert view["ladder"][:4] == [2, 4, 6, 8]
    win(table, 1 - view["active"])
    assert events(table, "won")[0]["fee"] == 2
    play(table, str(table.legal(table.acting[0])[0]))
    assert sorted(pips(table)) == [4, 8]


def test_sb_2_3_a_new_challenge_begins_at_one_pip_again():
    table = win(position(3, {0: "a1 a2 a3", 1: "b1 b2 c1", 2: "*"}), 1, ties=1)
    play(table, "pay b2")
    win(table, 2)
    assert payment(table)["fee"] == 1


def test_sb_2_4_the_loser_pays_the_winner_and_the_turn_passes():
    table = play(win(position(3), 2), "pay c1")
    assert pips(table) == [7, 6, 5]
    assert table.acting == (1,)


def test_sb_2_4_the_active_player_may_lose():
    table = play(lose(position(3), 2), "pay a1")
    assert pips(table) == [5, 6, 7]
    assert table.acting == (1,)


def test_sb_2_4_the_turn_skips_who_is_out():
    table = play(win(position(5, out=[1, 2]), 3), "pay d1")
    assert table.acting == (3,)


def test_sb_2_4_who_is_knocked_out_on_their_turn_is_followed_by_whoever_would_have_followed():
    table = lose(position(4, {0: "a1", 1: "*", 2: "c1 c2", 3: "d1 d2"}), 3)
    assert playing(table) == [1, 2, 3]
    while table.view(None)["phase"] != "challenge":
        play(table, str(table.legal(table.acting[0])[0]))
    assert table.acting == (1,)


def test_sb_2_4_also_if_the_follower_is_knocked_out_with_them():
    # Seat 1 holds nothing but colour A, which leaves with seat 0.
    table = lose(position(4, {0: "c1", 1: "a1 a2", 2: "*", 3: "d1 d2"}), 3)
    assert playing(table) == [2, 3]
    while table.view(None)["phase"] != "challenge":
        play(table, str(table.legal(table.acting[0])[0]))
    assert table.acting == (2,)


def test_sb_2_2_all_results_are_told_with_both_hands():
    told = set()
    for one, other in itertools.permutations(THROWS, 2):
        table = throws(play(position(3), "challenge 1"), one, other)
        told.add(next(event.text for event in table.events(None, names=["Ana", "Ben", "Cal"]) if event.name == "won"))
    assert told == {
        "Ana wins with rock against Ben's scissors: 1 pip to pay.",
        "Ana wins with paper against Ben's rock: 1 pip to pay.",
        "Ana wins with scissors against Ben's paper: 1 pip to pay.",
        "Ben wins with rock against Ana's scissors: 1 pip to pay.",
        "Ben wins with paper against Ana's rock: 1 pip to pay.",
        "Ben wins with scissors against Ana's paper: 1 pip to pay.",
    }
