"""How many announcements a club has had, and who has set a webhook. Private clubs have no open requests."""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns, and drop the requests."""
    op.add_column("contacts", sa.Column("author", sa.String(40), nullable=True))
    op.add_column("clubs", sa.Column("posts", sa.Integer(), nullable=True))
    clubs = sa.table("clubs", sa.column("id"), sa.column("door"), sa.column("posts", sa.Integer()))
    posts = sa.table("club_posts", sa.column("club"), sa.column("number", sa.Integer()))
    members = sa.table("club_members", sa.column("club"), sa.column("role"))
    latest = sa.select(sa.func.coalesce(sa.func.max(posts.c.number), 0)).where(posts.c.club == clubs.c.id)
    op.execute(sa.update(clubs).values(posts=latest.scalar_subquery()))
    with op.batch_alter_table("clubs") as table:
        table.alter_column("posts", existing_type=sa.Integer(), nullable=False)
    private = sa.select(clubs.c.id).where(clubs.c.door == "private")
    op.execute(sa.delete(members).where(members.c.role == "asked", members.c.club.in_(private)))


def downgrade() -> None:
    """Take the columns away again."""
    op.drop_column("clubs", "posts")
    op.drop_column("contacts", "author")
