# pyright: basic
"""How soon the others see an action in their browsers: tables with four open pages each, one action a second per table.

    python benchmarks/web_pages.py [--tables 50] [--viewers 4] [--seconds 20] [--rate 1] [--experts 0] [--json FILE]

Every viewer is a visitor with a cookie who sat down through the pages' own forms, with the table's event stream open;
whoever's turn it is posts the form of a random action that the page offers. Measured is from posting to the arrival of
the new page at each of the others, and to the answer of the post. Every viewer must see every action, in order.

With `--experts N` it is measured twice in one run: alone, and while N further tables of Experts think all the time.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import time
from typing import Any
from urllib.parse import urlencode

from web_client import Clock, Connection, Listener, ServerProcess, head_of, percentiles, report, run, server

FORM = "content-type: application/x-www-form-urlencoded"
OFFERED = re.compile(r'name="action" value="([^"]+)"')
NUMBER = re.compile(r'name="(number-[\w-]+)"[^>]* min="(\d+)" max="(\d+)"')


class Viewer:
    """Plays one seat of a table in a browser: gets its pages and posts forms."""

    def __init__(self, table: Table, seat: int) -> None:
        self.table, self.seat = table, seat
        self.version, self.html = -1, ""
        self.seen = True

    async def arrive(self, port: int) -> None:
        """Connect to the server, and get a cookie and the CSRF token of the forms."""
        self.connection = await Connection.open(port)
        _, body = await self.connection.request(head_of("GET", "/games/ponzi-scheme/new"))
        match = re.search(r'name="csrf" value="(\w+)"', body.decode())
        assert match is not None
        self.csrf = match[1]
        self.cookie = f"cookie: {self.connection.cookie}"

    async def post(self, path: str, **fields: Any) -> str:
        """Post a form; return the address that the server redirects to."""
        head = head_of("POST", path, FORM, self.cookie, kind=None)
        status, answer = await self.connection.request(head, urlencode({"csrf": self.csrf, **fields}).encode())
        if status != 303:
            raise SystemExit(f"{path} was answered with {status}: {answer[:200]!r}")
        return self.connection.location

    async def act(self) -> None:
        """Post one of the actions that the current page offers, chosen at random."""
        fields: dict[str, Any] = {"version": self.version}
        offered, number = OFFERED.findall(self.html), NUMBER.search(self.html)
        if number:
            fields |= {"family": number[1].removeprefix("number-")}
            fields |= {number[1]: random.randint(int(number[2]), int(number[3]))}
        elif offered:
            fields |= {"action": random.choice(offered)}
        else:
            raise SystemExit("A page offers nothing to whoever's turn it is.")
        await self.post(f"/t/{self.table.id}/act", **fields)

    def heard(self, data: bytes) -> None:
        """Take a new page from the stream, and record how long it took to arrive."""
        now = time.perf_counter()
        message: dict[str, Any] = json.loads(data)
        if message["version"] < self.version:
            raise SystemExit("A page came out of order.")
        moved = message["version"] > self.version
        self.version, self.html = message["version"], message["html"]
        if moved and not self.seen:
            self.seen = True
            self.table.bench.seen.append(now - self.table.posted)


class Table:
    """Plays one table through the browsers of its players."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.posted = 0.0
        self.viewers = [Viewer(self, seat) for seat in range(bench.seats)]
        self.listeners: list[Listener] = []

    async def start(self, port: int) -> None:
        """Create the table through its form, let everybody sit down, and open the event streams."""
        for viewer in self.viewers:
            await viewer.arrive(port)
        seats = {f"seat-{seat}": "open" for seat in range(len(self.viewers))} | {"seat-0": "me"}
        order = {"game": "ponzi-scheme", "seats": len(self.viewers), "me": "Player A", **seats}
        url = await self.viewers[0].post("/tables", **order)
        self.id = url.rsplit("/", 1)[1]
        for viewer in self.viewers[1:]:
            await viewer.post(f"/t/{self.id}/sit", seat=viewer.seat, name=f"Player {'ABCDE'[viewer.seat]}")
        for viewer in self.viewers:
            self.listeners.append(await Listener.open(port, f"{url}/stream", viewer.heard, viewer.cookie))

    async def play(self, until: float, rate: float) -> None:
        """Let whoever is due act once every 1 / `rate` seconds, until the time is up or the game is over."""
        await asyncio.sleep(random.random() / rate)
        while (start := time.perf_counter()) < until:
            due = next((viewer for viewer in self.viewers if " data-mine" in viewer.html), None)
            self.bench.lost += sum(not viewer.seen for viewer in self.viewers)
            if due is None:
                self.bench.finished += 1
                return
            for viewer in self.viewers:
                viewer.seen = viewer is due
            self.posted = start
            await due.act()
            self.bench.acknowledged.append(time.perf_counter() - start)
            await asyncio.sleep(max(0.0, start + 1 / rate - time.perf_counter()))


