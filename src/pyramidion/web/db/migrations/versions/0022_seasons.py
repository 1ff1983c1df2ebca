"""Seasons: their logs, people and tables."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "seasons",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "season_log",
        sa.Column("season", sa.String(40), sa.ForeignKey("seasons.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("author", sa.String(10), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("key", sa.String(64), nullable=True),
    )
    op.create_index("ix_season_log_key", "season_log", ["season", "key"], unique=True)
    op.create_table(
        "season_people",
        sa.Column("season", sa.String(40), sa.ForeignKey("seasons.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("who", sa.String(10), primary_key=True),
        sa.Column("holder", sa.String(40), nullable=True),
        sa.Column("turn", sa.Integer(), nullable=False),
    )
    op.create_index("ix_season_people_holder", "season_people", ["holder"])
    op.create_table(
        "season_tables",
        sa.Column("match", sa.String(40), sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("season", sa.String(40), sa.ForeignKey("seasons.id", ondelete="CASCADE"), nullable=False),
        sa.Column("settled", sa.Boolean(), nullable=False),
    )
    op.create_index("ix_season_tables_season", "season_tables", ["season"])


def downgrade() -> None:
    """Take them away again."""
    for name in ("season_tables", "season_people", "season_log", "seasons"):
        op.drop_table(name)
