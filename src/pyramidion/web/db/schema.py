"""The tables of the database. `migrations/` creates them, and a test compares the two."""

from __future__ import annotations

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

# Marks a column of visitor ids: signing in moves what the browser held to the account (`holders`).
HOLDER = {"holder": True}

# Times are whole milliseconds since 1970 in UTC. `seed` and `options` are JSON; `cards` is a card file, NULL for the
# game's own. The match itself (seed, options, cards, plies) is never changed once written. `settings` are the table's
# settings (`web/table/settings.py`). `deadline` is the end of the time for the current step; `held` is JSON, a
# confirmation that is kept until then. `host` is the visitor who is the host, `host_token` the hash of a token with the
# same rights; `host_name` is the name of a host who does not play. While a table is paused, `paused` is the start of
# the pause and `time_left` the remaining milliseconds. Before the first phase a table is paused as well, and `deadline`
# is when that phase opens. While a match waits in its room, `started` is NULL, and `seed` is empty unless it was
# chosen.
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
    Column("host", String(40), info=HOLDER),
    Column("host_token", LargeBinary(32)),
    Column("host_name", String(40)),
    Column("paused", BigInteger),
    Column("time_left", BigInteger),
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
    Column("colour", Integer),
    Column("face", String(7)),
    Index("ix_seats_holder", "holder"),
)

# The primary key allows one action per ply, so a double or late click has no effect. `by_clock` marks a default move
# after a timeout. A submission in a simultaneous step has a `seal` and the `nonce` that opens it. `ply` is the number
# in the table's journal, which only grows: a row with seat -1 is a host command, which may undo what came before.
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
    Column("person", String(40), info=HOLDER),
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
    Column("player", String(48), nullable=False, info=HOLDER),
    Column("at", BigInteger, nullable=False),
    Column("mean", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("old_mean", Float, nullable=False),
    Column("old_deviation", Float, nullable=False),
    Column("games", Integer, nullable=False),
    Index("ix_ratings_game", "game", "at"),
    Index("ix_ratings_player", "player"),
)