class Bench:
    """Holds the measurements of one run."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.acknowledged: list[float] = []
        self.seen: list[float] = []
        self.lost = self.finished = 0


async def measure(process: ServerProcess, tables: int, viewers: int, seconds: float, rate: float) -> dict[str, Any]:
    """Play tables in browsers for some seconds and return the figures."""
    await process.ready()
    bench = Bench(viewers)
    at = [Table(bench) for _ in range(tables)]
    for table in at:
        await table.start(process.port)
    await asyncio.sleep(3)
    clock = Clock(process)
    until = time.perf_counter() + seconds
    await asyncio.gather(*(table.play(until, rate) for table in at))
    wall, server_share, own_share = clock.shares()
    await asyncio.sleep(0.5)
    size = max(len(viewer.html) for table in at for viewer in table.viewers)
    return {
        "tables": tables,
        "viewers_each": viewers,
        "seconds": round(wall, 1),
        "actions": len(bench.acknowledged),
        "pages_seen_by_others": len(bench.seen),
        "action_seen_by_others_ms": percentiles(bench.seen),
        "action_acknowledged_ms": percentiles(bench.acknowledged),
        "lost": bench.lost,
        "out_of_order": 0,
        "games_that_ended": bench.finished,
        "largest_page_bytes": size,
        "server_processors": server_share,
        "load_generator_processors": own_share,
        "server_megabytes": round(process.megabytes()),
    }


async def beside_experts(process: ServerProcess, experts: int, *how: Any) -> dict[str, Any]:
    """Measure without and then beside tables of Experts; return both, and how many moves the Experts made."""
    await process.ready()
    connection = await Connection.open(process.port)
    alone = await measure(process, *how)
    bots = [{"kind": "bot", "bot": "expert"}] * 3
    order = json.dumps({"game": "ponzi-scheme", "seats": bots}).encode()
    urls: list[str] = []
    for _ in range(experts):
        _, answer = await connection.request(head_of("POST", "/api/tables"), order)
        urls.append(f"/api/tables/{json.loads(answer)['id']}")

    async def moves() -> int:
        """Return how many moves the Experts have made so far."""
        made = 0
        for url in urls:
            _, answer = await connection.request(head_of("GET", url))
            made += json.loads(answer)["version"]
        return made

    # Their search may have to be compiled first.
    while (before := await moves()) < experts:  # noqa: ASYNC110
        await asyncio.sleep(0.5)
    beside = await measure(process, *how)
    return {"alone": alone, "beside_experts": beside, "expert_tables": experts, "their_moves": await moves() - before}


def main() -> None:
    """Parse the command line, measure and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--viewers", type=int, default=4, choices=(3, 4, 5))
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--rate", type=float, default=1)
    parser.add_argument("--experts", type=int, default=0, help="tables of experts, for a second measurement")
    parser.add_argument("--json", help="write the figures to this file")
    asked = parser.parse_args()
    how = asked.tables, asked.viewers, asked.seconds, asked.rate
    with server() as process:
        figures = run(beside_experts(process, asked.experts, *how) if asked.experts else measure(process, *how))
    report("Pages: from one browser to the others", figures, asked.json)


if __name__ == "__main__":
    main()
