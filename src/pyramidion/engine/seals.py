"""Seals: cryptographic commitments to submissions in simultaneous steps.

A commitment is the SHA-256 of the game, table, seat, step, the seat's actions in the step up to and including the
submission, and a random nonce (commit and reveal; Blum, "Coin flipping by telephone", 1981). It is published when the
submission is made and opened when the submission may be revealed, so anyone who kept it can verify the submission.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from pyramidion.engine.errors import BadRecord
from pyramidion.engine.match import Match
from pyramidion.engine.steps import Steps
from pyramidion.translation import quantity

NONCE_BYTES = 16


@dataclass(frozen=True, slots=True)
class Seal:
    """A submission in a simultaneous step with its commitment, which is published at once, and the nonce that opens it.

    Attributes:
        step: number of steps completed before; the same for all seats, and not a ply.
        actions: notations of the seat's actions in the step, the submission last.
        commitment: 64 hexadecimal digits.
        nonce: 32 hexadecimal digits that prevent guessing the actions from the commitment.
    """

    seat: int
    step: int
    actions: tuple[str, ...]
    commitment: str
    nonce: str

    def as_json(self, *, opened: bool) -> dict[str, Any]:
        """Return JSON-ready data, including the actions and the nonce if `opened`."""
        data: dict[str, Any] = {"seat": self.seat, "step": self.step, "commitment": self.commitment}
        return data | {"actions": list(self.actions), "nonce": self.nonce} if opened else data


def commitment(game: str, table: str, seat: int, step: int, actions: Sequence[str], nonce: str) -> str:
    """Return the commitment to a submission: SHA-256 of the arguments as a JSON array, ASCII without spaces."""
    text = json.dumps([game, table, seat, step, list(actions), nonce], separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def seal(steps: Steps, table: str, seat: int, action_id: int) -> Seal:
    """Make the seal of a submission that is about to be played."""
    game = steps.match.game
    actions = (*steps.made.get(seat, ()), game.actions[action_id].text)
    nonce = secrets.token_hex(NONCE_BYTES)
    return Seal(seat, steps.number, actions, commitment(game.id, table, seat, steps.number, actions, nonce), nonce)


def check_seals(match: Match, data: Mapping[str, Any]) -> tuple[int, int]:
    """Verify a record's seals against its match; return the numbers of seals and of default actions on timeout.

    `data` holds `table`, `seals`, a list of [ply, commitment, nonce], and `clock`, the plies of default actions on
    timeout; plies count from 1. Every other submission in a simultaneous step must be sealed. Raises BadRecord with a
    sentence that names the first ply whose seal is missing or does not match.
    """
    table, by_clock = data.get("table"), _plies_in(data.get("clock", []))
    if not isinstance(table, str):
        raise BadRecord("The record's 'table' is missing or malformed; its seals cannot be checked without it.")
    kept = _seals_in(data.get("seals"))
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
        raise BadRecord(
            f"There is a seal for ply {min(kept)}, and the record has {quantity(match.ply, 'ply', 'plies')}."
        )
    return len(_seals_in(data.get("seals"))), len(by_clock)


def _plies_in(given: Any) -> set[int]:
    """Return the plies in a record's `clock`. Raises BadRecord."""
    plies: set[int] = set()
    for ply in cast("list[Any]", given) if isinstance(given, list) else [None]:
        if type(ply) is not int:
            raise BadRecord("The record's 'clock' is malformed; it should be a list of plies.")
        plies.add(ply)
    return plies


def _seals_in(given: Any) -> dict[int, tuple[str, str]]:
    """Return the seals in a record by ply, each as (commitment, nonce). Raises BadRecord."""
    kept: dict[int, tuple[str, str]] = {}
    for entry in cast("list[Any]", given) if isinstance(given, list) else [None]:
        match entry:
            case [int(ply), str(sealed), str(nonce)] if type(ply) is int and ply not in kept:
                kept[ply] = sealed, nonce
            case _:
                raise BadRecord("The record's 'seals' are malformed; each should be a ply, a commitment and a nonce.")
    return kept


__all__ = ["Seal", "check_seals", "commitment", "seal"]
