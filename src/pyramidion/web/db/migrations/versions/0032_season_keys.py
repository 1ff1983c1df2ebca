"""A table for the idempotency keys of seasons, which belong to their authors. Earlier keys are forgotten."""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None

LOGS = ("season_log", "season_talk")


def upgrade() -> None:
    """Create the table, and drop the columns that it replaces."""
    op.create_table(
        "season_keys",
        sa.Column("season", sa.String(40), sa.ForeignKey("seasons.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("author", sa.String(20), primary_key=True),
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("content", sa.String(64), nullable=False),
    )
    for log in LOGS:
        op.drop_index(f"ix_{log}_key", table_name=log)
        op.drop_column(log, "key")


def downgrade() -> None:
    """Bring the columns back, empty."""
    for log in LOGS:
        op.add_column(log, sa.Column("key", sa.String(64), nullable=True))
        op.create_index(f"ix_{log}_key", log, ["season", "key"], unique=True)
    op.drop_table("season_keys")
