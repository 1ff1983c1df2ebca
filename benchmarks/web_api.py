# pyright: basic
"""Throughput and latency of the JSON API: tables with two programs each, over JSON and event streams.

    python benchmarks/web_api.py [--tables 50] [--seconds 10] [--rate 500] [--json FILE] [--against PYTHON]

Each program plays from its event streams alone: when its decision is due it posts the first legal action (mostly
passing, so that games last). Two programs share the three seats of a table. Latency is measured from posting an action
to its response, when it is on disk, and to the other program's event stream; first at a steady rate, then flat out.
Every message is checked: versions increase, and events come in order without gaps.

`--against` compares with another version, flat out: PYTHON is the interpreter of an environment in which that is
installed. Load alternates between both servers in windows of `--window` seconds, `--seconds` in all for each, and the
medians of the processor time per action and of the ratio of neighbouring windows are reported. Other work on the
machine then slows both alike.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from web_client import Clock, Connection, Listener, ServerProcess, bearer, head_of, percentiles, report, run, server

OWNERS = (0, 1, 0)
"""The program of each seat: two programs share a table with three seats."""


class Bench:
    """Holds the tables and the measurements of one run.

    With `paced`, actions are posted at the rate of `pace`; otherwise as soon as they are due.
    """

    def __init__(self, port: int, *, paced: bool) -> None:
        self.port, self.paced = port, paced
        self.tables: list[Table] = []
        self.ready: list[Table] = []
        self.acknowledged: list[float] = []
        self.seen: list[float] = []
        self.refused = 0
        self.going_on = True


class Table:
    """Plays one table by two programs, and checks every message that they get."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.versions, self.told = [-1] * 3, [0] * 3
        self.chosen_at = [-1] * 3
        self.posted: tuple[int, float] | None = None
        self.listeners: list[Listener] = []
        self.due: tuple[int, int, str] | None = None
        self.tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Create the table and open the streams."""
        port = self.bench.port
        self.connections = [await Connection.open(port) for _ in range(2)]
        order = {"game": "ponzi-scheme", "seats": [{"kind": "me"}] * 3, "options": {"round_limit": 200}}
        started = await self.connections[0].json("POST", "/api/tables", order)
        url, tokens = f"/api/tables/{started['id']}", started["tokens"]
        self.heads = [head_of("POST", f"{url}/actions", bearer(tokens[str(seat)])) for seat in range(3)]
        for seat in range(3):
            self.listeners.append(
                await Listener.open(
                    port, f"{url}/stream", lambda data, seat=seat: self.heard(seat, data), bearer(tokens[str(seat)])
                )
            )

    def heard(self, seat: int, data: bytes) -> None:
        """Check a message of a seat's stream, and let its program act if it is due."""
        now = time.perf_counter()
        message: dict[str, Any] = json.loads(data)
        if "version" not in message:
            return  # a change of players only
        if message["version"] < self.versions[seat]:
            raise SystemExit("A version came out of order.")
        self.versions[seat] = message["version"]
        for event in message["events"]:
            if event["n"] != self.told[seat]:
                raise SystemExit("An event was lost, doubled or out of order.")
            self.told[seat] += 1
        if self.posted and message["events"] and OWNERS[seat] != OWNERS[self.posted[0]]:
            self.bench.seen.append(now - self.posted[1])
        if message["over"] and seat == 0:
            self.keep(self.again())
        elif message.get("legal") and self.bench.going_on and message["version"] > self.chosen_at[seat]:
            self.chosen_at[seat] = message["version"]
            first = message["legal"][0]
            self.due = seat, message["version"], first.get("text") or f"{first['family']} {first['low']}"
            if self.bench.paced:
                self.bench.ready.append(self)
            else:
                self.keep(self.act())

    def keep(self, work: Any) -> None:
        """Run a coroutine in the background."""
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def act(self) -> None:
        """Post the action that is due, and measure how long the answer takes."""
        assert self.due is not None
        seat, version, action = self.due
        self.due = None
        body = b'{"action":"%b","version":%d}' % (action.encode(), version)
        start = time.perf_counter()
        self.posted = seat, start
        status, _ = await self.connections[OWNERS[seat]].request(self.heads[seat], body)
        if status == 200:
            self.bench.acknowledged.append(time.perf_counter() - start)
        else:
            self.bench.refused += 1

    async def again(self) -> None:
        """Start a new table in place of one whose game is over."""
        if self.bench.going_on:
            self.close()
            follower = Table(self.bench)
            self.bench.tables.append(follower)
            await follower.start()

    def close(self) -> None:
        """Close the connections."""
        for open_one in (*self.listeners, *self.connections):
            open_one.close()


