"""Matches and what belongs to one: seats, action log, waiting room, seeds, results."""

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
)

from pyramidion.web.db.schema.base import METADATA, Deletion, Merging, VisitorId

# `seed` and `options` are JSON; `cards` is a card file, NULL for the game's own. The match itself (seed, options,
# cards, plies) is never changed once written. `settings` are the table's settings (`table/settings/declarations.py`).
# `deadline` is the end of the time for the current step; `held` is JSON, a confirmation that is kept until then.
# `host` is the visitor who is the host, `host_token` the hash of a token with the same rights; `host_name` is the
# name of a host who does not play. While a table is paused, `paused` is the start of the pause and `time_left` the
# remaining milliseconds. Before the first phase a table is paused as well, and `deadline` is when that phase opens.
# While a match waits in its room, `started` is NULL, and `seed` is empty unless it was chosen.
MATCHES = Table(
    "matches",
    METADATA,
    Column("id", String(40), primary_key=True),
    Column("game", String(80), nullable=False),
    Column("rules_version", String(40), nullable=False),
    Column("seat_count", Integer, nullable=False),
    Column("options", Text, nullable=False),
    Column("seed", Text, nullable=False),
    Column("seed_chosen", Boolean, nullable=False),
    Column("title", String(80), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("settings", JSON, nullable=False),
    Column("finished", BigInteger),
    Column("cards", Text),
    Column("deadline", BigInteger),
    Column("held", Text),
    Column("host", VisitorId(Merging.BOTH, Deletion.HOST)),
    Column("host_token", LargeBinary(32)),
    Column("host_name", String(40)),
    Column("paused", BigInteger),
    Column("time_left", BigInteger),
    Column("started", BigInteger),
    Index("ix_matches_deadline", "deadline"),
)
IS_RATED = MATCHES.c.settings["rated"].as_boolean()

SEATS = Table(
    "seats",
    METADATA,
    Column("match", String(40), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("kind", String(10), nullable=False),
    Column("name", String(40)),
    Column("bot", String(40)),
    Column("holder", VisitorId(Merging.SEAT, Deletion.SEAT)),
    Column("token_hash", LargeBinary(32)),
    Column("stand_in", String(40)),
    Column("colour", Integer),
    Column("face", String(7)),
    Index("ix_seats_holder", "holder"),
)

# The primary key allows one action per ply, so a double or late click has no effect. `by_clock` marks a default move
# after a timeout. A submission in a simultaneous step has a `seal` and the `nonce` that opens it. `ply` is the number
# in the table's action log, which only grows: a row with seat -1 is a host command, which may undo what came before.
PLIES = Table(
    "plies",
    METADATA,
    Column("match", String(40), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("ply", Integer, primary_key=True),
    Column("seat", Integer, nullable=False),
    Column("action", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("by_clock", Boolean, nullable=False),
    Column("seal", String(64)),
    Column("nonce", String(64)),
    sqlite_with_rowid=False,
)

# Host commands and what players agree on. The row of `plies` with the same number, and seat -1, reserves their place.
HOST_COMMANDS = Table(
    "host_commands",
    METADATA,
    Column("match", String(40), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("kind", String(20), nullable=False),
    Column("who", String(10), nullable=False),
    Column("data", Text, nullable=False),
)

# Waiting rooms. `ready` (JSON) lists the seats that are ready. `changes` counts changes, so that of two simultaneous
# changes the second is refused and planned again. `touched` is the time of the last change; abandoned rooms are
# deleted.
ROOMS = Table(
    "rooms",
    METADATA,
    Column("match", String(40), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("ready", Text, nullable=False),
    Column("changes", Integer, nullable=False),
    Column("touched", BigInteger),
)

# Table codes, which players type to find a table. A code is valid only while the table has an open seat.
INVITATIONS = Table(
    "invitations",
    METADATA,
    Column("match", String(40), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("code", String(8), nullable=False),
    Index("ix_invitations_code", "code", unique=True),
)

# Other browsers that share the seat of `owner`. A row is valid only while the seat belongs to `owner`.
SEAT_DEVICES = Table(
    "seat_devices",
    METADATA,
    Column("match", String(40), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("holder", VisitorId(Merging.DEVICE, Deletion.BROWSER), primary_key=True),
    Column("owner", VisitorId(Merging.BOTH, Deletion.ROW), nullable=False),
    Index("ix_seat_devices_holder", "holder"),
    Index("ix_seat_devices_owner", "owner"),
)

# The sources of a seed that nobody chose: the server's secret, in hexadecimal, and the seats' contributions
# (`engine.seeds`).
SECRETS = Table(
    "secrets",
    METADATA,
    Column("match", String(40), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("secret", String(64), nullable=False),
)

CONTRIBUTIONS = Table(
    "contributions",
    METADATA,
    Column("match", String(40), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("text", String(200), nullable=False),
    Column("source", String(10), nullable=False),
    Column("commitment", String(64), nullable=False),
    Column("nonce", String(64), nullable=False),
)

# Premoves of a seat: `text` has one per line and is empty once they are used up; `outcome` is JSON, the result of the
# last one. `owner` is the id or the token hash of the player who gave them; a player who takes over the seat does not
# inherit them.
PREMOVES = Table(
    "premoves",
    METADATA,
    Column("match", String(40), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("owner", VisitorId(Merging.BOTH, Deletion.BROWSER, length=64), nullable=False),
    Column("text", Text, nullable=False),
    Column("outcome", Text),
)

# Rematches of finished matches: `next` is the new table, `seat` who asked for it; NULL for a host who does not play.
REMATCHES = Table(
    "rematches",
    METADATA,
    Column("match", String(40), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("next", String(40), nullable=False),
    Column("seat", Integer),
)

# Analyses of finished matches: `result` is the JSON of `bots.analysis.Analysis.as_json`.
ANALYSES = Table(
    "analyses",
    METADATA,
    Column("match", String(40), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("made", BigInteger, nullable=False),
    Column("result", Text, nullable=False),
)

# The result of each seat of a finished match, computed from its record. `person` is the player, or the player who
# resigned the seat to a bot; `bot` is the bot of a seat that no person ever held. `won` is the seat's share of the win,
# 0 to 1. Until the match is over there are rows for resignations only, without a result.
RESULTS = Table(
    "results",
    METADATA,
    Column("match", String(40), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("person", VisitorId(Merging.RESULT, Deletion.RESULT)),
    Column("bot", String(40)),
    Column("won", Float),
    Column("payoff", Float),
    Column("points", Integer),
    Index("ix_results_person", "person"),
)

# What a rated match has done to the skill of each player, computed from RESULTS (`features/ratings`). `player` is
# a person's visitor id, or `bot:LEVEL`. `at` is when the match was finished; `games` counts rated matches, this one
# among them. A player's latest row of a game is their rating.
RATINGS = Table(
    "ratings",
    METADATA,
    Column("match", String(40), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("game", String(80), nullable=False),
    Column("player", VisitorId(Merging.RATING, Deletion.NOBODY, length=48), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("mean", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("old_mean", Float, nullable=False),
    Column("old_deviation", Float, nullable=False),
    Column("games", Integer, nullable=False),
    Index("ix_ratings_game", "game", "at"),
    Index("ix_ratings_player", "player"),
)
