"""Helpers of the tests in `test_tables.py`, which other tests use, too."""

from contextlib import asynccontextmanager
from weakref import WeakKeyDictionary

from tests.web.helpers.databases import url_at

from pyramidion.web.db.store import now
from pyramidion.web.server import Server
from pyramidion.web.settings import Settings
from pyramidion.web.table.seats.plans import SeatPlan

SERVICES = WeakKeyDictionary()
"""The services around the tables that `open_tables` yields."""


ME = [SeatPlan("me"), SeatPlan("open"), SeatPlan("open")]


@asynccontextmanager
async def open_tables(path, keep=100, bot_pause=0.0, now=now, **settings):
    chosen = {"tables_in_memory": keep, "bot_pause": bot_pause, "bot_threads": 1, "premove_pause": 0} | settings
    chosen |= {"data_dir": path, "database_url": url_at(path), "premove_pause_longest": chosen["premove_pause"]}
    server = Server.open(Settings.model_construct(**chosen), now=now)
    server.writer.start()
    SERVICES[server.tables] = server
    try:
        yield server.tables
    finally:
        await server.close()


async def started(tables, **more):
    """Create a table at which only the test plays."""
    return await tables.create("ponzi-scheme", ME, more.pop("options", {}), holder="someone", **more)


async def play(table):
    """Play the first legal action, which is mostly a pass."""
    seat = table.match.acting[0]
    await table.act(seat, table.match.legal(seat)[0], table.version(seat))
    return seat


def execute(store, statement):
    with store.engine.connect() as connection:
        connection.execute(statement)
        connection.commit()
