"""The result of an episode as plain text, to post in a forum."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyramidion.translation import _
from pyramidion.web.features.seasons.match_moments import MatchMoments
from pyramidion.web.features.seasons.pages.story import story_of

ROOM = ("", ".", ".", ".", "")
"""Lines between what tells nothing and what does, for previews of a post."""


def episode_label(episode: Mapping[str, Any]) -> str:
    """Return what pictures and texts call an episode: its number and its title."""
    name = _("Final") if episode["final"] else _("Episode %(number)s") % {"number": episode["number"]}
    return f"{name}: {episode['title']}" if episode["title"] else name


async def result_texts(view: Mapping[str, Any], moments: MatchMoments, url: str) -> dict[int, str]:
    """Return the results of the closed episodes of a viewer's view, by number; `url` is the season's address.

    The first lines tell nothing of the result.
    """
    texts: dict[int, str] = {}
    for episode in view["episodes"]:
        if not episode["closed"]:
            continue
        number = int(episode["number"])
        sentences = story_of(view, number, await moments.of(episode))
        watch = _("Watch without spoilers: {address}").format(address=f"{url}/show/{number}")
        head = [f"{view['title']} · {episode_label(episode)}", watch]
        lines = [*head, "", _("Spoilers below"), *ROOM, *(f"- {sentence.text}" for sentence in sentences)]
        texts[number] = "\n".join(lines)
    return texts
