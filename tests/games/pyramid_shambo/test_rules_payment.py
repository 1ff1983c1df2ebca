"""SB 3: payment, every way of paying and of making change."""

import pytest
from tests.games.pyramid_shambo.positions import (
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
    win,
)


def test_sb_3_1_the_active_player_decides_after_winning():
    table = win(position(3), 1)
    assert table.acting == (0,)
    assert payment(table)["decider"] == 0


def test_sb_3_1_the_active_player_decides_after_losing():
    table = lose(position(3), 1)
    assert table.acting == (0,)
    assert (payment(table)["decider"], payment(table)["payer"]) == (0, 0)


def test_sb_3_1_the_active_player_decides_the_change_that_the_other_gives():
    table = lose(position(3, {0: "a2 a3", 1: "*", 2: "c1 c2"}), 1)
    play(table, "pay a2")
    assert table.view(None)["phase"] == "change"
    assert table.acting == (0,)
    play(table, "change b1")
    assert pieces(table, 0) == "a3 b1"


def test_sb_3_1_the_active_player_decides_who_trades_and_what():
    table = win(position(4, {0: "a3", 1: "b3 c3", 2: "*", 3: "d1 d2"}), 1)
    assert (table.view(None)["phase"], table.acting) == ("trade", (0,))
    play(table, "trade c3")
    assert table.acting == (0,)
    assert choices(table) == "a1 a2 b1 b2 c1 c2 d1 d2"


def test_sb_3_1_the_winner_takes_over_when_the_active_player_is_knocked_out():
    table = lose(position(4, {0: "a1", 1: "*", 2: "c1 c2", 3: "d1 d2"}), 3)
    assert table.acting == (3,)
    assert payment(table)["decider"] == 3


@pytest.mark.parametrize(("held", "ties"), [("b1", 0), ("b1", 3), ("b2", 1), ("b1 c1", 1), ("b3", 2), ("b1 b2 b3", 5)])
def test_sb_3_2_who_holds_no_more_than_the_fee_pays_everything(held, ties):
    table = win(position(3, {0: "a1", 1: held, 2: "*"}), 1, ties)
    assert 1 not in playing(table)
    assert rules_told(table, "paid") == {"SB 3.2"}
    assert table.view(None)["players"][1]["pieces"] == []


def test_sb_3_2_holding_less_than_the_fee_settles_it_too():
    table = win(position(3, {0: "a1 a2 a3 c1", 1: "c2", 2: "*"}), 1, ties=4)
    # The two pips of c2 are all that seat 0 gets; then B leaves.
    assert events(table, "paid") == [{"seat": 1, "other": 0, "pieces": 1 << 7, "fee": 5}]
    assert pieces(table, 0).startswith("a1 a2 a3 c1 c2")


def test_sb_3_2_one_pip_more_is_not_everything():
    table = win(position(3, {0: "a1", 1: "b1 b2", 2: "*"}), 1, ties=1)
    assert choices(table) == "b2"


def test_sb_3_3_an_exact_payment_is_made_exactly():
    table = win(position(3), 1)
    assert payment(table)["way"] == "exact"
    assert choices(table) == "b1"
    play(table, "pay b1")
    assert rules_told(table, "paid") == {"SB 3.3"}
    assert "Seat 1 pays Seat 0 the small B." in sentences(table)


def test_sb_3_3_any_set_that_makes_the_fee_may_be_chosen_piece_by_piece():
    table = win(position(4, {0: "*", 1: "a1 c1 a2 b3", 2: "c2 c3", 3: "d1 d2"}), 1, ties=2)
    assert choices(table) == "a1 a2 b3 c1"
    assert (payment(table)["fee"], payment(table)["left"]) == (3, 3)
    play(table, "pay a2")
    # Now a small is needed, and either will do.
    assert choices(table) == "a1 c1"
    assert (payment(table)["put"], payment(table)["left"]) == (2, 1)
    assert payment(table)["forward"] == [{"seat": 1, "pieces": ["a2"]}]
    assert pieces(table, 1) == "a1 a2 b3 c1"
    play(table, "pay c1")
    assert pieces(table, 1) == "a1 b3"


