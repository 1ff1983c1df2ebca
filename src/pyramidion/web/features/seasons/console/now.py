"""What runs in a season now, as one of its hosts may know it, and what waits for the hosts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pyramidion.bots.labels import label
from pyramidion.seasons.episode import SeasonTable
from pyramidion.seasons.events.people import NUDGE_PAUSE
from pyramidion.translation import _
from pyramidion.web.durations import duration
from pyramidion.web.errors import Refused
from pyramidion.web.features.seasons.loaded import LoadedSeason
from pyramidion.web.features.seasons.stand_in_seats import SeatGap, seat_gap
from pyramidion.web.table.bots import bots_at
from pyramidion.web.table.progress import DONE, DUE, SAVED, WAITING, SeatProgress, progress_of
from pyramidion.web.table.seats.host import Requester
from pyramidion.web.table.settings.time_controls import CHOICES, Timing
from pyramidion.web.table.snapshots.proposal_rules import must_agree
from pyramidion.web.table.snapshots.status import table_status
from pyramidion.web.table.table import Table
from pyramidion.web.table.tables import Tables

LONGER = [seconds for seconds in CHOICES if seconds <= 24 * 3600]
LONGER_SHARE = 48
"""The shortest time that can be added is this share of the time per decision: half an hour of a day."""
URGENCY = (DUE, SAVED, WAITING, DONE)


@dataclass(frozen=True, slots=True)
class RunningTable:
    """A table that is being played, as a host of the season may know it.

    Attributes:
        number, several: which table of its match it is, from 1, and whether there are others.
        game: the game's name.
        seats: pairs of contestant id and how far they have got.
        timing: the clock, or None.
        oversees: whether this host is the table's and sees who has saved and submitted.
        hosts: whether this host can give the table commands.
        proposals: requests of players that wait for the table's host, as (kind, sentence).
        longer: times that can be added, as (seconds, words), none without a clock.
        bots: the bots that can take over a seat, as (name, words).
        gaps: how contestants who do not have their seats get them, by their ids.
    """

    id: str
    number: int
    several: bool
    game: str
    seats: list[tuple[str, SeatProgress]]
    timing: Timing | None
    paused: bool
    opening: bool
    oversees: bool
    hosts: bool
    proposals: list[tuple[str, str]]
    longer: list[tuple[int, str]]
    bots: list[tuple[str, str]]
    gaps: dict[str, SeatGap]

    @property
    def due(self) -> list[str]:
        """The ids of the contestants who still have to decide, as far as this host may know."""
        return [who for who, seat in self.seats if seat.state in (DUE, SAVED)]

    def by_urgency(self) -> list[tuple[str, SeatProgress]]:
        """Return the seats, those that are waited for first."""
        return sorted(self.seats, key=lambda pair: URGENCY.index(pair[1].state))

    def as_json(self) -> dict[str, Any]:
        """Return everything that changes without an entry in the season's log, for the version of the page."""
        return {
            "id": self.id,
            "seats": [(who, seat.state, seat.present, seat.name) for who, seat in self.seats],
            "deadline": self.timing.deadline if self.timing is not None else None,
            "paused": self.paused,
            "proposals": self.proposals,
            "gaps": self.gaps,
        }


@dataclass(frozen=True, slots=True)
class Now:
    """The tables that are being played, and why others cannot be shown: sentences by the table's number."""

    tables: list[RunningTable]
    refused: dict[int, str]

    def version(self) -> dict[str, Any]:
        """Return what the version of the page depends on beside the season's view."""
        return {"tables": [table.as_json() for table in self.tables], "refused": self.refused}

    def due(self) -> list[str]:
        """Return the ids of the contestants who still have to decide at any table."""
        return [who for table in self.tables for who in table.due]


async def now_of(loaded: LoadedSeason, tables: Tables, holder: str) -> Now:
    """Return what is being played in a season, as the visitor `holder`, one of its hosts, may know it."""
    now, episode = Now([], {}), loaded.season.episode
    parts = [episode.at("main"), episode.at("duel")] if episode is not None else []
    part = next((part for part in parts if any(played.winners is None for played in part)), list[SeasonTable]())
    for number, played in enumerate(part, 1):
        if played.winners is not None:
            continue
        try:
            table = await tables.get(played.table)
        except Refused as error:
            now.refused[number] = error.sentence
            continue
        if not table.match.over:
            now.tables.append(_running(loaded, table, number, played.cast, holder, several=len(part) > 1))
    return now


