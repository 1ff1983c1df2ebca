"""The `pyramidion ratings` commands, which work on a server's database."""

from __future__ import annotations

import sys
from typing import Any

from pyramidion.cli.database import current_store
from pyramidion.translation import quantity
from pyramidion.web.db.writer import Writer
from pyramidion.web.errors import Refused
from pyramidion.web.features.profiles.results import correct, rows_of
from pyramidion.web.features.ratings import calculation
from pyramidion.web.table.tables import Tables


def rebuild() -> None:
    """Replay all rated games, correct their stored results, and compute all ratings anew.

    A game that cannot be replayed any more, because its rules have changed, counts with its stored result. Raises
    CommandFailed if the database cannot be used.
    """
    with current_store() as store:
        tables = Tables(store, Writer(store), keep=1)
        results: dict[str, list[dict[str, Any]]] = {}
        matches = store.read(calculation.rated_matches)
        for match in matches:
            try:
                table = tables.rebuild(match)
            except Refused as error:
                print(f"pyramidion: {match}: {error}", file=sys.stderr)
                continue
            if table.match.outcome is not None:
                results[match] = rows_of(table, table.match.outcome)
        with store.engine.connect().execution_options(**store.to_write) as connection, connection.begin():
            wrong = sum(correct(connection, match, rows) for match, rows in results.items())
            calculation.rebuild(connection)
    print(f"Rated {quantity(len(matches), 'game')} anew; {len(results):,} replayed.")
    if wrong:
        print(f"The stored results of {wrong} did not agree with the record and were corrected.")