@pytest.mark.parametrize(
    ("held", "ties", "first"),
    [
        ("b1 b2", 0, "b1"),
        ("b2 b3", 1, "b2"),
        ("b1 b2 b3 c3", 3, "b1 b3 c3"),
        ("b2 b3 c2", 3, "b2 c2"),
        ("b1 c1 b3", 1, "b1 c1"),
        ("b2 b3 c2 c3", 4, "b2 b3 c2 c3"),
    ],
)
def test_sb_3_3_only_pieces_that_can_be_part_of_it(held, ties, first):
    assert choices(win(position(3, {0: "a1", 1: held, 2: "*"}), 1, ties)) == first


def test_sb_3_3_who_can_pay_exactly_gets_no_change():
    table = win(position(3, {0: "*", 1: "b1 b3", 2: "c3"}), 1)
    assert payment(table)["way"] == "exact"
    assert choices(table) == "b1"


def test_sb_3_3_the_worked_example():
    hold = {0: "c2 c3", 1: "b1 b2 d1", 2: "a1 c1 a2 b3", 3: "*"}
    table = win(position(4, hold, active=1), 2, ties=2)
    sets = set()
    for first in choices(table).split():
        after = play(table.at(table.ply), f"pay {first}")
        if after.view(None)["phase"] != "pay":
            sets.add(frozenset([first]))
            continue
        sets |= {frozenset([first, second]) for second in choices(after).split()}
    assert sets == {frozenset(["b3"]), frozenset(["a2", "a1"]), frozenset(["a2", "c1"])}


def test_sb_3_4_the_winner_gives_change_if_possible():
    table = win(position(3, {0: "*", 1: "b2 b3", 2: "c2"}), 1)
    assert (payment(table)["way"], payment(table)["rule"]) == ("change", "SB 3.4")
    play(table, "pay b2")
    assert table.view(None)["phase"] == "change"
    assert (payment(table)["need"], payment(table)["from"], payment(table)["to"]) == (1, 0, 1)
    assert choices(table) == "a1 b1 c1"
    play(table, "change c1")
    assert pieces(table, 1) == "b3 c1"
    assert pips(table)[1] == 4
    assert rules_told(table, "paid") == rules_told(table, "changed") == {"SB 3.4"}


def test_sb_3_4_change_comes_from_what_the_winner_held_before():
    table = win(position(4, {0: "a3", 1: "b2 c2", 2: "*", 3: "d1"}), 1)
    play(table, "pay b2", "pay c2")
    assert choices(table) == "a3"


def test_sb_3_4_the_worked_example():
    table = win(position(3, {0: "a1 a2", 1: "b2 b3", 2: "*"}), 1)
    assert choices(table) == "b2 b3"
    assert choices(play(table.at(table.ply), "pay b2")) == "a1"
    assert choices(play(table.at(table.ply), "pay b3")) == "a2"


def test_sb_3_4_change_of_two_pips_may_be_two_smalls():
    table = win(position(3, {0: "a1 b1 a2", 1: "b3 c3", 2: "*"}), 1)
    play(table, "pay c3")
    assert choices(table) == "a1 a2 b1"
    play(table, "change a1")
    assert choices(table) == "b1"
    play(table, "change b1")
    assert pieces(table, 1) == "a1 b1 b3"
    assert pieces(table, 0) == "a2 c3"


def test_sb_3_4_nothing_is_handed_over_that_the_payment_could_do_without():
    # 2 and 3 against 1, 1 and 2 would make 1 pip as well; one piece is enough.
    table = win(position(3, {0: "a1 a2 b1", 1: "b2 b3", 2: "*"}), 1)
    for first in ("b2", "b3"):
        assert play(table.at(table.ply), f"pay {first}").view(None)["phase"] == "change"


