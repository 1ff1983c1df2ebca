"""Waiting until something is true, for tests: as long as needed on a loaded machine, and not forever."""

import asyncio
import time

PATIENCE = 120.0
"""Seconds after which a test fails."""


async def until(true):
    """Let other tasks run until `true()`."""
    async with asyncio.timeout(PATIENCE):
        while not true():  # noqa: ASYNC110
            await asyncio.sleep(0.002)


def wait_until(true, pause=0.02):
    """Block until `true()`, and return what it returned."""
    end = time.monotonic() + PATIENCE
    while not (found := true()):
        assert time.monotonic() < end, f"Still {found!r} after {PATIENCE:.0f} seconds."
        time.sleep(pause)
    return found
