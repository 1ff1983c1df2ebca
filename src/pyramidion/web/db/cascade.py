"""Deleting rows with everything that belongs to them: SQLite enforces no foreign keys here, so nothing cascades."""

from __future__ import annotations

import sqlalchemy as sa

from pyramidion.web.db.schema import METADATA


def delete(connection: sa.Connection, table: sa.Table, key: str) -> int:
    """Delete the row with a primary key, after all rows that refer to it; return how many rows of `table` that was."""
    [primary] = table.primary_key
    for other in reversed(METADATA.sorted_tables):
        for reference in other.foreign_keys:
            if reference.column is primary:
                connection.execute(sa.delete(other).where(reference.parent == key))
    return connection.execute(sa.delete(table).where(primary == key)).rowcount
