# pyright: basic
"""Lateness of deadlines when many fall in the same second while programs play at other tables.

    python benchmarks/web_clocks.py [--due 500] [--tables 100] [--rate 500] [--json FILE]

`due` tables get deadlines in the same second; nobody acts there, so the clock does. Meanwhile programs act at `tables`
others at a steady rate. Each due table has one event stream open, like a page; the delay is from the deadline until its
message arrives. The second half of the due tables is not in the server's memory.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from pathlib import Path
from typing import Any

from web_api import Bench, Table, pace
from web_client import Clock, Connection, Listener, ServerProcess, percentiles, report, run, server

SHORTEST = 30
"""The shortest time per decision of a table, in seconds."""
SPARE = 12
"""Time for creating all tables, in seconds, in addition to the shortest clock."""


class Due:
    """A table at which nobody acts: its deadline, and how long after it the news of the timeout arrived."""

    def __init__(self, table_id: str, deadline: int) -> None:
        self.id, self.deadline = table_id, deadline
        self.delay: float | None = None

    def heard(self, data: bytes) -> None:
        """Record how late the first message about the timeout is."""
        now = time.time()
        if self.delay is None and b'"time-up"' in data:
            self.delay = now - self.deadline / 1000
            events = json.loads(data)["events"]
            if events[0]["name"] != "time-up" or self.delay < 0:
                raise SystemExit("A deadline was kept too early, or is told wrongly.")


async def start_due(port: int, count: int, end: float) -> list[Due]:
    """Create `count` tables whose deadlines are at about `end` (seconds since 1970), and return them."""
    connection = await Connection.open(port)
    started: list[Due] = []
    for _ in range(count):
        seconds = max(SHORTEST, round(end - time.time()))
        order = {"game": "ponzi-scheme", "seats": [{"kind": "open"}] * 3, "clock": seconds}
        table = await connection.json("POST", "/api/tables", order)
        started.append(Due(table["id"], table["deadline"]))
    connection.close()
    return started


async def measure(process: ServerProcess, due: int, tables: int, rate: float) -> dict[str, Any]:
    """Start tables with deadlines and tables with players, wait for the deadlines and return the figures."""
    await process.ready()
    bench = Bench(process.port, paced=True)
    bench.tables = [Table(bench) for _ in range(tables)]
    for table in bench.tables:
        await table.start()
    end = time.time() + SHORTEST + SPARE
    waiting = await start_due(process.port, due, end)
    if time.time() > end - SHORTEST:
        raise SystemExit("Starting the tables took too long on this machine; ask for fewer.")
    seen = waiting[: due // 2]
    listeners = [
        await Listener.open(process.port, f"/api/tables/{watched.id}/stream", watched.heard) for watched in seen
    ]
    await asyncio.sleep(max(0.0, end - 5 - time.time()))
    clock = Clock(process)
    load = asyncio.create_task(pace(bench, 10, rate))
    # Open the streams at the last moment, so that they do not keep the tables in memory before.
    await asyncio.sleep(max(0.0, end + 3 - time.time()))
    await load
    wall, server_share, own_share = clock.shares()
    connection = await Connection.open(process.port)
    for watched in waiting[due // 2 :]:
        events = (await connection.json("GET", f"/api/tables/{watched.id}/events"))["events"]
        if [event["name"] for event in events].count("time-up") != 1:
            raise SystemExit("A deadline was not kept.")
    for open_one in (*listeners, connection):
        open_one.close()
    bench.going_on = False
    for table in bench.tables:
        table.close()
    delays = [watched.delay for watched in seen if watched.delay is not None]
    if len(delays) < len(seen):
        raise SystemExit(f"{len(seen) - len(delays)} deadlines were not heard of.")
    spread = max(watched.deadline for watched in waiting) - min(watched.deadline for watched in waiting)
    return {
        "due": due,
        "heard_of_on_a_stream": len(delays),
        "due_within_ms": spread,
        "delay_ms": percentiles(delays),
        "actions_per_second_meanwhile": round(len(bench.acknowledged) / wall),
        "action_acknowledged_ms": percentiles(bench.acknowledged),
        "server_processors": server_share,
        "load_generator_processors": own_share,
    }


def main() -> None:
    """Measure once."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--due", type=int, default=500)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--rate", type=float, default=500)
    parser.add_argument("--json", help="write the figures to this file")
    asked = parser.parse_args()
    # Half of the due tables are looked at; of the others hardly any stay in memory.
    with server(tables_in_memory=20) as process:
        figures = run(measure(process, asked.due, asked.tables, asked.rate))
        report("Deadlines in the same second", figures)
    if asked.json:
        Path(asked.json).write_text(json.dumps(figures, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
