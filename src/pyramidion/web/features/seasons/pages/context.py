"""The variables of the templates of conversations, which the page of a season shows, too."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pyramidion.seasons.conversations import pair_id
from pyramidion.web.features.seasons.texts import PUBLISHED, TALKS, names_of, names_then
from pyramidion.web.pages.page import when


@dataclass(frozen=True, slots=True)
class Draft:
    """The form that was refused, whose fields are filled in again; empty if none was."""

    form: Mapping[str, str]

    def holds(self, kind: str, **which: object) -> bool:
        """Return whether it is a form of this kind, whose other fields are as `which` says."""
        return all(self.form.get(name) == str(value) for name, value in {"kind": kind, **which}.items())

    def kept(self, kind: str, name: str, otherwise: object = "", **which: object) -> object:
        """Return what a field held if this is its form, empty for an unticked box, and `otherwise` if it is not."""
        return self.form.get(name, "") if self.holds(kind, **which) else otherwise


def conversations_context(view: Mapping[str, Any], form: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the variables of the templates of conversations; `form` is one that was refused, whose fields are kept."""
    left = [contestant for contestant in view["cast"] if contestant["out"] is None]
    playing = any(contestant["id"] == view["you"] for contestant in left)
    episodes = view["episodes"]
    may_write = playing and bool(episodes) and view["settings"]["talk"] != "none"
    return {
        "s": view,
        "names": names_of(view),
        "name_then": names_then(view),
        "left": left,
        "playing": playing,
        "talk": _conversations(
            view, [contestant["id"] for contestant in left if not contestant["bot"]] if may_write else []
        ),
        "may_write": may_write,
        "may_confess": playing and bool(episodes) and not episodes[-1]["closed"],
        "draft": Draft(form or {}),
        "key": secrets.token_urlsafe(12),
        "talks": TALKS,
        "published": PUBLISHED,
        "when": when,
    }


def _conversations(view: Mapping[str, Any], left: list[str]) -> list[Mapping[str, Any]]:
    """Return the conversations in a lasting order: alliances, then pairs by cast; also those to be begun with `left`.

    `to` is what a message to one is addressed to; `members` are an alliance's.
    """
    you, members = view["you"], {alliance["id"]: alliance["members"] for alliance in view["alliances"]}
    lines = {conversation["id"]: conversation["lines"] for conversation in view["conversations"]}
    lines |= {pair_id(you, who): [] for who in left if who != you and pair_id(you, who) not in lines}
    order = {is_member["id"]: number for number, is_member in enumerate((*view["alliances"], *view["cast"]))}
    others = {conversation: [who for who in conversation.split("-") if who != you] for conversation in lines}

    def place(conversation: str) -> list[int]:
        return [conversation not in members, *(order.get(who, len(order)) for who in others[conversation])]

    return [
        {
            "id": conversation,
            "lines": lines[conversation],
            "to": others[conversation][0],
            "members": members.get(conversation, ()),
        }
        for conversation in sorted(lines, key=place)
    ]
