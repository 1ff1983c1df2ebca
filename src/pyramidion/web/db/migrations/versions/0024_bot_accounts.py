"""Accounts of bots, which other accounts own, and their API tokens."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column and the table."""
    with op.batch_alter_table("accounts") as accounts:
        accounts.add_column(sa.Column("owner", sa.String(40), nullable=True))
        accounts.create_index("ix_accounts_owner", ["owner"])
    op.create_table(
        "api_tokens",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("account", sa.String(40), sa.ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
        sa.Column("hash", sa.LargeBinary(32), nullable=False),
        sa.Column("scopes", sa.String(80), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
    )
    op.create_index("ix_api_tokens_account", "api_tokens", ["account"])
    op.create_index("ix_api_tokens_hash", "api_tokens", ["hash"], unique=True)


def downgrade() -> None:
    """Take them away again."""
    op.drop_table("api_tokens")
    with op.batch_alter_table("accounts") as accounts:
        accounts.drop_index("ix_accounts_owner")
        accounts.drop_column("owner")
