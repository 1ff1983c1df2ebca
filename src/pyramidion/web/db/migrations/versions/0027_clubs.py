"""Clubs, and the portraits of contestants."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "season_portraits",
        sa.Column("season", sa.String(40), sa.ForeignKey("seasons.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("who", sa.String(10), primary_key=True),
        sa.Column("face", sa.String(7), nullable=True),
        sa.Column("picture", sa.LargeBinary(), nullable=True),
        sa.Column("mark", sa.String(16), nullable=False),
    )
    op.create_table(
        "clubs",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("door", sa.String(10), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
    )
    op.create_table(
        "club_members",
        sa.Column("club", sa.String(40), sa.ForeignKey("clubs.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("holder", sa.String(40), primary_key=True),
        sa.Column("member", sa.String(40), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("role", sa.String(10), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
    )
    op.create_index("ix_club_members_holder", "club_members", ["holder"])
    op.create_index("ix_club_members_member", "club_members", ["club", "member"], unique=True)
    op.create_index("ix_club_members_name", "club_members", ["club", "name"], unique=True)
    op.create_table(
        "club_posts",
        sa.Column("club", sa.String(40), sa.ForeignKey("clubs.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("author", sa.String(40), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
    )
    op.create_table(
        "club_events",
        sa.Column("kind", sa.String(10), primary_key=True),
        sa.Column("event", sa.String(40), primary_key=True),
        sa.Column("club", sa.String(40), sa.ForeignKey("clubs.id", ondelete="CASCADE"), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )
    op.create_index("ix_club_events_club", "club_events", ["club"])
    op.create_table(
        "club_tables",
        sa.Column("match", sa.String(40), sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("club", sa.String(40), sa.ForeignKey("clubs.id", ondelete="CASCADE"), nullable=False),
    )
    op.create_index("ix_club_tables_club", "club_tables", ["club"])


def downgrade() -> None:
    """Take them away again."""
    for name in ("club_tables", "club_events", "club_posts", "club_members", "clubs", "season_portraits"):
        op.drop_table(name)
