"""The settings of a table in one column."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

MATCHES = sa.table(
    "matches",
    sa.column("id", sa.String),
    sa.column("settings", sa.JSON),
    sa.column("clock", sa.Integer),
    sa.column("close_early", sa.Boolean),
    sa.column("hints", sa.Boolean),
    sa.column("absent", sa.String),
    sa.column("pregame", sa.Integer),
)
ROOMS = sa.table("rooms", sa.column("match", sa.String), sa.column("start", sa.String))
INVITATIONS = sa.table("invitations", sa.column("match", sa.String), sa.column("listed", sa.Boolean))
CHAT = sa.table(
    "chat_rules",
    sa.column("match", sa.String),
    sa.column("private", sa.String),
    sa.column("closes", sa.String),
    sa.column("watchers", sa.Boolean),
)
OWN = ("clock", "close_early", "hints", "absent", "pregame")


def upgrade() -> None:
    """Move the table columns, chat rules, lobby flag and start of rooms into `settings`."""
    op.add_column("matches", sa.Column("settings", sa.JSON(), nullable=False, server_default="{}"))
    connection = op.get_bind()
    query = (
        sa.select(
            MATCHES.c.id, *(MATCHES.c[name] for name in OWN), ROOMS.c.start, INVITATIONS.c.listed, *list(CHAT.c)[1:]
        )
        .outerjoin_from(MATCHES, ROOMS, ROOMS.c.match == MATCHES.c.id)
        .outerjoin(INVITATIONS, INVITATIONS.c.match == MATCHES.c.id)
        .outerjoin(CHAT, CHAT.c.match == MATCHES.c.id)
    )
    for row in connection.execute(query).mappings().all():
        where = sa.update(MATCHES).where(MATCHES.c.id == row["id"])
        connection.execute(where.values(settings=_settings(row)))
    for name in OWN:
        op.drop_column("matches", name)
    op.drop_column("rooms", "start")
    op.drop_column("invitations", "listed")
    op.drop_table("chat_rules")


def _settings(row: sa.RowMapping) -> dict[str, Any]:
    chat = {
        "private": row["private"] or "none",
        "closes": row["closes"] or "never",
        "watchers": bool(row["watchers"]),
    }
    own = {name: row[name] for name in OWN}
    return {**own, "start": row["start"] or "now", "listed": bool(row["listed"]), "chat": chat}


def downgrade() -> None:
    """Restore the separate columns."""
    connection = op.get_bind()
    op.create_table(
        "chat_rules",
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("private", sa.String(10), nullable=False),
        sa.Column("closes", sa.String(10), nullable=False),
        sa.Column("watchers", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_chat_rules_match", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match", name="pk_chat_rules"),
    )
    op.add_column("matches", sa.Column("clock", sa.Integer()))
    op.add_column("matches", sa.Column("close_early", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.add_column("matches", sa.Column("hints", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("matches", sa.Column("absent", sa.String(60)))
    op.add_column("matches", sa.Column("pregame", sa.Integer()))
    op.add_column("rooms", sa.Column("start", sa.String(20), nullable=False, server_default="when-ready"))
    op.add_column("invitations", sa.Column("listed", sa.Boolean(), nullable=False, server_default=sa.false()))
    for match, settings in connection.execute(sa.select(MATCHES.c.id, MATCHES.c.settings)).all():
        own = {name: settings[name] for name in OWN}
        connection.execute(sa.update(MATCHES).where(MATCHES.c.id == match).values(own))
        connection.execute(sa.update(ROOMS).where(ROOMS.c.match == match).values(start=settings["start"]))
        invited = sa.update(INVITATIONS).where(INVITATIONS.c.match == match)
        connection.execute(invited.values(listed=settings["listed"]))
        connection.execute(sa.insert(CHAT).values(match=match, **settings["chat"]))
    op.drop_column("matches", "settings")