def test_sb_3_4_two_mediums_for_a_large():
    table = win(position(3, {0: "a3", 1: "b2 c2", 2: "*"}), 1)
    assert payment(table)["way"] == "change"
    play(table, "pay b2")
    assert table.view(None)["phase"] == "pay"
    play(table, "pay c2", "change a3")
    assert (pieces(table, 0), pieces(table, 1)) == ("b2 c2", "a3")


def test_sb_3_4_not_two_mediums_if_one_and_a_small_will_do():
    table = win(position(3, {0: "a1 a3", 1: "b2 c2", 2: "*"}), 1)
    play(table, "pay b2")
    assert choices(table) == "a1"


def test_sb_3_4_a_small_and_a_large_for_a_medium():
    table = win(position(4, {0: "a2", 1: "b1 b3", 2: "*", 3: "d1"}), 1, ties=1)
    assert choices(table) == "b1 b3"
    play(table, "pay b3")
    assert choices(table) == "b1"
    play(table, "pay b1", "change a2")
    assert (pieces(table, 0), pieces(table, 1)) == ("b1 b3", "a2")


def test_sb_3_4_two_larges_for_two_mediums():
    table = win(position(4, {0: "a2 b2", 1: "b3 c3", 2: "*", 3: "d1"}), 1, ties=1)
    play(table, "pay b3", "pay c3")
    assert payment(table)["need"] == 4
    play(table, "change b2", "change a2")
    assert (pieces(table, 0), pieces(table, 1)) == ("b3 c3", "a2 b2")


def test_sb_3_4_the_winner_comes_before_an_uninvolved_player():
    table = win(position(3, {0: "a1", 1: "b3 c3", 2: "*"}), 1, ties=1)
    # Seat 0 can give 1 pip for a large; seat 2 could trade, and is not asked.
    assert payment(table)["way"] == "change"
    play(table, "pay b3", "change a1")
    assert pieces(table, 0) == "b3"


def test_sb_3_5_an_uninvolved_player_trades_so_that_the_fee_is_paid_exactly():
    table = win(position(3, {0: "a3", 1: "b3", 2: "*"}), 1)
    assert (payment(table)["way"], payment(table)["rule"]) == ("trade", "SB 3.5")
    play(table, "trade b3", "for c1")
    assert choices(table) == "a2 b2 c2"
    play(table, "for b2")
    assert table.view(None)["phase"] == "pay"
    assert payment(table)["way"] == "exact"
    assert (pieces(table, 1), choices(table)) == ("b2 c1", "c1")
    play(table, "pay c1")
    assert (pieces(table, 0), pieces(table, 1)) == ("a3 c1", "b2")
    assert rules_told(table, "traded") == {"SB 3.5"}
    assert rules_told(table, "paid") == {"SB 3.3"}
    assert "Seat 2 gives Seat 1 the medium B and small C for the large B." in sentences(table)


def test_sb_3_5_a_medium_goes_for_two_smalls():
    table = win(position(3, {0: "a2", 1: "b2 c2", 2: "*"}), 1)
    assert payment(table)["way"] == "trade"
    play(table, "trade b2")
    assert choices(table) == "a1 b1 c1"
    play(table, "for a1", "for c1")
    assert pieces(table, 1) == "a1 c1 c2"


def test_sb_3_5_a_large_goes_for_a_small_and_a_medium():
    table = win(position(3, {0: "a3", 1: "b3", 2: "*"}), 1)
    play(table, "trade b3")
    assert choices(table) == "a1 a2 b1 b2 c1 c2"
    assert choices(play(table.at(table.ply), "for a1")) == "a2 b2 c2"
    assert choices(play(table.at(table.ply), "for a2")) == "a1 b1 c1"


