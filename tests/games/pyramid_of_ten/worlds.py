"""Paired worlds that differ only in one player's priority, which nobody else can tell apart while it is hidden."""

from __future__ import annotations

import random

from pyramidion import Match


def seen_by(match: Match, viewer: int | None) -> tuple[object, ...]:
    """Return everything that a viewer gets: redacted state, view, events and, for a seat, observation."""
    observed = b""
    if viewer is not None:
        out = match.game.observation.new()
        match.game.compiled.observe(match.box, match.redacted_state(viewer), viewer, out)
        observed = out.tobytes()
    return match.redacted(viewer), match.view(viewer), list(match.events(viewer)), observed


def differing_viewers(one: Match, other: Match, holder: int) -> set[int | None]:
    """Play both matches alike for two rounds; return the viewers, except the holder, who see a difference."""
    chance, found = random.Random(7), set()
    start = one.view(None)["round"]
    while one.view(None)["round"] < start + 2:
        seat = chance.choice(one.acting)
        legal = sorted(str(action) for action in one.legal(seat))
        text = "confirm" if chance.random() < 0.4 else chance.choice(legal)
        one.play(seat, text)
        other.play(seat, text)
        found |= {v for v in (None, *range(10)) if v != holder and seen_by(one, v) != seen_by(other, v)}
    return found
