"""Laws of what a game reports: its events and its result."""

from __future__ import annotations

from pyramidion.engine.layout import EVERYTHING
from pyramidion.engine.payoffs import payoffs_of
from pyramidion.engine.random_games import RandomGame


def payoffs_have_their_form(trial: RandomGame) -> None:
    """Check that payoffs have the declared form and bounds, and that nobody has a higher payoff than a winner.

    Where payoffs are no sum, the winners are the seats with a positive payoff.
    """
    outcome, game = trial.match.outcome, trial.match.game
    assert outcome is not None
    payoffs, bounds = outcome.payoffs, payoffs_of(game, trial.match.seats, trial.match.box)
    good = all(bounds.low <= p <= bounds.high for p in payoffs)
    if game.payoff_form == "sum":
        winners = tuple(seat for seat in outcome.winners if payoffs[seat] == max(payoffs))
    else:
        winners = tuple(seat for seat in range(trial.match.seats) if payoffs[seat] > 0)
    trial.require(winners == outcome.winners, "payoffs_have_their_form", trial.match.ply, f"{outcome}")
    if bounds.total is not None:
        good = good and abs(sum(payoffs) - bounds.total) < 1e-9
    elif game.payoff_form == "share":
        good = good and min(abs(sum(payoffs) - n) for n in (0, 1)) < 1e-9
    elif game.payoff_form == "sign":
        good = good and all(p in (-1, 0, 1) for p in payoffs)
    trial.require(
        good,
        "payoffs_have_their_form",
        trial.match.ply,
        f"{payoffs} is no {game.payoff_form} from {bounds.low:g} to {bounds.high:g}",
    )
    trial.require(
        outcome.rule.startswith(trial.match.game.prefix), "payoffs_have_their_form", trial.match.ply, outcome.rule
    )
    trial.require(bool(trial.match.view(EVERYTHING)), "payoffs_have_their_form", trial.match.ply, "no open view")


def events_have_sentences(trial: RandomGame) -> None:
    """Check that every event has a sentence for every viewer, and cites a rule that is on the rules page."""
    match = trial.match
    numbers = set(match.game.rule_numbers) | {number.split(".")[0] for number in match.game.rule_numbers}
    for viewer in (None, *range(match.seats)):
        for event in match.events(viewer, names=[f"Player{n}" for n in range(match.seats)]):
            trial.require(event.text.endswith("."), "events_have_sentences", match.ply, f"{event}")
            number = event.rule.split(" ")[1]
            trial.require(
                number in numbers, "events_have_sentences", match.ply, f"{event.rule} is not on the rules page"
            )
