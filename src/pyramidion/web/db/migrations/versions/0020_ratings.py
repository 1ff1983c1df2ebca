"""Ratings, computed from the results of rated matches."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "ratings",
        sa.Column("match", sa.String(40), sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Integer(), primary_key=True),
        sa.Column("game", sa.String(80), nullable=False),
        sa.Column("player", sa.String(48), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("mean", sa.Float(), nullable=False),
        sa.Column("deviation", sa.Float(), nullable=False),
        sa.Column("old_mean", sa.Float(), nullable=False),
        sa.Column("old_deviation", sa.Float(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
    )
    op.create_index("ix_ratings_game", "ratings", ["game", "at"])
    op.create_index("ix_ratings_player", "ratings", ["player"])


def downgrade() -> None:
    """Take it away again."""
    op.drop_table("ratings")