def _running(
    loaded: LoadedSeason, table: Table, number: int, cast: tuple[str, ...], holder: str, *, several: bool
) -> RunningTable:
    """Return a table as the host's console shows it; `several` are played at the same time."""
    requester = Requester(table.seat_of(holder), table.host.is_visitor(holder))
    proposals = table.action_log.proposals.open
    return RunningTable(
        table.id,
        number,
        several,
        _(table.game.name),
        list(zip(cast, progress_of(table, requester), strict=True)),
        table.timing,
        table.clock.paused,
        table.clock.state.opens is not None,
        requester.host and not table.host.plays,
        requester.host,
        [
            (question.what, question.sentence)
            for question in (table_status(table, None).questions if requester.host else ())
            if must_agree(table, proposals[question.what]) == [None]
        ],
        [(seconds, duration(seconds)) for seconds in LONGER if seconds * LONGER_SHARE >= table.settings.clock]
        if table.settings.clock is not None
        else [],
        [(name, label(name)) for name in bots_at(table.game, table.match.seats, table.match.box)]
        if requester.host
        else [],
        {who: gap for who in cast if requester.host and (gap := seat_gap(loaded, who, table)) is not None},
    )


def nudged(loaded: LoadedSeason, at: int) -> list[str]:
    """Return the ids of the contestants who have been nudged so lately that they cannot be nudged again at a time."""
    return [who for who, person in loaded.season.cast.items() if at - person.nudged < NUDGE_PAUSE]


def nudgeable(view: Mapping[str, Any], loaded: LoadedSeason, now: Now, at: int) -> list[str]:
    """Return the ids of those whom the season waits for, as far as a host may know, and whom the host can nudge now."""
    season, just = loaded.season, nudged(loaded, at)
    submitting = season.own_match is not None and not season.own_match.round.sealed
    missing = [made["contestant"] for made in view["submissions"] if submitting and made["status"] != "confirmed"]
    named = [view["names_next"]] if view["names_next"] else []
    due = dict.fromkeys([*now.due(), *missing, *named]) if "nudged" in view["may"] else ()
    return [who for who in due if season.cast[who].plays and loaded.joined(who) and who not in just]


def passing(loaded: LoadedSeason, at: int) -> dict[str, Any]:
    """Return what changes on the console by the passing of time alone, for the version of the page."""
    season = loaded.season
    return {
        "nudged": nudged(loaded, at),
        "phases": [phase.id for phase in season.phases.values() if phase.ends <= at],
        "closed": season.own_match is not None and not season.takes_submissions(at),
    }


def waiting(view: Mapping[str, Any], loaded: LoadedSeason, now: Now, at: int) -> list[dict[str, Any]]:
    """Return what waits for a host, made from the host's `view` of the season, the most urgent first.

    Each item has a `kind`, and the match (with who is missing, None where hosts do not see that), the question, the
    request, the contestants or the table that it is about. With `of_host` the host has to do something; otherwise it
    is for contestants to act. `at` is the present time in milliseconds since 1970.
    """
    may, season = view["may"], loaded.season
    items: list[dict[str, Any]] = [
        {"kind": "proposal", "table": table, "what": what, "sentence": sentence}
        for table in now.tables
        for what, sentence in table.proposals
    ]
    match = season.own_match
    if match is not None and not season.submitters and not match.round.sealed and view["runs"]:
        items.append({"kind": "nobody", "match": match.id, "name": match.form.name})
    elif match is not None and match.closed(at) and not match.round.sealed and "own-round-sealed" in may:
        missing = [made["contestant"] for made in view["submissions"] if made["status"] == "missing"]
        people = [who for who in missing if season.cast[who].plays]
        absent = people if view["submissions"] else None
        vote = match.vote is not None
        items.append({"kind": "deadline", "match": match.id, "name": match.form.name, "vote": vote, "missing": absent})
    items += [{"kind": "table", "number": number, "sentence": sentence} for number, sentence in now.refused.items()]
    if "answered" in may:
        questions = [post for post in view["posts"] if post["what"] == "question" and not post["answer"]]
        items += [{"kind": "question", "post": post} for post in reversed(questions)]
    if "extension-declined" in may:
        open_phases = {phase["id"]: phase for phase in view["schedule"] if season.takes_requests(phase["id"], at)}
        wishes = [wish for wish in view["wishes"] if wish["phase"] in open_phases]
        items += [{"kind": "wish", "wish": wish, "phase": open_phases[wish["phase"]]} for wish in wishes]
    if view["names_next"] and "opponent-named" in may:
        items.append({"kind": "opponent", "who": view["names_next"]})
    if season.settings.strikes and "struck" in may and not season.over:
        at_limit = [who for who in season.remaining if season.cast[who].strikes >= season.settings.strikes]
        items += [{"kind": "strikes", "who": who} for who in at_limit]
    if view["runs"] and not season.over:
        unopened = [who for who in season.remaining if season.cast[who].plays and not loaded.joined(who)]
        items += [{"kind": "links", "who": unopened}] if unopened else []
    named = view["names_next"] and season.cast[view["names_next"]].plays
    for item in items:
        item["of_host"] = not (item["kind"] == "links" or (item["kind"] == "opponent" and named))
    return items
