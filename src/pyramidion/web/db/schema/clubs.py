"""Clubs."""

from typing import Final

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, String, Table, Text

from pyramidion.web.db.schema.base import METADATA, Deletion, Merging, VisitorId

# Clubs. `door` says who sees the club and who can join (`features/clubs/club.py`); `turn` counts invitation links, and
# `posts` the announcements that there have ever been, so that no number is used twice.
CLUBS = Table(
    "clubs",
    METADATA,
    Column("id", String(40), primary_key=True),
    Column("created", BigInteger, nullable=False),
    Column("name", String(80), nullable=False),
    Column("about", Text, nullable=False),
    Column("door", String(10), nullable=False),
    Column("turn", Integer, nullable=False),
    Column("posts", Integer, nullable=False),
)

CLUB_RANKS: Final = ("owner", "officer", "member", "asked")
"""The roles in a club, the highest first."""

# The members of a club; `role` is `asked` for somebody who has asked to join. `member` is a member's public id.
CLUB_MEMBERS = Table(
    "club_members",
    METADATA,
    Column("club", String(40), ForeignKey("clubs.id", ondelete="CASCADE"), primary_key=True),
    Column("holder", VisitorId(Merging.ROLE, Deletion.CLUB), primary_key=True),
    Column("member", String(40), nullable=False),
    Column("name", String(40), nullable=False),
    Column("role", String(10), nullable=False),
    Column("since", BigInteger, nullable=False),
    Index("ix_club_members_holder", "holder"),
    Index("ix_club_members_member", "club", "member", unique=True),
    Index("ix_club_members_name", "club", "name", unique=True),
)

# The announcements of a club; `author` is the name of the member who wrote it.
CLUB_POSTS = Table(
    "club_posts",
    METADATA,
    Column("club", String(40), ForeignKey("clubs.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("author", String(40), nullable=False),
    Column("text", Text, nullable=False),
)

# The seasons and tournaments of a club, by the kind and id of each.
CLUB_EVENTS = Table(
    "club_events",
    METADATA,
    Column("kind", String(10), primary_key=True),
    Column("event", String(40), primary_key=True),
    Column("club", String(40), ForeignKey("clubs.id", ondelete="CASCADE"), nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("ix_club_events_club", "club"),
)

# The tables and waiting rooms in a club's lobby.
CLUB_TABLES = Table(
    "club_tables",
    METADATA,
    Column("match", String(40), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("club", String(40), ForeignKey("clubs.id", ondelete="CASCADE"), nullable=False),
    Index("ix_club_tables_club", "club"),
)
