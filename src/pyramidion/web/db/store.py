"""The rows of tables, and the store that reads them. `writer` writes."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from pyramidion.translation import _
from pyramidion.web.db.database import MIGRATING, Database
from pyramidion.web.db.host_command_rows import GIVES_SEAT_AWAY, NOBODY, HostCommand
from pyramidion.web.db.schema import ANALYSES, HOST_COMMANDS, KEYS, MATCHES, PLIES, SEAT_DEVICES, SEATS, hidden
from pyramidion.web.errors import Unreadable

T = TypeVar("T")
log = logging.getLogger(__name__)
_SHOWN = ~hidden("table", MATCHES.c.id)
"""The condition that operators have not hidden a match: a hidden one is as if it did not exist."""
_SAME_SEAT = sa.and_(SEATS.c.match == SEAT_DEVICES.c.match, SEATS.c.seat == SEAT_DEVICES.c.seat)


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match as stored: everything that determines its state except the plies; `settings` is JSON-ready."""

    id: str
    game: str
    rules_version: str
    seat_count: int
    options: dict[str, Any]
    seed: int | str
    seed_chosen: bool
    title: str
    created: int
    settings: Mapping[str, Any]
    finished: int | None = None
    cards: str | None = None
    deadline: int | None = None
    held: str | None = None
    host: str | None = None
    host_token: bytes | None = None
    paused: int | None = None
    time_left: int | None = None
    started: int | None = None
    host_name: str | None = None

    def values(self) -> dict[str, Any]:
        """Return the row to insert."""
        return {
            "id": self.id,
            "game": self.game,
            "rules_version": self.rules_version,
            "seat_count": self.seat_count,
            "options": json.dumps(self.options),
            "seed": json.dumps(self.seed),
            "seed_chosen": self.seed_chosen,
            "title": self.title,
            "created": self.created,
            "settings": self.settings,
            "finished": self.finished,
            "cards": self.cards,
            "deadline": self.deadline,
            "held": self.held,
            "host": self.host,
            "host_token": self.host_token,
            "paused": self.paused,
            "time_left": self.time_left,
            "started": self.started,
            "host_name": self.host_name,
        }


class StoredPly(NamedTuple):
    """An entry of a table's action log, as stored: an action (see `Ply`) or, with the seat `NOBODY`, a host command."""

    ply: int
    seat: int
    action: str
    by_clock: bool = False
    seal: str | None = None
    nonce: str | None = None
    command: HostCommand | None = None


@dataclass(slots=True)
class SeatRow:
    """A seat at a table, as stored: `kind` is `open`, `person` or `bot`.

    An open seat with a `holder` or a `token_hash` is reserved for that visitor, or for anyone with the code of this
    hash.

    A person's seat is held by a visitor (the id in a signed cookie) or by a token with this hash; `also` are the
    person's other browsers. `stand_in` is a bot that plays while the person is away. `colour` is the index of a chosen
    colour of the game; None for the seat's default. `face` is the face that the player chose (`table/seats/faces.py`).
    """

    seat: int
    kind: str
    name: str | None = None
    bot: str | None = None
    holder: str | None = None
    token_hash: bytes | None = None
    stand_in: str | None = None
    also: tuple[str, ...] = ()
    colour: int | None = None
    face: str | None = None

    @property
    def reserved(self) -> bool:
        """Whether only an invited player can take this open seat."""
        return self.kind == "open" and (self.holder is not None or self.token_hash is not None)

    @property
    def public_fields(self) -> tuple[Any, ...]:
        """What viewers can see of the seat, to compare it with a later state."""
        return self.seat, self.kind, self.name, self.bot, self.stand_in, self.reserved, self.colour, self.face

    def values(self, match: str) -> dict[str, Any]:
        """Return the row to insert."""
        return {
            "match": match,
            "seat": self.seat,
            "kind": self.kind,
            "name": self.name,
            "bot": self.bot,
            "holder": self.holder,
            "token_hash": self.token_hash,
            "stand_in": self.stand_in,
            "colour": self.colour,
            "face": self.face,
        }