async def measure(process: ServerProcess, tables: int, seconds: float, rate: float | None) -> dict[str, Any]:
    """Play at a server for some seconds, at `rate` actions per second or flat out; return the figures."""
    await process.ready()
    bench = Bench(process.port, paced=True)
    bench.tables = [Table(bench) for _ in range(tables)]
    for table in bench.tables:
        await table.start()
    await asyncio.sleep(1)
    clock = Clock(process)
    if rate is not None:
        await pace(bench, seconds, rate)
    else:
        bench.paced = False
        for table in bench.ready:
            table.keep(table.act())
        await asyncio.sleep(seconds)
    wall, server_share, own_share = clock.shares()
    bench.going_on = False
    await asyncio.sleep(0.3)
    for table in bench.tables:
        table.close()
    return {
        "tables": tables,
        "seconds": round(wall, 1),
        "actions_per_second": round(len(bench.acknowledged) / wall),
        "action_acknowledged_ms": percentiles(bench.acknowledged),
        "action_seen_by_the_other_ms": percentiles(bench.seen),
        "refused": bench.refused,
        "server_microseconds_per_action": round(server_share * wall / len(bench.acknowledged) * 1e6),
        "server_processors": server_share,
        "load_generator_processors": own_share,
        "server_megabytes": round(process.megabytes()),
    }


async def pace(bench: Bench, seconds: float, rate: float) -> None:
    """Let programs act at a steady rate for some seconds, those first that have been due longest."""
    start = time.perf_counter()
    done = 0
    while (now := time.perf_counter()) < start + seconds:
        while done < (now - start) * rate:
            done += 1
            if bench.ready:
                table = bench.ready.pop(0)
                table.keep(table.act())
        await asyncio.sleep(0.001)


async def compare(processes: list[ServerProcess], tables: int, seconds: float, window: float) -> dict[str, Any]:
    """Let programs act at two servers in turn; return the processor time of each per action. The first is ours."""
    benches: list[Bench] = []
    for process in processes:
        await process.ready()
        bench = Bench(process.port, paced=True)
        bench.tables = [Table(bench) for _ in range(tables)]
        for table in bench.tables:
            await table.start()
        benches.append(bench)
    await asyncio.sleep(1)
    used: list[list[float]] = [[], []]
    for turn in range(round(seconds / window) + 1):
        for which in (0, 1) if turn % 2 else (1, 0):
            microseconds = await _window(processes[which], benches[which], window)
            if turn:  # in the first window everything is new
                used[which].append(microseconds)
    for bench in benches:
        bench.going_on = False
        for table in bench.tables:
            table.close()
    ours, theirs = used
    return {
        "tables": tables,
        "pairs_of_windows": len(ours),
        "server_microseconds_per_action": round(median(ours)),
        "other_server_microseconds_per_action": round(median(theirs)),
        "ratio_in_pairs": {
            name: round(ratio, 3)
            for name, ratio in zip(
                ("lower quartile", "median", "upper quartile"),
                quantiles(our_time / their_time for our_time, their_time in zip(ours, theirs, strict=True)),
                strict=True,
            )
        },
    }


async def _window(process: ServerProcess, bench: Bench, seconds: float) -> float:
    """Let programs act as fast as they can for a while; return the server's microseconds per action."""
    done, before = len(bench.acknowledged), process.cpu_seconds()
    bench.paced = False
    due, bench.ready = bench.ready, []
    for table in due:
        table.keep(table.act())
    await asyncio.sleep(seconds)
    bench.paced = True
    await asyncio.sleep(0.1)
    return (process.cpu_seconds() - before) / (len(bench.acknowledged) - done) * 1e6


def main() -> None:
    """Measure at a steady rate, then flat out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rate", type=float, default=500)
    parser.add_argument("--json", help="write the figures to this file")
    parser.add_argument("--against", metavar="PYTHON", help="compare with the version in another environment")
    parser.add_argument("--window", type=float, default=0.5, help="seconds of a window of the comparison")
    asked = parser.parse_args()
    figures: dict[str, Any] = {}
    if asked.against:
        with server() as ours, server(asked.against) as theirs:
            figures["comparison"] = run(compare([ours, theirs], asked.tables, asked.seconds, asked.window))
            report("JSON API, both versions in turn", figures["comparison"], asked.json)
        return
    for name, rate in (("paced", asked.rate), ("flat_out", None)):
        with server() as process:
            figures[name] = run(measure(process, asked.tables, asked.seconds, rate))
            report(f"JSON API, {name.replace('_', ' ')}", figures[name])
    if asked.json:
        Path(asked.json).write_text(json.dumps(figures, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
