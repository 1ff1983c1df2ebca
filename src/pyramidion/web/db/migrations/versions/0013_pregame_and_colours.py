"""The time before the first phase, and the colours of seats."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns."""
    op.add_column("matches", sa.Column("pregame", sa.Integer(), nullable=True))
    op.add_column("seats", sa.Column("colour", sa.Integer(), nullable=True))


def downgrade() -> None:
    """Drop the columns."""
    op.drop_column("seats", "colour")
    op.drop_column("matches", "pregame")
