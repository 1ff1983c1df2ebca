"""Contest results: a SQLite file with every game's full record, from which a contest can resume."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Collection, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyramidion
from pyramidion.engine.match import Match
from pyramidion.engine.outcome import PayoffForm
from pyramidion.lab.arena.forfeits import forfeited
from pyramidion.lab.arena.schedule import Pairing

_TABLES = """
create table contest (key text primary key, value text not null) strict;
create table games (
    lineup integer not null, block integer not null, turn integer not null,
    seating text not null, payoffs text not null, points text not null, winners text not null, plies integer not null,
    seconds text not null, record blob not null, forfeits text not null default '[]',
    primary key (lineup, block, turn)
) strict;
"""


class OtherContest(ValueError):
    """A results file does not hold the requested contest; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A finished game of a contest, as read from the results file, without its record.

    Attributes:
        lineup, block, turn, seating: as in its `Pairing`.
        payoffs, points: one number per seat; payoffs are in the game's `payoff_form`. `winners`: seats.
        plies: number of actions. `seconds`: time that each seat's decisions took.
        forfeits: the seats whose bots exited, which lost the game.
    """

    lineup: int
    block: int
    turn: int
    seating: tuple[int, ...]
    payoff_form: PayoffForm
    payoffs: tuple[float, ...]
    points: tuple[int, ...]
    winners: tuple[int, ...]
    plies: int
    seconds: tuple[float, ...]
    forfeits: tuple[int, ...] = ()

    @property
    def place(self) -> tuple[int, int, int]:
        """The game's place in the schedule: (line-up, block, turn)."""
        return self.lineup, self.block, self.turn


class Results:
    """The results file of a contest: it stores finished games and reads them back.

    A contest can resume only under the same `terms`. Raises OtherContest if the file is not a results file or has other
    terms.
    """

    def __init__(self, path: Path | str, terms: Mapping[str, Any] | None = None) -> None:
        self.path = Path(path)
        if terms is None and not self.path.exists():
            raise OtherContest(f"There is no file {self.path}.")
        # Autocommit is enough: there is one writer, and a game lost in a crash is played again.
        self._file = sqlite3.connect(self.path, isolation_level=None)
        try:
            self._open(terms)
        except sqlite3.DatabaseError:
            self._file.close()
            raise OtherContest(f"{self.path} is not a file of results.") from None
        except OtherContest:
            self._file.close()
            raise

    def _open(self, terms: Mapping[str, Any] | None) -> None:
        """Create the tables if the file is empty, and compare its terms with `terms`, if given.

        Raises OtherContest if they differ, or if the file is not a results file.
        """
        tables = {name for (name,) in self._file.execute("select name from sqlite_master where type = 'table'")}
        if not tables and terms is not None:
            self._file.executescript(_TABLES)
            rows = [(key, json.dumps(value)) for key, value in terms.items()]
            self._file.executemany("insert into contest values (?, ?)", rows)
        elif tables != {"contest", "games"}:
            raise OtherContest(f"{self.path} is not a file of results.")
        if tables and "forfeits" not in {row[1] for row in self._file.execute("pragma table_info(games)")}:
            # Files of earlier versions, whose bots could not forfeit.
            self._file.execute("alter table games add column forfeits text not null default '[]'")
        self.terms: dict[str, Any] = {
            key: json.loads(value) for key, value in self._file.execute("select key, value from contest")
        }
        for key, value in (terms or {}).items():
            if self.terms.get(key) != json.loads(json.dumps(value)):
                raise OtherContest(
                    f"{self.path} holds another contest ({key}: {_short(self.terms.get(key))}, not "
                    f"{_short(value)}). Name another file."
                )

    def __enter__(self) -> Results:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def add_row(self, row: tuple[Any, ...]) -> None:
        """Store a finished game, unless it is stored already; `row` is what `row_of` returned."""
        self._file.execute("insert or ignore into games values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)

    def places(self) -> set[tuple[int, int, int]]:
        """Return the places in the schedule, (line-up, block, turn), of the stored games."""
        return {tuple(row) for row in self._file.execute("select lineup, block, turn from games")}

    def games(self) -> Iterator[FinishedGame]:
        """Yield the stored games in schedule order."""
        query = (
            "select lineup, block, turn, seating, payoffs, points, winners, plies, seconds, forfeits "
            "from games order by block, lineup, turn"
        )
        form = pyramidion.load(self.terms["game"]).payoff_form
        with closing(self._file.execute(query)) as rows:
            for lineup, block, turn, seating, payoffs, points, winners, plies, seconds, forfeits in rows:
                yield FinishedGame(
                    lineup,
                    block,
                    turn,
                    tuple(json.loads(seating)),
                    form,
                    tuple(json.loads(payoffs)),
                    tuple(json.loads(points)),
                    tuple(json.loads(winners)),
                    plies,
                    tuple(json.loads(seconds)),
                    tuple(json.loads(forfeits)),
                )

    def match(self, place: tuple[int, int, int]) -> Match:
        """Replay the stored game at a place in the schedule, and return it as a match.

        Raises KeyError if it is missing, and BadRecord if it is damaged.
        """
        query = "select record from games where lineup = ? and block = ? and turn = ?"
        row = self._file.execute(query, place).fetchone()
        if row is None:
            raise KeyError(f"There is no game {place} in {self.path}.")
        return Match.from_record(json.loads(zlib.decompress(row[0])))


def row_of(
    pairing: Pairing, match: Match, seconds: tuple[float, ...], forfeits: Collection[int] = ()
) -> tuple[Any, ...]:
    """Return a finished match as a row for `Results.add_row`.

    `seconds` is the time that each seat's decisions took, and `forfeits` are the seats whose bots exited.
    """
    outcome = forfeited(match, forfeits)
    return (
        pairing.lineup,
        pairing.block,
        pairing.turn,
        json.dumps(pairing.seating),
        json.dumps(outcome.payoffs),
        json.dumps(outcome.points),
        json.dumps(outcome.winners),
        match.ply,
        json.dumps([round(spent, 4) for spent in seconds]),
        zlib.compress(json.dumps(match.record(), separators=(",", ":")).encode()),
        json.dumps(sorted(forfeits)),
    )


def _short(value: Any) -> str:
    """Return a value as JSON, cut to 80 characters."""
    text = json.dumps(value)
    return text if len(text) <= 80 else text[:77] + "..."
