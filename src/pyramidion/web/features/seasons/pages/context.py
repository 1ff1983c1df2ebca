"""What the pages of a season are made from, and answers to their forms."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fastapi import Request
from starlette.responses import Response

from pyramidion.engine import registry
from pyramidion.seasons import ledger
from pyramidion.seasons.conversations import pair_id
from pyramidion.translation import _
from pyramidion.web.features.seasons.loaded import LoadedSeason, season_requester_of
from pyramidion.web.features.seasons.pages.balance_chart import chart
from pyramidion.web.features.seasons.portraits import address
from pyramidion.web.features.seasons.service import seasons_of
from pyramidion.web.features.seasons.texts import DUTIES, KINDS, PUBLISHED, TALKS, names_of, names_then, next_step
from pyramidion.web.http.authentication import Visitor
from pyramidion.web.http.dependencies import homes_of
from pyramidion.web.pages.page import page, version_of, when
from pyramidion.web.table.seats.faces import PARTS, Face, face_of
from pyramidion.web.table_requests.access import tables_of

PLACES = {"host": "/host", "talk": "/talk"}
"""Where a form leads back to, below the season's page, by its field `back`."""


def view_for(request: Request, loaded: LoadedSeason, visitor: Visitor) -> dict[str, Any]:
    """Return a season as a visitor may know it. Raises UnknownSeason where that is nothing."""
    return seasons_of(request).view(loaded, season_requester_of(loaded, visitor.holder))


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


def conversations_context(
    view: Mapping[str, Any], visitor: Visitor, form: Mapping[str, str] | None = None
) -> dict[str, Any]:
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
        "csrf": visitor.csrf,
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


async def season_page(
    request: Request,
    template: str,
    loaded: LoadedSeason,
    visitor: Visitor,
    error: str | None = None,
    form: Mapping[str, str] | None = None,
    episode: int | None = None,
    **further: Any,
) -> Response:
    """Answer with a page of a season, made from what the visitor may know alone: now, or at the end of an episode."""
    seasons, requester = seasons_of(request), season_requester_of(loaded, visitor.holder)
    view = seasons.view(loaded, requester) if episode is None else seasons.episode_view(loaded, requester, episode)
    portraits = await seasons.portraits.of(loaded, seasons.visible_season(loaded, requester, episode))
    who = requester.who

    def look_of(person: Mapping[str, Any]) -> Face:
        chosen = portraits[person["id"]].face if person["id"] in portraits else None
        return face_of(int(person["id"][1:]) - 1, person["name"], chosen)

    return page(
        request,
        template,
        status=409 if error else 200,
        **conversations_context(view, visitor, form),
        version=version_of(view),
        home=await homes_of(request).home_of("season", loaded.id, visitor.holder),
        people={contestant["id"]: contestant for contestant in view["cast"]},
        games={game.id: _(game.name) for game in registry.all_games().values()},
        drawn=chart,
        error=error,
        kinds=KINDS,
        next_step=next_step(view),
        duties=DUTIES,
        currencies=ledger.WORDS,
        pictures={who: address(loaded.id, who, portrait.mark) for who, portrait in portraits.items() if portrait.mark},
        face_parts=PARTS,
        look_of=look_of,
        calendar=f"/seasons/{loaded.id}/calendar/{seasons.links.calendar(loaded, who)}.ics" if who else None,
        now=tables_of(request).now(),
        **further,
    )


def place_of(form: Mapping[str, str]) -> str:
    """Return the place, below the season's page, that a form leads back to."""
    return PLACES.get(form.get("back", ""), "")
