"""Laws of actions: legality and refusals agree, notation is read back, and timeouts are legal."""

from __future__ import annotations

import numpy as np

from pyramidion.engine.errors import IllegalAction
from pyramidion.engine.random_games import RandomGame


def legal_iff_not_refused(trial: RandomGame) -> None:
    """Check that an action is legal if and only if the view does not refuse it.

    Also check that legality depends only on what the seat can see.
    """
    game = trial.match.game
    for ply in trial.some_plies(12):
        match = trial.match.at(ply)
        for seat in range(match.seats):
            ids = set(match.legal_ids(seat).tolist())
            tried = ids if len(ids) < 40 else set(trial.chance.sample(sorted(ids), 40))
            tried = tried | {trial.chance.randrange(len(game.actions)) for _ in range(25)}
            tried |= {family.first for family in game.actions.families.values()}
            for action in tried:
                refusal = match.refusal(seat, action)
                trial.require(
                    (refusal is None) == (action in ids),
                    "legal_iff_not_refused",
                    ply,
                    f"seat {seat}, {game.actions[action].text!r}: legal {action in ids}, refusal {refusal}",
                )
            redacted = match.redacted_state(seat)
            out = np.empty(len(game.actions), np.int32)
            count = game.compiled.legal(match.box_for(seat), redacted, seat, out)
            trial.require(set(out[:count].tolist()) == ids, "legal_iff_not_refused", ply, f"seat {seat} needs secrets")


def refused_changes_nothing(trial: RandomGame) -> None:
    """Check that an illegal action raises IllegalAction with a sentence and leaves the state unchanged."""
    game = trial.match.game
    for ply in trial.some_plies(6):
        match = trial.match.at(ply)
        before = match.state_copy().tobytes()
        for seat in range(match.seats):
            ids = set(match.legal_ids(seat).tolist())
            for action in trial.chance.sample(range(len(game.actions)), min(10, len(game.actions))):
                if action in ids:
                    continue
                try:
                    match.play(seat, action)
                except IllegalAction as error:
                    trial.require(error.reason.endswith("."), "refused_changes_nothing", ply, "no sentence")
                else:
                    trial.require(False, "refused_changes_nothing", ply, f"{action} was accepted")
        trial.require(match.state_copy().tobytes() == before, "refused_changes_nothing", ply, "the state has changed")


def notation_round_trips(trial: RandomGame) -> None:
    """Check that every action's notation parses back to the action, and that every action has a path and a label."""
    game, match = trial.match.game, trial.match
    played = [game.actions[action] for _, action in match.history]
    for action in [*played, *(game.actions[trial.chance.randrange(len(game.actions))] for _ in range(50))]:
        trial.require(game.actions.parse(str(action)) == action, "notation_round_trips", 0, f"{action!r}")
        trial.require(bool(action.path), "notation_round_trips", 0, f"{action!r} has no path")
        label = match.label(action)
        trial.require(bool(label.strip()), "notation_round_trips", 0, f"{action!r} has no label")


def paths_tell_actions_apart(trial: RandomGame) -> None:
    """Check that no two legal actions have the same path, so that clicks on the board always mean one of them."""
    for ply in trial.some_plies(12):
        match = trial.match.at(ply)
        for seat in range(match.seats):
            by_path: dict[tuple[str, ...], str] = {}
            for action in match.legal(seat):
                other = by_path.setdefault(action.path, action.text)
                trial.require(
                    other == action.text,
                    "paths_tell_actions_apart",
                    ply,
                    f"{other!r} and {action.text!r} are both clicked as {' '.join(action.path)}; give them a first "
                    "parameter that differs, such as the card that is played",
                )


def timeouts_are_legal(trial: RandomGame) -> None:
    """Check that the default actions of absent seats are legal, and that a game played only by them ends."""
    match = trial.match
    for ply in trial.some_plies(15):
        at = match.at(ply)
        for seat in at.acting:
            action = at.timeout(seat)
            legal = action.id in at.legal_ids(seat)
            trial.require(legal, "timeouts_are_legal", ply, f"seat {seat}: {action}")
    absent = match.at(0)
    while not absent.over:
        trial.require(absent.ply < match.game.longest(match.seats), "timeouts_are_legal", absent.ply, "no end")
        absent.play(absent.acting[0], absent.timeout(absent.acting[0]))
