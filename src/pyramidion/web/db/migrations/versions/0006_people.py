"""Accounts, passkeys, devices and table codes."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables; existing tables have no code and stay private."""
    op.create_table(
        "invitations",
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("code", sa.String(8), nullable=False),
        sa.Column("listed", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_invitations_match", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match", name="pk_invitations"),
    )
    op.create_index("ix_invitations_code", "invitations", ["code"], unique=True)
    op.create_table(
        "seat_devices",
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("holder", sa.String(40), nullable=False),
        sa.Column("owner", sa.String(40), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_seat_devices_match", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match", "seat", "holder", name="pk_seat_devices"),
    )
    op.create_index("ix_seat_devices_holder", "seat_devices", ["holder"])
    op.create_index("ix_seat_devices_owner", "seat_devices", ["owner"])
    op.create_table(
        "accounts",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("key", sa.String(160), nullable=False),
        sa.Column("holder", sa.String(40), nullable=False),
        sa.Column("password", sa.Text(), nullable=True),
        sa.Column("email", sa.String(254), nullable=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_accounts"),
    )
    op.create_index("ix_accounts_key", "accounts", ["key"], unique=True)
    op.create_index("ix_accounts_holder", "accounts", ["holder"], unique=True)
    op.create_table(
        "passkeys",
        sa.Column("id", sa.String(1400), nullable=False),
        sa.Column("account", sa.String(40), nullable=False),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("uses", sa.BigInteger(), nullable=False),
        sa.Column("label", sa.String(40), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], name="fk_passkeys_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_passkeys"),
    )
    op.create_index("ix_passkeys_account", "passkeys", ["account"])


def downgrade() -> None:
    """Drop the tables."""
    for table in ("passkeys", "accounts", "seat_devices", "invitations"):
        op.drop_table(table)
