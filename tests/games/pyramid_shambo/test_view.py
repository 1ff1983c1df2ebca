"""What is shown, why an action is refused, and how it reads."""

import json
import random

import pytest
from tests.games.drawing import drawn
from tests.games.pyramid_shambo.positions import GAME, lose, payment, play, position, sentences, texts, throws, tie, win

from pyramidion import EVERYTHING


def refused(table, seat, text):
    refusal = table.refusal(seat, text)
    return refusal.rule, refusal.reason


def test_the_escalation_meter_shows_what_each_round_would_be_worth():
    table = play(position(4), "challenge 1")
    view = table.view(None)
    assert (view["worth"], view["ladder"]) == (1, [1, 2, 3, 4, 5, 6])
    tie(table, 4)
    view = table.view(None)
    assert (view["ties"], view["worth"], view["ladder"]) == (4, 5, [3, 4, 5, 6, 7, 8])


def test_the_reveal_belongs_to_this_challenge_or_to_an_earlier_one():
    table = position(3)
    assert table.view(None)["reveal"] is None
    play(table, "challenge 1")
    assert table.view(None)["reveal"] is None
    throws(table, "rock", "rock")
    assert table.view(None)["reveal"]["current"]
    throws(table, "rock", "scissors")
    assert table.view(None)["reveal"]["current"]
    play(table, "pay b2")
    assert not table.view(None)["reveal"]["current"]
    assert table.view(None)["reveal"]["winner"] == 0


def test_throws_are_counted_for_everybody_to_see():
    table = throws(tie(play(position(3), "challenge 1"), 2), "rock", "scissors")
    assert table.view(2)["players"][0]["throws"] == {"rock": 1, "paper": 2, "scissors": 0}
    assert table.view(2)["players"][1]["throws"] == {"rock": 0, "paper": 2, "scissors": 1}


def test_what_a_good_player_would_work_out_is_shown():
    table = position(4, {0: "a1 b1 b3", 1: "b2", 2: "c1", 3: "*"})
    players = table.view(0)["players"]
    assert [player["ties_to_fall"] for player in players] == [4, 1, 0, 15]
    assert [player["you_would_lose"] for player in players] == [None, 4, 0, 0]
    assert [player["you_would_lose"] for player in table.view(None)["players"]] == [None] * 4
    assert players[1]["trio"] == [0, 1, 0]


def test_in_the_showdown_every_tie_counts_twice():
    players = position(3, {0: "a1 a2 a3 c1", 2: "*"}, out=[1]).view(2)["players"]
    assert [player["ties_to_fall"] for player in players] == [3, None, 2]


def test_a_payment_says_what_is_still_to_be_paid():
    table = win(position(3, {0: "a1", 1: "b1 b2 b3", 2: "*"}), 1, ties=2)
    shown = payment(table)
    assert (shown["payer"], shown["payee"], shown["fee"], shown["put"], shown["left"]) == (1, 0, 3, 0, 3)
    play(table, "pay b1")
    shown = payment(table)
    assert (shown["put"], shown["left"], shown["forward"]) == (1, 2, [{"seat": 1, "pieces": ["b1"]}])
    piece = table.view(None)["players"][1]["pieces"][0]
    assert piece == {"piece": "b1", "colour": "b", "letter": "B", "size": "small", "pips": 1, "forward": True}


def test_a_trade_says_what_is_wanted_from_whom():
    table = play(win(position(3, {0: "a3", 1: "b3", 2: "*"}), 1), "trade b3")
    shown = payment(table)
    assert (shown["stage"], shown["from"], shown["to"], shown["need"]) == ("return", None, 1, 3)
    assert shown["forward"] == [{"seat": 1, "pieces": ["b3"]}]


def test_a_finished_game_lists_who_went_out_when():
    table = GAME.new(4, seed=2)
    chance = random.Random(2)
    while not table.over:
        seat = chance.choice(table.acting)
        table.play(seat, int(chance.choice(table.legal_ids(seat))))
    rows = table.view(None)["outcome"]["table"]
    outs = [row["out_at"] for row in rows]
    assert outs[0] is None
    assert outs[1:] == sorted(outs[1:], reverse=True)
    assert table.view(EVERYTHING)["outcome"] == table.view(None)["outcome"]
    assert json.dumps(table.view(0))


@pytest.mark.parametrize(
    ("seat", "text", "rule", "says"),
    [
        (1, "challenge 0", "SB 2.1", "seat 0 is choosing whom to challenge"),
        (0, "challenge 0", "SB 2.1", "cannot challenge yourself"),
        (0, "challenge 7", "SB 2.1", "no seat 7"),
        (0, "challenge 2", "SB 2.1", "is out of the game"),
        (0, "throw rock", "SB 2.1", "challenge somebody"),
        (2, "challenge 0", "SB 4.1", "You are out"),
    ],
)
def test_a_challenge_is_refused_with_its_reason(seat, text, rule, says):
    got = refused(position(4, out=[2]), seat, text)
    assert got[0] == rule
    assert says in got[1]


