"""What a contestant has to do in a season now, and until when; for the contestant alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from pyramidion.event_log import HOUR
from pyramidion.seasons.own_redaction import own_submissions
from pyramidion.translation import _
from pyramidion.web.durations import duration
from pyramidion.web.features.seasons.loaded import LoadedSeason
from pyramidion.web.features.seasons.matches import current_phase, running_tables
from pyramidion.web.table.progress import DUE, progress_of
from pyramidion.web.table.seats.host import Requester
from pyramidion.web.table.tables import Tables

MINUTE = 60_000
NUDGE_LASTS = 24 * HOUR
"""How long a contestant who still has something to do is told of a nudge."""


@dataclass(frozen=True, slots=True)
class OwnTask:
    """A table or a form of submissions of a contestant.

    Attributes:
        link: the path of its page.
        name: what is played.
        due: whether the contestant has to decide now.
        status: how far a submission has got: `missing`, `saved` or `confirmed`; for a table `unseated` where somebody
            else has the seat, otherwise empty.
        deadline: until when, in milliseconds since 1970, or None.
        left: the time until then in words, empty without a deadline or after it.
    """

    kind: Literal["table", "submission"]
    link: str
    name: str
    due: bool
    status: str
    deadline: int | None
    left: str = ""


@dataclass(frozen=True, slots=True)
class OwnCard:
    """What a contestant finds on top of the season's page.

    Attributes:
        tasks: what they play and submit, what is due first.
        nudged: whether the hosts have lately said that they are waiting.
        late: the name of the match in which they may submit no more and have submitted nothing, or None.
        asks_in: the id of the phase in which they can ask for more time to submit, empty without one.
        eliminated: the episode in which they were eliminated, or None.
        withdrawn: the episode in or after which they withdrew, 0 for before the first one, or None.
    """

    tasks: Sequence[OwnTask]
    nudged: bool
    late: str | None
    asks_in: str
    eliminated: int | None
    withdrawn: int | None

    @property
    def nudge_sentence(self) -> str:
        """The sentence of a nudge."""
        return _("The hosts are waiting for you.")

    def as_json(self) -> list[Any]:
        """Return what changes without an entry in the season's log, for the version of the page."""
        return [self.nudged, self.late, [(task.link, task.due, task.deadline, task.left) for task in self.tasks]]


async def own_card(loaded: LoadedSeason, tables: Tables, who: str, now: int) -> OwnCard:
    """Return the card of a contestant; `now` is milliseconds since 1970."""
    season, contestant = loaded.season, loaded.season.cast[who]
    out, withdrawal = contestant.out, contestant.withdrawal
    leaving = out is not None and 0 < out <= len(season.episodes) and who in season.episodes[out - 1].leaving
    tasks = (
        [*await _tables(loaded, tables, who), *_submissions(loaded, who, now)]
        if out is None and withdrawal is None
        else []
    )
    tasks = [replace(task, left=time_left(task.deadline, now)) for task in tasks]
    tasks.sort(key=lambda task: (not task.due, task.deadline is None, task.deadline or 0))
    names = season.namer("candidate") if season.step == "candidate" else season.namer("opponent")
    due = any(task.due for task in tasks) or (season.step in ("candidate", "opponent") and names == who)
    nudged = due and contestant.nudged > 0 and now - contestant.nudged < NUDGE_LASTS
    withdrawn = withdrawal.episode if withdrawal is not None else out
    late, gone = _late(loaded, who, now), out if leaving else None
    return OwnCard(tasks, nudged, late, _asks_in(loaded, now), gone, None if leaving else withdrawn)


def time_left(deadline: int | None, now: int) -> str:
    """Return the time until a deadline in words, such as `2 hours 10 minutes`; the longer it is, the rounder.

    Both are milliseconds since 1970. It is empty without a deadline, and after it.
    """
    minutes = -((now - deadline) // MINUTE) if deadline is not None else 0
    unit = 60 if minutes > 24 * 60 else 10 if minutes > 60 else 1
    return duration(minutes // unit * unit * 60) if minutes > 0 else ""


async def _tables(loaded: LoadedSeason, tables: Tables, who: str) -> list[OwnTask]:
    """Return the running tables of a contestant in the open episode."""
    holder = loaded.people[who].holder
    tasks: list[OwnTask] = []
    for table, _seat in await running_tables(loaded, tables, who):
        # A contestant whose seat somebody else has learns nothing of it.
        seat = next(iter(table.seating.seats_of(holder)), None)
        progress = progress_of(table, Requester(seat, False))
        due = seat is not None and progress[seat].state == DUE and not table.clock.paused
        status = "" if seat is not None else "unseated"
        deadline = table.timing.deadline if due and table.timing is not None else None
        tasks.append(OwnTask("table", f"/t/{table.id}", _(table.game.name), due, status, deadline))
    return tasks


def _submissions(loaded: LoadedSeason, who: str, now: int) -> list[OwnTask]:
    """Return the form that takes a contestant's submission now, if there is one."""
    match = loaded.season.own_match
    if match is None or match.closed(now):
        return []
    link, name, deadline = f"/seasons/{loaded.id}/submit/{match.id}", match.form.name, match.round.deadline
    return [
        OwnTask("submission", link, name, made["status"] != "confirmed", made["status"], deadline)
        for made in own_submissions(loaded.season, loaded.conversations, who, private=True)
    ]


def _late(loaded: LoadedSeason, who: str, now: int) -> str | None:
    """Return the name of the match that takes no more of a contestant's submission, which is missing; or None."""
    match = loaded.season.own_match
    if match is None or not match.closed(now):
        return None
    made = own_submissions(loaded.season, loaded.conversations, who, private=True)
    return match.form.name if any(submission["status"] == "missing" for submission in made) else None


def _asks_in(loaded: LoadedSeason, now: int) -> str:
    """Return the id of the phase in which more time for submissions can be asked for, empty without one.

    It is the phase with which the round ends, even if that is over, or else the one in progress.
    """
    season = loaded.season
    if season.own_match is None or season.own_match.round.sealed:
        return ""
    current = current_phase(season, now)
    return season.own_match.round.phase or (current.id if current is not None else "")
