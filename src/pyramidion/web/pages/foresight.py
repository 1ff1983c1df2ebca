"""Previews: the big events that are sure to follow from an action, as far as its seat can know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pyramidion import Event, Match
from pyramidion.engine.game import chance_words

WORLDS = 12
"""Number of determinizations in which the action is tried."""
MOST = 3
"""Maximum number of events in a preview."""


def sure_to_follow(match: Match, seat: int, action: int, names: Sequence[str]) -> list[Event]:
    """Return the big events that an action causes for certain, as far as the acting seat can know.

    An event is certain if it follows in every sampled determinization, which is a state of the match that agrees with
    all that the seat has seen. Determinizations are made from the seat's redacted state, so the result cannot reveal
    secrets. The first event, which is the action itself, is left out.
    """
    game, box = match.game, match.box_for(seat)
    seen = match.redacted_state(seat)
    buffer = np.empty(len(game.actions), np.int32)
    common: list[Any] | None = None
    for number in range(WORLDS):
        world = seen.copy()
        game.compiled.redeal(box, world, seat, chance_words(number))
        if game.compiled.step(box, world, seat, action, buffer):
            continue  # illegal in this world, so the seat can rule it out
        events = [entry for audience, entry in game.layout.events(world.tobytes()) if audience >> seat & 1][1:]
        common = events if common is None else [entry for entry in common if entry in events]
    show = game.presentation
    big = {*show.falls, *(stage.event for stage in show.stages)}
    certain: list[Event] = []
    for code, rule, arguments in common or ():
        name = game.events.name(code)
        if name in big:
            data = game.events.data(code, arguments)
            text = game.view.tell(name, data, game.names(names))
            certain.append(Event(0, name, game.rule_name(rule), data, text))
    # Eliminations come first.
    return sorted(certain, key=lambda event: event.name not in show.falls)[:MOST]
