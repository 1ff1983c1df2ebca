"""The tables of the first release. `db/older_layouts.py` upgrades databases from before it."""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = None
branch_labels = None
depends_on = None

# Notify all servers of every committed change, however it was made: the id of the match, and nothing else.
NOTIFY = """
CREATE FUNCTION pyramidion_tell_{table}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('pyramidion', changed.id) FROM (SELECT DISTINCT fresh.{column} AS id FROM fresh) AS changed;
    RETURN NULL;
END $$
"""
TRIGGER = """
CREATE TRIGGER {name} AFTER {when} ON {table} REFERENCING NEW TABLE AS fresh
FOR EACH STATEMENT EXECUTE FUNCTION pyramidion_tell_{table}()
"""
NOTIFYING = {
    "plies": ("match", {"pyramidion_tell": "INSERT"}),
    "seats": ("match", {"pyramidion_tell": "UPDATE"}),
    "matches": ("id", {"pyramidion_tell": "UPDATE"}),
    "premoves": ("match", {"pyramidion_tell_insert": "INSERT", "pyramidion_tell_update": "UPDATE"}),
}


def upgrade() -> None:
    """Create the tables and, in PostgreSQL, the triggers that notify other servers."""
    _create_tables()
    if op.get_bind().dialect.name == "postgresql":
        for table, (column, triggers) in NOTIFYING.items():
            op.execute(NOTIFY.format(table=table, column=column))
            for name, when in triggers.items():
                op.execute(TRIGGER.format(name=name, when=when, table=table))


