"""The results of finished matches, by seat."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "results",
        sa.Column("match", sa.String(40), sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Integer(), primary_key=True),
        sa.Column("person", sa.String(40), nullable=True),
        sa.Column("bot", sa.String(40), nullable=True),
        sa.Column("won", sa.Float(), nullable=True),
        sa.Column("payoff", sa.Float(), nullable=True),
        sa.Column("points", sa.Integer(), nullable=True),
    )
    op.create_index("ix_results_person", "results", ["person"])


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("results")
