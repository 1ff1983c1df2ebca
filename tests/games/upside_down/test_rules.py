"""Upside Down: a test for each number of the rules page."""

import random

import pytest
from tests.games.pyramid_of_ten.worlds import differing_viewers
from tests.games.upside_down.helpers.rules import end_of_game, finish
from tests.games.upside_down.positions import (
    GAME,
    battles,
    claimed,
    confirm_all,
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

from pyramidion import EVERYTHING, BadRecord, IllegalAction, Match
from pyramidion.engine.layout import record

# UD 1: board and holdings


def test_ud_1_1_ten_spaces_in_four_layers_each_with_one_player():
    view = submit(GAME.new(10, 3)).view(None)
    assert view["layers"] == [["A", "B", "C", "D"], ["E", "F", "G"], ["H", "I"], ["J"]]
    assert [space["layer"] for space in view["spaces"]] == [1, 1, 1, 1, 2, 2, 2, 3, 3, 4]
    assert sorted(space["seat"] for space in view["spaces"]) == list(range(10))
    assert all(view["spaces"]["ABCDEFGHIJ".index(p["space"])]["seat"] == p["seat"] for p in view["players"])


def test_ud_1_2_what_everybody_begins_with():
    table = GAME.new(10, 5)
    assert state(table).tickets.tolist() == [5] * 10
    assert state(table).garnets.tolist() == [5] * 10
    assert sorted(state(table).priority) == list(range(10, 20))
    assert len({tuple(state(GAME.new(10, seed)).priority) for seed in range(20)}) > 15
    garnets, priority = (0, 100, 3, 4, 5, 6, 7, 8, 9, 10), (-1000, 1000, 5, 6, 7, 8, 9, 10, 11, 12)
    given = state(GAME.new(10, 5, garnets=garnets, priority=priority))
    assert given.garnets.tolist() == list(garnets)
    assert given.priority.tolist() == list(priority)
    for wrong in ({"garnets": [5] * 9}, {"garnets": [101] * 10}, {"priority": [1001] * 10}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            GAME.new(10, 1, **wrong)


def test_ud_1_3_holdings_and_submissions_are_private_until_the_end():
    table = position("claim")
    before = [table.redacted(viewer) for viewer in (None, *range(9))]
    for text in ("ask 3", "challenge 7", "trade", "challenge 8", "confirm", "reopen", "trade", "confirm"):
        table.play(9, text)
    assert [table.redacted(viewer) for viewer in (None, *range(9))] == before
    mine = table.view(9)
    assert [(p["part"], p["saved"]) for p in mine["you"]["parts"]] == [("ask", 3), ("challenge", 8)]
    assert (mine["players"][9]["tickets"], mine["players"][9]["garnets"]) == (7, 3)
    for other in (p for p in mine["players"] if p["seat"] != 9):
        assert other["tickets"] is other["garnets"] is other["priority"] is None
    submit(table)
    for name in ("challenged", "void"):
        assert events_named(table, name) == events_named(table, name, 4)
    over = finish(end_of_game([5] * 10))
    assert all(player["priority"] is not None for player in over.view(None)["players"])
    assert len(events_named(over, "used", EVERYTHING)) > len(events_named(over, "used", 0))


def test_ud_1_3_nobody_can_tell_a_hidden_priority():
    for shown in (False, True):
        pair = [position("claim", priority=[n, *range(19, 10, -1)], open_priority=shown) for n in (40, 400)]
        assert differing_viewers(*pair, holder=0) == ({None, *range(1, 10)} if shown else set())


def test_ud_1_3_priority_is_public_if_the_table_says_so():
    table = submit(position("pregame", open_priority=True), {0: "bid 3"})
    assert [p["priority"] for p in table.view(None)["players"]] == state(table).priority.tolist()
    assert "raised" not in {event.name for event in table.events(None)}


def test_ud_1_4_a_garnet_becomes_a_ticket_at_any_time():
    table = claimed({4: 0, 5: 0, 6: 0, 7: 4, 8: 4, 9: 7})
    asked = table.view(None)["asked"]
    idle = next(seat for seat in range(10) if seat not in asked)
    assert texts(table, idle) == {"trade"}
    for left in (4, 3, 2, 1, 0):
        table.play(idle, "trade")
        assert (state(table).garnets[idle], state(table).tickets[idle]) == (left, 10 - left)
    assert why(table, idle, "trade")[0] == "UD 1.4"
    assert [event["garnets"] for event in events_named(table, "traded", idle)] == [4, 3, 2, 1, 0]
    assert not events_named(table, "traded")
    fighter = asked[0]
    for text in ("trade", "tickets 6", "confirm", "trade"):
        table.play(fighter, text)
    assert state(table).tickets[fighter] == 7


# UD 2: priority


def test_ud_2_1_the_higher_priority_comes_first():
    table = submit(position("pregame", priority=range(10)), {})
    assert places(table) == "9876543210"


TIES = [
    # priorities, gained so far, order in the round before (0 the highest) -> priorities, by hand
    ([7, 7, 7, 8, 20, 21, 22, 23, 24, 25], {}, range(10), [10, 9, 7, 8]),
    ([5, 5, 1, 2], {}, range(10), [6, 5, 1, 2]),
    ([5, 5, 1, 2], {}, [1, 0, 2, 3, 4, 5, 6, 7, 8, 9], [5, 6, 1, 2]),
    # (a) before (b): the one who has gained most stays, wherever it stood.
    ([5, 5, 1, 2], {0: 3}, range(10), [5, 6, 1, 2]),
    ([5, 5, 1, 2], {0: 3, 1: 3}, range(10), [6, 5, 1, 2]),
    # The lowest shared value first: 3 and 3 become 4 and 3, then 4, 4 and 4 are settled together.
    ([4, 3, 3, 4], {}, range(10), [6, 4, 3, 5]),
    # Negative ones rise as well.
    ([-9, -9, -9, -8], {}, range(10), [-6, -7, -9, -8]),
]


@pytest.mark.parametrize(("before", "gained", "rank", "after"), TIES)
def test_ud_2_2_equal_priorities_are_made_different(before, gained, rank, after):
    rest = list(range(30, 40))[len(before) :]
    table = position("claim", priority=[*before, *rest], gained=gained, rank=rank, confirmed=True)
    assert state(table).priority[: len(after)].tolist() == after
    for seat, (one, other) in enumerate(zip([*before, *rest], state(table).priority.tolist(), strict=True)):
        events = events_named(table, "raised", seat)
        assert [event["amount"] for event in events] == ([other - one] if other != one else [])
        assert state(table).gained[seat] == gained.get(seat, 0) + other - one


def test_ud_2_2_ten_equal_ones_in_nine_steps():
    table = GAME.new(10, 1, priority=[0] * 10)
    assert state(table).priority.tolist() == [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
    assert state(table).gained.tolist() == state(table).priority.tolist()
    for seed in range(60):
        chance = random.Random(seed)
        low = chance.choice([0, 2, 4])
        values = [chance.randint(-low, low) for _ in range(10)]
        after = state(GAME.new(10, 1, priority=values)).priority.tolist()
        assert after == by_hand(values, [0] * 10, list(range(10)))


def by_hand(priority, gained, rank):
    """The tiebreak as the rules page words it."""
    priority, gained = list(priority), list(gained)
    while shared := [value for value in priority if priority.count(value) > 1]:
        tied = [seat for seat in range(10) if priority[seat] == min(shared)]
        most = max(gained[seat] for seat in tied)
        leaders = [seat for seat in tied if gained[seat] == most]
        stays = leaders[0] if len(leaders) == 1 else max(tied, key=lambda seat: rank[seat])
        for seat in tied:
            if seat != stays:
                priority[seat] += 1
                gained[seat] += 1
    return priority


def test_ud_2_2_the_previous_round_is_as_its_battle_phase_opened():
    table = submit(position("claim", priority=[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]))
    assert state(table).rank.tolist() == [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
    claimed_all = table.state_copy()
    claimed_all["priority"][0, 0] = 2  # as a claim would leave it
    confirm_all(table.box, claimed_all)
    table = table.with_state(claimed_all)
    # Seat 0 was last when the battle phase opened and stays; seat 1 gains, and every one it meets gains in its place.
    assert state(table).priority.tolist() == [2, 3, 4, 5, 6, 7, 8, 9, 10, 11]


@pytest.mark.parametrize(("rules_version", "after"), [(3, [12, 13]), (2, [13, 12])])
def test_ud_2_2_before_the_first_battle_phase_the_priorities_before_the_bids_decide(rules_version, after):
    table = GAME.new(10, 1, priority=[12, 19, *range(30, 38)], rules_version=rules_version)
    table = submit(table, {1: "bid 7"})
    assert state(table).priority[:2].tolist() == after
    assert Match.from_record(table.record()).state_copy().tobytes() == table.state_copy().tobytes()


# UD 3: the pregame


def test_ud_3_1_a_bid_is_at_most_the_priority_held():
    table = position("pregame", priority=[3, -4, 0, *range(30, 37)])
    assert texts(table, 0) == {"bid 0", "bid 1", "bid 2", "bid 3", "trade", "confirm"}
    assert texts(table, 1) == texts(table, 2) == {"bid 0", "trade", "confirm"}
    assert why(table, 0, "bid 4") == ("UD 3.1", "You have 3 priority to bid.")
    table.play(0, "bid 3")
    submit(table)
    assert state(table).space[0] == 0
    assert events_named(table, "bid", 4) == [{"seat": 4, "amount": 0, "priority": 31}]


def test_ud_3_2_bids_place_everybody_and_are_paid():
    bids = {0: "bid 2", 1: "bid 7", 2: "bid 7", 3: "bid 0", 9: "bid 1"}
    table = submit(position("pregame", priority=range(20, 10, -1)), bids)
    assert places(table) == "1209345678"
    assert [events_named(table, "bid", seat)[0]["priority"] for seat in range(4)] == [18, 12, 11, 17]
    assert events_named(table, "top") == [{"a": 1, "b": 2, "c": 0, "d": 9}]
    assert events_named(table, "bid", 2)[0]["amount"] == 7
    assert not events_named(table, "bid")
    assert table.view(None)["phase"] == "claim"


# UD 4: rounds and submissions


def test_ud_4_1_five_rounds_of_two_phases():
    table = GAME.new(10, 2)
    seen = []
    while not table.over:
        view = table.view(None)
        seen.append((view["phase"], view["round"]))
        if view["phase"] == "giving":
            table.play(table.acting[0], table.timeout(table.acting[0]))
        else:
            submit(table)
    rounds = [(phase, n) for n in range(1, 6) for phase in ("claim", "battle")]
    assert seen[:11] == [("pregame", 0), *rounds]
    assert set(seen[11:]) <= {("giving", 5)}


def test_ud_4_2_saved_replaced_confirmed_and_taken_back():
    table = position("claim")
    for text in ("ask 4", "ask 1", "challenge 7", "confirm"):
        table.play(9, text)
    assert texts(table, 9) == {"trade", "reopen"}
    assert why(table, 9, "ask 2") == ("UD 4.2", "Your submission is confirmed; reopen it to change it.")
    assert why(table, 9, "confirm")[0] == why(table, 8, "reopen")[0] == "UD 4.2"
    table.play(9, "reopen")
    table.play(9, "ask 2")
    submit(table)
    assert events_named(table, "got", 9) == [{"seat": 9, "tickets": 2, "lost": 0, "priority": 11}]


def test_ud_4_2_sixty_parts_and_no_more():
    table = position("claim")
    for n in range(30):
        table.play(9, f"ask {n % 5}")
        table.play(9, "challenge 8")
    assert texts(table, 9) == {"trade", "confirm"}
    assert why(table, 9, "ask 0") == (
        "UD 4.2",
        "You have saved 60 times in this phase, which is the limit; confirm now.",
    )
    table.play(9, "confirm")
    assert texts(table, 9) == {"trade"}
    assert why(table, 9, "reopen")[0] == "UD 4.2"
    assert table.view(9)["players"][9]["parts_left"] == 0


def test_ud_4_2_who_has_confirmed_is_public_if_the_table_says_so():
    for shown in (False, True):
        table = position("claim", confirmations=shown)
        table.play(3, "confirm")
        assert table.view(None)["confirmed"] == ([3] if shown else [])
        assert table.view(None)["players"][3]["confirmed"] is (True if shown else None)
        assert table.view(3)["players"][3]["confirmed"] is True
        table.play(3, "reopen")
        assert table.view(None)["confirmed"] == []


# UD 5: the claim phase


def test_ud_5_1_everybody_is_asked_and_sees_the_board():
    table = submit(position("pregame"))
    assert table.acting == tuple(range(10))
    assert table.free == tuple(range(10))
    assert events_named(table, "claim") == [{"round": 1}]
    assert len({tuple(space["seat"] for space in table.view(v)["spaces"]) for v in (None, *range(10))}) == 1


@pytest.mark.parametrize("tickets", [1, 2, 3, 4])
def test_ud_5_2_at_most_so_many_get_a_number_of_tickets(tickets):
    askers = [0, 2, 3, 5, 7, 9]
    table = submit(position("claim", priority=range(10)), dict.fromkeys(askers, f"ask {tickets}"))
    got = [seat for seat in range(10) if events_named(table, "got", seat)]
    screwed = [seat for seat in range(10) if events_named(table, "screwed", seat)]
    assert got == sorted(askers, reverse=True)[: 5 - tickets][::-1]
    assert sorted(got + screwed) == askers
    assert state(table).tickets.tolist() == [5 + tickets * (seat in got) for seat in range(10)]
    assert not events_named(table, "got")
    assert not events_named(table, "screwed")


def test_ud_5_3_whoever_gets_tickets_pays_for_the_screwed():
    priority = [15, 12, -3, 30, 40, -50, 60, 70, 80, 90]
    asked = {0: "ask 3", 1: "ask 3", 2: "ask 3", 3: "ask 4", 5: "ask 4", 4: "ask 2", 6: "ask 2"}
    table = submit(position("claim", priority=priority), asked)
    assert [events_named(table, "got", seat)[0]["lost"] for seat in (0, 1, 3, 4, 6)] == [3, 3, 50, 0, 0]
    assert state(table).priority.tolist()[:7] == [12, 9, -3, -20, 40, -50, 60]
    assert rules_told(table, "got", 0) == {"UD 5.3"}
    assert rules_told(table, "got", 4) == {"UD 5.2"}


def test_ud_5_4_one_challenges_somebody_exactly_one_layer_above():
    table = position("claim", at=[9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
    everything = {f"challenge {seat}" for seat in range(10)}
    assert texts(table, 9) & everything == set()
    assert texts(table, 5) & everything == {f"challenge {seat}" for seat in (6, 7, 8, 9)}
    assert texts(table, 2) & everything == {f"challenge {seat}" for seat in (3, 4, 5)}
    assert texts(table, 0) & everything == {"challenge 1", "challenge 2"}
    assert why(table, 9, "challenge 3")[0] == "UD 5.4"
    assert why(table, 0, "challenge 3") == (
        "UD 5.4",
        "You can challenge only players exactly one layer above you, on H, I.",
    )


CHAIN = {9: 7, 8: 5, 7: 4, 5: 1, 6: 1, 4: 0}
"""Seat 9 challenges 7 and stops it, 8 stops 5; whether 7 stops 4 all the same is a question of the reading."""


def test_ud_5_5_whoever_was_challenged_is_left_alone_for_a_round():
    table = submit(claimed(CHAIN))
    assert table.view(None)["protected"] == [0, 1, 4, 5, 7]
    assert why(table, 9, "challenge 7") == (
        "UD 5.5",
        "Seat 7 was challenged in the last round and cannot be challenged in this one.",
    )
    assert "challenge 0" not in texts(table, 5)
    # Bottom-up: only those who had to fight. The challenges of 0 by 4 and of 4 by 7 come to nothing or go through.
    table = claimed(CHAIN, challenges="bottom-up")
    battled = {battle["defender"] for battle in table.view(None)["battles"]}
    submit(table)
    assert table.view(None)["protected"] == sorted(battled) == [0, 1, 5, 7]
    # Nobody to challenge: nobody is challenged.
    alone = position("claim", protected=[7, 8, 4, 5])
    assert texts(alone, 9) == {"ask 0", "ask 1", "ask 2", "ask 3", "ask 4", "trade", "confirm"}
    assert alone.view(9)["you"]["parts"][0]["part"] == "ask"
    submit(alone)
    assert events_named(alone, "idle") == [{"seat": 9}]
    assert rules_told(alone, "idle") == {"UD 5.5"}


def test_ud_5_5_the_player_on_j_can_be_left_without_anybody_to_challenge():
    """The one challenged from J keeps the space, and the other of the two swaps with somebody who was challenged."""
    table = fight({9: 7, 8: 4, 7: 5, 4: 0, 5: 1, 6: 2}, {7: 5, 8: 5})
    assert places(table)[7:] == "749"
    assert {7, 4} <= set(table.view(None)["protected"])
    assert not any(text.startswith("challenge") for text in texts(table, 9))


@pytest.mark.parametrize("challenges", ["as-written", "bottom-up"])
def test_ud_5_5_e_to_g_always_have_somebody_to_challenge_and_climbers_can_be_challenged(challenges):
    for seed in range(60):
        table = GAME.new(10, seed, challenges=challenges, garnets=(0,) * 10)
        chance = random.Random(seed)
        while not table.over and table.view(None)["phase"] != "giving":
            if table.view(None)["phase"] == "claim":
                for seat in state(table).at[4:7].tolist():
                    assert any(text.startswith("challenge") for text in texts(table, seat))
                events = table.events(None)
                climbed = {e.data["seat"] for e in events if e.name == "took" and e.position == events[-1].position}
                assert not climbed & set(table.view(None)["protected"])
            for seat in table.acting:
                choices = sorted(texts(table, seat) - {"trade", "confirm"})
                table.play(seat, chance.choice(choices))
            submit(table)


def test_ud_5_6_who_saves_nothing_is_given_a_challenge_and_no_tickets():
    drawn = set()
    for seed in range(40):
        table = submit(position("claim", protected=[4], seed=seed))
        events = events_named(table, "drawn", 8)
        assert events[0]["other"] in (5, 6)
        drawn.add(events[0]["other"])
        assert state(table).tickets.tolist() == [5] * 10
        assert not events_named(table, "drawn")
    assert drawn == {5, 6}


def test_ud_5_6_chance_does_not_depend_on_the_order_of_submissions():
    ends = set()
    for seed in range(6):
        order = random.Random(seed).sample(range(10), 10)
        table = submit(position("claim", seed="same"), {4: "challenge 2"}, order)
        ends.add((state(table).target.tobytes(), state(table).rng.tobytes()))
    assert len(ends) == 1


def test_ud_5_7_any_challenge_from_below_makes_the_own_one_void():
    table = claimed(CHAIN)
    shown = {c["seat"]: (c["void"], c["because"]) for c in table.view(None)["challenges"]}
    assert shown == {
        9: (False, None),
        8: (False, None),
        7: (True, 9),
        6: (False, None),
        5: (True, 8),
        4: (True, 7),  # the challenge by 7 is void itself, and stops this one all the same
    }
    assert events_named(table, "void") == [
        {"seat": 7, "other": 4, "because": 9},
        {"seat": 5, "other": 1, "because": 8},
        {"seat": 4, "other": 0, "because": 7},
    ]
    assert [battle["defender"] for battle in table.view(None)["battles"]] == [1, 5, 7]


def test_ud_5_7_bottom_up_a_void_challenge_stops_no_other():
    table = claimed(CHAIN, challenges="bottom-up")
    shown = {c["seat"]: (c["void"], c["because"]) for c in table.view(None)["challenges"]}
    assert {seat for seat, (void, _) in shown.items() if void} == {7, 5}
    assert (shown[7], shown[5], shown[4]) == ((True, 9), (True, 8), (False, None))


@pytest.mark.parametrize("challenges", ["as-written", "bottom-up"])
def test_ud_5_7_log_and_board_name_the_same_of_two_who_stop_a_third(challenges):
    table = claimed({7: 4, 8: 4, 9: 8, 4: 0, 5: 1, 6: 2}, challenges=challenges)
    told = {event["seat"]: event["because"] for event in events_named(table, "void")}
    assert told == {c["seat"]: c["because"] for c in table.view(None)["challenges"] if c["void"]}
    assert told == {8: 9, 4: 7}


def test_ud_5_7_a_game_of_the_first_version_of_the_rules_plays_as_it_did():
    """Everybody confirms, and nothing else; where everybody stood in the end was written down under version 1."""
    for seed, end in {1: "5284976130", 2: "7041283956", 3: "0327618945"}.items():
        played = GAME.new(10, seed, challenges="bottom-up")
        while not played.over:
            played.play(played.acting[0], played.timeout(played.acting[0]))
        old = {**played.record(), "rules_version": 1, "options": {"confirmations": False}}
        again = Match.from_record(old)
        assert (again.ply, again.over, places(again)) == (100, True, end)
        assert again.record() == {**played.record(), "rules_version": 1}
        with pytest.raises(BadRecord, match="not legal"):
            Match.from_record({**old, "rules_version": 2})


# UD 6: the battle phase


def test_ud_6_1_who_is_in_a_challenge_submits_tickets():
    table = claimed({9: 7, 7: 4, 4: 0, 8: 5, 5: 1, 6: 0}, tickets={6: 2, 0: 0})
    assert table.view(None)["asked"] == [0, 5, 6, 7, 8, 9]
    assert texts(table, 6) == {"tickets 0", "tickets 1", "tickets 2", "trade", "confirm"}
    assert texts(table, 0) == {"tickets 0", "trade", "confirm"}
    assert why(table, 6, "tickets 3") == ("UD 6.1", "You have 2 tickets.")
    assert why(table, 1, "tickets 0")[0] == why(table, 1, "confirm")[0] == "UD 6.1"
    # Nothing saved is 0: the defender wins a tie of nothing against nothing by priority.
    submit(table)
    assert state(table).tickets.tolist() == [0, 5, 5, 5, 5, 5, 2, 5, 5, 5]
    assert places(table) == "0123456789"


def test_ud_6_2_the_highest_submission_wins_and_of_equal_ones_the_higher_priority():
    priority = [15, 14, 13, 12, 11, 18, 17, 16, 10, 9]
    table = fight({4: 0, 5: 0, 6: 1, 7: 6, 8: 6, 9: 8}, {0: 3, 4: 3, 5: 3}, priority=priority)
    assert events_named(table, "took")[0] == {"seat": 5, "other": 0, "space": 0, "challengers": 1 << 4 | 1 << 5}
    table = fight({4: 0, 5: 0, 6: 1, 7: 6, 8: 6, 9: 8}, {0: 3, 4: 4, 5: 3}, priority=priority)
    assert events_named(table, "took")[0]["seat"] == 4
    table = fight({4: 0, 6: 1, 5: 2, 7: 6, 8: 6, 9: 8}, {0: 3, 4: 3}, priority=priority)
    assert events_named(table, "held")[0] == {"seat": 0, "challengers": 1 << 4}


def test_ud_6_2_with_the_option_tied_challengers_take_nothing():
    priority = [15, 14, 13, 12, 11, 18, 17, 16, 10, 9]
    challenges = {4: 0, 5: 0, 6: 1, 7: 6, 8: 6, 9: 8}

    def after(used):
        table = fight(challenges, used, priority=priority, sole_highest=True)
        return table, state(table).tickets[[0, 4, 5]].tolist()

    # Tied above the defender: nobody wins and nobody pays.
    table, tickets = after({0: 2, 4: 3, 5: 3})
    assert events_named(table, "tied") == [{"seat": 0, "challengers": 1 << 4 | 1 << 5}]
    assert rules_told(table, "tied") == {"UD 6.2"}
    assert all(event["seat"] != 0 for event in events_named(table, "held"))
    assert tickets == [5, 5, 5]
    # The defender has as many or more, and wins; a challenger alone at the top wins as ever.
    assert after({0: 3, 4: 3, 5: 3})[1] == [2, 5, 5]
    assert after({0: 4, 4: 3, 5: 3})[1] == [1, 5, 5]
    assert after({0: 2, 4: 3, 5: 4})[1] == [5, 5, 1]
    # A tie of one challenger with the defender is decided by priority: that of seat 5 is the higher.
    assert after({0: 3, 4: 1, 5: 3})[1] == [5, 5, 2]
    assert after({0: 3, 4: 3, 5: 1})[1] == [2, 5, 5]


def test_ud_6_3_the_winner_pays_and_a_challenger_changes_places():
    table = fight({4: 0, 5: 0, 6: 1, 7: 5, 8: 5, 9: 8}, {0: 4, 4: 2})
    # The challenge by 5 is void, as 7 challenges it; 4 loses against 0.
    assert events_named(table, "held")[0] == {"seat": 0, "challengers": 1 << 4}
    assert state(table).tickets.tolist()[:5] == [1, 5, 5, 5, 5]
    table = fight({4: 0, 5: 0, 6: 1, 7: 6, 8: 6, 9: 8}, {0: 4, 4: 5, 5: 2, 6: 5})
    assert places(table)[:6] == "412305"
    assert state(table).tickets.tolist()[:6] == [5, 5, 5, 5, 0, 5]
    assert events_named(table, "used", 4) == [{"seat": 4, "tickets": 5, "paid": 5}]
    assert events_named(table, "used", 5) == [{"seat": 5, "tickets": 2, "paid": 0}]
    assert not events_named(table, "used")


def test_ud_6_4_all_battles_at_once_and_nobody_in_two():
    for seed in range(40):
        table = submit(position("claim", seed=seed, at=random.Random(seed).sample(range(10), 10)))
        for _ in range(8):
            view = table.view(None)
            if view["phase"] == "battle":
                fighters = [s for b in view["battles"] for s in (b["defender"], *b["challengers"])]
                assert sorted(fighters) == view["asked"]
                assert 1 <= len(view["battles"]) <= 4
            submit(table)
    table = fight({9: 7, 7: 4, 4: 0, 8: 5, 5: 1, 6: 1}, {6: 5, 8: 5, 9: 5})
    assert places(table) == "0623481957"


# UD 7: the end


def test_ud_7_1_board_and_tickets_are_laid_open():
    table = end_of_game([9, 1, 2, 3, 4, 5, 6, 7, 8, 0])
    assert {e["seat"]: e["tickets"] for e in events_named(table, "revealed")} == dict(enumerate([9, *range(1, 9), 0]))
    assert [player["tickets"] for player in table.view(None)["players"]] == [9, 1, 2, 3, 4, 5, 6, 7, 8, 0]
    assert table.view(None)["phase"] == "giving"
    assert table.free == ()


def test_ud_7_2_the_player_on_j_wins_nothing():
    table = end_of_game([1, 2, 3, 4, 5, 6, 7, 8, 9, 20])
    assert events_named(table, "candidate") == [{"seat": 9}]
    assert state(table).tol.tolist() == [1, 1, 1, 1, 0, 0, 0, 0, 2, 0]


def test_ud_7_2_with_the_option_the_player_whom_the_bids_placed_on_j():
    """Seat 9 has climbed from J; seat 7 ends there, has the most tickets and wins like anybody else."""
    tickets = [1, 2, 3, 4, 5, 6, 7, 12, 9, 20]
    moved = claimed({9: 7}, round_number=5, tickets=dict(enumerate(tickets)), candidate="first-pyramid")
    assert [moved.view(viewer)["candidate"] for viewer in (None, 9)] == [9, 9]
    battles(moved, {9: 1})
    assert (events_named(moved, "first_candidate"), events_named(moved, "candidate")) == ([{"seat": 9}], [])
    assert state(moved).tol.tolist() == [1, 1, 1, 1, 0, 0, 0, 2, 0, 0]
    assert why(moved, 7, "give 9")[0] == "UD 7.4"
    assert not any(GAME.invariants(record(m.box), state(m)) for m in (moved, finish(moved)))
    assert moved.view(None)["outcome"]["ec"] == 9
    assert [row["ec"] for row in moved.view(None)["outcome"]["table"]] == [False] * 7 + [True] + [False] * 2
    # A space at the top brings EC no token.
    table = position("claim", at=[9, 1, 2, 3, 4, 5, 6, 7, 8, 0], round_number=5, candidate="first-pyramid")
    opening = table.state_copy()
    s = record(opening)
    s.placed[9], s.placed[0] = 9, 0
    table = submit(submit(Match.from_state(GAME, opening, options=table.options, seed=1)))
    assert state(table).tol.tolist()[9] == 0
    assert int(state(table).tol.sum()) == 5


def test_ud_7_3_four_tokens_at_the_top_and_two_for_the_most_tickets():
    assert state(end_of_game([0, 0, 0, 9, 5, 5, 5, 5, 5, 5])).tol.tolist() == [1, 1, 1, 3, 0, 0, 0, 0, 0, 0]
    priority = [30, 29, 28, 27, 26, 20, 19, 18, 25, 10]
    three = end_of_game([0, 0, 5, 0, 4, 6, 6, 5, 6, 9], priority, {9: 8})
    assert state(three).tol.tolist() == [1, 1, 1, 1, 0, 1, 0, 0, 1, 0]
    assert [(e["seat"], e["tokens"]) for e in events_named(three, "most")] == [(5, 1), (8, 1)]
    assert three.over


def test_ud_7_4_tokens_are_given_away():
    table = end_of_game([9, 1, 2, 3, 4, 5, 6, 7, 8, 0])
    assert table.acting == (0,)
    assert table.view(None)["giving"] == {"giver": 0, "left": 2, "eligible": [4, 5, 6, 7, 8]}
    assert texts(table, 0) == {f"give {seat}" for seat in (4, 5, 6, 7, 8)}
    assert why(table, 0, "give 1")[0] == why(table, 0, "give 9")[0] == why(table, 0, "trade")[0] == "UD 7.4"
    assert why(table, 3, "give 4")[0] == "UD 7.4"
    assert str(table.timeout(0)) == "give 4"
    table.play(0, "give 7")
    table.play(0, table.timeout(0))
    assert table.over
    assert table.outcome.winners == (0, 1, 2, 3, 4, 7)
    # Two givers: the higher space first.
    table = end_of_game([1, 9, 2, 9, 4, 5, 6, 7, 8, 0])
    assert state(table).tol.tolist() == [1, 2, 1, 2, 0, 0, 0, 0, 0, 0]
    assert table.acting == (1,)
    table.play(1, "give 8")
    assert table.acting == (3,)


def test_ud_7_5_holders_receive_four_garnets():
    table = end_of_game([1, 2, 3, 4, 5, 6, 7, 8, 9, 20])
    table.play(8, "give 4")
    assert state(table).final_garnets.tolist() == [9, 9, 9, 9, 9, 5, 5, 5, 9, 5]
    assert events_named(table, "rewarded") == [{"seats": 0b100011111}]


def test_ud_7_6_the_result_and_what_the_season_needs():
    table = end_of_game([1, 2, 3, 4, 5, 6, 7, 8, 9, 20])
    table.play(8, "give 7")
    outcome = table.outcome
    assert outcome.winners == (0, 1, 2, 3, 7, 8)
    assert outcome.payoffs == (1, 1, 1, 1, 0, 0, 0, 1, 1, -1)
    assert outcome.points == (9, 9, 9, 9, 5, 5, 5, 9, 9, 5)
    shown = table.view(4)["outcome"]
    assert (shown["ec"], shown["rule"], shown["winners"]) == (9, "UD 7.6", [0, 1, 2, 3, 7, 8])
    assert shown["table"][8] == {
        "seat": 8,
        "space": "I",
        "tickets": 9,
        "tol": 1,
        "ec": False,
        "garnets": 9,
        "priority": 12,
    }
    with pytest.raises(IllegalAction, match="over"):
        table.play(0, "trade")


def test_what_a_position_needs_is_checked():
    table = battles(claimed({}), {})
    s = state(table)
    for field, value, said in (
        ("tickets", 99, "tickets"),
        ("garnets", 9, "garnets"),
        ("priority", 12, "priorities"),
        ("space", 1, "spaces"),
        ("rank", 3, "order"),
    ):
        kept = int(s[field][0])
        s[field][0] = value
        assert said in str(GAME.invariants(record(table.box), s))
        s[field][0] = kept
    s.ec = 3
    assert "EC" in str(GAME.invariants(record(table.box), s))
