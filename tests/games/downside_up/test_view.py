"""What a seat is shown, why an action is refused, how labels and events read, and the table in a terminal."""

import json

import pytest
from rich.console import Console
from tests.games.downside_up.helpers.rules import LEFT, end_of_game
from tests.games.downside_up.positions import GAME, claimed, fight, position, why

from pyramidion import EVERYTHING
from pyramidion.games.downside_up.terminal import draw

NAMES = ["Ana", "Ben", "Cal", "Dan", "Eve", "Flo", "Gus", "Hal", "Ida", "Jo"]


def drawn(table, viewer=None):
    console = Console(width=120, record=True, file=open("/dev/null", "w"), color_system=None)  # noqa: SIM115
    with console.file:
        console.print(draw(table.view(viewer), NAMES))
        return console.export_text()


def test_the_own_submission_part_by_part():
    tickets = dict.fromkeys(range(10), 4)
    parts = [
        (position("bid", garnets={0: 7}), 0, [("bid", 0, {"most": 7})]),
        (position("claim"), 0, [("claim", 1, {"most": 4})]),
        (
            position("claim"),
            9,
            [("claim", 1, {}), ("challenge", "I", {"targets": [{"space": "H", "seat": 7}, {"space": "I", "seat": 8}]})],
        ),
        (claimed(LEFT, tickets=tickets), 0, [("defend", 0, {"most": 5, "space": "A"})]),
        (claimed(LEFT, tickets=tickets), 9, [("attack", 0, {"most": 4, "space": "H"})]),
        (claimed(LEFT, tickets=tickets), 4, [("attack", 0, {"space": "A"}), ("defend", 0, {"space": "E"})]),
    ]
    for table, seat, expected in parts:
        own = table.view(seat)["you"]
        assert [(p["part"], p["default"]) for p in own["parts"]] == [(name, default) for name, default, _ in expected]
        assert all(
            p["saved"] is None and extra.items() <= p.items()
            for p, (_, _, extra) in zip(own["parts"], expected, strict=True)
        )
        assert (
            own["asked"],
            own["confirmed"],
            own["may_save"],
            table.view(seat)["players"][seat]["parts_left"],
        ) == (True, False, True, 60)
    over = end_of_game([5] * 10)
    assert over.view(0)["you"] is None
    assert json.dumps(over.view(EVERYTHING))


def test_challenges_and_battles_of_a_round():
    view = claimed("bbdefi").view(None)
    assert [(c["seat"], c["space"], c["target"]) for c in view["challenges"]] == [
        (9, "I", 8),
        (8, "F", 5),
        (7, "E", 4),
        (6, "D", 3),
        (5, "B", 1),
        (4, "B", 1),
    ]
    assert [(b["space"], b["defender"], b["attackers"]) for b in view["battles"]] == [
        ("B", 1, [4, 5]),
        ("D", 3, [6]),
        ("E", 4, [7]),
        ("F", 5, [8]),
        ("I", 8, [9]),
    ]


@pytest.mark.parametrize(
    ("seat", "text", "rule"),
    [
        (0, "claim 1", "DU 4.1"),
        (0, "bid 1", "DU 4.1"),
        (0, "challenge b", "DU 4.1"),
        (0, "attack 1", "DU 4.1"),
        (3, "confirm", "DU 4.1"),
        (3, "reopen", "DU 1.5"),
        (9, "defend 1", "DU 4.1"),
    ],
)
def test_a_refusal_in_the_battle_phase_names_its_rule(seat, text, rule):
    refusal = why(claimed(LEFT), seat, text)
    assert refusal[0] == rule
    assert refusal[1].endswith(".")


def test_labels_name_what_is_done():
    labels = {
        "bid 1": "Bid 1 garnet",
        "claim 3": "Claim 3 tickets",
        "challenge c": "Challenge C",
        "attack 0": "Attack with no tickets",
        "defend 1": "Defend with 1 ticket",
        "trade": "Turn two garnets into a ticket",
        "confirm": "Confirm the submission",
        "reopen": "Change the submission",
    }
    for text, label in labels.items():
        assert GAME.view.label(GAME.actions.parse(text), NAMES) == label


def test_a_round_told_to_those_in_it():
    table = fight(LEFT, {4: "attack 3, defend 2", 7: "trade, attack 1", 0: "defend 2"})
    told = {event.text for viewer in (0, 4, 7) for event in table.events(viewer, names=NAMES)}
    assert {
        "Eve challenges A, where Ana stands.",
        "Eve takes A; Ana goes down to where Eve stood.",
        "Ana holds E against Hal.",
        "Ana had a defence of 2, and pays 2.",
        "Eve had an attack of 3 and a defence of 2, and pays 3.",
        "Hal turns two garnets into a ticket and has 8 garnets left.",
        "Hal claimed 1 ticket and gets none: too many others come first.",
    } <= told
    assert not any(" pays " in event.text or "claimed" in event.text for event in table.events(None, names=NAMES))


def test_the_table_in_a_terminal():
    text = drawn(position("claim"), 9)
    assert "Round 1 of 4" in text
    assert "Claim: 1 unless you choose. Challenge: I unless you choose. Not confirmed yet." in text
    table = claimed(LEFT)
    table.play(9, "attack 3")
    table.play(9, "confirm")
    assert "Attack 3. Confirmed." in drawn(table, 9)
    assert "Attack 3." not in drawn(table, 7)
    assert "Jo challenges H, where Hal stands." in drawn(table)
    assert "You have nothing to do in this phase" in drawn(table, 3)
    assert "Jo is the elimination candidate" in drawn(end_of_game([5] * 10))
