"""What a record says was taken back: actions that were played, sealed where they were submissions, and do not count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from pyramidion.engine.match import BadRecord, IllegalAction, Match
from pyramidion.engine.seals import commitment
from pyramidion.engine.steps import Steps


def check_taken_back(match: Match, data: Mapping[str, Any]) -> tuple[int, int, int]:
    """Check what the acts of a record took back; return how many acts there are, the actions they took back, and the
    seals among these.

    `data` has `table`, and `acts` as a list of objects; one that took actions back has `back_to`, the number of actions
    that it left, and `taken_back`, a list of [seat, notation] or [seat, notation, commitment, nonce]. What was taken
    back must have been legal where it was played, and fit its seals. Raises BadRecord with a sentence.
    """
    acts = _objects(data.get("acts", []))
    line = [(seat, match.game.actions[action].text, "", "") for seat, action in match.history]
    actions = seals = 0
    # From the last one back to the first: what an act left is the beginning of what came after it.
    for act in reversed(acts):
        if "taken_back" not in act:
            continue
        left, gone = act.get("back_to"), _entries(act["taken_back"])
        if type(left) is not int or not 0 <= left <= len(line):
            raise BadRecord("The record's 'acts' are malformed: 'back_to' is not a number of actions that were left.")
        line = [*line[:left], *gone]
        seals += _replay(match, str(data.get("table", "")), line, left)
        actions += len(gone)
    return len(acts), actions, seals


def _replay(match: Match, table: str, line: Sequence[tuple[int, str, str, str]], since: int) -> int:
    steps = Steps(match.at(0))
    seals = 0
    for number, (seat, text, sealed, nonce) in enumerate(line):
        made = (*steps.made.get(seat, ()), text)
        if number >= since and sealed:
            if commitment(match.game.id, table, seat, steps.number, made, nonce) != sealed:
                raise BadRecord(f"{text[:60]!r} by seat {seat}, which was taken back, does not fit its seal.")
            seals += 1
        try:
            steps.play(seat, match.game.actions.parse(text).id)
        except (IllegalAction, ValueError) as error:
            raise BadRecord(f"{text[:60]!r} by seat {seat}, which was taken back, was not legal: {error}") from None
    return seals


def _objects(given: Any) -> list[dict[str, Any]]:
    found: list[Any] = cast("list[Any]", given) if isinstance(given, list) else [None]
    if not all(isinstance(one, dict) for one in found):
        raise BadRecord("The record's 'acts' are malformed; it should be a list of objects.")
    return found


def _entries(given: Any) -> list[tuple[int, str, str, str]]:
    entries: list[tuple[int, str, str, str]] = []
    for one in cast("list[Any]", given) if isinstance(given, list) else [None]:
        match one:
            case [int(seat), str(text)] if type(seat) is int:
                entries.append((seat, text, "", ""))
            case [int(seat), str(text), str(sealed), str(nonce)] if type(seat) is int:
                entries.append((seat, text, sealed, nonce))
            case _:
                raise BadRecord("What the record's 'acts' took back is malformed; each is a seat and an action.")
    return entries


__all__ = ["check_taken_back"]
