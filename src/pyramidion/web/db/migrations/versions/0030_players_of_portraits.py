"""Portraits of a season belong to a player: a stand-in has another one, which viewers may not know of yet."""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None

COLUMNS = ("season", "who", "face", "picture", "mark")
PORTRAITS = sa.table("season_portraits", *map(sa.column, (*COLUMNS, "player")))
BEFORE = sa.table("season_portraits_before", *map(sa.column, (*COLUMNS, "player")))
LOG = sa.table("season_log", sa.column("season"), sa.column("kind"), sa.column("data", sa.JSON()))


def upgrade() -> None:
    """Make the player a part of the key; those that there are belong to the present players."""
    _keep_aside()
    _create(sa.Column("player", sa.Integer(), primary_key=True))
    rows = sa.select(*(BEFORE.c[name] for name in COLUMNS), _stand_ins())
    op.execute(sa.insert(PORTRAITS).from_select([*COLUMNS, "player"], rows))
    op.drop_table(BEFORE.name)


def downgrade() -> None:
    """Take it away again, with the portraits of former players."""
    _keep_aside()
    _create()
    rows = sa.select(*(BEFORE.c[name] for name in COLUMNS)).where(BEFORE.c.player == _stand_ins())
    op.execute(sa.insert(PORTRAITS).from_select(COLUMNS, rows))
    op.drop_table(BEFORE.name)


def _keep_aside() -> None:
    op.execute("CREATE TABLE season_portraits_before AS SELECT * FROM season_portraits")
    op.drop_table("season_portraits")


def _create(*player: sa.Column[int]) -> None:
    op.create_table(
        "season_portraits",
        sa.Column("season", sa.String(40), sa.ForeignKey("seasons.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("who", sa.String(10), primary_key=True),
        *player,
        sa.Column("face", sa.String(7), nullable=True),
        sa.Column("picture", sa.LargeBinary(), nullable=True),
        sa.Column("mark", sa.String(16), nullable=False),
    )


def _stand_ins() -> sa.ScalarSelect[int]:
    """Return how many stand-ins a contestant has had."""
    whose = (LOG.c.season == BEFORE.c.season, LOG.c.data["contestant"].as_string() == BEFORE.c.who)
    query = sa.select(sa.func.count()).select_from(LOG).where(LOG.c.kind == "stood-in", *whose)
    return query.correlate(BEFORE).scalar_subquery()
