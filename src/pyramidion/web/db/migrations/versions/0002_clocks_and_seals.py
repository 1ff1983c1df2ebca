"""Clocks of tables and seals of submissions."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; existing tables have no clock and no seals."""
    op.add_column("matches", sa.Column("clock", sa.Integer(), nullable=True))
    op.add_column("matches", sa.Column("close_early", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.add_column("matches", sa.Column("deadline", sa.BigInteger(), nullable=True))
    op.add_column("matches", sa.Column("held", sa.Text(), nullable=True))
    op.create_index("ix_matches_deadline", "matches", ["deadline"])
    op.add_column("plies", sa.Column("by_clock", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("plies", sa.Column("seal", sa.String(64), nullable=True))
    op.add_column("plies", sa.Column("nonce", sa.String(64), nullable=True))


def downgrade() -> None:
    """Drop the columns."""
    op.drop_index("ix_matches_deadline", "matches")
    columns = {"plies": ("nonce", "seal", "by_clock"), "matches": ("held", "deadline", "close_early", "clock")}
    for table, names in columns.items():
        for name in names:
            op.drop_column(table, name)
