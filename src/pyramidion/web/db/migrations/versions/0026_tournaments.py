"""Tournaments: their logs, people and tables."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=True),
    )
    op.create_index("ix_tournaments_due", "tournaments", ["due"])
    owner = sa.ForeignKey("tournaments.id", ondelete="CASCADE")
    op.create_table(
        "tournament_log",
        sa.Column("tournament", sa.String(40), owner, primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("author", sa.String(10), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
    )
    owner = sa.ForeignKey("tournaments.id", ondelete="CASCADE")
    op.create_table(
        "tournament_people",
        sa.Column("tournament", sa.String(40), owner, primary_key=True),
        sa.Column("who", sa.String(10), primary_key=True),
        sa.Column("holder", sa.String(40), nullable=False),
    )
    op.create_index("ix_tournament_people_holder", "tournament_people", ["holder"])
    owner = sa.ForeignKey("tournaments.id", ondelete="CASCADE")
    op.create_table(
        "tournament_tables",
        sa.Column("match", sa.String(40), sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("tournament", sa.String(40), owner, nullable=False),
        sa.Column("settled", sa.Boolean(), nullable=False),
    )
    op.create_index("ix_tournament_tables_tournament", "tournament_tables", ["tournament"])


def downgrade() -> None:
    """Take them away again."""
    for name in ("tournament_tables", "tournament_people", "tournament_log", "tournaments"):
        op.drop_table(name)
