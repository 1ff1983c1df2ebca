"""Comparison of the game with a second implementation over random play, and accounts of all holdings."""

import random

import pytest
from tests.games.upside_down.positions import GAME, state
from tests.games.upside_down.referee import Referee

from pyramidion import EVERYTHING

OPTIONS = [
    {},
    {"garnets": list(range(10)), "priority": [3] * 10},
    {"garnets": [0] * 10, "priority": [-5, -5, 4, 4, 4, 0, 0, 0, 1, 2]},
    {"garnets": [2] * 10, "priority": [-900] * 5 + [7] * 5},
    {"challenges": "bottom-up", "sole_highest": True, "open_priority": True},
    {"garnets": [0] * 10, "sole_highest": True},
    {"candidate": "first-pyramid"},
]


def choose(chance, texts):
    """An action; people confirm after a few parts, and seldom reopen."""
    if "reopen" in texts and chance.random() < 0.9:
        return None
    if "confirm" in texts and chance.random() < 0.3:
        return "confirm"
    return chance.choice(sorted(texts - {"trade"} or texts) if chance.random() < 0.8 else sorted(texts))


def compare(match, referee):
    s = state(match)
    assert match.over == referee.over
    assert match.acting == referee.acting()
    assert match.view(None)["phase"] == referee.phase
    assert s.tickets.tolist() == referee.tickets
    assert s.garnets.tolist() == referee.garnets
    assert s.priority.tolist() == referee.priority
    assert s.tol.tolist() == referee.tol
    if referee.space:
        assert "".join("ABCDEFGHIJ"[n] for n in s.space) == "".join(referee.space[seat] for seat in range(10))


@pytest.mark.parametrize("options", OPTIONS, ids=range(len(OPTIONS)))
def test_the_second_referee_agrees(options):
    for seed in range(5):
        chance = random.Random(seed)
        match = GAME.new(10, seed, **options)
        priority = options.get("priority") or state(match).priority.tolist()

        def draw(seat, choices, match=match):
            found = next(c["target"] for c in match.view(None)["challenges"] if c["seat"] == seat)
            assert found in choices
            return found

        read = {name: options[name] for name in ("challenges", "sole_highest", "candidate") if name in options}
        referee = Referee(priority, options.get("garnets", [5] * 10), draw, **read)
        while not match.over:
            seat = chance.choice(match.acting if chance.random() < 0.8 else (*match.acting, *match.free))
            texts = referee.legal(seat)
            if chance.random() < 0.3:
                assert {str(action) for action in match.legal(seat)} == texts
            text = choose(chance, texts) if texts else None
            if text:
                match.play(seat, text)
                referee.play(seat, text)
                compare(match, referee)
        assert match.outcome.winners == tuple(s for s in range(10) if referee.tol[s])
        assert state(match).final_tickets.tolist() == referee.tickets
        check_accounts(match, options)


def check_accounts(match, options):
    """What everybody holds at the end is what they began with and every event has added or taken."""
    events = match.events(EVERYTHING)
    garnets = list(options.get("garnets", [5] * 10))
    priority = list(options.get("priority", state(match.at(0)).priority.tolist()))
    tickets = [5] * 10
    for event in events:
        told, seat = event.data, event.data.get("seat", 0)
        if event.name == "traded":
            garnets[seat] -= 1
            tickets[seat] += 1
        elif event.name == "raised":
            priority[seat] += told["amount"]
        elif event.name == "bid":
            priority[seat] -= told["amount"]
        elif event.name == "got":
            tickets[seat] += told["tickets"]
            priority[seat] -= told["lost"]
        elif event.name == "used":
            tickets[seat] -= told["paid"]
        elif event.name == "rewarded":
            garnets = [n + 4 * (told["seats"] >> p & 1) for p, n in enumerate(garnets)]
    table = sorted(match.view(None)["outcome"]["table"], key=lambda row: row["seat"])
    assert [row["tickets"] for row in table] == tickets
    assert [row["garnets"] for row in table] == garnets
    assert [row["priority"] for row in table] == priority
    assert sum(row["tol"] for row in table) == 6 - any(row["ec"] and row["space"] in "ABCD" for row in table)


def test_priority_falls_without_end_and_fits():
    lowest = 0
    for seed in range(4):
        match = GAME.new(10, seed, priority=(-1000,) * 10)
        while not match.over:
            if match.view(None)["phase"] == "claim":
                for seat in match.acting:
                    match.play(seat, "ask 1")
            for seat in match.acting:
                match.play(seat, match.timeout(seat))
                if match.view(None)["phase"] == "giving":
                    break
        lowest = min(lowest, *state(match).priority.tolist())
    assert -(2**31) < lowest < -20_000
