"""The tables of the database; `migrations/` makes them, and a test compares the two."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
    }
)

# Marks a column of visitors' ids: when somebody signs in, what their browser held goes to the account (`holders`).
HOLDER = {"holder": True}

# Times are whole milliseconds since 1970 in UTC. `seed` and `options` are JSON; `cards` is a card file, NULL for
# the game's own. What a match is (seed, options, cards, plies) is never changed after it is written. `clock` is in
# seconds; `deadline` is when the time for what is due is up; `held` is JSON, a confirmation kept until then.
# `hints` says whether people at the table may ask for them. `host` is the visitor who may do a host's acts,
# `host_token` the hash of a token that may, too. While a table is paused, `paused` says since when, and `time_left`
# keeps what was left until the deadline, in milliseconds. `absent` says what happens to those whose time is up.
# While a match waits in its room, `started` is NULL, and `seed` an empty text unless it was chosen.
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
    Column("finished", BigInteger),
    Column("cards", Text),
    Column("clock", Integer),
    Column("close_early", Boolean, nullable=False),
    Column("deadline", BigInteger),
    Column("held", Text),
    Column("hints", Boolean, nullable=False),
    Column("host", String(40), info=HOLDER),
    Column("host_token", LargeBinary(32)),
    Column("paused", BigInteger),
    Column("time_left", BigInteger),
    Column("absent", String(60)),
    Column("started", BigInteger),
    Index("ix_matches_deadline", "deadline"),
)

SEATS = Table(
    "seats",
    METADATA,
    Column("match", String(40), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("kind", String(10), nullable=False),
    Column("name", String(40)),
    Column("bot", String(40)),
    Column("holder", String(40), info=HOLDER),
    Column("token_hash", LargeBinary(32)),
    Column("stand_in", String(40)),
    Index("ix_seats_holder", "holder"),
)

# The primary key is what makes a doubled or late click impossible: one action for each ply of a match. `by_clock` says
# that the seat's time was up; a submission in a simultaneous step has a `seal`, and the `nonce` that opens it. `ply` is
# the place in the table's journal, which only grows: a row with seat -1 is an act, and may take back what came before.
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

# What has happened at a table and is no action. The row of `plies` with the same number, and seat -1, keeps its place.
ACTS = Table(
    "acts",
    METADATA,
    Column("match", String(40), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("kind", String(20), nullable=False),
    Column("who", String(10), nullable=False),
    Column("data", Text, nullable=False),
)

# The analysis of a finished match: `result` is JSON, as `bots.analysis.Analysis.as_json` makes it.
ANALYSES = Table(
    "analyses",
    METADATA,
    Column("match", String(40), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("made", BigInteger, nullable=False),
    Column("result", Text, nullable=False),
)

# What servers that share a database must agree on: `cookies` is the key that signs them, unless the settings name one.
KEYS = Table(
    "keys",
    METADATA,
    Column("name", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)

# How people find a table: `code` is typed by whoever was told it, `listed` shows the table in the lobby. Both count
# only while there is an open seat.
INVITATIONS = Table(
    "invitations",
    METADATA,
    Column("match", String(40), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("code", String(8), nullable=False),
    Column("listed", Boolean, nullable=False),
    Index("ix_invitations_code", "code", unique=True),
)

# Other browsers that may sit where `owner` sits; a row counts only while the seat is the owner's.
SEAT_DEVICES = Table(
    "seat_devices",
    METADATA,
    Column("match", String(40), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("holder", String(40), primary_key=True, info=HOLDER),
    Column("owner", String(40), nullable=False, info=HOLDER),
    Index("ix_seat_devices_holder", "holder"),
    Index("ix_seat_devices_owner", "owner"),
)

# An account is a visitor's id that several browsers can have: `holder` is what its cookies say, and a new one ends
# them all. `key` is the name as it is compared; `password` an Argon2id hash, NULL for an account with passkeys only.
ACCOUNTS = Table(
    "accounts",
    METADATA,
    Column("id", String(40), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("key", String(160), nullable=False),
    Column("holder", String(40), nullable=False),
    Column("password", Text),
    Column("email", String(254)),
    Column("created", BigInteger, nullable=False),
    Index("ix_accounts_key", "key", unique=True),
    Index("ix_accounts_holder", "holder", unique=True),
)

# `id` is the credential's own id in base64url.
PASSKEYS = Table(
    "passkeys",
    METADATA,
    Column("id", String(1400), primary_key=True),
    Column("account", String(40), ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("public_key", LargeBinary, nullable=False),
    Column("uses", BigInteger, nullable=False),
    Column("label", String(40), nullable=False),
    Column("created", BigInteger, nullable=False),
    Index("ix_passkeys_account", "account"),
)

# What people say at a table. `readers` are the seats that may read a line, as bits, NULL for everybody who has the
# link; `seat` is NULL and `name` given where somebody who watches has said it. `id` is what others know a line by: its
# `number` would tell them how many lines there are that they may not read. Of a removed line only its place stays.
CHAT_LINES = Table(
    "chat_lines",
    METADATA,
    Column("match", String(40), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("id", String(22), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("seat", Integer),
    Column("name", String(40)),
    Column("text", Text, nullable=False),
    Column("readers", Integer),
    Column("removed", Boolean, nullable=False),
)

# What a table allows to be said; a match without a row has what `chat.Rules()` says.
CHAT_RULES = Table(
    "chat_rules",
    METADATA,
    Column("match", String(40), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("private", String(10), nullable=False),
    Column("closes", String(10), nullable=False),
    Column("watchers", Boolean, nullable=False),
)

# How far a seat has read, from which line on private lines are for whoever sits there now, its notes to itself, and
# when it was last looking at the table.
CHAT_SEATS = Table(
    "chat_seats",
    METADATA,
    Column("match", String(40), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("seen", Integer, nullable=False),
    Column("since", Integer, nullable=False),
    Column("notes", Text, nullable=False),
    Column("looked", BigInteger, nullable=False),
)

# How a person is reached: `person` is what holds their seats. `off` is JSON, the kinds and ways that are switched off.
CONTACTS = Table(
    "contacts",
    METADATA,
    Column("person", String(40), primary_key=True, info=HOLDER),
    Column("email", String(254)),
    Column("confirmed", Boolean, nullable=False),
    Column("hook", Text),
    Column("zone", String(64), nullable=False),
    Column("language", String(10), nullable=False),
    Column("off", Text, nullable=False),
    Column("polled", BigInteger, nullable=False),
)

# The same at one table: what a person has switched off there; the row without a person is the table's own webhook.
TABLE_CONTACTS = Table(
    "table_contacts",
    METADATA,
    Column("match", String(40), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("person", String(40), primary_key=True, info=HOLDER),
    Column("hook", Text),
    Column("off", Text, nullable=False),
)

# Messages to be sent, one for each addressee, kind and way: `mark` says what it is about, so that it is told once.
# `due` is when to try (next); `sent` is when it went out or was given up, after which the row only remembers the mark.
OUTBOX = Table(
    "outbox",
    METADATA,
    Column("match", String(40), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("person", String(40), primary_key=True, info=HOLDER),
    Column("kind", String(10), primary_key=True),
    Column("way", String(10), primary_key=True),
    Column("mark", String(60), nullable=False),
    Column("made", BigInteger, nullable=False),
    Column("due", BigInteger, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("sent", BigInteger),
    Index("ix_outbox_due", "due"),
)

# Addresses whose owners want no mail from here, as SHA-256.
MAIL_REFUSALS = Table(
    "mail_refusals",
    METADATA,
    Column("address", LargeBinary(32), primary_key=True),
    Column("at", BigInteger, nullable=False),
)

# A match that has not begun: `start` says when it does, `ready` (JSON) which seats wait for nothing more, and `changes`
# counts what has happened in the room, so that of two who change it at once the later one looks again. `touched` is
# when that was last; a room that is left for long is deleted.
ROOMS = Table(
    "rooms",
    METADATA,
    Column("match", String(40), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("start", String(20), nullable=False),
    Column("ready", Text, nullable=False),
    Column("changes", Integer, nullable=False),
    Column("touched", BigInteger),
)

# What the seed of a match is made from, where nobody chose it: the server's secret, in hexadecimal digits, and what the
# seats have contributed (`engine.seeds`).
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

# What a seat has ordered in advance: `text` is the order, empty once nothing is left; `told` is JSON, what became of
# the last one. It is `owner`'s, a visitor's id or the hash of a seat's token, and nobody else's who sits there later.
ORDERS = Table(
    "orders",
    METADATA,
    Column("match", String(40), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("owner", String(64), nullable=False, info=HOLDER),
    Column("text", Text, nullable=False),
    Column("told", Text),
)
