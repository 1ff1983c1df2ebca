"""Whether the last action can be taken back as if it had never been made: nobody has learnt anything from it.

An action is taken back only where all of this holds; where it cannot be told, it is not.

- It was made by a person, openly: one seat alone was to decide before it and is after it, nothing was submitted or
  saved in secret, and everybody saw that it was made.
- The generator has not moved, so nothing came by chance.
- Everybody was told the same, and nobody has been let into a secret that some share.
- For every seat, the one that acted among them, and for spectators: what they see after it follows from what they saw
  before it and the action. That is tried in `WORLDS` other worlds, in which what the viewer could not see was dealt
  anew: the action must lead to the same picture in every one of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pyramidion import Match
from pyramidion.engine.game import chance_words
from pyramidion.engine.layout import EVERYTHING, SPECTATOR

WORLDS = 24
MOST_WORLDS = 240
"""Worlds that are dealt for one viewer; in many of them the action may not be legal."""


def is_open(match: Match) -> bool:
    """Whether one seat alone decides, with nothing submitted in secret and nobody free to act as well."""
    return len(match.acting) == 1 and not match.submitted and not match.free and not match.over


def reveals_nothing(match: Match) -> bool:
    """Whether nobody has learnt anything from the last action of a match but what it was; False at the opening."""
    if not match.history:
        return False
    before = match.at(match.ply - 1)
    if not (is_open(before) and is_open(match)) or match.positions(None)[-1] != match.ply:
        return False
    old, new = before.state_copy(), match.state_copy()
    if old["rng"].tobytes() != new["rng"].tobytes() or _lets_in(match, old, new):
        return False
    layout, told = match.game.layout, new.tobytes()
    viewers = [SPECTATOR, *range(match.seats)]
    everything = layout.visible_events(told, EVERYTHING)
    if any(layout.visible_events(told, viewer) != everything for viewer in viewers):
        return False
    return all(_follows(before, match, viewer) for viewer in viewers)


def _lets_in(match: Match, old: Any, new: Any) -> bool:
    """Whether somebody sees a shared secret now that they did not see before."""
    masks = [name for name in match.game.layout.fields if name.endswith("_party")]
    return any(bool(np.any(new[name] & ~old[name])) for name in masks)


def _follows(before: Match, after: Match, viewer: int) -> bool:
    """Whether what a viewer sees now follows from what it saw and the action."""
    game = after.game
    seat, action = after.history[-1]
    seen = game.layout.redact(before.state_copy(), viewer)
    sees = game.layout.redact(after.state_copy(), viewer).tobytes()
    buffer = np.empty(len(game.actions), np.int32)
    alike = 0
    for number in range(MOST_WORLDS):
        world = seen.copy()
        game.compiled.redeal(after.box, world, viewer, chance_words(number))
        if game.compiled.step(after.box, world, seat, action, buffer):
            continue  # in this world it could not be made, and that it could is known since it was
        if game.layout.redact(world, viewer).tobytes() != sees:
            return False
        alike += 1
        if alike == WORLDS:
            return True
    return False
