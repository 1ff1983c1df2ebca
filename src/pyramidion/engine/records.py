"""Reading the record of a match: every action is played again, and its seals and the origin of its seed are checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from pyramidion.engine import registry
from pyramidion.engine.errors import BadRecord, IllegalAction
from pyramidion.engine.match import Match
from pyramidion.engine.seals import check_seals
from pyramidion.engine.seeds import check_origin

KEYS: dict[str, Any] = {
    "game": str,
    "rules_version": int,
    "seats": int,
    "options": Mapping,
    "seed": (int, str),
    "actions": list,
}
"""What every record has, and the types of it in JSON."""


def replayed(data: Any) -> Match:
    """Replay a record, check its seals and its seed, and return its match.

    Raises BadRecord as `Match.from_record` does.
    """
    if not isinstance(data, Mapping):
        raise BadRecord("A record is a JSON object.")
    record = cast("Mapping[str, Any]", data)
    match = _opening(record)
    for ply, entry in enumerate(record["actions"], 1):
        _play(match, ply, entry)
    if "seals" in record:
        check_seals(match, record)
    if "origin" in record:
        check_origin(record, game=match.game.id, seats=match.seats, seed=match.seed)
    return match


def _opening(record: Mapping[str, Any]) -> Match:
    """Return the match that a record begins with, before its actions. Raises BadRecord."""
    for key, kind in KEYS.items():
        if not isinstance(record.get(key), kind) or isinstance(record.get(key), bool):
            raise BadRecord(f"The record's {key!r} is missing or malformed.")
    try:
        game = registry.load(record["game"])
    except KeyError as error:
        raise BadRecord(str(error)) from None
    version = record["rules_version"]
    if type(version) is not int or version not in game.versions:
        raise BadRecord(
            f"The record was played under version {version} of the rules of {game.name}; "
            f"this is version {game.rules_version}."
        )
    cards = record.get("cards")
    if not isinstance(cards, (str, type(None))):
        raise BadRecord("The record's 'cards' is malformed.")
    try:
        return Match(game, record["seats"], record["seed"], record["options"], cards, version)
    except ValueError as error:
        raise BadRecord(str(error)) from None


def _play(match: Match, ply: int, entry: Any) -> None:
    """Play one entry of a record's actions, [seat, notation]. Raises BadRecord if it is malformed or not legal."""
    match entry:
        case [int(seat), str(action)] if type(seat) is int:
            try:
                match.play(seat, action)
            except IllegalAction as error:
                raise BadRecord(f"Ply {ply}, {action[:60]!r} by seat {seat}, is not legal: {error}") from None
        case _:
            raise BadRecord(f"Ply {ply} is malformed; it should be a seat and an action.")