def _create_tables() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("key", sa.String(160), nullable=False),
        sa.Column("looks", sa.String(160), nullable=False),
        sa.Column("holder", sa.String(40), nullable=False),
        sa.Column("password", sa.Text()),
        sa.Column("email", sa.String(254)),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("owner", sa.String(40)),
        sa.PrimaryKeyConstraint("id", name="pk_accounts"),
    )
    op.create_index("ix_accounts_holder", "accounts", ["holder"], unique=True)
    op.create_index("ix_accounts_key", "accounts", ["key"], unique=True)
    op.create_index("ix_accounts_looks", "accounts", ["looks"])
    op.create_index("ix_accounts_owner", "accounts", ["owner"])
    op.create_table(
        "blocks",
        sa.Column("person", sa.String(40), nullable=False),
        sa.Column("blocked", sa.String(40), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("person", "blocked", name="pk_blocks"),
    )
    op.create_index("ix_blocks_blocked", "blocks", ["blocked"])
    op.create_table(
        "claims",
        sa.Column("key", sa.String(80), nullable=False),
        sa.Column("server", sa.String(40), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_claims"),
    )
    op.create_table(
        "clubs",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("door", sa.String(10), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("posts", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_clubs"),
    )
    op.create_table(
        "contacts",
        sa.Column("person", sa.String(40), nullable=False),
        sa.Column("email", sa.String(254)),
        sa.Column("confirmed", sa.Boolean(), nullable=False),
        sa.Column("webhook", sa.Text()),
        sa.Column("zone", sa.String(64), nullable=False),
        sa.Column("language", sa.String(10), nullable=False),
        sa.Column("off", sa.Text(), nullable=False),
        sa.Column("polled", sa.BigInteger(), nullable=False),
        sa.Column("quiet_from", sa.Integer()),
        sa.Column("quiet_until", sa.Integer()),
        sa.Column("author", sa.String(40)),
        sa.PrimaryKeyConstraint("person", name="pk_contacts"),
    )
    op.create_table(
        "keys",
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_keys"),
    )
    op.create_table(
        "mail_refusals",
        sa.Column("address", sa.LargeBinary(32), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("address", name="pk_mail_refusals"),
    )
    op.create_table(
        "matches",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("game", sa.String(80), nullable=False),
        sa.Column("rules_version", sa.String(40), nullable=False),
        sa.Column("seat_count", sa.Integer(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("seed", sa.Text(), nullable=False),
        sa.Column("seed_chosen", sa.Boolean(), nullable=False),
        sa.Column("title", sa.String(80), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("finished", sa.BigInteger()),
        sa.Column("cards", sa.Text()),
        sa.Column("deadline", sa.BigInteger()),
        sa.Column("held", sa.Text()),
        sa.Column("host", sa.String(40)),
        sa.Column("host_token", sa.LargeBinary(32)),
        sa.Column("host_name", sa.String(40)),
        sa.Column("paused", sa.BigInteger()),
        sa.Column("time_left", sa.BigInteger()),
        sa.Column("started", sa.BigInteger()),
        sa.PrimaryKeyConstraint("id", name="pk_matches"),
    )
    op.create_index("ix_matches_deadline", "matches", ["deadline"])
    op.create_table(
        "notices",
        sa.Column("mark", sa.String(100), nullable=False),
        sa.Column("person", sa.String(40), nullable=False),
        sa.Column("way", sa.String(10), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("link", sa.Text(), nullable=False),
        sa.Column("made", sa.BigInteger(), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("sent", sa.BigInteger()),
        sa.PrimaryKeyConstraint("mark", "person", "way", name="pk_notices"),
    )
    op.create_index("ix_notices_due", "notices", ["due"])
    op.create_table(
        "push_devices",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("person", sa.String(40), nullable=False),
        sa.Column("endpoint", sa.Text(), nullable=False),
        sa.Column("p256dh", sa.String(100), nullable=False),
        sa.Column("auth", sa.String(40), nullable=False),
        sa.Column("made", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_push_devices"),
    )
    op.create_index("ix_push_devices_person", "push_devices", ["person"])
    op.create_table(
        "season_templates",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("holder", sa.String(40), nullable=False),
        sa.Column("club", sa.String(40)),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_season_templates"),
    )
    op.create_index("ix_season_templates_club", "season_templates", ["club"])
    op.create_index("ix_season_templates_holder", "season_templates", ["holder"])
    op.create_table(
        "seasons",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_seasons"),
    )
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("due", sa.BigInteger()),
        sa.PrimaryKeyConstraint("id", name="pk_tournaments"),
    )
    op.create_index("ix_tournaments_due", "tournaments", ["due"])
    op.create_table(
        "analyses",
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("made", sa.BigInteger(), nullable=False),
        sa.Column("result", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_analyses_match", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match", name="pk_analyses"),
    )
    op.create_table(
        "api_tokens",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("account", sa.String(40), nullable=False),
        sa.Column("hash", sa.LargeBinary(32), nullable=False),
        sa.Column("scopes", sa.String(80), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], name="fk_api_tokens_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_api_tokens"),
    )
    op.create_index("ix_api_tokens_account", "api_tokens", ["account"])
    op.create_index("ix_api_tokens_hash", "api_tokens", ["hash"], unique=True)
    op.create_table(
        "chat_lines",
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(22), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("seat", sa.Integer()),
        sa.Column("name", sa.String(40)),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("readers", sa.Integer()),
        sa.Column("removed", sa.Boolean(), nullable=False),
        sa.Column("role", sa.String(10), server_default="player", nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_chat_lines_match", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match", "number", name="pk_chat_lines"),
    )
    op.create_table(
        "chat_seats",
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("seen", sa.Integer(), nullable=False),
        sa.Column("since", sa.Integer(), nullable=False),
        sa.Column("notes", sa.Text(), nullable=False),
        sa.Column("looked", sa.BigInteger(), nullable=False),
        sa.Column("read", sa.Text(), server_default="{}", nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_chat_seats_match", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match", "seat", name="pk_chat_seats"),
    )
    op.create_table(
        "club_events",
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("event", sa.String(40), nullable=False),
        sa.Column("club", sa.String(40), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["club"], ["clubs.id"], name="fk_club_events_club", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("kind", "event", name="pk_club_events"),
    )
    op.create_index("ix_club_events_club", "club_events", ["club"])
    op.create_table(
        "club_members",
        sa.Column("club", sa.String(40), nullable=False),
        sa.Column("holder", sa.String(40), nullable=False),
        sa.Column("member", sa.String(40), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("role", sa.String(10), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["club"], ["clubs.id"], name="fk_club_members_club", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("club", "holder", name="pk_club_members"),
    )
    op.create_index("ix_club_members_holder", "club_members", ["holder"])
    op.create_index("ix_club_members_member", "club_members", ["club", "member"], unique=True)
    op.create_index("ix_club_members_name", "club_members", ["club", "name"], unique=True)
    op.create_table(
        "club_posts",
        sa.Column("club", sa.String(40), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("author", sa.String(40), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["club"], ["clubs.id"], name="fk_club_posts_club", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("club", "number", name="pk_club_posts"),
    )
    op.create_table(
        "club_tables",
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("club", sa.String(40), nullable=False),
        sa.ForeignKeyConstraint(["club"], ["clubs.id"], name="fk_club_tables_club", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_club_tables_match", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match", name="pk_club_tables"),
    )
    op.create_index("ix_club_tables_club", "club_tables", ["club"])
    op.create_table(
        "contributions",
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(200), nullable=False),
        sa.Column("source", sa.String(10), nullable=False),
        sa.Column("commitment", sa.String(64), nullable=False),
        sa.Column("nonce", sa.String(64), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_contributions_match", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match", "seat", name="pk_contributions"),
    )
    op.create_table(
        "host_commands",
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("who", sa.String(10), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_host_commands_match", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match", "number", name="pk_host_commands"),
    )
    op.create_table(
        "invitations",
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("code", sa.String(8), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_invitations_match", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match", name="pk_invitations"),
    )
    op.create_index("ix_invitations_code", "invitations", ["code"], unique=True)
    op.create_table(
        "outbox",
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("person", sa.String(40), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("way", sa.String(10), nullable=False),
        sa.Column("mark", sa.String(60), nullable=False),
        sa.Column("made", sa.BigInteger(), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("sent", sa.BigInteger()),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_outbox_match", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match", "person", "kind", "way", name="pk_outbox"),
    )
    op.create_index("ix_outbox_due", "outbox", ["due"])
    op.create_table(
        "passkeys",
        sa.Column("id", sa.String(1400), nullable=False),
        sa.Column("account", sa.String(40), nullable=False),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("uses", sa.BigInteger(), nullable=False),
        sa.Column("label", sa.String(40), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], name="fk_passkeys_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_passkeys"),
    )
    op.create_index("ix_passkeys_account", "passkeys", ["account"])
    op.create_table(
        "plies",
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("by_clock", sa.Boolean(), nullable=False),
        sa.Column("seal", sa.String(64)),
        sa.Column("nonce", sa.String(64)),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_plies_match", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match", "ply", name="pk_plies"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "premoves",
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("owner", sa.String(64), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("outcome", sa.Text()),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_premoves_match", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match", "seat", name="pk_premoves"),
    )
    op.create_table(
        "ratings",
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(80), nullable=False),
        sa.Column("player", sa.String(48), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("mean", sa.Float(), nullable=False),
        sa.Column("deviation", sa.Float(), nullable=False),
        sa.Column("old_mean", sa.Float(), nullable=False),
        sa.Column("old_deviation", sa.Float(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_ratings_match", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match", "seat", name="pk_ratings"),
    )
    op.create_index("ix_ratings_game", "ratings", ["game", "at"])
    op.create_index("ix_ratings_player", "ratings", ["player"])
    op.create_table(
        "rematches",
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("next", sa.String(40), nullable=False),
        sa.Column("seat", sa.Integer()),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_rematches_match", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match", name="pk_rematches"),
    )
    op.create_table(
        "results",
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("person", sa.String(40)),
        sa.Column("bot", sa.String(40)),
        sa.Column("won", sa.Float()),
        sa.Column("payoff", sa.Float()),
        sa.Column("points", sa.Integer()),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_results_match", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match", "seat", name="pk_results"),
    )
    op.create_index("ix_results_person", "results", ["person"])
    op.create_table(
        "rooms",
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("ready", sa.Text(), nullable=False),
        sa.Column("changes", sa.Integer(), nullable=False),
        sa.Column("touched", sa.BigInteger()),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_rooms_match", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match", name="pk_rooms"),
    )
    op.create_table(
        "season_keys",
        sa.Column("season", sa.String(40), nullable=False),
        sa.Column("author", sa.String(20), nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("content", sa.String(64), nullable=False),
        sa.ForeignKeyConstraint(["season"], ["seasons.id"], name="fk_season_keys_season", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("season", "author", "key", name="pk_season_keys"),
    )
    op.create_table(
        "season_log",
        sa.Column("season", sa.String(40), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("author", sa.String(10), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["season"], ["seasons.id"], name="fk_season_log_season", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("season", "number", name="pk_season_log"),
    )
    op.create_table(
        "season_people",
        sa.Column("season", sa.String(40), nullable=False),
        sa.Column("who", sa.String(10), nullable=False),
        sa.Column("holder", sa.String(40)),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["season"], ["seasons.id"], name="fk_season_people_season", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("season", "who", name="pk_season_people"),
    )
    op.create_index("ix_season_people_holder", "season_people", ["holder"])
    op.create_table(
        "season_portraits",
        sa.Column("season", sa.String(40), nullable=False),
        sa.Column("who", sa.String(10), nullable=False),
        sa.Column("player", sa.Integer(), nullable=False),
        sa.Column("face", sa.String(7)),
        sa.Column("picture", sa.LargeBinary()),
        sa.Column("mark", sa.String(16), nullable=False),
        sa.ForeignKeyConstraint(["season"], ["seasons.id"], name="fk_season_portraits_season", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("season", "who", "player", name="pk_season_portraits"),
    )
    op.create_table(
        "season_tables",
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("season", sa.String(40), nullable=False),
        sa.Column("settled", sa.Boolean(), nullable=False),
        sa.Column("told", sa.BigInteger()),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_season_tables_match", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["season"], ["seasons.id"], name="fk_season_tables_season", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match", name="pk_season_tables"),
    )
    op.create_index("ix_season_tables_season", "season_tables", ["season"])
    op.create_table(
        "season_talk",
        sa.Column("season", sa.String(40), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("author", sa.String(10), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["season"], ["seasons.id"], name="fk_season_talk_season", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("season", "number", name="pk_season_talk"),
    )
    op.create_table(
        "seat_devices",
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("holder", sa.String(40), nullable=False),
        sa.Column("owner", sa.String(40), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_seat_devices_match", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match", "seat", "holder", name="pk_seat_devices"),
    )
    op.create_index("ix_seat_devices_holder", "seat_devices", ["holder"])
    op.create_index("ix_seat_devices_owner", "seat_devices", ["owner"])
    op.create_table(
        "seats",
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("name", sa.String(40)),
        sa.Column("bot", sa.String(40)),
        sa.Column("holder", sa.String(40)),
        sa.Column("token_hash", sa.LargeBinary(32)),
        sa.Column("stand_in", sa.String(40)),
        sa.Column("colour", sa.Integer()),
        sa.Column("face", sa.String(7)),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_seats_match", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match", "seat", name="pk_seats"),
    )
    op.create_index("ix_seats_holder", "seats", ["holder"])
    op.create_table(
        "secrets",
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_secrets_match", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match", name="pk_secrets"),
    )
    op.create_table(
        "table_contacts",
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("person", sa.String(40), nullable=False),
        sa.Column("webhook", sa.Text()),
        sa.Column("off", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_table_contacts_match", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match", "person", name="pk_table_contacts"),
    )
    op.create_table(
        "tournament_log",
        sa.Column("tournament", sa.String(40), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("author", sa.String(10), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament"], ["tournaments.id"], name="fk_tournament_log_tournament", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("tournament", "number", name="pk_tournament_log"),
    )
    op.create_table(
        "tournament_people",
        sa.Column("tournament", sa.String(40), nullable=False),
        sa.Column("who", sa.String(10), nullable=False),
        sa.Column("holder", sa.String(40), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament"], ["tournaments.id"], name="fk_tournament_people_tournament", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("tournament", "who", name="pk_tournament_people"),
    )
    op.create_index("ix_tournament_people_holder", "tournament_people", ["holder"])
    op.create_table(
        "tournament_tables",
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("tournament", sa.String(40), nullable=False),
        sa.Column("settled", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_tournament_tables_match", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["tournament"], ["tournaments.id"], name="fk_tournament_tables_tournament", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("match", name="pk_tournament_tables"),
    )
    op.create_index("ix_tournament_tables_tournament", "tournament_tables", ["tournament"])