def test_sb_3_5_a_large_goes_for_three_smalls_with_a_player_who_has_no_medium():
    table = win(position(4, {0: "a3", 1: "b3 c3", 2: "a1 b1 c1 d1", 3: "*"}), 1)
    assert payment(table)["way"] == "trade"
    play(table, "trade b3", "for a1", "for d1")
    assert choices(table) == "b1 c1"
    play(table, "for c1")
    assert pieces(table, 1) == "a1 c1 c3 d1"


# The payer has two larges and owes 4; seat 2 has five mediums, and nobody has a medium and a small.
FIVE_MEDIUMS = {0: "a1 a3", 1: "b3 c3", 2: "a2 b2 c2 d2 e2", 3: "b1 c1 d3", 4: "d1 e1 e3"}


def test_sb_3_5_two_larges_go_for_three_mediums():
    table = win(position(5, FIVE_MEDIUMS), 1, ties=3)
    assert (payment(table)["way"], payment(table)["fee"], events(table, "raised")) == ("trade", 4, [])
    assert choices(table) == "b3 c3"
    play(table, "trade c3")
    assert (table.view(None)["phase"], choices(table)) == ("trade", "b3")
    play(table, "trade b3")
    assert (table.view(None)["phase"], choices(table)) == ("return", "a2 b2 c2 d2 e2")
    play(table, "for a2", "for c2", "for d2")
    assert (pieces(table, 1), pieces(table, 2)) == ("a2 c2 d2", "b2 b3 c3 e2")
    assert "Seat 2 gives Seat 1 the medium A, medium C and medium D for the large B and large C." in sentences(table)
    play(table, "pay a2", "pay d2")
    assert (pieces(table, 0), pieces(table, 1)) == ("a1 a2 a3 d2", "c2")


def test_sb_3_5_a_small_and_a_large_go_for_two_mediums():
    hold = {0: "a3", 1: "b1 b3 c3", 2: "a2 b2 c2 d2 e2", 3: "a1 c1 d3", 4: "d1 e1 e3"}
    table = win(position(5, hold), 1, ties=1)
    assert payment(table)["way"] == "trade"
    # Two larges for three mediums would do as well, and move one piece more.
    play(table, "trade b1")
    assert choices(table) == "b3 c3"
    play(table, "trade c3", "for a2", "for b2")
    assert (pieces(table, 1), choices(table)) == ("a2 b2 b3", "a2 b2")


def test_sb_3_5_the_player_who_trades_gives_as_few_pieces_as_will_do():
    table = win(position(4, {0: "a3 b3", 1: "c3 d3", 2: "a1 b1 c1 a2", 3: "*"}), 1)
    play(table, "trade c3")
    assert choices(table) == "a1 a2 b1 b2 c1 c2 d1 d2"
    assert choices(play(table.at(table.ply), "for a1")) == "a2"
    # Who has no medium gives three smalls, and the player who decides may choose that.
    table = win(position(4, {0: "a3 b3", 1: "c3 d3", 2: "a1 b1 c1", 3: "*"}), 1)
    assert choices(play(table, "trade c3", "for a1")) == "b1 c1"


def test_sb_3_5_two_pieces_of_the_payer_only_if_one_will_not_do_with_anybody():
    table = win(position(5, FIVE_MEDIUMS | {2: "a2 b2 c2 d2", 4: "d1 e1 e2 e3"}), 1, ties=3)
    play(table, "trade c3")
    assert (table.view(None)["phase"], choices(table)) == ("return", "d1 e1 e2")


def test_sb_3_5_version_1_of_the_rules_trades_one_piece_and_not_the_fewest():
    table = win(position(5, FIVE_MEDIUMS, rules_version=1), 1, ties=3)
    assert events(table, "raised") == [{"seat": 1, "fee": 5}]
    table = win(position(3, {0: "a3", 1: "b3", 2: "*"}, rules_version=1), 1)
    assert choices(play(table, "trade b3", "for a1")) == "a2 b1 b2 c1 c2"


