"""What is shown of a season, made from what its requester may know alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from pyramidion.event_log import NotPossible
from pyramidion.seasons import redaction
from pyramidion.seasons.csv_table import MARK, SEPARATORS, written
from pyramidion.seasons.redaction import redact, redact_episode, viewer_of
from pyramidion.seasons.running import under_way
from pyramidion.seasons.season import Season
from pyramidion.translation import _, language
from pyramidion.web.errors import NotYours
from pyramidion.web.features.seasons.chat_events import takes_part
from pyramidion.web.features.seasons.links import Links
from pyramidion.web.features.seasons.loaded import LoadedSeason, SeasonRequester, UnknownSeason
from pyramidion.web.features.seasons.permissions import NOT_YOURS, require_running
from pyramidion.web.features.seasons.portraits import address
from pyramidion.web.features.seasons.spreadsheets import plain_row
from pyramidion.web.features.seasons.texts import coming_dates, names_of, names_then, next_step
from pyramidion.web.table.events import EventCard

CsvPart = Literal["cast", "ledger", "episodes", "posts", "schedule", "log"]
PERSONS = ("by", "giver", "taker", "candidate", "opponent", "loser")
"""Columns with people."""


@dataclass(frozen=True, slots=True)
class SeasonOfTable:
    """The season to which a table belongs, as far as a visitor may know it.

    Attributes:
        season: the id of the season.
        episode: the number of the table's episode, None if the visitor may not know of it yet.
        pictures: the paths of the portraits that the players at the table have uploaded, by seat.
        reads_conversations: whether the visitor takes part in the season's conversations, or reads them as a host.
    """

    season: str
    episode: int | None
    pictures: Mapping[int, str]
    reads_conversations: bool


def visible_season(loaded: LoadedSeason, requester: SeasonRequester, now: int, episode: int | None = None) -> Season:
    """Return a season as a requester may know it, now or at the end of an `episode`. Raises UnknownSeason.

    `now` is in milliseconds since 1970. What is hidden is decided by `redaction.visible_season`.
    """
    try:
        return redaction.visible_season(loaded.season, viewer_of(loaded.season, requester.who), now, episode)
    except NotPossible as error:
        raise UnknownSeason(str(error)) from None


def season_view(
    loaded: LoadedSeason, requester: SeasonRequester, now: int, episode: int | None = None
) -> dict[str, Any]:
    """Return a season as a requester may know it, as JSON-ready data. Raises UnknownSeason if it is hidden.

    It is the season at the time `now` (milliseconds since 1970), or at the end of an `episode`.
    """
    viewer = viewer_of(loaded.season, requester.who, private=requester.private)
    try:
        view = (
            redact(loaded.season, viewer, now, loaded.conversations)
            if episode is None
            else redact_episode(loaded.season, viewer, now, loaded.conversations, episode)
        )
    except NotPossible as error:
        raise UnknownSeason(str(error)) from None
    if episode is None:
        runs = under_way(loaded.season, viewer, now)
        view["under_way"] = asdict(runs) if runs is not None else None
    return {"id": loaded.id, **view}


def season_of_table(loaded: LoadedSeason, table: str, requester: SeasonRequester, now: int) -> SeasonOfTable:
    """Return what a requester may know of the season in which a table is played. Raises UnknownSeason."""
    visible = visible_season(loaded, requester, now)
    at = next((episode.tables[table] for episode in loaded.season.episodes if table in episode.tables), None)
    seats = zip(at.cast, at.players, strict=True) if at is not None else ()
    return SeasonOfTable(
        loaded.id,
        next((episode.number for episode in visible.episodes if table in episode.tables), None),
        {
            seat: address(loaded.id, who, loaded.marks[who, player])
            for seat, (who, player) in enumerate(seats)
            if (who, player) in loaded.marks and visible.had(who, player)
        },
        takes_part(viewer_of(loaded.season, requester.who)),
    )


def event_card(view: Mapping[str, Any], now: int) -> EventCard:
    """Return the entry for a season in its club's list, from a view of it; `now` is milliseconds since 1970."""
    left = [contestant for contestant in view["cast"] if contestant["out"] is None]
    over = view["step"] == "over"
    lines = [(contestant["name"], "") for contestant in left if not over or contestant["id"] in view["winners"]]
    return EventCard(view["title"], next_step(view, now), over, tuple(lines), coming_dates(view, now))


def personal_links(
    loaded: LoadedSeason, requester: SeasonRequester, links: Links, invitation: str
) -> list[dict[str, Any]]:
    """Return the personal links that a host may hand out, with their persons, as JSON-ready data.

    Each URL is the address `invitation` followed by the link's secret. Raises NotYours.
    """
    by, season = require_running(loaded, requester), loaded.season
    people = [*season.cast, *(season.hosts if season.hosts[by].role == "host" else ())]
    return [
        {
            "who": who,
            "name": season.name(who),
            "url": f"{invitation}{(code := links.code(loaded, who))}",
            "token": code,
            "bot": who in season.cast and season.cast[who].bot is not None,
            "opened": loaded.people[who].holder is not None,
        }
        for who in people
        if who != by
    ]


def csv_text(view: Mapping[str, Any], part: str, describe: Callable[[int], str] | None = None) -> str:
    """Return a part of a season's view as CSV text, with names instead of the people's ids.

    With `describe`, which returns by number what an entry of the log did, it is for a spreadsheet: plain cells, and
    the separator of the visitor's language. Raises UnknownSeason for an unknown part, and NotYours for a part that is
    hidden.
    """
    if part not in get_args(CsvPart):
        raise UnknownSeason(_("There is no such file."))
    if (rows := view.get(part)) is None:
        raise NotYours(_(NOT_YOURS))
    names, name_then = names_of(view), names_then(view)

    def cell(row: dict[str, Any], name: str) -> Any:
        """Return a value for a cell: people as names of the time, structures as JSON."""
        value = row[name]
        if name in PERSONS and value in names:
            return name_then(value, row["at"]) if "at" in row else names[value]
        return json.dumps(value, ensure_ascii=False) if isinstance(value, (dict, list, tuple)) else value

    if describe is None:
        return written([{name: cell(row, name) for name in row} for row in rows])
    plain = [plain_row(row, name_then, describe(row["number"]) if part == "log" else None) for row in rows]
    return MARK + written(plain, SEPARATORS.get(language(), ","))
