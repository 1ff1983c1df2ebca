"""Upgrades of databases from before the baseline migration: those of the last five layouts before it."""

from __future__ import annotations

from collections.abc import Callable

import sqlalchemy as sa
from alembic.migration import MigrationContext
from alembic.operations import Operations

from pyramidion.names import looks

BASELINE = "0034"
WEEK = 7 * 24 * 3600 * 1000
_VERSION = sa.table("alembic_version", sa.column("version_num", sa.String()))


def upgrade(connection: sa.Connection) -> None:
    """Upgrade a database with one of the layouts in `STEPS` to the baseline; leave any other as it is."""
    if not sa.inspect(connection).has_table(_VERSION.name):
        return
    layout = connection.execute(sa.select(_VERSION.c.version_num)).scalar_one_or_none()
    if layout not in STEPS:
        return
    operations = Operations(MigrationContext.configure(connection))
    for step in list(STEPS.values())[list(STEPS).index(layout) :]:
        step(operations)
    connection.execute(sa.update(_VERSION).values(version_num=BASELINE))


def is_too_old(layout: str) -> bool:
    """Return whether a layout is older than those that `upgrade` knows."""
    return layout < min(STEPS)


def _give_portraits_players(operations: Operations) -> None:
    """Make the player a part of the key of portraits; the existing ones belong to the present players."""
    names = ("season", "who", "face", "picture", "mark")
    before = sa.table("season_portraits_before", *map(sa.column, names))
    log = sa.table("season_log", sa.column("season"), sa.column("kind"), sa.column("data", sa.JSON()))
    operations.execute("CREATE TABLE season_portraits_before AS SELECT * FROM season_portraits")
    operations.drop_table("season_portraits")
    portraits = operations.create_table(
        "season_portraits",
        sa.Column("season", sa.String(40), nullable=False),
        sa.Column("who", sa.String(10), nullable=False),
        sa.Column("player", sa.Integer(), nullable=False),
        sa.Column("face", sa.String(7)),
        sa.Column("picture", sa.LargeBinary()),
        sa.Column("mark", sa.String(16), nullable=False),
        sa.ForeignKeyConstraint(["season"], ["seasons.id"], name="fk_season_portraits_season", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("season", "who", "player", name="pk_season_portraits"),
    )
    same = log.c.season == before.c.season, log.c.data["contestant"].as_string() == before.c.who
    stand_ins = sa.select(sa.func.count()).select_from(log).where(log.c.kind == "stood-in", *same).correlate(before)
    rows = sa.select(*before.c, stand_ins.scalar_subquery())
    operations.execute(sa.insert(portraits).from_select([*names, "player"], rows))
    operations.drop_table("season_portraits_before")


def _limit_notices(operations: Operations) -> None:
    """Add the time until which a notice is sent: for the existing ones, a week after they are due."""
    operations.add_column("notices", sa.Column("until", sa.BigInteger()))
    notices = sa.table("notices", sa.column("until", sa.BigInteger()), sa.column("due", sa.BigInteger()))
    operations.execute(sa.update(notices).values(until=notices.c.due + WEEK))
    with operations.batch_alter_table("notices") as table:
        table.alter_column("until", existing_type=sa.BigInteger(), nullable=False)


def _separate_season_keys(operations: Operations) -> None:
    """Replace the idempotency keys in the logs of seasons by a table; earlier keys are forgotten."""
    operations.create_table(
        "season_keys",
        sa.Column("season", sa.String(40), nullable=False),
        sa.Column("author", sa.String(20), nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("content", sa.String(64), nullable=False),
        sa.ForeignKeyConstraint(["season"], ["seasons.id"], name="fk_season_keys_season", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("season", "author", "key", name="pk_season_keys"),
    )
    for log in ("season_log", "season_talk"):
        operations.drop_index(f"ix_{log}_key", table_name=log)
        operations.drop_column(log, "key")


def _count_posts(operations: Operations) -> None:
    """Add the number of announcements of a club and the author of a webhook; delete requests to join private clubs."""
    operations.add_column("contacts", sa.Column("author", sa.String(40)))
    operations.add_column("clubs", sa.Column("posts", sa.Integer()))
    clubs = sa.table("clubs", sa.column("id"), sa.column("door"), sa.column("posts", sa.Integer()))
    posts = sa.table("club_posts", sa.column("club"), sa.column("number", sa.Integer()))
    members = sa.table("club_members", sa.column("club"), sa.column("role"))
    latest = sa.select(sa.func.coalesce(sa.func.max(posts.c.number), 0)).where(posts.c.club == clubs.c.id)
    operations.execute(sa.update(clubs).values(posts=latest.scalar_subquery()))
    with operations.batch_alter_table("clubs") as table:
        table.alter_column("posts", existing_type=sa.Integer(), nullable=False)
    private = sa.select(clubs.c.id).where(clubs.c.door == "private")
    operations.execute(sa.delete(members).where(members.c.role == "asked", members.c.club.in_(private)))


def _compute_looks(operations: Operations) -> None:
    """Let several accounts have the same key of look-alike names, and compute the keys again."""
    operations.drop_index("ix_accounts_looks", "accounts")
    accounts = sa.table("accounts", sa.column("id"), sa.column("name"), sa.column("looks"))
    connection = operations.get_bind()
    for row in connection.execute(sa.select(accounts.c.id, accounts.c.name)).all():
        connection.execute(sa.update(accounts).where(accounts.c.id == row.id).values(looks=looks(row.name)))
    with operations.batch_alter_table("accounts") as table:
        table.alter_column("looks", existing_type=sa.String(160), nullable=False)
    operations.create_index("ix_accounts_looks", "accounts", ["looks"])


STEPS: dict[str, Callable[[Operations], None]] = {
    "0029": _give_portraits_players,
    "0030": _limit_notices,
    "0031": _separate_season_keys,
    "0032": _count_posts,
    "0033": _compute_looks,
}
"""For each layout that can be upgraded, the step to the next one; the last leads to the baseline."""
