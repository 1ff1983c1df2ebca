"""Hints as a table option, and analyses of finished matches."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column and the table; existing tables have no hints."""
    op.add_column("matches", sa.Column("hints", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        "analyses",
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("made", sa.BigInteger(), nullable=False),
        sa.Column("result", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_analyses_match", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match", name="pk_analyses"),
    )


def downgrade() -> None:
    """Drop both."""
    op.drop_table("analyses")
    op.drop_column("matches", "hints")
