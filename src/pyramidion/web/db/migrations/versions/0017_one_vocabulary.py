"""The names of the glossary: host commands, premoves, proposals and webhooks."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

TABLES = {"acts": "host_commands", "orders": "premoves"}
COLUMNS = (("contacts", "hook", "webhook"), ("table_contacts", "hook", "webhook"), ("premoves", "told", "outcome"))
KINDS = {
    "acted-for": "default-applied",
    "stepped-back": "rewound",
    "undone": "taken-back",
    "undo-asked": "takeback-proposed",
    "pause-asked": "pause-proposed",
    "extension-asked": "extension-proposed",
}
COMMANDS = sa.table("host_commands", sa.column("kind", sa.String), sa.column("data", sa.Text))
OUTBOX = sa.table("outbox", sa.column("way", sa.String))
WHAT = ('"what": "undo"', '"what": "takeback"')
WAY = (".hook", ".webhook")


def upgrade() -> None:
    """Rename the tables and columns, and the words that rows store."""
    for old, new in TABLES.items():
        _rename_table(old, new)
    for table, old, new in COLUMNS:
        op.execute(f"ALTER TABLE {table} RENAME COLUMN {old} TO {new}")
    for old, new in KINDS.items():
        op.execute(sa.update(COMMANDS).where(COMMANDS.c.kind == old).values(kind=new))
    _replace("host_commands", "data", *WHAT)
    op.execute(sa.update(OUTBOX).where(OUTBOX.c.way == "hook").values(way="webhook"))
    for table in ("contacts", "table_contacts"):
        _replace(table, "off", *WAY)


def downgrade() -> None:
    """Give everything its former name."""
    for table in ("contacts", "table_contacts"):
        _replace(table, "off", *reversed(WAY))
    op.execute(sa.update(OUTBOX).where(OUTBOX.c.way == "webhook").values(way="hook"))
    _replace("host_commands", "data", *reversed(WHAT))
    for old, new in KINDS.items():
        op.execute(sa.update(COMMANDS).where(COMMANDS.c.kind == new).values(kind=old))
    for table, old, new in COLUMNS:
        op.execute(f"ALTER TABLE {table} RENAME COLUMN {new} TO {old}")
    for old, new in TABLES.items():
        _rename_table(new, old)


def _rename_table(old: str, new: str) -> None:
    op.rename_table(old, new)
    # SQLite keeps the names of constraints to itself; in PostgreSQL triggers follow the table, names do not.
    if op.get_bind().dialect.name == "postgresql":
        op.execute(f"ALTER TABLE {new} RENAME CONSTRAINT pk_{old} TO pk_{new}")
        op.execute(f"ALTER TABLE {new} RENAME CONSTRAINT fk_{old}_match TO fk_{new}_match")
        if "orders" in (old, new):
            op.execute(f"ALTER FUNCTION pyramidion_tell_{old}() RENAME TO pyramidion_tell_{new}")


def _replace(table: str, name: str, old: str, new: str) -> None:
    rows = sa.table(table, column := sa.column(name, sa.Text))
    op.execute(sa.update(rows).where(column.contains(old)).values({name: sa.func.replace(column, old, new)}))
