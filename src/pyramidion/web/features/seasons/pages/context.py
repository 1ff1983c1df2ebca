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
    """The fields of a form that was refused, so that the page can fill them in again; empty if none was."""

    form: Mapping[str, str]

    def holds(self, kind: str, **which: object) -> bool:
        """Return whether the refused form is of this kind and has these values in other fields."""
        return all(self.form.get(name) == str(value) for name, value in {"kind": kind, **which}.items())

    def kept(self, kind: str, name: str, otherwise: object = "", **which: object) -> object:
        """Return the value of the field `name` in the refused form, empty for an unticked box.

        Return `otherwise` if the refused form is another one, as `holds` tells.
        """
        return self.form.get(name, "") if self.holds(kind, **which) else otherwise


def conversations_context(view: Mapping[str, Any], form: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the template variables for conversations, made from a view of a season.

    `form` is the form that was refused, whose fields are filled in again.
    """
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
    """Return the conversations in a fixed order, and empty ones with the contestants `left` that are not yet begun.

    Alliances come first, then pairs in the order of the cast. In each, `to` is whom a message is addressed to, and
    `members` are those of an alliance.
    """
    you, members = view["you"], {alliance["id"]: alliance["members"] for alliance in view["alliances"]}
    lines = {conversation["id"]: conversation["lines"] for conversation in view["conversations"]}
    lines |= {pair_id(you, who): [] for who in left if who != you and pair_id(you, who) not in lines}
    order = {is_member["id"]: number for number, is_member in enumerate((*view["alliances"], *view["cast"]))}
    others = {conversation: [who for who in conversation.split("-") if who != you] for conversation in lines}

    def place(conversation: str) -> list[int]:
        """Return the sort key of a conversation: alliances before pairs, then the other members in order."""
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
