"""What a seat is shown, why an action is refused, how labels and events read, and the table in a terminal."""

import json
import re

import pytest
from rich.console import Console
from tests.games.upside_down.helpers.rules import end_of_game, finish
from tests.games.upside_down.positions import GAME, claimed, position, submit, why

from pyramidion import EVERYTHING
from pyramidion.games.upside_down.terminal import draw

NAMES = ["Ana", "Ben", "Cal", "Dan", "Eve", "Flo", "Gus", "Hal", "Ida", "Jo"]
CHAIN = {9: 7, 7: 4, 4: 0, 8: 5, 5: 1, 6: 2}


def drawn(table, viewer=None, *, compact=False):
    console = Console(width=120, record=True, file=open("/dev/null", "w"), color_system=None)  # noqa: SIM115
    with console.file:
        console.print(draw(table.view(viewer), NAMES, compact))
        return console.export_text()


def test_the_own_submission_part_by_part():
    parts = [
        (position("pregame", priority=[7, *range(20, 29)]), 0, [("bid", 0, {"most": 7})]),
        (position("claim"), 0, [("ask", 0, {"most": 4})]),
        (position("claim"), 9, [("ask", 0, {"most": 4}), ("challenge", None, {"targets": [7, 8]})]),
        (claimed(CHAIN), 9, [("tickets", 0, {"most": 5})]),
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
    over = finish(end_of_game([5] * 10))
    assert over.view(0)["you"] is None
    assert json.dumps(over.view(EVERYTHING))


def test_challenges_and_battles_of_a_round():
    view = claimed(CHAIN).view(None)
    assert [(c["seat"], c["target"], c["because"]) for c in view["challenges"]] == [
        (9, 7, None),
        (8, 5, None),
        (7, 4, 9),
        (6, 2, None),
        (5, 1, 8),
        (4, 0, 7),
    ]
    assert [(b["space"], b["defender"], b["challengers"]) for b in view["battles"]] == [
        ("C", 2, [6]),
        ("F", 5, [8]),
        ("H", 7, [9]),
    ]


@pytest.mark.parametrize(
    ("seat", "text", "rule"),
    [
        (2, "ask 1", "UD 6.1"),
        (2, "bid 1", "UD 6.1"),
        (2, "challenge 1", "UD 6.1"),
        (2, "give 1", "UD 7.4"),
        (2, "tickets 9", "UD 6.1"),
        (3, "tickets 1", "UD 6.1"),
        (3, "confirm", "UD 6.1"),
        (3, "reopen", "UD 4.2"),
    ],
)
def test_a_refusal_in_the_battle_phase_names_its_rule(seat, text, rule):
    refusal = why(claimed(CHAIN), seat, text)
    assert refusal[0] == rule
    assert refusal[1].endswith(".")


def test_labels_name_what_is_done():
    labels = {
        "bid 3": "Bid 3 priority",
        "ask 0": "Ask for no tickets",
        "ask 1": "Ask for 1 ticket",
        "challenge 4": "Challenge Eve",
        "tickets 12": "Use 12 tickets",
        "give 2": "Give Cal a token of life",
        "trade": "Turn a garnet into a ticket",
        "confirm": "Confirm the submission",
        "reopen": "Change the submission",
    }
    for text, label in labels.items():
        assert GAME.view.label(GAME.actions.parse(text), NAMES) == label


def test_a_round_told_to_those_in_it():
    table = submit(position("claim"), {4: "challenge 0, ask 4", 5: "challenge 0, ask 4", 9: "trade, challenge 8"})
    submit(table, {4: "tickets 9", 0: "tickets 2"})
    told = {event.text for viewer in (4, 5, 9) for event in table.events(viewer, names=NAMES)}
    assert {
        "Eve gets 4 tickets and pays for the screwed players; priority 16 − 15 = 1.",
        "Flo asked for 4 tickets and is screwed: too many players with a higher priority asked for the same.",
        "Jo turns a garnet into a ticket and has 4 garnets left.",
        "Eve challenges Ana.",
        "Eve wins, and changes places with Ana: Eve stands on A now.",
        "Eve used 9 tickets and pays them.",
        "Round 1: the challenges are fought out.",
    } <= told
    assert not any("used" in event.text or "screwed" in event.text for event in table.events(None, names=NAMES))


def test_a_small_screen_has_the_pyramid_beside_the_players_and_only_known_numbers():
    lines = drawn(position("claim"), 9, compact=True).splitlines()
    rows = [" ".join(re.findall(r"\b[A-J](?:10|\d|-)", line)) for line in lines]
    assert [row for row in rows if row] == ["A1 B2 C3 D4", "E5 F6 G7", "H8 I9", "J10"]
    assert not any("?" in line for line in lines)
    assert {"Tickets: 5", "Garnets: 5", "Priority: 11"} <= {line.strip().split("  ")[-1].strip() for line in lines}
    everything = drawn(position("claim"), compact=True)
    assert "Tickets:" not in everything


def test_the_table_in_a_terminal():
    text = drawn(position("claim"), 9)
    assert "Round 1 of 5" in text
    assert "Jo (you)" in text
    assert "Ask: 0 unless you choose. Challenge: drawn at random unless you choose. Not confirmed yet." in text
    table = claimed(CHAIN)
    table.play(9, "tickets 3")
    assert "Tickets 3." in drawn(table, 9)
    assert "Tickets 3." not in drawn(table, 7)
    assert "Hal challenges Eve: void, Jo challenges Hal." in drawn(table)
    assert "You have nothing to do in this phase" in drawn(table, 3)
    assert "Jo is the elimination candidate" in drawn(finish(end_of_game([5] * 10)))
    assert "Tokens of life are given away" in drawn(end_of_game([9] + [5] * 9))
