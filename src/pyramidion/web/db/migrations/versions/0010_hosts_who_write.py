"""Names of hosts and authors of chat messages."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

NAME_OF_THE_SEAT = (
    "UPDATE chat_lines SET name = (SELECT seats.name FROM seats "
    "WHERE seats.match = chat_lines.match AND seats.seat = chat_lines.seat) WHERE name IS NULL"
)


def upgrade() -> None:
    """Add the columns; existing messages get the name of the seat's current player."""
    op.add_column("matches", sa.Column("host_name", sa.String(40), nullable=True))
    op.add_column("chat_lines", sa.Column("role", sa.String(10), nullable=False, server_default="player"))
    op.execute(sa.text("UPDATE chat_lines SET role = 'watcher' WHERE seat IS NULL"))
    op.execute(sa.text(NAME_OF_THE_SEAT))


def downgrade() -> None:
    """Drop the columns."""
    op.drop_column("chat_lines", "role")
    op.drop_column("matches", "host_name")
