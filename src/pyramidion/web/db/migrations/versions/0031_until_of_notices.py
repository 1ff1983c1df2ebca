"""Until when a notice is sent. Those that there are last for a week after they are due."""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None

WEEK = 7 * 24 * 3600 * 1000


def upgrade() -> None:
    """Add the column."""
    op.add_column("notices", sa.Column("until", sa.BigInteger(), nullable=True))
    notices = sa.table("notices", sa.column("until", sa.BigInteger()), sa.column("due", sa.BigInteger()))
    op.execute(sa.update(notices).values(until=notices.c.due + WEEK))
    with op.batch_alter_table("notices") as table:
        table.alter_column("until", existing_type=sa.BigInteger(), nullable=False)


def downgrade() -> None:
    """Take it away again."""
    op.drop_column("notices", "until")