def test_a_throw_is_refused_with_its_reason():
    table = play(position(4), "challenge 1")
    assert refused(table, 2, "throw rock") == ("SB 2.2", "It is not your throw: seats 0 and 1 are throwing.")
    assert refused(table, 0, "challenge 2")[0] == "SB 2.2"


@pytest.mark.parametrize(
    ("text", "rule", "says"),
    [
        ("pay b2", "SB 3.3", "cannot be paid exactly"),
        ("pay a1", "SB 3.3", "does not belong to seat 1"),
        ("pay d1", "SB 4.1", "not in the game"),
        ("change a1", "SB 3", "choose a piece to pay with"),
        ("pay k3", "SB 4.1", "not in the game"),
    ],
)
def test_a_piece_is_refused_with_its_reason(text, rule, says):
    got = refused(win(position(4, out=[3]), 1), 0, text)
    assert got[0] == rule
    assert says in got[1]


def test_a_piece_put_forward_is_refused():
    table = play(win(position(3), 1, ties=2), "pay b1")
    assert "is already chosen" in refused(table, 0, "pay b1")[1]


def test_pieces_of_change_and_trade_are_refused_with_their_reasons():
    table = win(position(3, {0: "a1 a3", 1: "b2 c2", 2: "*"}), 1)
    play(table, "pay b2")
    assert "cannot be given exactly" in refused(table, 0, "change a3")[1]
    table = win(position(3, {0: "a3", 1: "b3", 2: "*"}), 1)
    assert "does not belong to" in refused(table, 0, "trade a3")[1]
    play(table, "trade b3")
    assert "another player trades" in refused(table, 0, "for a3")[1]
    assert refused(table, 0, "for c3") == (
        "SB 3.5",
        "With the large C, seat 2 would give more pieces than needed for 3 pips.",
    )


def test_a_piece_nobody_can_trade_for_is_refused():
    hold = {0: "a3 c3", 1: "b2 b3 d3", 2: "a1 b1", 3: "c1 d1", 4: "e1 f1", 5: "*"}
    table = win(position(6, hold), 1)
    assert texts(table) == {"trade b2"}
    assert refused(table, 0, "trade b3") == (
        "SB 3.5",
        "A trade uses as few pieces as possible; with the large B it would take more.",
    )


def test_a_piece_for_which_no_change_is_right_is_refused():
    table = win(position(3, {0: "a1", 1: "b2 b3", 2: "*"}), 1)
    rule, reason = refused(table, 0, "pay b3")
    assert rule == "SB 3.4"
    assert "the change could not be made" in reason


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("challenge 2", "Challenge Cal"),
        ("throw scissors", "Throw scissors"),
        ("pay b2", "Pay with the medium B"),
        ("change a1", "Hand back the small A"),
        ("trade k3", "Trade the large K"),
        ("for h1", "Give the small H for it"),
    ],
)
def test_actions_have_labels(text, label):
    action = GAME.actions.parse(text)
    assert GAME.view.label(action, GAME.names(["Ana", "Ben", "Cal"])) == label


def test_paths_are_the_pieces_one_clicks():
    assert [GAME.actions.parse(text).path for text in ("challenge 2", "throw rock", "pay b2", "for a1")] == [
        ("seat:2",),
        ("throw:rock",),
        ("piece:b2",),
        ("piece:a1",),
    ]


def test_an_absent_seat_throws_what_nobody_can_foresee():
    counts = {"throw rock": 0, "throw paper": 0, "throw scissors": 0}
    for seed in range(300):
        table = play(position(3, seed=seed), "challenge 1")
        counts[str(table.timeout(0))] += 1
    assert all(70 < n < 130 for n in counts.values())
    table = play(position(3, seed=5), "challenge 1")
    assert table.timeout(0) == table.timeout(0)


def test_a_game_of_the_absent_loses_nothing():
    table = lose(position(3), 1)
    assert str(table.timeout(0)) == "pay a1"


def test_one_tie_is_called_so():
    table = throws(play(position(3, tie_limit=1), "challenge 1"), "rock", "rock")
    assert "Seat 0 and Seat 1 have tied 1 time; the challenge is called off." in sentences(table)


def test_the_last_tie_is_worth_nothing_and_the_preview_says_so():
    table = throws(play(position(3, tie_limit=2), "challenge 1"), "rock", "rock")
    assert "Tie: the challenge is called off, and nobody pays." in drawn(table, 0)
    throws(table, "paper", "paper")
    assert "Seat 0 and Seat 1 both throw paper." in sentences(table)
    table = throws(play(position(3, tie_limit=3), "challenge 1"), "rock", "rock")
    assert "Tie: the next throw is for <b>3 pips</b>." in drawn(table, 0)
