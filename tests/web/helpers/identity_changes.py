"""Helpers of the tests in `test_identity_changes.py`, which other tests use, too."""

import itertools

import sqlalchemy as sa

from pyramidion.web.db.schema import (
    MATCHES,
)

NUMBERS = itertools.count()


def add(connection, table, **given):
    """Insert a row, with something for every column that needs a value, and the rows to which it refers."""
    values = {}
    for column in table.columns:
        if column.nullable or column.server_default is not None or column is table.autoincrement_column:
            continue
        kind = column.type
        if isinstance(kind, sa.JSON):
            values[column.name] = {}
        elif isinstance(kind, sa.Boolean):
            values[column.name] = False
        elif isinstance(kind, sa.Integer | sa.Float):
            values[column.name] = 0
        elif isinstance(kind, sa.LargeBinary):
            values[column.name] = str(next(NUMBERS)).encode()
        else:
            values[column.name] = str(next(NUMBERS))
    values |= given
    for key in table.foreign_keys:
        parent = key.column.table
        if not connection.execute(sa.select(parent).where(key.column == values[key.parent.name])).first():
            add(connection, parent, **{key.column.name: values[key.parent.name]})
    connection.execute(sa.insert(table).values(values))
    return values


def add_match(connection, match="m", *, rated=False, started=1, finished=None, **more):
    settings = {"settings": {"rated": rated}, "started": started, "finished": finished, "seed": "", "options": "{}"}
    return add(connection, MATCHES, id=match, **settings, **more)


def rows(connection, table, **where):
    query = sa.select(table).filter_by(**where).order_by(*table.primary_key)
    return connection.execute(query).mappings().all()
