"""Rematches of finished games."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "rematches",
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("next", sa.String(40), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_rematches_match_matches", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match", name="pk_rematches"),
    )


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("rematches")
