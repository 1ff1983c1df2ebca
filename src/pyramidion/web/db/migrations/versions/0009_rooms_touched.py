"""The time of the last change in a room."""

import time

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; existing rooms count as changed now."""
    op.add_column("rooms", sa.Column("touched", sa.BigInteger(), nullable=True))
    op.execute(sa.text("UPDATE rooms SET touched = :now").bindparams(now=time.time_ns() // 1_000_000))


def downgrade() -> None:
    """Drop the column."""
    op.drop_column("rooms", "touched")
