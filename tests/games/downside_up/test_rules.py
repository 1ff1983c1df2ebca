"""Downside Up: a test for each number of the rules page, and its worked examples."""

import random

import pytest
from tests.games.downside_up.helpers.rules import LEFT, end_of_game
from tests.games.downside_up.positions import (
    GAME,
    claimed,
    events_named,
    fight,
    places,
    position,
    rules_told,
    state,
    submit,
    texts,
    why,
)
from tests.games.pyramid_of_ten.worlds import differing_viewers

from pyramidion import EVERYTHING, IllegalAction
from pyramidion.engine.layout import record

# DU 1: board and holdings


def test_du_1_1_the_board_and_what_everybody_begins_with():
    table = GAME.new(10, 5)
    assert state(table).tickets.tolist() == [5] * 10
    assert state(table).garnets.tolist() == [10] * 10
    assert sorted(state(table).priority) == list(range(1, 11))
    assert len({tuple(state(GAME.new(10, seed)).priority) for seed in range(20)}) > 15
    view = submit(GAME.new(10, 3)).view(None)
    assert view["layers"] == [["A", "B", "C", "D"], ["E", "F", "G"], ["H", "I"], ["J"]]
    assert sorted(space["seat"] for space in view["spaces"]) == list(range(10))
    garnets, priority = (0, 100, 3, 4, 5, 6, 7, 8, 9, 10), (-1000, 1000, 5, 6, 7, 8, 9, 10, 11, 12)
    given = state(GAME.new(10, 5, garnets=garnets, priority=priority))
    assert given.garnets.tolist() == list(garnets)
    assert given.priority.tolist() == list(priority)
    for wrong in ({"garnets": [5] * 9}, {"garnets": [101] * 10}, {"priority": [1] * 10}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            GAME.new(10, 1, **wrong)
    with pytest.raises(ValueError, match="10 different whole numbers from -1000 to 1000"):
        GAME.new(10, 1, priority=(1, 1, 2, 3, 4, 5, 6, 7, 8, 9))


def test_du_1_2_two_garnets_become_a_ticket_at_any_time():
    table = claimed(LEFT, garnets={3: 5})
    assert 3 not in table.view(None)["asked"]
    assert texts(table, 3) == {"trade"}
    for left in (3, 1):
        table.play(3, "trade")
        assert state(table).garnets[3] == left
    assert state(table).tickets[3] == 8  # 5, one claimed, two traded
    assert why(table, 3, "trade") == ("DU 1.2", "A ticket costs 2 garnets; you have 1 garnet.")
    assert not events_named(table, "traded")
    # A saved bid keeps its garnets.
    table = position("bid", garnets={0: 9})
    table.play(0, "bid 8")
    assert why(table, 0, "trade") == ("DU 1.2", "Your bid of 8 uses these garnets; lower it first.")
    table.play(0, "bid 7")
    table.play(0, "trade")
    assert "trade" not in texts(table, 0)
    assert "bid 8" not in texts(table, 0)


def test_du_1_3_holdings_and_submissions_are_private_priority_is_public():
    table = claimed(LEFT)
    before = [table.redacted(viewer) for viewer in (None, *range(9))]
    for text in ("attack 3", "trade", "attack 6", "confirm", "reopen", "attack 1", "confirm"):
        table.play(9, text)
    assert [table.redacted(viewer) for viewer in (None, *range(9))] == before
    assert [(p["part"], p["saved"]) for p in table.view(9)["you"]["parts"]] == [("attack", 1)]
    for player in table.view(9)["players"]:
        assert player["priority"] == 10 - player["seat"]
        assert (player["tickets"] is None) == (player["garnets"] is None) == (player["seat"] != 9)
    over = end_of_game([5] * 10)
    assert all(player["tickets"] is not None for player in over.view(None)["players"])
    assert len(events_named(over, "used", EVERYTHING)) == 9
    assert len(events_named(over, "used", 0)) == 1


def test_du_1_3_nobody_can_tell_a_hidden_priority():
    for shown in (False, True):
        pair = [position("claim", priority=[n, *range(9, 0, -1)], open_priority=shown) for n in (10, 100)]
        assert differing_viewers(*pair, holder=0) == (set() if not shown else {None, *range(1, 10)})
    hidden = position("claim", open_priority=False)
    assert [p["priority"] for p in hidden.view(3)["players"]] == [None] * 3 + [7] + [None] * 6


def test_du_1_4_two_spaces_touch_each_from_above():
    assert GAME.new(10, 1).view(None)["adjacent"] == {
        "E": ["A", "B"],
        "F": ["B", "C"],
        "G": ["C", "D"],
        "H": ["E", "F"],
        "I": ["F", "G"],
        "J": ["H", "I"],
    }


def test_du_1_5_saved_replaced_confirmed_and_taken_back():
    table = position("claim")
    for text in ("claim 4", "claim 2", "challenge h", "confirm"):
        table.play(9, text)
    assert texts(table, 9) == {"trade", "reopen"}
    assert why(table, 9, "claim 3") == ("DU 1.5", "Your submission is confirmed; reopen it to change it.")
    table.play(9, "reopen")
    for n in range(56):
        table.play(9, f"claim {n % 4 + 1}")
    assert texts(table, 9) == {"trade", "confirm"}
    assert why(table, 9, "claim 3")[0] == "DU 1.5"
    table.play(9, "confirm")
    assert why(table, 9, "reopen")[0] == "DU 1.5"
    for shown in (False, True):
        table = position("claim", confirmations=shown)
        table.play(3, "confirm")
        assert table.view(None)["confirmed"] == ([3] if shown else [])


# DU 2: the initial bid


def test_du_2_1_bids_place_everybody_and_are_paid():
    bids = {0: "bid 2", 1: "bid 7", 2: "bid 7", 3: "bid 0", 9: "bid 1"}
    table = submit(position("bid"), bids)
    assert places(table) == "1209345678"
    assert state(table).garnets.tolist() == [8, 3, 3, 10, 10, 10, 10, 10, 10, 9]
    # The option: only those on A to D pay.
    table = submit(position("bid", all_pay=False), {**bids, 4: "bid 1", 5: "bid 1"})
    assert places(table)[:6] == "120459"
    assert state(table).garnets.tolist() == [8, 3, 3, 10, 9, 10, 10, 10, 10, 10]
    assert events_named(table, "bid", 5) == [{"seat": 5, "amount": 1, "paid": 0}]
    table = position("bid", garnets={0: 3})
    assert why(table, 0, "bid 4") == ("DU 2.1", "You have 3 garnets to bid.")


def test_du_2_2_nothing_saved_is_a_bid_of_nothing_and_the_placement_is_shown():
    table = submit(position("bid", priority=range(10)), {0: "bid 1"})
    assert places(table) == "0987654321"
    assert state(table).garnets.tolist() == [9] + [10] * 9
    assert events_named(table, "top") == [{"a": 0, "b": 9, "c": 8, "d": 7}]
    assert not events_named(table, "bid")


# DU 3: the claim phase


@pytest.mark.parametrize("tickets", [1, 2, 3, 4])
def test_du_3_1_the_higher_layer_comes_first_then_priority(tickets):
    priority = [1, 2, 3, 4, 9, 8, 10, 7, 6, 5]
    claim = dict.fromkeys((2, 3, 5, 6, 7, 9), f"claim {tickets}")
    others = dict.fromkeys((0, 1, 4, 8), f"claim {tickets % 4 + 1}")
    table = submit(position("claim", priority=priority), {**claim, **others})
    order = [3, 2, 6, 5, 7, 9]
    assert [seat for seat in order if events_named(table, "got", seat)] == order[: 5 - tickets]
    assert [seat for seat in order if events_named(table, "missed", seat)] == order[5 - tickets :]


def test_du_3_1_four_rounds_of_two_phases():
    table = GAME.new(10, 2)
    seen = []
    while not table.over:
        seen.append((table.view(None)["phase"], table.view(None)["round"]))
        submit(table)
    assert seen == [("bid", 0), *((phase, n) for n in range(1, 5) for phase in ("claim", "battle"))]


def test_the_example_of_claims():
    # X on the third layer from the bottom, Y and Z one below, claim 3 each: X, and the one with the higher priority.
    table = submit(position("claim", priority=[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), dict.fromkeys((5, 7, 8), "claim 3"))
    assert [bool(events_named(table, "got", seat)) for seat in (5, 7, 8)] == [True, False, True]


def test_du_3_2_nothing_saved_claims_one():
    table = submit(position("claim"))
    assert state(table).tickets.tolist() == [6, 6, 6, 6, 5, 5, 5, 5, 5, 5]
    assert events_named(table, "missed", 9) == [{"seat": 9, "tickets": 1}]


def test_du_3_3_one_challenges_a_space_that_touches_the_own_one_from_above():
    table = position("claim")
    everything = {f"challenge {space}" for space in "abcdefghij"}
    above = ["", "", "", "", "ab", "bc", "cd", "ef", "fg", "hi"]
    for seat, spaces in enumerate(above):
        assert texts(table, seat) & everything == {f"challenge {space}" for space in spaces}
    assert why(table, 4, "challenge c") == ("DU 3.3", "From E you can challenge A or B.")
    assert why(table, 0, "challenge a")[0] == "DU 3.3"


def test_du_3_4_nothing_saved_challenges_the_space_further_right():
    table = submit(position("claim"), {5: "challenge b"})
    assert {c["seat"]: c["space"] for c in table.view(None)["challenges"]} == dict(
        zip(range(4, 10), "BBDFGI", strict=True)
    )


def test_du_3_5_the_own_claim_is_told_in_private():
    table = submit(position("claim"), {0: "claim 4", 1: "claim 4"})
    assert events_named(table, "got", 0) == [{"seat": 0, "tickets": 4}]
    assert events_named(table, "missed", 1) == [{"seat": 1, "tickets": 4}]
    assert not any(events_named(table, name, viewer) for name in ("got", "missed") for viewer in (None,))
    assert all(event["seat"] == 5 for event in events_named(table, "got", 5) + events_named(table, "missed", 5))


def test_du_3_6_all_challenges_are_shown():
    table = claimed(LEFT)
    assert events_named(table, "challenged") == events_named(table, "challenged", 6)
    assert [(e["seat"], e["space"], e["other"]) for e in events_named(table, "challenged")] == [
        (4, 0, 0),
        (5, 1, 1),
        (6, 2, 2),
        (7, 4, 4),
        (8, 5, 5),
        (9, 7, 7),
    ]


# DU 4: the battle phase


def test_du_4_1_attack_and_defence_are_each_at_most_the_tickets_held():
    table = claimed(LEFT)
    assert table.view(None)["asked"] == [0, 1, 2, 4, 5, 6, 7, 8, 9]
    held = int(state(table).tickets[4])
    attacks, defences = {f"attack {n}" for n in range(held + 1)}, {f"defend {n}" for n in range(held + 1)}
    assert texts(table, 4) == {*attacks, *defences, "trade", "confirm"}
    assert texts(table, 9) & {"attack 0", "defend 0"} == {"attack 0"}
    assert texts(table, 0) & {"attack 0", "defend 0"} == {"defend 0"}
    assert (
        why(table, 9, "defend 0")[0]
        == why(table, 0, "attack 0")[0]
        == why(table, 4, f"attack {held + 1}")[0]
        == "DU 4.1"
    )
    assert why(table, 3, "defend 0") == ("DU 4.1", "You have nothing to do in this phase except trade garnets.")
    table.play(4, f"attack {held}")
    table.play(4, f"defend {held}")
    submit(table)
    # 0 is attacked with everything: 4 is on A, and paid the attack alone.
    assert places(table)[0] == "4"
    assert state(table).tickets[4] == 0


def chain(attack, defence, next_attack):
    """X (seat 0) on A, Y (4) on E, Z (7) on H: Y attacks X, Z attacks E."""
    return fight("acdefi", {0: f"defend {defence}", 4: f"attack {attack}", 7: f"attack {next_attack}"})


def test_du_4_2_whoever_stands_there_when_the_battle_is_settled_defends_the_space():
    fallen = chain(5, 3, 4)
    assert (places(fallen)[0], places(fallen)[4], places(fallen)[7]) == ("4", "7", "0")
    assert state(fallen).tickets[[0, 4, 7]].tolist() == [6, 0, 1]
    held = chain(5, 4, 4)
    assert (places(held)[0], places(held)[4], places(held)[7]) == ("4", "0", "7")
    assert state(held).tickets[[0, 4, 7]].tolist() == [2, 0, 5]
    assert {"seat": 0, "space": 4, "attackers": 1 << 7} in events_named(held, "held")


def test_du_4_3_battles_are_settled_from_the_top_layer_down():
    # 4 attacks A in vain and defends E; with the lower layer first, 4 would have been gone before its attack.
    table = fight("acdefi", {0: "defend 2", 4: "attack 2, defend 1", 7: "attack 2"})
    assert [(e["seat"], e["space"]) for e in events_named(table, "held")][:1] == [(0, 0)]
    assert places(table)[4] == "7"
    table = fight("bcdfgi", {4: "attack 1", 5: "attack 1", 6: "attack 1", 7: "attack 1", 8: "attack 1", 9: "attack 1"})
    settled = [e["space"] for e in table_order(table)]
    assert settled == sorted(settled) == [1, 2, 3, 5, 6, 8]


def table_order(table):
    return [event.data for event in table.events(None) if event.name in ("held", "took")]


def test_du_4_4_strictly_more_is_needed_and_the_winner_pays():
    table = fight("acdfgi", {0: "defend 3", 4: "attack 3"})
    assert places(table)[0] == "0"
    assert state(table).tickets[[0, 4]].tolist() == [3, 5]
    table = fight("acdfgi", {0: "defend 2", 4: "attack 3"})
    assert places(table)[:5] == "41230"
    assert state(table).tickets[[0, 4]].tolist() == [6, 2]
    assert rules_told(table, "took") == {"DU 4.4"}


def test_du_4_5_of_two_attacks_the_larger_counts():
    table = fight("bbdegi", {4: "attack 3", 5: "attack 5", 1: "defend 4"})
    assert (places(table)[1], places(table)[4], places(table)[5]) == ("5", "4", "1")
    assert state(table).tickets[[1, 4, 5]].tolist() == [6, 5, 0]
    assert rules_told(table, "took") == {"DU 4.5"}
    table = fight("bbdegi", {4: "attack 3", 5: "attack 5", 1: "defend 5"})
    assert places(table)[1] == "1"
    assert state(table).tickets[[1, 4, 5]].tolist() == [1, 5, 5]
    # Equal attacks by priority.
    for priority, winner in ((range(10, 0, -1), 4), (range(10), 5)):
        table = fight("bbdegi", {4: "attack 3", 5: "attack 3"}, priority=priority)
        assert places(table)[1] == str(winner)


def test_du_4_6_battles_of_one_layer_from_left_to_right():
    table = fight("acdefi", {4: "attack 1", 5: "attack 1", 6: "attack 1"})
    assert [e["space"] for e in table_order(table)] == [0, 2, 3, 4, 5, 8]


def test_du_4_7_nobody_pays_twice():
    paid, chance = 0, random.Random(7)
    for seed in range(25):
        table = submit(GAME.new(10, seed))
        while not table.over:
            battle = table.view(None)["phase"] == "battle"
            before = state(table).tickets.tolist()
            parts = {}
            for seat in table.acting:
                numbers = {p["part"]: p for p in table.view(seat)["you"]["parts"]} if battle else {}
                parts[seat] = {name: chance.randint(0, p["most"]) for name, p in numbers.items()}
                for name, number in parts[seat].items():
                    table.play(seat, f"{name} {number}")
            submit(table)
            for seat, used in parts.items() if battle else ():
                less = before[seat] - int(state(table).tickets[seat])
                assert less in {0, *used.values()}
                assert state(table).tickets[seat] >= 0
                assert events_named(table, "used", seat)[-1]["paid"] == less
                paid += less > 0
    assert paid > 250


def test_du_4_8_results_are_public_and_numbers_are_not():
    table = fight(LEFT, {4: "attack 3, defend 2", 9: "attack 1"})
    names = {event.name for event in table.events(None)}
    assert {"took", "held"} <= names
    assert "used" not in names
    assert events_named(table, "used", 4) == [{"seat": 4, "attack": 3, "defence": 2, "paid": 3}]
    # -1: had no attack, or no defence, to submit (DU 4.1).
    assert events_named(table, "used", 0) == [{"seat": 0, "attack": -1, "defence": 0, "paid": 0}]
    assert events_named(table, "used", 9) == [{"seat": 9, "attack": 1, "defence": -1, "paid": 1}]
    assert events_named(table, "used", 3) == []
    told = {seat: next(e.text for e in table.events(seat) if e.name == "used") for seat in (0, 4, 9)}
    assert {seat: [word in told[seat] for word in ("attack", "defence")] for seat in told} == {
        0: [False, True],
        4: [True, True],
        9: [True, False],
    }
    assert all("paid" not in event.data for event in table.events(None))


# DU 5: the end


def test_du_5_1_the_player_on_j_is_bankrupt():
    table = end_of_game([5] * 10)
    assert events_named(table, "bankrupt") == [{"seat": 9}]
    assert table.view(None)["outcome"]["ec"] == 9


def test_du_5_2_two_tokens_for_the_most_tickets():
    assert state(end_of_game([0, 0, 0, 0, 0, 0, 0, 0, 3, 9])).tol.tolist() == [1, 1, 1, 1, 0, 0, 0, 0, 2, 0]
    # Ties: the higher layer, then priority.
    assert state(end_of_game([0, 0, 0, 0, 3, 0, 0, 3, 3, 9])).tol.tolist() == [1, 1, 1, 1, 2, 0, 0, 0, 0, 0]
    assert state(end_of_game([1, 2, 2, 2, 0, 0, 2, 0, 0, 0], priority=range(10))).tol[3] == 3


def test_du_5_3_a_token_for_everybody_at_the_top():
    for tickets in ([9] + [0] * 9, [0] * 4 + [9] * 6):
        table = end_of_game(tickets)
        assert state(table).tol.sum() == 6
        assert (state(table).tol[:4] >= 1).all()
        assert events_named(table, "tokens") == [{"seats": 0b1111}]


def test_du_5_4_a_garnet_for_each_ticket():
    table = end_of_game([1, 2, 3, 4, 5, 6, 7, 8, 9, 9], garnets={9: 0})
    assert state(table).final_garnets.tolist() == [11, 12, 13, 14, 15, 16, 17, 18, 19, 9]
    assert events_named(table, "revealed")[-1] == {"seat": 9, "tickets": 9, "garnets": 9}


def test_du_5_5_the_result_and_what_the_season_needs():
    table = end_of_game([1, 2, 3, 4, 5, 6, 7, 8, 9, 9])
    outcome = table.outcome
    assert outcome.winners == (0, 1, 2, 3, 8)
    assert outcome.payoffs == (1, 1, 1, 1, 0, 0, 0, 0, 1, -1)
    assert outcome.points == (11, 12, 13, 14, 15, 16, 17, 18, 19, 19)
    assert outcome.rule == "DU 5.5"
    assert table.view(4)["outcome"]["table"][8] == {
        "seat": 8,
        "space": "I",
        "tickets": 9,
        "tol": 2,
        "ec": False,
        "garnets": 19,
        "priority": 2,
    }
    with pytest.raises(IllegalAction, match="over"):
        table.play(0, "trade")


def test_what_a_position_needs_is_checked():
    table = submit(claimed(LEFT))
    s = state(table)
    for field, value, said in (
        ("tickets", 99, "tickets"),
        ("garnets", 11, "garnets"),
        ("bid", 12, "bids"),
        ("priority", 9, "priorities"),
        ("space", 1, "spaces"),
    ):
        kept = int(s[field][0])
        s[field][0] = value
        assert said in str(GAME.invariants(record(table.box), s))
        s[field][0] = kept
    s.ec = 3
    assert "EC" in str(GAME.invariants(record(table.box), s))
