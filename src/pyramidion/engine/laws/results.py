"""Laws of what a game reports: its events and its result."""

from __future__ import annotations

from pyramidion.engine.layout import EVERYTHING
from pyramidion.engine.random_games import RandomGame


def payoffs_have_their_form(trial: RandomGame) -> None:
    """Payoffs have the declared form, and the winners are the seats with a positive payoff."""
    outcome = trial.match.outcome
    assert outcome is not None
    payoffs = outcome.payoffs
    winners = tuple(seat for seat in range(trial.match.seats) if payoffs[seat] > 0)
    trial.require(winners == outcome.winners, "payoffs_have_their_form", trial.match.ply, f"{outcome}")
    if trial.match.game.payoff_form == "share":
        sums = (1,) if trial.match.game.somebody_wins else (0, 1)
        good = all(0 <= p <= 1 for p in payoffs) and min(abs(sum(payoffs) - n) for n in sums) < 1e-9
    else:
        good = all(p in (-1, 0, 1) for p in payoffs)
    trial.require(good, "payoffs_have_their_form", trial.match.ply, f"{payoffs} is no {trial.match.game.payoff_form}")
    trial.require(
        outcome.rule.startswith(trial.match.game.prefix), "payoffs_have_their_form", trial.match.ply, outcome.rule
    )
    trial.require(bool(trial.match.view(EVERYTHING)), "payoffs_have_their_form", trial.match.ply, "no open view")


def events_have_sentences(trial: RandomGame) -> None:
    """Every event has a sentence for every viewer, and cites a rule on the rules page."""
    match = trial.match
    numbers = set(match.game.rule_numbers) | {number.split(".")[0] for number in match.game.rule_numbers}
    for viewer in (None, *range(match.seats)):
        for event in match.events(viewer, names=[f"Player{n}" for n in range(match.seats)]):
            trial.require(event.text.endswith("."), "events_have_sentences", match.ply, f"{event}")
            number = event.rule.split(" ")[1]
            trial.require(
                number in numbers, "events_have_sentences", match.ply, f"{event.rule} is not on the rules page"
            )
