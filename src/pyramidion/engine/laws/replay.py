"""Laws of replay: the same actions lead to the same states, recorded, taken back, compiled or interpreted."""

from __future__ import annotations

import json

from pyramidion.engine.interpreted import interpreted_digests, state_digest
from pyramidion.engine.match import Match
from pyramidion.engine.random_games import RandomGame


def same_record_same_bytes(trial: RandomGame) -> None:
    """Check that a record survives JSON, and that replaying it gives the same bytes of the state after every action."""
    match = trial.match
    again = Match.from_record(json.loads(json.dumps(match.record())))
    for ply in range(match.ply + 1):
        same = again.at(ply).state_copy().tobytes() == match.at(ply).state_copy().tobytes()
        trial.require(same, "same_record_same_bytes", ply, "the replayed state differs")
    trial.require(again.record() == match.record(), "same_record_same_bytes", match.ply, "the record differs")


def earlier_states_stay(trial: RandomGame) -> None:
    """Check that playing on from an earlier position, or undoing, changes no other match."""
    match = trial.match
    for ply in trial.some_plies(4):
        earlier = match.at(ply)
        before, end = earlier.state_copy().tobytes(), match.state_copy().tobytes()
        other = match.at(ply)
        while not other.over and other.ply < ply + 5:
            other.play(other.acting[0], int(trial.chance.choice(other.legal_ids(other.acting[0]))))
        while other.ply > ply:
            other.undo()
        trial.require(other.state_copy().tobytes() == before, "earlier_states_stay", ply, "undo leads elsewhere")
        trial.require(earlier.state_copy().tobytes() == before, "earlier_states_stay", ply, "an earlier match changed")
        trial.require(match.state_copy().tobytes() == end, "earlier_states_stay", ply, "the match itself changed")


def compiled_and_interpreted_agree(trial: RandomGame) -> None:
    """Check that compiled and interpreted rules give the same states and the same legal actions after every action."""
    match = trial.match
    compiled = [state_digest(match.at(ply)) for ply in range(match.ply + 1)]
    interpreted = interpreted_digests(match)
    for ply, (digest, other) in enumerate(zip(compiled, interpreted, strict=True)):
        trial.require(digest == other, "compiled_and_interpreted_agree", ply, "the states or legal actions differ")
