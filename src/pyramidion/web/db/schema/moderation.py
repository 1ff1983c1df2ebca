"""Moderation: what operators have hidden or closed, what players report, and what operators have done."""

from sqlalchemy import BigInteger, Column, ColumnElement, Exists, Index, Integer, String, Table, Text, exists

from pyramidion.web.db.schema.base import METADATA, Deletion, Merging, VisitorId

# What is hidden: `kind` is table, club, season or tournament, `subject` its id. What is closed: `kind` is closed,
# `subject` is sign-up or creation.
RESTRICTIONS = Table(
    "restrictions",
    METADATA,
    Column("kind", String(10), primary_key=True),
    Column("subject", String(60), primary_key=True),
    Column("at", BigInteger, nullable=False),
)


def hidden(kind: str | ColumnElement[str], subject: str | ColumnElement[str]) -> Exists:
    """Return the SQL condition that operators have hidden the table, club, season or tournament with an id."""
    return exists().where(RESTRICTIONS.c.kind == kind, RESTRICTIONS.c.subject == subject)


# Reports by players. `place` is the address of the page, `item` what is meant there (such as `seat:2`), `quoted` what
# it was then; the reporter may add a `sentence`. `settled` is when an operator was done with it.
REPORTS = Table(
    "reports",
    METADATA,
    Column("number", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("person", VisitorId(Merging.BOTH, Deletion.NOBODY), nullable=False),
    Column("place", String(200), nullable=False),
    Column("item", String(80), nullable=False),
    Column("quoted", Text, nullable=False),
    Column("sentence", Text, nullable=False),
    Column("settled", BigInteger),
    Index("ix_reports_person", "person"),
)

# What operators have done: `operator` is their name on the machine, `action` a sentence, `note` the reason they gave.
ADMIN_LOG = Table(
    "admin_log",
    METADATA,
    Column("number", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("operator", String(80), nullable=False),
    Column("action", Text, nullable=False),
    Column("note", Text, nullable=False),
)
