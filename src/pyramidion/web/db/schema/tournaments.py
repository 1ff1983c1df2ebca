"""Tournaments."""

from sqlalchemy import JSON, BigInteger, Boolean, Column, ForeignKey, Index, Integer, String, Table

from pyramidion.web.db.schema.base import METADATA, Deletion, Merging, VisitorId

# A tournament is its log (`tournaments/`), as a season is. `due` is when a server has something to do for it, such as
# to open a round; `settled` is set once a table's result is in the log.
TOURNAMENTS = Table(
    "tournaments",
    METADATA,
    Column("id", String(40), primary_key=True),
    Column("created", BigInteger, nullable=False),
    Column("due", BigInteger),
    Index("ix_tournaments_due", "due"),
)

TOURNAMENT_LOG = Table(
    "tournament_log",
    METADATA,
    Column("tournament", String(40), ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("author", String(10), nullable=False),
    Column("kind", String(20), nullable=False),
    Column("data", JSON, nullable=False),
)

# The host (`host`) and the players of a tournament who are people.
TOURNAMENT_PEOPLE = Table(
    "tournament_people",
    METADATA,
    Column("tournament", String(40), ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True),
    Column("who", String(10), primary_key=True),
    Column("holder", VisitorId(Merging.BOTH, Deletion.ENTRY), nullable=False),
    Index("ix_tournament_people_holder", "holder"),
)

TOURNAMENT_TABLES = Table(
    "tournament_tables",
    METADATA,
    Column("match", String(40), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("tournament", String(40), ForeignKey("tournaments.id", ondelete="CASCADE"), nullable=False),
    Column("settled", Boolean, nullable=False),
    Index("ix_tournament_tables_tournament", "tournament"),
)
