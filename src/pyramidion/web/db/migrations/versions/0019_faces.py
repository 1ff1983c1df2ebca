"""The faces that players choose."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("seats", sa.Column("face", sa.String(7), nullable=True))


def downgrade() -> None:
    """Take it away again."""
    op.drop_column("seats", "face")
