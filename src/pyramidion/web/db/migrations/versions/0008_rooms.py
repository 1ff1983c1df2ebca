"""Waiting rooms, contributions to seeds, and premoves."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

TELL = """
CREATE FUNCTION pyramidion_tell_orders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('pyramidion', changed.id) FROM (SELECT DISTINCT fresh.match AS id FROM fresh) AS changed;
    RETURN NULL;
END $$
"""
TRIGGER = """
CREATE TRIGGER pyramidion_tell_{when} AFTER {when} ON orders REFERENCING NEW TABLE AS fresh
FOR EACH STATEMENT EXECUTE FUNCTION pyramidion_tell_orders()
"""
TOLD = ("insert", "update")


def _match() -> sa.Column[str]:
    return sa.Column("match", sa.String(40), nullable=False)


def upgrade() -> None:
    """Add the column and the tables; existing matches have started."""
    op.add_column("matches", sa.Column("started", sa.BigInteger(), nullable=True))
    op.execute("UPDATE matches SET started = created")
    op.create_table(
        "rooms",
        _match(),
        sa.Column("start", sa.String(20), nullable=False),
        sa.Column("ready", sa.Text(), nullable=False),
        sa.Column("changes", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_rooms_match", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match", name="pk_rooms"),
    )
    op.create_table(
        "secrets",
        _match(),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_secrets_match", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match", name="pk_secrets"),
    )
    op.create_table(
        "contributions",
        _match(),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(200), nullable=False),
        sa.Column("source", sa.String(10), nullable=False),
        sa.Column("commitment", sa.String(64), nullable=False),
        sa.Column("nonce", sa.String(64), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_contributions_match", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match", "seat", name="pk_contributions"),
    )
    op.create_table(
        "orders",
        _match(),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("owner", sa.String(64), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("told", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_orders_match", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("match", "seat", name="pk_orders"),
    )
    if op.get_bind().dialect.name == "postgresql":
        op.execute(TELL)
        for when in TOLD:
            op.execute(TRIGGER.format(when=when))


def downgrade() -> None:
    """Drop them, and delete the matches that still wait in a room."""
    if op.get_bind().dialect.name == "postgresql":
        for when in TOLD:
            op.execute(f"DROP TRIGGER pyramidion_tell_{when} ON orders")
        op.execute("DROP FUNCTION pyramidion_tell_orders()")
    for table in ("orders", "contributions", "secrets", "rooms"):
        op.drop_table(table)
    op.execute("DELETE FROM matches WHERE started IS NULL")
    op.drop_column("matches", "started")
