"""Seals: a submission in a simultaneous step is committed to when it is made, and opened when it may be known.

The commitment is the SHA-256 of game, table, seat, step, what the seat has done in the step up to and including the
submission, and a random nonce (commit and reveal; Blum, "Coin flipping by telephone", 1981). Whoever has been given it
can check afterwards that what is told as the submission is what was submitted then.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from pyramidion.engine.match import BadRecord, Match
from pyramidion.engine.steps import Steps

NONCE_BYTES = 16


@dataclass(frozen=True, slots=True)
class Seal:
    """A sealed submission.

    Attributes:
        step: how many steps had ended before; the same for all seats, and not the number of actions.
        actions: notations of what the seat did in the step, the submission last.
        commitment: 64 hexadecimal digits; `nonce`: 32, without which nobody can try out what was submitted.
    """

    seat: int
    step: int
    actions: tuple[str, ...]
    commitment: str
    nonce: str

    def as_json(self, *, opened: bool) -> dict[str, Any]:
        """Return the seal as JSON-ready data, with what it holds where it may be `opened`."""
        told: dict[str, Any] = {"seat": self.seat, "step": self.step, "commitment": self.commitment}
        return told | {"actions": list(self.actions), "nonce": self.nonce} if opened else told


def commitment(game: str, table: str, seat: int, step: int, actions: Sequence[str], nonce: str) -> str:
    """Return the commitment: SHA-256 of the JSON array of the arguments in this order, without spaces, in ASCII."""
    text = json.dumps([game, table, seat, step, list(actions), nonce], separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def seal(steps: Steps, table: str, seat: int, action_id: int) -> Seal:
    """Return the seal of a submission that is about to be made."""
    game = steps.match.game
    actions = (*steps.made.get(seat, ()), game.actions[action_id].text)
    nonce = secrets.token_hex(NONCE_BYTES)
    return Seal(seat, steps.number, actions, commitment(game.id, table, seat, steps.number, actions, nonce), nonce)


def check_seals(match: Match, data: Mapping[str, Any]) -> tuple[int, int]:
    """Check the seals of a record against its match; return how many there are, and how many actions the clock made.

    `data` has `table`, `seals` as a list of [ply, commitment, nonce], and `clock`, the plies made when time was up;
    plies count from 1. Every submission in a simultaneous step that the clock has not made must be sealed. Raises
    BadRecord with a sentence that names the first ply whose seal is missing or does not fit.
    """
    table, by_clock = data.get("table"), _plies(data.get("clock", []))
    if not isinstance(table, str):
        raise BadRecord("The record's 'table' is missing or malformed; its seals cannot be checked without it.")
    kept = _seals(data.get("seals"))
    steps = Steps(match.at(0))
    for ply, (seat, action_id) in enumerate(match.history, 1):
        submits, number = steps.submits(seat, action_id), steps.number
        actions = (*steps.made.get(seat, ()), match.game.actions[action_id].text)
        steps.play(seat, action_id)
        if not submits or ply in by_clock:
            if ply in kept:
                raise BadRecord(f"Ply {ply} has a seal, and is no submission that a seat has made.")
            continue
        if ply not in kept:
            raise BadRecord(f"Ply {ply}, {actions[-1][:60]!r} by seat {seat}, has no seal.")
        sealed, nonce = kept.pop(ply)
        if commitment(match.game.id, table, seat, number, actions, nonce) != sealed:
            raise BadRecord(
                f"Ply {ply}, {actions[-1][:60]!r} by seat {seat}, does not fit its seal: it is not what was submitted."
            )
    if kept:
        raise BadRecord(f"There is a seal for ply {min(kept)}, and the record has {match.ply} plies.")
    return len(_seals(data.get("seals"))), len(by_clock)


def _plies(given: Any) -> set[int]:
    plies: set[int] = set()
    for one in cast("list[Any]", given) if isinstance(given, list) else [None]:
        if type(one) is not int:
            raise BadRecord("The record's 'clock' is malformed; it should be a list of plies.")
        plies.add(one)
    return plies


def _seals(given: Any) -> dict[int, tuple[str, str]]:
    kept: dict[int, tuple[str, str]] = {}
    for entry in cast("list[Any]", given) if isinstance(given, list) else [None]:
        match entry:
            case [int(ply), str(sealed), str(nonce)] if type(ply) is int and ply not in kept:
                kept[ply] = sealed, nonce
            case _:
                raise BadRecord("The record's 'seals' are malformed; each should be a ply, a commitment and a nonce.")
    return kept


__all__ = ["Seal", "check_seals", "commitment", "seal"]
