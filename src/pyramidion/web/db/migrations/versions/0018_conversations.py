"""How far a seat has read each conversation of the chat."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("chat_seats", sa.Column("read", sa.Text(), nullable=False, server_default="{}"))


def downgrade() -> None:
    """Take it away again."""
    op.drop_column("chat_seats", "read")
