"""Seasons."""

from sqlalchemy import JSON, BigInteger, Boolean, Column, ForeignKey, Index, Integer, LargeBinary, String, Table, Text

from pyramidion.web.db.schema.base import METADATA, Deletion, Merging, VisitorId

# A season is its log (`seasons/`): entries count from 1 without gaps, and the primary key lets only one writer add the
# next one.
SEASONS = Table(
    "seasons",
    METADATA,
    Column("id", String(40), primary_key=True),
    Column("created", BigInteger, nullable=False),
)

SEASON_LOG = Table(
    "season_log",
    METADATA,
    Column("season", String(40), ForeignKey("seasons.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("author", String(10), nullable=False),
    Column("kind", String(20), nullable=False),
    Column("data", JSON, nullable=False),
    Column("reason", Text, nullable=False),
)

# The conversations of a season's contestants, a log of their own: nothing in the season's log tells of them.
SEASON_TALK = Table(
    "season_talk",
    METADATA,
    Column("season", String(40), ForeignKey("seasons.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("author", String(10), nullable=False),
    Column("kind", String(20), nullable=False),
    Column("data", JSON, nullable=False),
)

# The idempotency keys of requests, so that a request that is sent twice counts once. Each belongs to its author, which
# is a place in the season, its player, and the number of earlier links if there are any: `c1.0`, `c1.0.1`. `key` and
# `content` are SHA-256 (`competitions/request_keys.py`).
SEASON_KEYS = Table(
    "season_keys",
    METADATA,
    Column("season", String(40), ForeignKey("seasons.id", ondelete="CASCADE"), primary_key=True),
    Column("author", String(20), primary_key=True),
    Column("key", String(64), primary_key=True),
    Column("content", String(64), nullable=False),
)

# The hosts and contestants of a season by their id there: `holder` is who has opened the personal link, and `turn`
# counts the links that there have been.
SEASON_PEOPLE = Table(
    "season_people",
    METADATA,
    Column("season", String(40), ForeignKey("seasons.id", ondelete="CASCADE"), primary_key=True),
    Column("who", String(10), primary_key=True),
    Column("holder", VisitorId(Merging.BOTH, Deletion.PLACE)),
    Column("turn", Integer, nullable=False),
    Index("ix_season_people_holder", "holder"),
)

# The tables of seasons; `settled` once the result is in the log or the season does not want it any more. `told` is when
# viewers learn of the result, NULL while that is not known, or if they never do.
SEASON_TABLES = Table(
    "season_tables",
    METADATA,
    Column("match", String(40), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("season", String(40), ForeignKey("seasons.id", ondelete="CASCADE"), nullable=False),
    Column("settled", Boolean, nullable=False),
    Column("told", BigInteger),
    Index("ix_season_tables_season", "season"),
)

# Portraits of contestants: one of the site's drawn faces (`table/seats/faces.py`), or an uploaded picture (WebP).
# `mark` changes with the portrait and is a part of the picture's address. `player` is whose it is
# (`Contestant.player`): a stand-in begins without one, and viewers see that of the player whom they know of.
SEASON_PORTRAITS = Table(
    "season_portraits",
    METADATA,
    Column("season", String(40), ForeignKey("seasons.id", ondelete="CASCADE"), primary_key=True),
    Column("who", String(10), primary_key=True),
    Column("player", Integer, primary_key=True),
    Column("face", String(7)),
    Column("picture", LargeBinary),
    Column("mark", String(16), nullable=False),
)

# Who follows a season: they are notified when an episode can be watched.
SEASON_FOLLOWERS = Table(
    "season_followers",
    METADATA,
    Column("season", String(40), ForeignKey("seasons.id", ondelete="CASCADE"), primary_key=True),
    Column("holder", VisitorId(Merging.ACCOUNTS, Deletion.ROW), primary_key=True),
    Index("ix_season_followers_holder", "holder"),
)

# Saved templates (`seasons/template.py`): `data` is JSON, `holder` has saved it, and the members of `club` are shown
# it. The id is the link by which it is shared.
SEASON_TEMPLATES = Table(
    "season_templates",
    METADATA,
    Column("id", String(40), primary_key=True),
    Column("created", BigInteger, nullable=False),
    Column("holder", VisitorId(Merging.BOTH, Deletion.HOST), nullable=False),
    Column("club", String(40)),
    Column("name", String(80), nullable=False),
    Column("data", JSON, nullable=False),
    Index("ix_season_templates_holder", "holder"),
    Index("ix_season_templates_club", "club"),
)
