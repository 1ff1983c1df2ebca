"""A club as its visitor may know it: everything that leaves a club is made here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from pyramidion.web.features.clubs.club import Club
from pyramidion.web.features.clubs.service import Clubs
from pyramidion.web.table.events import EventCard
from pyramidion.words import _


async def shown(clubs: Clubs, club: Club) -> dict[str, Any]:
    """Return a club, ready for JSON. Only officers see requests to join and the invitation link; nobody sees visitors.

    Announcements are for members in every club.

    A club that its visitor may not see does not come here (`Clubs.get`). A private one that somebody looks at by its
    link tells its name and what it is about.
    """
    inside = club.belongs or club.settings.door != "private"
    return {
        "id": club.id,
        **asdict(club.settings),
        "you": club.me.id if club.me is not None else None,
        "role": club.me.role if club.me is not None else None,
        "members": [_person(one) for one in club.joined] if inside else [],
        "asking": [_person(one) for one in club.members if one.role == "asked"] if club.runs else None,
        "invitation": f"/clubs/{club.id}/join/{clubs.code(club)}" if club.runs else None,
        "posts": [asdict(post) for post in club.posts] if club.belongs else [],
        "events": [_event(*one) for one in await clubs.events(club)] if inside else [],
        "tables": [asdict(one) for one in await clubs.tables(club)] if inside else [],
    }


def _person(one: Any) -> dict[str, Any]:
    return {"id": one.id, "name": one.name, "role": one.role, "since": one.since}


def _event(kind: str, event: str, at: int, card: EventCard) -> dict[str, Any]:
    standing: Sequence[tuple[str, str]] = card.lines
    return {
        "kind": kind,
        "id": event,
        "at": at,
        "title": card.title,
        "status": _(card.status),
        "over": card.over,
        "standing": [{"name": name, "result": result} for name, result in standing],
    }
