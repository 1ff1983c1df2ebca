"""Alembic's environment: runs the migrations on the connection passed by `store`."""

from alembic import context

from pyramidion.web.db.schema import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
