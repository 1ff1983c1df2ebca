"""Golden playthroughs: whole games recorded for people to read, so that rule changes show up as a diff.

A playthrough is played by a chooser that sees only the legal actions and a seed, so the same rules always produce the
same file. Each file ends with a fingerprint of actions and events, without their texts.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import pyramidion
from pyramidion import EVERYTHING, Event, Match
from pyramidion.engine import registry

FOLDER = Path(__file__).parent
COMMAND = "python -m tests.playthroughs"


@dataclass(frozen=True)
class Playthrough:
    """One golden game.

    Attributes:
        name: name of its file, beginning with the id of the game.
        shows: what it is here for, a sentence.
        likes: how often each family of actions is chosen where it is legal, 1 if not named.
    """

    name: str
    game: str
    seats: int
    seed: str
    shows: str
    options: Mapping[str, Any] = field(default_factory=dict)
    likes: Mapping[str, float] = field(default_factory=dict)

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.name}.txt"

    @property
    def module(self) -> ModuleType:
        return module_of(self.game)


def module_of(game_id: str) -> ModuleType:
    """Return the module that declares a game's PLAYTHROUGHS, BOARD_AFTER and `board`."""
    return importlib.import_module(f"tests.playthroughs.{game_id.replace('-', '_')}")


def playthroughs() -> list[Playthrough]:
    """Return the playthroughs of all games."""
    return [playthrough for game_id in registry.own_ids() for playthrough in module_of(game_id).PLAYTHROUGHS]


def played(playthrough: Playthrough) -> Match:
    """Return the game, played to its end."""
    match = pyramidion.load(playthrough.game).new(playthrough.seats, playthrough.seed, **playthrough.options)
    chance = random.Random(playthrough.seed)
    while not match.over:
        seat = match.acting[0]
        legal = match.legal(seat)
        likes = {action.family: playthrough.likes.get(action.family, 1.0) for action in legal}
        # Only random() is the same in every version of Python.
        left = chance.random() * sum(likes.values())
        family = ""
        for family, like in likes.items():  # noqa: B007 - the last family is kept, should rounding leave none
            left -= like
            if left < 0:
                break
        actions = [action for action in legal if action.family == family]
        u = chance.random()
        if match.game.actions.families[family].numbers:
            u *= u * u  # mostly small numbers: prices that somebody might pay
        match.play(seat, actions[int(u * len(actions))])
    return match


def events_by_ply(match: Match) -> list[list[tuple[Event, tuple[int, ...] | None]]]:
    """Return the events at each ply, with their audience if it is not everybody."""
    heard: dict[int | None, list[list[Event]]] = {}
    for viewer in (EVERYTHING, None, *range(match.seats)):
        plies = match.positions(viewer)
        heard[viewer] = [[] for _ in range(match.ply + 1)]
        for event in match.events(viewer):
            heard[viewer][plies[event.position]].append(event)

    def knows(viewer: int | None, ply: int, event: Event) -> bool:
        return any((e.name, e.rule, e.data) == (event.name, event.rule, event.data) for e in heard[viewer][ply])

    return [
        [
            (event, None if knows(None, ply, event) else tuple(s for s in range(match.seats) if knows(s, ply, event)))
            for event in heard[EVERYTHING][ply]
        ]
        for ply in range(match.ply + 1)
    ]


def fingerprint(match: Match) -> str:
    """Return a digest of the actions, the events with their rules and audiences, and the outcome."""
    happened = [[[e.rule, e.name, e.data, whom] for e, whom in events] for events in events_by_ply(match)]
    outcome = match.outcome
    assert outcome is not None
    data = [match.record()["actions"], happened, outcome.winners, outcome.points, outcome.payoffs, outcome.rule]
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]


def text_of(playthrough: Playthrough) -> str:
    """Return the contents of a playthrough's file."""
    match = played(playthrough)
    game, module, happened = match.game, playthrough.module, events_by_ply(match)
    options = ", ".join(f"{name} {json.dumps(value)}" for name, value in match.options.items())
    lines = [
        f"{game.name}: {playthrough.shows}",
        "",
        f"game {game.id}",
        f"rules_version {game.rules_version}",
        f"seats {match.seats}",
        f"seed {match.seed}",
        f"options {options}",
        "",
        "opening",
        *_events(happened[0]),
        *_board(match.at(0), module),
    ]
    for ply, (seat, action_id) in enumerate(match.history, 1):
        before = match.at(ply - 1)
        lines.append(f"{ply:4}  seat {seat}: {game.actions[action_id]}   (of {len(before.legal_ids(seat))})")
        lines += _events(happened[ply])
        if any(event.name == module.BOARD_AFTER for event, _ in happened[ply]) or ply == match.ply:
            lines += _board(match.at(ply), module)
    outcome = match.outcome
    assert outcome is not None
    lines += [
        "outcome",
        f"      {outcome.rule}",
        f"      winners {list(outcome.winners)}",
        f"      points {list(outcome.points)}",
        f"      payoffs {list(outcome.payoffs)}",
        "",
        f"fingerprint {fingerprint(match)}",
    ]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _events(events: list[tuple[Event, tuple[int, ...] | None]]) -> list[str]:
    return [
        f"          {event.rule:8}{event.text}" + (f"   [seats {', '.join(map(str, whom))} only]" if whom else "")
        for event, whom in events
    ]


def _board(match: Match, module: ModuleType) -> list[str]:
    return ["", *(f"      | {line}" for line in module.board(match)), ""]


def stamp(text: str) -> tuple[str, str]:
    """Return (rules_version, fingerprint) of a file."""
    version = re.search(r"^rules_version (\d+)$", text, re.MULTILINE)
    digest = re.search(r"^fingerprint (\w+)$", text, re.MULTILINE)
    return (version.group(1) if version else "?", digest.group(1) if digest else "?")


def difference(old: str, new: str) -> str | None:
    """Return a sentence about how a file would change and what to do, or None if it would not change."""
    if old == new:
        return None
    (old_version, old_digest), (version, digest) = stamp(old), stamp(new)
    if old_digest == digest:
        return f"Only the wording or the drawing has changed. Run {COMMAND} and review the difference."
    if old_version == version:
        return (
            f"What happens has changed. If the rules were meant to change, raise rules_version (now {version}) in the "
            f"game's declaration, so that recorded games say so, and run {COMMAND}."
        )
    return f"The file tells rules_version {old_version}; this is {version}. Run {COMMAND} and review the difference."
