"""The variables of the templates that tell a season's story: its episodes as sentences, and who challenged whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import cos, pi, sin
from typing import Any

from pyramidion.seasons.sentences import Names
from pyramidion.seasons.story import Moment, Sentence, challenges, episode_story, standing
from pyramidion.web.features.seasons.match_moments import MatchMoments
from pyramidion.web.features.seasons.texts import names_then

SIDE, RING, FACE = 340, 140, 40
"""The size of the picture of challenges, the radius of the circle of faces, and the size of a face."""


@dataclass(frozen=True, slots=True)
class Arrow:
    """A challenge in the picture: `path` is an SVG path, `weight` how often, `episode` the one of a death match."""

    who: str
    other: str
    path: str
    weight: int = 1
    episode: int | None = None


async def story_context(view: Mapping[str, Any], moments: MatchMoments) -> dict[str, Any]:
    """Return the template variables for the story of a season, from a view of it.

    These are `standing`, a sentence; `stories`, the sentences of each episode by its number; and `ring`, the picture of
    the challenges, None without any.
    """
    by_episode = {episode["number"]: await moments.of(episode) for episode in view["episodes"]}
    return {
        "standing": standing(view),
        "stories": {number: story_of(view, number, in_episode) for number, in_episode in by_episode.items()},
        "ring": _ring(view, [moment for in_episode in by_episode.values() for moment in in_episode]),
    }


def story_of(view: Mapping[str, Any], number: int, moments: list[Moment]) -> list[Sentence]:
    """Return the sentences about an episode, with the names that people had when it ended."""
    return episode_story(view, number, moments, names_in(view, number))


def names_in(view: Mapping[str, Any], number: int) -> Names:
    """Return a function that tells what somebody was called when an episode ended, by id."""
    name_then, ended = names_then(view), view["episodes"][number - 1]["ended"]
    names = {contestant["id"]: contestant["name"] for contestant in view["cast"]}

    def name(who: str) -> str:
        return (name_then(who, ended) if ended is not None else names.get(who)) or ""

    return name


def _ring(view: Mapping[str, Any], moments: list[Moment]) -> dict[str, Any] | None:
    """Return the picture of the challenges: a circle of faces by id with their coordinates, and arrows between them."""
    challenged = challenges(view, moments)
    if not challenged.duels and not challenged.fights:
        return None
    cast = [contestant["id"] for contestant in view["cast"]]
    middle = SIDE / 2
    spots = {
        who: (middle + RING * sin(2 * pi * nth / len(cast)), middle - RING * cos(2 * pi * nth / len(cast)))
        for nth, who in enumerate(cast)
    }

    def path(who: str, other: str) -> str:
        """Return a curve from one face to another, which ends before it and bends towards the middle."""
        (x, y), (to_x, to_y) = spots[who], spots[other]
        bend_x, bend_y = (x + to_x + middle) / 3, (y + to_y + middle) / 3
        start, end = _towards((x, y), (bend_x, bend_y)), _towards((to_x, to_y), (bend_x, bend_y), 6)
        return f"M{start[0]:.1f} {start[1]:.1f}Q{bend_x:.1f} {bend_y:.1f} {end[0]:.1f} {end[1]:.1f}"

    return {
        "side": SIDE,
        "face": FACE,
        "spots": {who: (round(x - FACE / 2, 1), round(y - FACE / 2, 1)) for who, (x, y) in spots.items()},
        "fights": [Arrow(who, other, path(who, other), count) for (who, other), count in challenged.fights.items()],
        "duels": [Arrow(who, other, path(who, other), 1, episode) for who, other, episode in challenged.duels],
    }


def _towards(spot: tuple[float, float], other: tuple[float, float], further: float = 0) -> tuple[float, float]:
    """Return the point at the edge of a face at `spot`, in the direction of another point."""
    across, down = other[0] - spot[0], other[1] - spot[1]
    length = max(1.0, (across**2 + down**2) ** 0.5)
    part = (FACE / 2 + 2 + further) / length
    return spot[0] + across * part, spot[1] + down * part
