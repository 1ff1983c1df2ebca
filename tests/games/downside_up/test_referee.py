"""Comparison of the game with a second implementation over random play, and accounts of all tickets and garnets."""

import random

import pytest
from tests.games.downside_up.positions import GAME, state
from tests.games.downside_up.referee import Referee

from pyramidion import EVERYTHING

OPTIONS = [
    {},
    {"all_pay": False},
    {"garnets": tuple(range(10)), "priority": tuple(range(-5, 5))},
    {"garnets": (21,) * 10, "priority": (9, -9, 8, -8, 7, -7, 6, -6, 5, -5), "all_pay": False},
]


def choose(chance, texts):
    """Return an action; players confirm after a few parts and rarely reopen."""
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
    assert s.tol.tolist() == referee.tol
    if referee.space:
        assert "".join("ABCDEFGHIJ"[n] for n in s.space) == "".join(referee.space[seat] for seat in range(10))


@pytest.mark.parametrize("options", OPTIONS, ids=range(len(OPTIONS)))
def test_the_second_referee_agrees(options):
    for seed in range(5):
        chance = random.Random(seed)
        match = GAME.new(10, seed, **options)
        garnets = options.get("garnets", (10,) * 10)
        referee = Referee(state(match).priority.tolist(), garnets, options.get("all_pay", True))
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
        check_accounts(match, garnets)


def check_accounts(match, started):
    """Check that final holdings equal the initial ones plus the changes in all events."""
    garnets, tickets = list(started), [5] * 10
    for event in match.events(EVERYTHING):
        told, seat = event.data, event.data.get("seat", 0)
        if event.name == "traded":
            garnets[seat] -= 2
            tickets[seat] += 1
        elif event.name == "bid":
            garnets[seat] -= told["paid"]
        elif event.name == "got":
            tickets[seat] += told["tickets"]
        elif event.name == "used":
            tickets[seat] -= told["paid"]
    table = sorted(match.view(None)["outcome"]["table"], key=lambda row: row["seat"])
    assert [row["tickets"] for row in table] == tickets
    assert [row["garnets"] for row in table] == [a + b for a, b in zip(garnets, tickets, strict=True)]
    assert sum(row["tol"] for row in table) == 6
