"""When a room was touched last."""

import time

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; of a room that is there nobody knows, so its time begins now."""
    op.add_column("rooms", sa.Column("touched", sa.BigInteger(), nullable=True))
    op.execute(sa.text("UPDATE rooms SET touched = :now").bindparams(now=time.time_ns() // 1_000_000))


def downgrade() -> None:
    """Take it away again."""
    op.drop_column("rooms", "touched")
