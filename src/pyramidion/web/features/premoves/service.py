"""Premoves: answers that a player gives in advance, stored in the database and played when the decision is due.

Nobody else may learn that a player has any. Others could only notice how quickly a seat answers. So a premove is not
played at once but after a random pause, drawn from the same range whatever the premove says, as if the player were at
the table and thought for a moment.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from pyramidion import IllegalAction
from pyramidion.engine.layout import record
from pyramidion.engine.premoves import Followed, PremoveModule
from pyramidion.translation import _
from pyramidion.web.db.changes import save
from pyramidion.web.db.claims import Claims
from pyramidion.web.db.schema import MATCHES, PREMOVES
from pyramidion.web.db.store import SeatRow, Store
from pyramidion.web.db.writer import Change
from pyramidion.web.errors import (
    BadRequest,
    NoPremoves,
    NotSaved,
    NotYourSeat,
    Refused,
    StaleVersion,
    TableIsPaused,
    TimeIsUp,
)

if TYPE_CHECKING:
    from pyramidion.web.table.snapshots.snapshot import Snapshot
    from pyramidion.web.table.table import Table
    from pyramidion.web.table.tables import Tables

LONGEST = 4_000
"""Maximum length of a seat's premoves, in characters."""
RETRY_SECONDS = 2.0
KEPT = "premoves"
"""The key of premoves in `Table.kept`."""
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PremoveOutcome:
    """What became of a premove; only its own seat may see it.

    Attributes:
        what: `done` if it was played, `dropped` if it was illegal.
        action: the notation of the action.
        reason: why it was illegal, a sentence.
        rule: the rule that says so.
    """

    what: str
    action: str
    reason: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Premove:
    """The premoves of one seat, and what became of the one that was due last.

    Attributes:
        owner: who gave them, see `owner_of`; another person who takes the seat does not get them.
        text: one premove per line in the game's notation, empty if none are left.
        outcome: what became of the last one, None if none was due yet.
    """

    owner: str
    text: str
    outcome: PremoveOutcome | None = None


def owner_of(row: SeatRow) -> str | None:
    """Return the owner of premoves given by the person on a seat; None for open seats and bots.

    It is the visitor id, or for a program the hash of its token.
    """
    if row.kind != "person":
        return None
    return row.holder or (row.token_hash.hex() if row.token_hash is not None else None)


def read(store: Store, table: str) -> dict[int, Premove]:
    """Return the stored premoves of a table by seat; blocks."""
    o = PREMOVES.c
    query = sa.select(o.seat, o.owner, o.text, o.outcome).where(o.match == table)
    rows = store.read(lambda connection: connection.execute(query).all())
    return {
        row.seat: Premove(row.owner, row.text, PremoveOutcome(**json.loads(row.outcome)) if row.outcome else None)
        for row in rows
    }


def waiting(store: Store) -> list[str]:
    """Return the ids of unfinished tables at which some seat has premoves left; blocks."""
    query = sa.select(PREMOVES.c.match).join(MATCHES, MATCHES.c.id == PREMOVES.c.match).distinct()
    query = query.where(PREMOVES.c.text != "", MATCHES.c.finished.is_(None))
    return store.read(lambda connection: list(connection.execute(query).scalars()))


def _storing(table: str, seat: int, premove: Premove) -> Change:
    """Return the change that stores the premoves of a seat in place of earlier ones."""
    outcome = (
        None
        if premove.outcome is None
        else json.dumps({name: getattr(premove.outcome, name) for name in ("what", "action", "reason", "rule")})
    )
    values = {"owner": premove.owner, "text": premove.text, "outcome": outcome}

    def store_premoves(connection: sa.Connection) -> None:
        where = sa.update(PREMOVES).where(PREMOVES.c.match == table, PREMOVES.c.seat == seat)
        if connection.execute(where.values(values)).rowcount == 0:
            connection.execute(sa.insert(PREMOVES), {"match": table, "seat": seat, **values})

    return store_premoves


def premoves_at(table: Table) -> dict[int, Premove]:
    """Return the premoves that are kept in memory with a table, by seat."""
    return table.kept.setdefault(KEPT, {})


def book_of(table: Table) -> PremoveModule:
    """Return the module that interprets premoves for a table's game. Raises NoPremoves with a sentence."""
    book: PremoveModule | None = table.game.premoves
    if book is None:
        raise NoPremoves(_("{game} has no answers in advance.").format(game=_(table.game.name)))
    return book


