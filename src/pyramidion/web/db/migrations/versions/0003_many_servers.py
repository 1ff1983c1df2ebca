"""Shared cookie keys, and change notifications between servers."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

# Notify all servers of every committed change, however it was made: the id of the match, and nothing else.
TELL = """
CREATE FUNCTION pyramidion_tell_{table}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('pyramidion', changed.id) FROM (SELECT DISTINCT fresh.{column} AS id FROM fresh) AS changed;
    RETURN NULL;
END $$
"""
TRIGGER = """
CREATE TRIGGER pyramidion_tell AFTER {when} ON {table} REFERENCING NEW TABLE AS fresh
FOR EACH STATEMENT EXECUTE FUNCTION pyramidion_tell_{table}()
"""
TOLD = (("plies", "match", "INSERT"), ("seats", "match", "UPDATE"), ("matches", "id", "UPDATE"))


def upgrade() -> None:
    """Create the table and, in PostgreSQL, the triggers."""
    op.create_table(
        "keys",
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_keys"),
    )
    if op.get_bind().dialect.name == "postgresql":
        for table, column, when in TOLD:
            op.execute(TELL.format(table=table, column=column))
            op.execute(TRIGGER.format(table=table, when=when))


def downgrade() -> None:
    """Drop the table and the triggers."""
    if op.get_bind().dialect.name == "postgresql":
        for table, _, _ in TOLD:
            op.execute(f"DROP TRIGGER pyramidion_tell ON {table}")
            op.execute(f"DROP FUNCTION pyramidion_tell_{table}()")
    op.drop_table("keys")
