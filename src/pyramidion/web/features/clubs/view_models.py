"""A club as its visitor may know it: everything that leaves a club is made here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Literal, get_args

from pyramidion.translation import _
from pyramidion.web.features.clubs.club import Club
from pyramidion.web.features.clubs.service import Clubs
from pyramidion.web.http.pagination import ListPage
from pyramidion.web.table.events import EventCard

ClubList = Literal["posts", "events", "tables"]
"""The lists of a club that come in pages."""
Lists = Mapping[ClubList, ListPage[dict[str, Any]]]
WEEK = 7 * 24 * 3_600_000
NOTHING: ListPage[dict[str, Any]] = ListPage(())


async def list_page(clubs: Clubs, club: Club, name: ClubList, after: int = 0) -> ListPage[dict[str, Any]]:
    """Return a page of one of a club's lists, JSON-ready, as the visitor may see it; it is empty if it is hidden.

    Announcements are for members, in every club.
    """
    if not (club.belongs or (name != "posts" and club.settings.door != "private")):
        return NOTHING
    match name:
        case "posts":
            posts = await clubs.posts(club, after)
            return ListPage([asdict(entry) for entry in posts.entries], posts.following)
        case "events":
            events = await clubs.events(club, after)
            return ListPage([_event(*entry) for entry in events.entries], events.following)
        case "tables":
            tables = await clubs.tables(club, after)
            return ListPage([asdict(entry) for entry in tables.entries], tables.following)


async def list_pages(clubs: Clubs, club: Club, after: Mapping[ClubList, int]) -> Lists:
    """Return a page of each of a club's lists, the first unless `after` says how many entries to leave out."""
    return {name: await list_page(clubs, club, name, after.get(name, 0)) for name in get_args(ClubList)}


async def club_json(clubs: Clubs, club: Club, lists: Lists | None = None) -> dict[str, Any]:
    """Return a club as its visitor may see it, JSON-ready, with a page of each of its lists, by default the first.

    Only officers see requests to join and the invitation link. Nobody sees visitor ids.

    A club that its visitor may not see does not come here (`Clubs.get`). A private one that somebody looks at by its
    link tells its name and what it is about.
    """
    inside = club.belongs or club.settings.door != "private"
    lists = lists if lists is not None else await list_pages(clubs, club, {})
    return {
        "id": club.id,
        **asdict(club.settings),
        "you": club.me.id if club.me is not None else None,
        "role": club.me.role if club.me is not None else None,
        "members": [_person(member) for member in club.joined] if inside else [],
        "asking": [_person(member) for member in club.members if member.role == "asked"] if club.runs else None,
        "invitation": f"/clubs/{club.id}/join/{clubs.code(club)}" if club.runs else None,
        **{name: member.entries for name, member in lists.items()},
    }


def this_week(events: Sequence[Mapping[str, Any]], now: int) -> list[dict[str, Any]]:
    """Return what happens in a club's seasons and tournaments within a week, in order.

    `now` is in milliseconds since 1970. Each has the time `at`, or None for something that is under way without a date,
    the `event`, and `what` happens.
    """
    running = [event for event in events if not event["over"]]
    dated = [
        {"at": date["at"], "event": event, "what": date["what"]}
        for event in running
        for date in event["dates"]
        if now <= date["at"] < now + WEEK
    ]
    dated_events = {entry["event"]["id"] for entry in dated}
    under_way = [event for event in running if event["id"] not in dated_events and not event["dates"]]
    return [
        *sorted(dated, key=lambda entry: entry["at"]),
        *({"at": None, "event": event, "what": event["status"]} for event in under_way),
    ]


def _person(member: Any) -> dict[str, Any]:
    """Return a member, or somebody who has asked to join, as others may see them, JSON-ready."""
    return {"id": member.id, "name": member.name, "role": member.role, "since": member.since}


def _event(kind: str, event: str, at: int, card: EventCard) -> dict[str, Any]:
    """Return a season or tournament in a club's list, JSON-ready."""
    standing: Sequence[tuple[str, str]] = card.lines
    return {
        "kind": kind,
        "id": event,
        "at": at,
        "title": card.title,
        "status": _(card.status),
        "over": card.over,
        "dates": [{"at": moment, "what": _(words).format(name=name)} for moment, words, name in card.dates],
        "standing": [{"name": name, "result": result} for name, result in standing],
    }