def premove_of(table: Table, seat: int | None) -> Premove | None:
    """Return the premoves that the present player of a seat has given, or None."""
    if seat is None or not 0 <= seat < len(table.seating.rows):
        return None
    premove = premoves_at(table).get(seat)
    return premove if premove is not None and premove.owner == owner_of(table.seating.rows[seat]) else None


def has_premove(table: Table, seat: int) -> bool:
    """Return whether a premove is about to make the decision due from a seat, so that no reminder is needed."""
    return _followed(table, seat) is not None


def _followed(table: Table, seat: int) -> Followed | None:
    """Return what the premoves of a seat say about the decision due from it, or None if they do not apply."""
    book, premove = table.game.premoves, premove_of(table, seat)
    if book is None or premove is None or not premove.text or seat not in table.visibility.waited_for:
        return None
    if table.seats[seat].player is not None:
        return None  # a stand-in bot is playing
    redacted = record(table.match.redacted_state(seat))
    if not book.due(redacted, seat):
        return None
    return book.follow(record(table.match.box_for(seat)), redacted, seat, premove.text)


class Premoves:
    """Stores the premoves of all tables and plays each when its decision is due, after a random pause.

    `pause` is the shortest and the longest pause, in seconds. `claims` make sure that only one of several servers plays
    a premove.
    """

    def __init__(self, tables: Tables, claims: Claims, pause: tuple[float, float]) -> None:
        self._tables, self._claims, self._pause = tables, claims, pause
        tables.events.kept[KEPT] = read
        tables.events.moved.append(self.look)
        tables.events.answered_ahead.append(has_premove)
        self._busy: dict[tuple[str, int], asyncio.Task[None]] = {}
        self._waking: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to play the premoves that are due at the tables stored before a restart."""
        self._waking = asyncio.create_task(self._wake())

    async def _wake(self) -> None:
        """Load all tables with premoves, and start those that are due."""
        with suppress(Refused):
            for table in await asyncio.to_thread(waiting, self._tables.store):
                with suppress(Refused):
                    self.look(await self._tables.get(table))

    async def close(self) -> None:
        """Cancel the premoves under way; they remain in the database."""
        tasks = [*self._busy.values(), *([self._waking] if self._waking is not None else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def give(self, table: Table, seat: int | None, text: str) -> Premove:
        """Replace the premoves of a seat by `text`, one per line; an empty text withdraws them.

        If it raises NotYourSeat, NoPremoves, BadRequest or NotSaved with a sentence, nothing has changed.
        """
        book = book_of(table)
        owner = owner_of(table.seating.rows[seat]) if seat is not None else None
        if seat is None or owner is None:
            raise NotYourSeat(_("You are watching this game."), open=table.open_seats)
        if len(text) > LONGEST:
            raise BadRequest(_("Answers in advance can have at most {number} characters.").format(number=LONGEST))
        try:
            accepted = book.accept(text, table.match.seats, seat)
        except ValueError as error:
            raise BadRequest(str(error)) from error
        return await self._keep(table, seat, Premove(owner, accepted))

    async def _keep(self, table: Table, seat: int, premove: Premove) -> Premove:
        """Store the premoves of a seat, and put them into effect."""
        await save(self._tables.writer, _storing(table.id, seat, premove))
        self._put_into_effect(table, seat, premove)
        return premove

    def _put_into_effect(self, table: Table, seat: int, premove: Premove) -> None:
        """Put stored premoves into effect at a table, and update only the pages of their own seat."""
        premoves_at(table)[seat] = premove
        if (channel := table.viewers.channels.get(seat)) is not None:
            channel.resend_status()
        self.look(table)

    def look(self, table: Table) -> None:
        """Begin to play every premove at a table whose decision is due."""
        premoves = premoves_at(table)
        if not premoves or table.match.over or table.clock.paused:
            return
        for seat in premoves:
            key = (table.id, seat)
            if key not in self._busy and _followed(table, seat) is not None:
                task = self._busy[key] = asyncio.create_task(self._carry_out(table, seat))
                task.add_done_callback(lambda done, key=key: self._done(done, key, table))

    def _done(self, task: asyncio.Task[None], key: tuple[str, int], table: Table) -> None:
        """Note that a premove's task has ended, and look for the next premove at the table."""
        self._busy.pop(key)
        if task.cancelled():
            return
        if error := task.exception():
            log.error("Table %s: the premove of seat %s failed", *key, exc_info=error)
        else:
            self.look(table)

    async def _carry_out(self, table: Table, seat: int) -> None:
        # Hold the claim during the pause, so that another server plays the premove if this one dies.
        """Play the premove due at a seat after a pause, unless another server has claimed it."""
        async with self._claims.of("premove", table.id, seat) as mine:
            if mine:
                await asyncio.sleep(self._drawn_pause(table))
                await self._decide(table, seat)
        if not mine:
            await asyncio.sleep(RETRY_SECONDS)
            with suppress(Refused):
                await table.refresh()

    def _drawn_pause(self, table: Table) -> float:
        """Return a random pause in seconds, at most half of the time left for the decision."""
        low, high = self._pause
        pause = low + (high - low) * secrets.randbelow(1_000_000) / 1_000_000
        if (deadline := table.clock.state.deadline) is not None:
            # The pause must not exceed the remaining time.
            pause = min(pause, max(0.0, (deadline - self._tables.now()) / 2000))
        return pause

    async def _decide(self, table: Table, seat: int) -> None:
        """Play the premove due at a seat, and store the remaining premoves in the same transaction."""
        followed, premove, version = _followed(table, seat), premove_of(table, seat), table.version(seat)
        if followed is None or premove is None:
            return  # withdrawn, or the player has answered meanwhile
        after = Premove(premove.owner, followed.rest, PremoveOutcome("done", followed.action))
        try:
            await table.act(seat, followed.action, version, also=_storing(table.id, seat, after))
        except IllegalAction as error:
            dropped = Premove(premove.owner, "", PremoveOutcome("dropped", followed.action, error.reason, error.rule))
            with suppress(NotSaved):
                await self._keep(table, seat, dropped)
        except (StaleVersion, TimeIsUp, TableIsPaused):
            await asyncio.sleep(0.05)  # the table has changed meanwhile; `look` tries again
        except NotSaved:
            await asyncio.sleep(RETRY_SECONDS)
        else:
            self._put_into_effect(table, seat, after)


