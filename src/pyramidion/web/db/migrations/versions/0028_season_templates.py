"""Saved templates of seasons."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "season_templates",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("holder", sa.String(40), nullable=False),
        sa.Column("club", sa.String(40), nullable=True),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
    )
    op.create_index("ix_season_templates_holder", "season_templates", ["holder"])
    op.create_index("ix_season_templates_club", "season_templates", ["club"])


def downgrade() -> None:
    """Take it away again."""
    op.drop_table("season_templates")