def now() -> int:
    """Return the time in whole milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Store(Database):
    """Reads from a database. All methods block; the server calls them from threads."""

    def ids(self) -> list[str]:
        """Return the ids of all matches that have started, oldest first."""
        m = MATCHES.c
        query = sa.select(m.id).where(m.started.is_not(None), _SHOWN).order_by(m.created, m.id)
        return self.read(lambda connection: list(connection.execute(query).scalars()))

    def read(self, query: Callable[[sa.Connection], T]) -> T:
        """Run a query function on one consistent snapshot of the database and return its result. Raises Unreadable."""
        with self._reading() as connection:
            return query(connection)

    def ping(self) -> None:
        """Check that the database answers. Raises Unreadable."""
        with self._reading() as connection:
            connection.execute(sa.select(sa.func.count()).select_from(sa.select(KEYS.c.name).limit(1).subquery()))

    def match(self, match_id: str) -> tuple[MatchRow, list[SeatRow]] | None:
        """Return a match and its seats, or None if it does not exist."""
        with self._reading() as connection:
            return _match(connection, match_id)

    def plies(self, match_id: str, since: int = 0) -> Sequence[StoredPly]:
        """Return the actions of a match from ply `since` on, in order."""
        with self._reading() as connection:
            return _plies(connection, match_id, since)

    def whole(self, match_id: str, since: int = 0) -> tuple[MatchRow, list[SeatRow], Sequence[StoredPly]] | None:
        """Return a match, its seats and its actions from ply `since` on, as of one moment, or None."""
        with self._reading() as connection:
            match = _match(connection, match_id)
            return (*match, _plies(connection, match_id, since)) if match is not None else None

    def replacements(self, match_id: str) -> list[HostCommand]:
        """Return the host commands of a match that name players who are gone, whom operators may have renamed."""
        h = HOST_COMMANDS.c
        query = sa.select(h.number, h.at, h.kind, h.who, h.data).where(h.match == match_id, h.kind.in_(GIVES_SEAT_AWAY))
        return [HostCommand.stored(*row) for row in self.query(query)]

    def analysis(self, match_id: str) -> dict[str, Any] | None:
        """Return the analysis of a match, or None if none is stored."""
        query = sa.select(ANALYSES.c.result).where(ANALYSES.c.match == match_id)
        with self._reading() as connection:
            result = connection.execute(query).scalar_one_or_none()
        return None if result is None else json.loads(result)

    def deadlines(self, before: int | None = None) -> list[tuple[str, int]]:
        """Return (match, deadline) pairs, earliest first: all of them, or those before a time."""
        m = MATCHES.c
        which = m.deadline.is_not(None) if before is None else m.deadline < before
        query = sa.select(m.id, m.deadline).where(which, _SHOWN).order_by(m.deadline)
        with self._reading() as connection:
            return [(row.id, row.deadline) for row in connection.execute(query)]

    def key(self, made: str, name: str = "cookies") -> str:
        """Return the secret called `name`, which all servers of this database share; store `made` if there is none."""
        with self.engine.connect().execution_options(**self.to_write) as connection, connection.begin():
            if not self.sqlite:
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(MIGRATING)))
            query = sa.select(KEYS.c.value).where(KEYS.c.name == name)
            stored = connection.execute(query).scalar_one_or_none()
            if stored is None:
                connection.execute(sa.insert(KEYS).values(name=name, value=made))
        return stored or made

    def query(self, query: sa.Executable, values: Mapping[str, Any] | None = None) -> Sequence[sa.Row[Any]]:
        """Execute a query, with the values of its parameters, and return its rows. Raises Unreadable."""
        with self._reading() as connection:
            return connection.execute(query, values).all()

    @contextmanager
    def _reading(self) -> Generator[sa.Connection]:
        """Context manager: a connection for reading. Raises Unreadable."""
        try:
            with self.engine.connect() as connection:
                yield connection
        except SQLAlchemyError as error:
            log.error("The database cannot be read: %s", getattr(error, "orig", None) or error)
            sentence = _("The database is unavailable: {cause}.")
            raise Unreadable(sentence.format(cause=self.cause(error))) from error

    reading = _reading


def _match(connection: sa.Connection, match_id: str) -> tuple[MatchRow, list[SeatRow]] | None:
    """Return a match's row and the rows of its seats, each with its player's further browsers (`also`)."""
    row = connection.execute(sa.select(MATCHES).where(MATCHES.c.id == match_id, _SHOWN)).one_or_none()
    if row is None:
        return None
    also = sa.and_(_SAME_SEAT, SEAT_DEVICES.c.owner == SEATS.c.holder)
    query = sa.select(*SEATS.c, SEAT_DEVICES.c.holder.label("also")).outerjoin_from(SEATS, SEAT_DEVICES, also)
    order = SEATS.c.seat, SEAT_DEVICES.c.holder
    seats: list[SeatRow] = []
    for s in connection.execute(query.where(SEATS.c.match == match_id).order_by(*order)):
        if not seats or seats[-1].seat != s.seat:
            fields = s.kind, s.name, s.bot, s.holder, s.token_hash, s.stand_in
            seats.append(SeatRow(s.seat, *fields, colour=s.colour, face=s.face))
        if s.also is not None:
            seats[-1].also += (s.also,)
    values: dict[str, Any] = dict(zip(MATCHES.columns.keys(), row, strict=True))
    values["options"] = json.loads(values["options"])
    values["seed"] = json.loads(values["seed"])
    return MatchRow(**values), seats


def _plies(connection: sa.Connection, match_id: str, since: int) -> Sequence[StoredPly]:
    """Return the plies of a match from number `since` on, host commands among them."""
    p = PLIES.c
    query = (
        sa.select(p.ply, p.seat, p.action, p.by_clock, p.seal, p.nonce)
        .where(p.match == match_id, p.ply >= since)
        .order_by(p.ply)
    )
    plies = [StoredPly(*row) for row in connection.execute(query)]
    if not any(ply.seat == NOBODY for ply in plies):
        return plies
    a = HOST_COMMANDS.c
    made = sa.select(a.number, a.at, a.kind, a.who, a.data).where(a.match == match_id, a.number >= since)
    commands = {row.number: HostCommand.stored(*row) for row in connection.execute(made)}
    return [ply._replace(command=commands.get(ply.ply)) if ply.seat == NOBODY else ply for ply in plies]
