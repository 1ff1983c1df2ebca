"""Look-alike names by a key that several accounts may share, from the table with capitals."""

import sqlalchemy as sa
from alembic import op

from pyramidion.names import looks

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Let the index have equal keys, and compute the keys again."""
    op.drop_index("ix_accounts_looks", "accounts")
    accounts = sa.table("accounts", sa.column("id"), sa.column("name"), sa.column("looks"))
    connection = op.get_bind()
    for row in connection.execute(sa.select(accounts.c.id, accounts.c.name)).all():
        connection.execute(sa.update(accounts).where(accounts.c.id == row.id).values(looks=looks(row.name)))
    with op.batch_alter_table("accounts") as table:
        table.alter_column("looks", existing_type=sa.String(160), nullable=False)
    op.create_index("ix_accounts_looks", "accounts", ["looks"])


def downgrade() -> None:
    """Keep the key of the oldest account of those that share one."""
    op.drop_index("ix_accounts_looks", "accounts")
    with op.batch_alter_table("accounts") as table:
        table.alter_column("looks", existing_type=sa.String(160), nullable=True)
    accounts = sa.table("accounts", sa.column("id"), sa.column("created"), sa.column("looks"))
    connection, taken = op.get_bind(), set[str]()
    rows = connection.execute(sa.select(accounts).order_by(accounts.c.created, accounts.c.id))
    for row in rows.all():
        if row.looks in taken:
            connection.execute(sa.update(accounts).where(accounts.c.id == row.id).values(looks=None))
        taken.add(row.looks)
    op.create_index("ix_accounts_looks", "accounts", ["looks"], unique=True)
