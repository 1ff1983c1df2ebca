"""Followers of seasons, who are notified of episodes that can be watched."""

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table of followers."""
    op.create_table(
        "season_followers",
        sa.Column("season", sa.String(40), nullable=False),
        sa.Column("holder", sa.String(40), nullable=False),
        sa.ForeignKeyConstraint(["season"], ["seasons.id"], name="fk_season_followers_season", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("season", "holder", name="pk_season_followers"),
    )
    op.create_index("ix_season_followers_holder", "season_followers", ["holder"])


def downgrade() -> None:
    """Drop the table of followers."""
    op.drop_table("season_followers")
