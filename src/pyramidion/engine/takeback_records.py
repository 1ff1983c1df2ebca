"""Verification of takebacks in a record: actions that were played, possibly sealed, and later undone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from pyramidion.engine.errors import BadRecord, IllegalAction
from pyramidion.engine.match import Match
from pyramidion.engine.seals import commitment
from pyramidion.engine.steps import Steps


def check_taken_back(match: Match, data: Mapping[str, Any]) -> tuple[int, int, int]:
    """Verify a record's takebacks; return the numbers of host commands, of actions taken back and of their seals.

    `data` holds `table` and `host_commands` (`acts` in older records), a list of objects. A takeback has `back_to`, the
    number of remaining actions, and `taken_back`, a list of [seat, notation] or [seat, notation, commitment, nonce].
    The actions must have been legal when played and match their seals. Raises BadRecord with a sentence.
    """
    commands = _host_commands_in(data.get("host_commands", data.get("acts", [])))
    line = [(seat, match.game.actions[action].text, "", "") for seat, action in match.history]
    actions = seals = 0
    # Go backwards: the actions that remained after a takeback are a prefix of the line that followed it.
    for command in reversed(commands):
        if "taken_back" not in command:
            continue
        left, undone = command.get("back_to"), _taken_back_in(command["taken_back"])
        if type(left) is not int or not 0 <= left <= len(line):
            raise BadRecord(
                "The record's 'host_commands' are malformed: 'back_to' is not a possible number of actions."
            )
        line = [*line[:left], *undone]
        seals += _replay(match, str(data.get("table", "")), line, left)
        actions += len(undone)
    return len(commands), actions, seals


def _replay(match: Match, table: str, line: Sequence[tuple[int, str, str, str]], since: int) -> int:
    """Play a `line` of actions that was taken back, and check the seals from its index `since` on; return their number.

    An entry of the line is (seat, notation, commitment, nonce). Raises BadRecord.
    """
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


def _host_commands_in(given: Any) -> list[dict[str, Any]]:
    """Return the host commands of a record. Raises BadRecord if they are no list of objects."""
    objects: list[Any] = cast("list[Any]", given) if isinstance(given, list) else [None]
    if not all(isinstance(item, dict) for item in objects):
        raise BadRecord("The record's 'host_commands' are malformed; it should be a list of objects.")
    return objects


def _taken_back_in(given: Any) -> list[tuple[int, str, str, str]]:
    """Return the actions that a host command took back, as (seat, notation, commitment, nonce).

    The last two are empty if the action had no seal. Raises BadRecord.
    """
    entries: list[tuple[int, str, str, str]] = []
    for entry in cast("list[Any]", given) if isinstance(given, list) else [None]:
        match entry:
            case [int(seat), str(text)] if type(seat) is int:
                entries.append((seat, text, "", ""))
            case [int(seat), str(text), str(sealed), str(nonce)] if type(seat) is int:
                entries.append((seat, text, sealed, nonce))
            case _:
                raise BadRecord(
                    "What the record's 'host_commands' took back is malformed; each is a seat and an action."
                )
    return entries


__all__ = ["check_taken_back"]
