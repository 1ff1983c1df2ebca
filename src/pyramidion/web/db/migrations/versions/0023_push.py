"""Web Push: the devices of people, and the hours in which they want to hear nothing."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table and the columns."""
    op.create_table(
        "push_devices",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("person", sa.String(40), nullable=False),
        sa.Column("endpoint", sa.Text(), nullable=False),
        sa.Column("p256dh", sa.String(100), nullable=False),
        sa.Column("auth", sa.String(40), nullable=False),
        sa.Column("made", sa.BigInteger(), nullable=False),
    )
    op.create_index("ix_push_devices_person", "push_devices", ["person"])
    with op.batch_alter_table("contacts") as contacts:
        contacts.add_column(sa.Column("quiet_from", sa.Integer(), nullable=True))
        contacts.add_column(sa.Column("quiet_until", sa.Integer(), nullable=True))


def downgrade() -> None:
    """Take them away again."""
    with op.batch_alter_table("contacts") as contacts:
        contacts.drop_column("quiet_until")
        contacts.drop_column("quiet_from")
    op.drop_table("push_devices")
