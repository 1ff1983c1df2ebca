"""The `pyramidion train GAME` command."""

from __future__ import annotations

import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING

from pyramidion.cli.options import CommandFailed, check_new, load
from pyramidion.translation import quantity

if TYPE_CHECKING:
    from pyramidion.bots.learned import Learned
    from pyramidion.engine.game import Game
    from pyramidion.lab.training.contest import Score
    from pyramidion.lab.training.trainer import Trainer

REPORT_SECONDS = 5.0
"""Seconds between lines of progress."""


def train(
    game_id: str,
    out: Path | None,
    seats: int | None,
    games: int | None,
    hours: float | None,
    seed: int,
    teacher: str,
    seconds: float,
    contest: int,
) -> None:
    """Learn a policy from games, test it in a contest, and write it to a file if it is accepted."""
    from pyramidion.bots.learned import learned_of
    from pyramidion.lab.training.learners import learner_of
    from pyramidion.lab.training.trainer import Trainer, training_spec

    game = load(game_id)
    if games is not None and hours is not None:
        raise CommandFailed("Give --games or --hours, not both.")
    try:
        seats = game.accept_seats(seats if seats is not None else game.usual_seats)
        if games is None and hours is None:
            games = learner_of(game, seats, seed, teacher).usual_games
        spec = training_spec(game, seats, seed, games, hours, teacher)
        out = out or Path(f"learned-{spec.seats}.npz")
        check_new(out)
        trainer = Trainer(game, spec, out.with_name(out.name + ".part"))
    except ValueError as error:
        raise CommandFailed(str(error)) from error
    command = f"pyramidion train {game.id} --teacher {teacher} --seats {spec.seats} --seed {seed} " + (
        f"--games {games}" if games is not None else f"--hours {hours:g}"
    )
    champion = learned_of(game, spec.seats)
    _learn(trainer)
    score = _contest(game, trainer, champion, seconds, contest)
    against = "Expert" if champion is None else "Master"
    about: dict[str, object] = {"command": command}
    if score is not None:
        about["accepted"] = {
            "games": score.games,
            "wins": round(score.wins, 2),
            "interval": [round(end, 3) for end in score.interval],
            "seconds": seconds,
            "against": against,
        }
    trainer.learned(**about).save(out)
    again = "" if score is not None else " It has not been tested."
    print(f"The policy is in {shlex.quote(str(out))}.{again}")


def _learn(trainer: Trainer) -> None:
    """Run the training to its end, and print now and then how far it is."""
    reported = time.monotonic()
    for _ in trainer.learn():
        if trainer.done >= 1 or time.monotonic() - reported >= REPORT_SECONDS:
            reported = time.monotonic()
            print(f"{trainer.done:.0%} learned: {trainer.describe()}", flush=True)


def _contest(game: Game, trainer: Trainer, champion: Learned | None, seconds: float, max_games: int) -> Score | None:
    """Play the contest until it is decided; return the score (None without one). Raises CommandFailed if it fails."""
    from pyramidion.lab.training.contest import contest

    if not max_games:
        return None
    score, reported = trainer.score(), time.monotonic()
    rotations = contest(game, trainer.spec.seats, trainer.learned(), champion, seconds, trainer.spec.seed, score)
    while score.accepted is None and score.games < max_games:
        score = next(rotations)
        trainer.keep(score)
        if score.accepted is not None or time.monotonic() - reported >= REPORT_SECONDS:
            reported = time.monotonic()
            print(_describe(score), flush=True)
    if score.accepted:
        return score
    why = "It is not stronger" if score.accepted is False else "It is undecided whether it is stronger"
    raise CommandFailed(f"{why} at {seconds:g} s a decision: {_describe(score)}. No file was written.", code=1)


def _describe(score: Score) -> str:
    """Return the score of a contest in words."""
    low, high = score.interval
    return (
        f"{score.share:.1%} of {quantity(score.games, 'game')} won ({low:.1%} to {high:.1%}) "
        f"where {score.even:.1%} is even, evidence {score.log_likelihood_ratio:+.2f}"
    )
