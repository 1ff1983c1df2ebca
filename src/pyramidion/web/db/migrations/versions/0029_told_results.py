"""When the results of a season's tables are for everybody. Those that were counted in public before stay there."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("season_tables", sa.Column("told", sa.BigInteger(), nullable=True))
    tables = sa.table("season_tables", sa.column("told", sa.BigInteger()), sa.column("settled", sa.Boolean()))
    op.execute(sa.update(tables).where(tables.c.settled).values(told=0))


def downgrade() -> None:
    """Take it away again."""
    op.drop_column("season_tables", "told")