# Whom people have blocked; `name` is what they were called then.
BLOCKS = Table(
    "blocks",
    METADATA,
    Column("person", String(40), primary_key=True, info=HOLDER),
    Column("blocked", String(40), primary_key=True, info=HOLDER),
    Column("name", String(40), nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("ix_blocks_blocked", "blocked"),
)

# Secrets shared by all servers of the database: `cookies` signs cookies, unless the settings contain a key; `push` is
# the private key of Web Push.
KEYS = Table(
    "keys",
    METADATA,
    Column("name", String(40), primary_key=True),
    Column("value", Text, nullable=False),
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
    Column("holder", String(40), primary_key=True, info=HOLDER),
    Column("owner", String(40), nullable=False, info=HOLDER),
    Index("ix_seat_devices_holder", "holder"),
    Index("ix_seat_devices_owner", "owner"),
)

# An account is a visitor id shared by several browsers: `holder` is the id in their cookies, and replacing it
# invalidates them all. `key` is the normalized name for signing in. `looks` is the name's UTS #39 skeleton, shared by
# all names that look alike; NULL where two accounts had such names before skeletons were compared. `password` is an
# Argon2id hash, NULL for an account with passkeys only. `owner` is the account to which a bot belongs, NULL for people.
ACCOUNTS = Table(
    "accounts",
    METADATA,
    Column("id", String(40), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("key", String(160), nullable=False),
    Column("looks", String(160)),
    Column("holder", String(40), nullable=False),
    Column("password", Text),
    Column("email", String(254)),
    Column("created", BigInteger, nullable=False),
    Column("owner", String(40)),
    Index("ix_accounts_owner", "owner"),
    Index("ix_accounts_key", "key", unique=True),
    Index("ix_accounts_looks", "looks", unique=True),
    Index("ix_accounts_holder", "holder", unique=True),
)

# The tokens with which programs act for a bot's account: their hashes, and what they allow, separated by spaces.
API_TOKENS = Table(
    "api_tokens",
    METADATA,
    Column("id", String(40), primary_key=True),
    Column("account", String(40), ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("hash", LargeBinary(32), nullable=False),
    Column("scopes", String(80), nullable=False),
    Column("created", BigInteger, nullable=False),
    Index("ix_api_tokens_account", "account"),
    Index("ix_api_tokens_hash", "hash", unique=True),
)

# `id` is the credential id in base64url.
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

# Chat messages. `readers` is a bit mask of the seats that may read a message, NULL for everybody. `name` is the author,
# `role` the author's role: player, host (who does not play) or watcher. `seat` is NULL for the last two, and after the
# player has left the seat. Messages are published by their random `id`, since `number` would reveal how many messages a
# reader cannot see. A removed message keeps its row, without its text.
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
    Column("role", String(10), nullable=False, server_default="player"),
)

# The chat state of a seat: `seen` is the last message it has read, `since` the first private message that its current
# player may read, `notes` its private notes, `looked` when it last had the table open. `read` is JSON: the last message
# read in single conversations, by the bits of their readers (0 for the conversation with everyone).
CHAT_SEATS = Table(
    "chat_seats",
    METADATA,
    Column("match", String(40), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("seen", Integer, nullable=False),
    Column("since", Integer, nullable=False),
    Column("notes", Text, nullable=False),
    Column("looked", BigInteger, nullable=False),
    Column("read", Text, nullable=False, server_default="{}"),
)

# How to notify a person. `person` is the id that holds their seats. `off` is JSON: the notifications switched off.
# `quiet_from` and `quiet_until` are the hours of the day, in the person's zone, between which nothing is pushed.
CONTACTS = Table(
    "contacts",
    METADATA,
    Column("person", String(40), primary_key=True, info=HOLDER),
    Column("email", String(254)),
    Column("confirmed", Boolean, nullable=False),
    Column("webhook", Text),
    Column("zone", String(64), nullable=False),
    Column("language", String(10), nullable=False),
    Column("off", Text, nullable=False),
    Column("polled", BigInteger, nullable=False),
    Column("quiet_from", Integer),
    Column("quiet_until", Integer),
)

# Devices that have subscribed to Web Push: `id` is the SHA-256 of the endpoint, `p256dh` and `auth` are the browser's
# keys in base64url, for which messages are encrypted.
PUSH_DEVICES = Table(
    "push_devices",
    METADATA,
    Column("id", String(64), primary_key=True),
    Column("person", String(40), nullable=False, info=HOLDER),
    Column("endpoint", Text, nullable=False),
    Column("p256dh", String(100), nullable=False),
    Column("auth", String(40), nullable=False),
    Column("made", BigInteger, nullable=False),
    Index("ix_push_devices_person", "person"),
)

# Notification settings for one table: what a person has switched off. The row without a person is the table's webhook.
TABLE_CONTACTS = Table(
    "table_contacts",
    METADATA,
    Column("match", String(40), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("person", String(40), primary_key=True, info=HOLDER),
    Column("webhook", Text),
    Column("off", Text, nullable=False),
)

# Queued notifications, one per recipient, kind and way. `mark` identifies the occasion and prevents duplicates. `due`
# is the time of the next attempt. `sent` is when it was sent or given up; after that the row only keeps the mark.
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

# Notifications that concern no single table, in the words and with the link (a path) that their recipient gets. `mark`
# names the occasion, so that nothing is sent twice.
NOTICES = Table(
    "notices",
    METADATA,
    Column("mark", String(100), primary_key=True),
    Column("person", String(40), primary_key=True, info=HOLDER),
    Column("way", String(10), primary_key=True),
    Column("kind", String(10), nullable=False),
    Column("title", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("link", Text, nullable=False),
    Column("made", BigInteger, nullable=False),
    Column("due", BigInteger, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("sent", BigInteger),
    Index("ix_notices_due", "due"),
)

# SHA-256 of addresses whose owners have unsubscribed from all e-mail.
MAIL_REFUSALS = Table(
    "mail_refusals",
    METADATA,
    Column("address", LargeBinary(32), primary_key=True),
    Column("at", BigInteger, nullable=False),
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

# Rematches of finished matches: `next` is the new table, `seat` who asked for it; NULL for a host who does not play.
REMATCHES = Table(
    "rematches",
    METADATA,
    Column("match", String(40), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("next", String(40), nullable=False),
    Column("seat", Integer),
)

# Premoves of a seat: `text` has one per line and is empty once they are used up; `outcome` is JSON, the result of the
# last one. `owner` is the id or the token hash of the player who gave them; a player who takes over the seat does not
# inherit them.
PREMOVES = Table(
    "premoves",
    METADATA,
    Column("match", String(40), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("owner", String(64), nullable=False, info=HOLDER),
    Column("text", Text, nullable=False),
    Column("outcome", Text),
)

# Claims on work such as a bot's move (`claims`): a lease, which `server` renews before `until`.
CLAIMS = Table(
    "claims",
    METADATA,
    Column("key", String(80), primary_key=True),
    Column("server", String(40), nullable=False),
    Column("until", BigInteger, nullable=False),
)

# A season is its log (`seasons/`): entries count from 1 without gaps, and the primary key lets only one writer add the
# next one. `key` is a request's own, so that a request that is sent twice counts once.
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
    Column("key", String(64)),
    Index("ix_season_log_key", "season", "key", unique=True),
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
    Column("key", String(64)),
    Index("ix_season_talk_key", "season", "key", unique=True),
)

# The hosts and contestants of a season by their id there: `holder` is who has opened the personal link, and `turn`
# counts the links that there have been.
SEASON_PEOPLE = Table(
    "season_people",
    METADATA,
    Column("season", String(40), ForeignKey("seasons.id", ondelete="CASCADE"), primary_key=True),
    Column("who", String(10), primary_key=True),
    Column("holder", String(40), info=HOLDER),
    Column("turn", Integer, nullable=False),
    Index("ix_season_people_holder", "holder"),
)

# The tables of seasons; `settled` once the result is in the log or the season does not want it any more.
SEASON_TABLES = Table(
    "season_tables",
    METADATA,
    Column("match", String(40), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("season", String(40), ForeignKey("seasons.id", ondelete="CASCADE"), nullable=False),
    Column("settled", Boolean, nullable=False),
    Index("ix_season_tables_season", "season"),
)

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
    Column("holder", String(40), nullable=False, info=HOLDER),
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

# Portraits of contestants: one of the site's drawn faces (`table/faces.py`), or an uploaded picture (WebP). `mark`
# changes with the portrait and is a part of the picture's address.
SEASON_PORTRAITS = Table(
    "season_portraits",
    METADATA,
    Column("season", String(40), ForeignKey("seasons.id", ondelete="CASCADE"), primary_key=True),
    Column("who", String(10), primary_key=True),
    Column("face", String(7)),
    Column("picture", LargeBinary),
    Column("mark", String(16), nullable=False),
)

# Clubs. `door` says who sees the club and who can join (`features/clubs/club.py`); `turn` counts invitation links.
CLUBS = Table(
    "clubs",
    METADATA,
    Column("id", String(40), primary_key=True),
    Column("created", BigInteger, nullable=False),
    Column("name", String(80), nullable=False),
    Column("about", Text, nullable=False),
    Column("door", String(10), nullable=False),
    Column("turn", Integer, nullable=False),
)

# The members of a club; `role` is `asked` for somebody who has asked to join. `member` is a member's public id.
CLUB_MEMBERS = Table(
    "club_members",
    METADATA,
    Column("club", String(40), ForeignKey("clubs.id", ondelete="CASCADE"), primary_key=True),
    Column("holder", String(40), primary_key=True, info=HOLDER),
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
