"""Takebacks: whether the last action can be undone because nobody has learnt anything from it.

All of the following must hold; if one cannot be decided, the answer is no.

- The action was made openly: exactly one seat had to decide before it, exactly one has to after it, nothing was
  submitted or saved in secret, and everybody saw it.
- The random generator has not advanced.
- Everybody received the same events, and no seats shared a secret before or after it. The next condition would
  otherwise depend on that secret, so that whether the action can be taken back would reveal it.
- The new view of every seat, including the acting one, and of spectators follows from the earlier view and the action.
  This is tested in `WORLDS` determinizations of what that viewer could not see: the action must lead to the same view
  in each of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pyramidion import Match
from pyramidion.engine.game import chance_words
from pyramidion.engine.layout import EVERYTHING, SPECTATOR

WORLDS = 24
MOST_WORLDS = 240
"""Maximum number of determinizations per viewer; in many of them the action may be illegal."""


def is_open(match: Match) -> bool:
    """Return whether exactly one seat decides, openly, and no other seat is free to act."""
    return len(match.acting) == 1 and not match.submitted and not match.free and not match.over


def reveals_nothing(match: Match) -> bool:
    """Return whether nobody has learnt anything from the last action besides the action; False at the opening."""
    if not match.history:
        return False
    before = match.at(match.ply - 1)
    if not (is_open(before) and is_open(match)) or match.positions(None)[-1] != match.ply:
        return False
    old, new = before.state_copy(), match.state_copy()
    if old["rng"].tobytes() != new["rng"].tobytes() or _shares_a_secret(match, old, new):
        return False
    layout, data = match.game.layout, new.tobytes()
    viewers = [SPECTATOR, *range(match.seats)]
    everything = layout.visible_events(data, EVERYTHING)
    if any(layout.visible_events(data, viewer) != everything for viewer in viewers):
        return False
    return all(_follows(before, match, viewer) for viewer in viewers)


def _shares_a_secret(match: Match, old: Any, new: Any) -> bool:
    """Return whether any seats share a secret in the state before or after the action. It is public that they do."""
    masks = [name for name in match.game.layout.fields if name.endswith("_party")]
    return any(bool(np.any(new[name] | old[name])) for name in masks)


def _follows(before: Match, after: Match, viewer: int) -> bool:
    """Return whether a viewer could work out the view after the last action from the view before and that action."""
    game, layout = after.game, after.game.layout
    seat, action = after.history[-1]
    saw, sees = before.redacted(viewer), after.redacted(viewer)
    buffer = np.empty(len(game.actions), np.int32)
    alike, box = 0, after.box_for(None if viewer == SPECTATOR else viewer)
    for number in range(MOST_WORLDS):
        world = layout.from_bytes(saw)
        game.compiled.redeal(box, world, viewer, chance_words(number))
        if game.compiled.step(box, world, seat, action, buffer):
            continue  # the action is illegal in this world, so the viewer can rule it out
        if layout.redact_bytes(world.tobytes(), viewer) != sees:
            return False
        alike += 1
        if alike == WORLDS:
            return True
    return False
