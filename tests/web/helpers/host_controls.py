"""Helpers of the tests in `test_host_controls.py`, which other tests use, too."""

from tests.web.helpers.creating import with_settings

from pyramidion.web.features.host_controls.service import HostControls
from pyramidion.web.table.seats.host import Requester
from pyramidion.web.table.seats.plans import SeatPlan

ME = [SeatPlan("me", "Ada"), SeatPlan("open"), SeatPlan("open")]


async def ponzi(tables, **more):
    """Create a table of Ada, who is the host, Ben and Cy."""
    table = await tables.create("ponzi-scheme", ME, {}, seed=1, holder="ada", **with_settings(more))
    await table.sit(1, "ben", "Ben")
    await table.sit(2, "cy", "Cy")
    return table


def controls(table, holder):
    return HostControls(table, Requester(table.seat_of(holder), table.host.is_visitor(holder)))


def told(table, viewer=None):
    return [event.text for event in table.events(viewer)]
