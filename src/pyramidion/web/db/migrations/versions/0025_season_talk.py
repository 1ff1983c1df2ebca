"""Seasons: conversations between contestants; and notifications that concern no single table."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "season_talk",
        sa.Column("season", sa.String(40), sa.ForeignKey("seasons.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("author", sa.String(10), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("key", sa.String(64), nullable=True),
    )
    op.create_index("ix_season_talk_key", "season_talk", ["season", "key"], unique=True)
    op.create_table(
        "notices",
        sa.Column("mark", sa.String(100), primary_key=True),
        sa.Column("person", sa.String(40), primary_key=True),
        sa.Column("way", sa.String(10), primary_key=True),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("link", sa.Text(), nullable=False),
        sa.Column("made", sa.BigInteger(), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("sent", sa.BigInteger(), nullable=True),
    )
    op.create_index("ix_notices_due", "notices", ["due"])


def downgrade() -> None:
    """Take them away again."""
    op.drop_table("notices")
    op.drop_table("season_talk")
