"""Hosts, host commands, pauses and absent players."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

MATCHES = {
    "host": sa.String(40),
    "host_token": sa.LargeBinary(32),
    "paused": sa.BigInteger(),
    "time_left": sa.BigInteger(),
    "absent": sa.String(60),
}


def upgrade() -> None:
    """Add the columns and the table; existing tables have no host."""
    for name, kind in MATCHES.items():
        op.add_column("matches", sa.Column(name, kind, nullable=True))
    op.add_column("seats", sa.Column("stand_in", sa.String(40), nullable=True))
    op.create_table(
        "acts",
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("who", sa.String(10), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_acts_match", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match", "number", name="pk_acts"),
    )


def downgrade() -> None:
    """Drop the columns and the table."""
    op.drop_table("acts")
    op.drop_column("seats", "stand_in")
    for name in reversed(MATCHES):
        op.drop_column("matches", name)
