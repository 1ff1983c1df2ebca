"""Claims of servers that share a database, and look-alike names of accounts."""

import sqlalchemy as sa
from alembic import op

from pyramidion.names import looks

revision = "0012"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table and the column; of accounts whose names look alike, the oldest keeps its look."""
    op.create_table(
        "claims",
        sa.Column("key", sa.String(80), nullable=False),
        sa.Column("server", sa.String(40), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_claims"),
    )
    op.add_column("accounts", sa.Column("looks", sa.String(160), nullable=True))
    accounts = sa.table("accounts", sa.column("id"), sa.column("name"), sa.column("created"), sa.column("looks"))
    connection, taken = op.get_bind(), set[str]()
    rows = connection.execute(sa.select(accounts.c.id, accounts.c.name).order_by(accounts.c.created, accounts.c.id))
    for row in rows.all():
        if (look := looks(row.name)) not in taken:
            taken.add(look)
            connection.execute(sa.update(accounts).where(accounts.c.id == row.id).values(looks=look))
    op.create_index("ix_accounts_looks", "accounts", ["looks"], unique=True)


def downgrade() -> None:
    """Drop the table and the column."""
    op.drop_index("ix_accounts_looks", "accounts")
    op.drop_column("accounts", "looks")
    op.drop_table("claims")
