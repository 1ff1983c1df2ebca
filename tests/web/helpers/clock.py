"""Helpers of the tests in `test_clock.py`, which other tests use, too."""

from contextlib import asynccontextmanager

from tests.web.helpers.creating import with_settings
from tests.web.helpers.tables import open_tables

from pyramidion.web.table.seats.plans import SeatPlan
from pyramidion.web.table.snapshots.snapshot import snapshot_of

ME = [SeatPlan("me"), SeatPlan("open"), SeatPlan("open")]


START = 1_000_000_000_000


class Time:
    """A clock that stands still until it is told to go on."""

    def __init__(self):
        self.ms = START

    def __call__(self):
        return self.ms

    def passes(self, seconds):
        self.ms += round(seconds * 1000)


async def auction(tables, clock=60, **more):
    return await tables.create(
        "silent-auction", ME, more.pop("options", {}), holder="ada", **with_settings({"clock": clock, **more})
    )


async def do(table, seat, action):
    return await table.act(seat, action, table.version(seat))


@asynccontextmanager
async def tables_with_time(tmp_path, **settings):
    time = Time()
    async with open_tables(tmp_path, now=time, **settings) as tables:
        yield tables, time


def told(table, viewer=None):
    return [event.text for event in table.events(viewer)]


def looks(table):
    """What each viewer may know: view, who is due, events, legal actions and submission."""
    return {
        viewer: (
            snapshot_of(table, viewer).view,
            table.visibility.due(viewer),
            told(table, viewer),
            [a.text for a in snapshot_of(table, viewer).legal],
            snapshot_of(table, viewer).submission,
            snapshot_of(table, viewer).confirmed,
            table.version(viewer) if viewer is None else None,
        )
        for viewer in (None, 0, 1, 2)
    }