def test_sb_3_5_one_player_gives_all_of_it():
    table = win(position(4, {0: "a3", 1: "b3 c3 d3", 2: "*", 3: "d1 d2"}), 1)
    play(table, "trade d3", "for d1")
    assert choices(table) == "d2"
    assert payment(table)["from"] == 3


def test_sb_3_5_who_has_no_smaller_pieces_does_not_trade():
    table = win(position(4, {0: "a3", 1: "b3", 2: "c3 d3 c2 c1", 3: "*"}), 1)
    play(table, "trade b3")
    assert choices(table) == "a1 a2 b1 b2 c1 c2 d1 d2"
    table = win(position(4, {0: "a3", 1: "b3", 2: "c3 d3 c2", 3: "*"}), 1)
    play(table, "trade b3")
    assert "c2" not in choices(table)


def test_sb_3_5_nobody_trades_a_piece_for_one_of_the_same_size():
    table = win(position(3, {0: "a3", 1: "b3", 2: "*"}), 1)
    play(table, "trade b3")
    assert "c3" not in choices(table)


def test_sb_3_5_the_worked_example():
    table = win(position(3, {0: "a3 c3", 1: "b3", 2: "*"}), 1)
    play(table, "trade b3", "for a1", "for a2")
    assert choices(table) == "a1"


# Nobody helps a payer of larges who owes 1 pip when the winner has larges only, others have two smalls each, and the
# mediums are where there is no small.
STUCK_6 = {0: "a3 c3", 1: "b3 d3 e3", 2: "a1 b1", 3: "c1 d1", 4: "e1 f1", 5: "*"}


def test_sb_3_6_if_nobody_can_help_the_fee_is_raised_until_it_can_be_paid():
    table = win(position(6, STUCK_6), 1)
    assert events(table, "won")[0]["fee"] == 1
    assert events(table, "raised") == [{"seat": 1, "fee": 2}]
    assert rules_told(table, "raised") == {"SB 3.6"}
    assert (payment(table)["fee"], payment(table)["raised"], payment(table)["way"]) == (2, True, "trade")
    assert "No single player can make that change; Seat 1 pays 2 pips." in sentences(table)
    play(table, "trade b3", "trade d3", "for a2", "for b2", "for c2", "pay b2")
    assert pieces(table, 1) == "a2 c2 e3"


def test_sb_3_6_no_further_than_needed():
    hold = {0: "a3 c3 e1", 1: "b3 d3", 2: "a1 b1", 3: "c1 d1", 4: "*"}
    # Two pips can be paid, with the winner's one small as change.
    table = win(position(5, hold), 1)
    assert events(table, "raised") == [{"seat": 1, "fee": 2}]
    assert payment(table)["way"] == "change"
    # With a single large nothing but all of it can be paid.
    table = win(position(6, STUCK_6 | {0: "a3 c3 d3 e3", 1: "b3"}), 1)
    assert events(table, "raised") == [{"seat": 1, "fee": 3}]


def test_sb_3_6_a_raised_fee_may_be_all_that_the_payer_holds():
    table = win(position(6, STUCK_6 | {0: "a3 c3 d3 e3", 1: "b3"}), 1)
    assert events(table, "raised") == [{"seat": 1, "fee": 3}]
    assert rules_told(table, "paid") == {"SB 3.2"}
    assert 1 not in playing(table)


@pytest.mark.parametrize("change", [{4: "e1 f1 a2", 5: "*"}, {4: "e1 f1 d1", 3: "c1"}, {0: "a3 c3 c1 d1", 3: "d3"}])
def test_sb_3_6_is_the_last_resort(change):
    hold = STUCK_6 | change
    if 3 in change and change[3] == "d3":
        hold[1] = "b3 e3"
    assert events(win(position(6, hold), 1), "raised") == []
