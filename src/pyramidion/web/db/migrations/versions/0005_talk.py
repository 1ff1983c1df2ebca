"""Chat messages, private notes and notifications."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables."""
    _of_match(
        "chat_lines",
        "number",
        sa.Integer(),
        (
            sa.Column("id", sa.String(22), nullable=False),
            sa.Column("at", sa.BigInteger(), nullable=False),
            sa.Column("seat", sa.Integer()),
            sa.Column("name", sa.String(40)),
            sa.Column("text", sa.Text(), nullable=False),
            sa.Column("readers", sa.Integer()),
            sa.Column("removed", sa.Boolean(), nullable=False),
        ),
    )
    _of_match(
        "chat_rules",
        None,
        None,
        (
            sa.Column("private", sa.String(10), nullable=False),
            sa.Column("closes", sa.String(10), nullable=False),
            sa.Column("watchers", sa.Boolean(), nullable=False),
        ),
    )
    _of_match(
        "chat_seats",
        "seat",
        sa.Integer(),
        (
            sa.Column("seen", sa.Integer(), nullable=False),
            sa.Column("since", sa.Integer(), nullable=False),
            sa.Column("notes", sa.Text(), nullable=False),
            sa.Column("looked", sa.BigInteger(), nullable=False),
        ),
    )
    op.create_table(
        "contacts",
        sa.Column("person", sa.String(40), nullable=False),
        sa.Column("email", sa.String(254)),
        sa.Column("confirmed", sa.Boolean(), nullable=False),
        sa.Column("hook", sa.Text()),
        sa.Column("zone", sa.String(64), nullable=False),
        sa.Column("language", sa.String(10), nullable=False),
        sa.Column("off", sa.Text(), nullable=False),
        sa.Column("polled", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("person", name="pk_contacts"),
    )
    _of_match(
        "table_contacts",
        "person",
        sa.String(40),
        (
            sa.Column("hook", sa.Text()),
            sa.Column("off", sa.Text(), nullable=False),
        ),
    )
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
        "mail_refusals",
        sa.Column("address", sa.LargeBinary(32), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("address", name="pk_mail_refusals"),
    )


def downgrade() -> None:
    """Drop the tables."""
    for name in ("mail_refusals", "outbox", "table_contacts", "contacts", "chat_seats", "chat_rules", "chat_lines"):
        op.drop_table(name)


def _of_match(name: str, key: str | None, kind: Any, columns: tuple[sa.Column[Any], ...]) -> None:
    """Create a table with one row per match, or per match and `key`."""
    keys: list[sa.Column[Any]] = [sa.Column("match", sa.String(40), nullable=False)]
    if key is not None:
        keys.append(sa.Column(key, kind, nullable=False))
    op.create_table(
        name,
        *keys,
        *columns,
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name=f"fk_{name}_match", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint(*(one.name for one in keys), name=f"pk_{name}"),
    )