def as_json(table: Table, seat: int | None) -> dict[str, Any]:
    """Return the premoves of a seat with their descriptions and the last outcome, as JSON-ready data."""
    book, premove = book_of(table), premove_of(table, seat)
    outcome = premove.outcome if premove is not None else None
    return {
        "text": premove.text if premove is not None else "",
        "words": book.tell(premove.text, table.names) if premove is not None else [],
        "last": None
        if outcome is None
        else {"what": outcome.what, "action": outcome.action, "reason": outcome.reason, "rule": outcome.rule},
    }


def with_line(table: Table, seat: int | None, given: Mapping[str, str]) -> str:
    """Return the text of a seat's premoves with one more line, composed from the fields `given` of a form.

    Raises BadRequest with a sentence.
    """
    premove = premove_of(table, seat)
    try:
        line = book_of(table).compose(given)
    except ValueError as error:
        raise BadRequest(str(error)) from error
    return f"{premove.text}\n{line}" if premove is not None else line


def without_line(table: Table, seat: int | None, number: int, expected: str) -> str:
    """Return the text of a seat's premoves without the line `number`, counted from 0 in the `expected` text.

    Raises StaleVersion with a sentence if the present text is another one: a premove may have been played meanwhile.
    """
    premove = premove_of(table, seat)
    lines = premove.text.splitlines() if premove is not None else []
    if lines != expected.splitlines():
        raise StaleVersion(_("Your answers have changed meanwhile. Nothing was withdrawn."))
    return "\n".join(line for place, line in enumerate(lines) if place != number)


@dataclass(frozen=True, slots=True)
class PremoveStatus:
    """What a seat's own page shows of its premoves during the game.

    Attributes:
        lines: the number of premoves left.
        outcome: what became of the last one, in words, empty if none was due yet.
    """

    lines: int
    outcome: str


def status_of(snapshot: Snapshot) -> PremoveStatus | None:
    """Return what the page of a snapshot's viewer shows of the viewer's premoves, or None if nothing."""
    table, seat = snapshot.table, snapshot.viewer
    if seat is None or not snapshot.position_is_current or snapshot.over:
        return None
    premove = premove_of(table, seat)
    if premove is None or not (premove.text or premove.outcome):
        return None
    return PremoveStatus(len(premove.text.splitlines()), sentence(table, premove))


def sentence(table: Table, premove: Premove) -> str:
    """Return a sentence on what became of the last premove, for its own seat; empty if none was due yet."""
    outcome = premove.outcome
    if outcome is None:
        return ""
    action = table.match.label(table.game.actions.parse(outcome.action), table.names)
    if outcome.what == "done":
        return _("Answered in advance: {action}.").format(action=action)
    template = _("Your answer in advance, {action}, is not legal here and was dropped. {reason}")
    return template.format(
        action=action, reason=f"{outcome.reason} ({outcome.rule})" if outcome.rule else outcome.reason
    )
