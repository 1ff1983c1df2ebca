# pyright: basic
"""Load tests: many viewers, killed servers, a killed database, and simultaneous deadlines.

    python benchmarks/load.py SCENARIO [--tables 200] [--rate 200] [--seconds 120] [--times 1000] [--json FILE]

    one         one server on SQLite
    two         two servers on PostgreSQL, one of them killed every 10 seconds
    database    two servers on PostgreSQL, which is crashed and restarted every 20 seconds
    kills       one server on SQLite, killed `--times` times at random moments
    deadlines   two servers on PostgreSQL, `--tables` deadlines in the same second

Each table has five viewers: programs on the event streams of its three seats, and two spectators with open pages. Due
seats post their first legal action, `--rate` times a second over all tables, to any server. Viewers whose stream breaks
reconnect to any server and continue where they were. Latency is measured from posting an action to its arrival at the
last viewer. The test checks that no viewer misses or repeats an event and, at the end, that the database contains every
acknowledged action exactly once, in its place. Everything stays on loopback. The exit status is 1 if a check fails.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
import sqlalchemy as sa

from cluster import Cluster
from forking import ForkedServer
from web_client import Connection, bearer, head_of, percentiles, report, run

SEATS, PAGES = 3, 2
# uvloop raises the last one for a connection that has been closed meanwhile.
LOST = (OSError, asyncio.IncompleteReadError, asyncio.TimeoutError, EOFError, ValueError, RuntimeError)


class Server:
    """A server process that can be killed and restarted on the same port."""

    def __init__(self, url: str, folder: str, **settings: Any) -> None:
        named = {"database_url": url, "data_dir": folder, "bot_pause": 0, "warm": 0, **settings}
        self._environment = os.environ | {f"PYRAMIDION_{name.upper()}": str(value) for name, value in named.items()}
        self.port = 0
        self.up = False

    async def start(self) -> None:
        """Start the server and wait until it answers."""
        command = [sys.executable, "-m", "pyramidion", "serve", "--port", str(self.port)]
        self.process = subprocess.Popen(  # noqa: ASYNC220
            command, env=self._environment, stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        line = await asyncio.to_thread(self.process.stdout.readline)
        if "http://" not in line:
            raise SystemExit("A server did not start.")
        self.port = int(line.split("http://")[1].split("/")[0].rsplit(":", 1)[1])
        self.up = True

    def end(self, how: signal.Signals = signal.SIGKILL) -> None:
        """Stop the server, by default by killing it."""
        self.up = False
        if self.process.poll() is None:
            self.process.send_signal(how)
            self.process.wait(20)
        if self.process.stdout is not None:
            self.process.stdout.close()

    def megabytes(self) -> float:
        """Return how much memory the server's process uses."""
        return psutil.Process(self.process.pid).memory_info().rss / 1e6


class Viewer:
    """Watches a table over an event stream, reconnects whenever that breaks, and checks that no event is missed."""

    def __init__(self, load: Load, path: str, seat: int | None, token: str | None, table: Table) -> None:
        self.load, self.path, self.table, self.seat = load, path, table, seat
        self.headers = [bearer(token)] if token else []
        self.version, self.place, self.told = -1, "", 0
        self.posted: float | None = None

    @property
    def going_on(self) -> bool:
        """Whether the load test and the table still have something to watch."""
        return self.load.going_on and not self.table.left

    async def watch(self) -> None:
        """Keep the stream open until the load test or its table ends."""
        while self.going_on:
            with suppress(*LOST):
                await self._watch_once()
            if self.going_on:
                self.load.broken += 1
                await asyncio.sleep(0.1)

    async def _watch_once(self) -> None:
        """Read the stream until it breaks or nothing is left to watch."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.load.server().port, limit=1 << 22)
        try:
            since = [f"last-event-id: {self.place}"] if self.place else []
            writer.write(head_of("GET", self.path, *self.headers, *since) + b"\r\n")
            head = await reader.readuntil(b"\r\n\r\n")
            if b" 200 " not in head.split(b"\r\n", 1)[0]:
                await asyncio.sleep(0.2)
                return
            place = ""
            while self.going_on:
                line = await reader.readline()
                if not line:
                    return
                if line.startswith(b"id: "):
                    place = line[4:].decode().strip()
                elif line.startswith(b"data: "):
                    self._heard(json.loads(line[6:]))
                    self.place = place
        finally:
            writer.close()

    def _heard(self, message: dict[str, Any]) -> None:
        """Check a message of the stream and note what it says: version, action to post, end of the game."""
        if "version" not in message:
            return  # a change of players only
        if message["version"] < self.version:
            self.load.faults.append(f"A viewer of {self.table.id} went back from {self.version}.")
        for event in message.get("events", ()):
            if event["n"] != self.told:
                self.load.faults.append(f"A viewer of {self.table.id} heard event {event['n']}, not {self.told}.")
            self.told = event["n"] + 1
        if message["version"] > self.version and self.posted is not None:
            self.table.arrived(self)
        self.version = max(self.version, message["version"])
        if message.get("legal"):
            first = message["legal"][0]
            action = first.get("text") or f"{first['family']} {first['low']}"
            self.table.due = self.seat or 0, message["version"], action
        elif message.get("over"):
            self.table.over = True


class Table:
    """Plays one table through its viewers, and keeps the actions that the server has acknowledged."""

    def __init__(self, load: Load) -> None:
        self.load = load
        self.due: tuple[int, int, str] | None = None
        self.over = self.left = False
        self.busy = False
        self.acknowledged: dict[int, tuple[int, str]] = {}
        self.waiting: set[Viewer] = set()

    async def start(self, connection: Connection) -> None:
        """Create the table and connect its viewers."""
        order = {"game": "ponzi-scheme", "seats": [{"kind": "me"}] * SEATS, "options": {"round_limit": 200}}
        started = await connection.json("POST", "/api/tables", order)
        self.id, self.tokens = started["id"], started["tokens"]
        api = f"/api/tables/{self.id}"
        self.heads = [head_of("POST", f"{api}/actions", bearer(self.tokens[str(seat)])) for seat in range(SEATS)]
        self.viewers = [
            Viewer(self.load, f"{api}/stream", seat, self.tokens[str(seat)], self) for seat in range(SEATS)
        ] + [Viewer(self.load, f"/t/{self.id}/stream", None, None, self) for _ in range(PAGES)]
        for viewer in self.viewers:
            self.load.keep(viewer.watch())

    async def act(self) -> None:
        """Post the action that is due; if it is not acknowledged, post again what the viewers see by then."""
        load, due = self.load, self.due
        if due is None or self.busy:
            return
        self.busy, self.due = True, None
        seat, version, action = due
        load.late += len(self.waiting)
        start = time.perf_counter()
        self.waiting = set(self.viewers)
        for viewer in self.viewers:
            viewer.posted = start
        body = json.dumps({"action": action, "version": version}).encode()
        try:
            status, answer = await load.post(self.heads[seat], body)
        except LOST:
            status, answer = 0, b""
        if status == 200:
            load.took.append(time.perf_counter() - start)
            self.acknowledged[json.loads(answer)["version"] - 1] = seat, action
        else:
            load.answers[status] += 1
            if status not in (0, 409, 503):
                load.faults.append(f"{status}: {answer[:200]!r}")
            # The streams may stay silent, so retry the same action: if it had been played, it is now stale.
            if status != 409:
                await asyncio.sleep(0.2)
                self.due = self.due or due
        self.busy = False

    def arrived(self, viewer: Viewer) -> None:
        """Record how long the latest action took to reach a viewer."""
        assert viewer.posted is not None
        self.waiting.discard(viewer)
        self.load.seen.append(time.perf_counter() - viewer.posted)
        if not self.waiting:
            self.load.seen_by_all.append(time.perf_counter() - viewer.posted)
        viewer.posted = None


class Load:
    """Plays all tables of a load test, and collects measurements and faults."""

    def __init__(self, servers: Sequence[Server | ForkedServer]) -> None:
        self.servers = servers
        self.tables: list[Table] = []
        self.playing: list[Table] = []
        self.took: list[float] = []
        self.seen: list[float] = []
        self.seen_by_all: list[float] = []
        self.answers: dict[int, int] = defaultdict(int)
        self.faults: list[str] = []
        self.broken = self.late = 0
        self.going_on = True
        self._tasks: set[asyncio.Task[None]] = set()
        self._idle: dict[int, list[Connection]] = defaultdict(list)

    def server(self) -> Server | ForkedServer:
        """Return a random running server."""
        up = [server for server in self.servers if server.up]
        if not up:
            raise ConnectionError("No server is up.")
        return random.choice(up)

    def keep(self, work: Awaitable[None]) -> None:
        """Run a coroutine in the background, until the load test stops."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def post(self, head: bytes, body: bytes) -> tuple[int, bytes]:
        """Post a request to a random running server; return the status and the body of the answer."""
        port = self.server().port
        idle = self._idle[port]
        connection = idle.pop() if idle else await Connection.open(port)
        try:
            answer = await asyncio.wait_for(connection.request(head, body), 15)
        except BaseException:
            connection.close()
            for idle_connection in idle:
                idle_connection.close()
            idle.clear()
            raise
        idle.append(connection)
        return answer

    async def start(self, count: int) -> None:
        """Create the tables, and wait until all viewers are connected."""
        connections = [await Connection.open(server.port) for server in self.servers]
        for number in range(count):
            table = Table(self)
            await table.start(connections[number % len(connections)])
            self.tables.append(table)
            self.playing.append(table)
        for connection in connections:
            connection.close()
        async with asyncio.timeout(120):
            while any(viewer.version < 0 for table in self.tables for viewer in table.viewers):  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        self.broken = 0

    async def renew(self) -> None:
        """Replace each finished table whose viewers have all seen the end."""
        for table in [table for table in self.playing if table.over and not self._behind(table)]:
            await self.start(1)
            table.left = True
            self.playing.remove(table)

    async def play(self, seconds: float, rate: float) -> None:
        """Act at all tables in turn, at `rate` actions per second altogether."""
        start, done = time.perf_counter(), 0
        while (now := time.perf_counter() - start) < seconds:
            while done < now * rate:
                self.keep(self.playing[done % len(self.playing)].act())
                done += 1
            await asyncio.sleep(0.001)

    async def settle(self) -> None:
        """Wait until all viewers have seen the last acknowledged action, then end the load."""
        with suppress(TimeoutError):
            async with asyncio.timeout(20):
                while any(table.busy or self._behind(table) for table in self.tables):  # noqa: ASYNC110
                    await asyncio.sleep(0.05)
        for table in self.tables:
            if self._behind(table):
                self.faults.append(f"The viewers of {table.id} do not all see its last action.")
        await self.stop()

    async def stop(self) -> None:
        """End the load test without waiting for open requests."""
        self.going_on = False
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for connection in (waiting for idle in self._idle.values() for waiting in idle):
            connection.close()
        self._idle.clear()

    def _behind(self, table: Table) -> bool:
        """Return whether a viewer of a table has not yet seen its last acknowledged action."""
        last = max(table.acknowledged, default=-1) + 1
        return any(viewer.version < last for viewer in table.viewers)

    def check(self, url: str) -> int:
        """Check that the database contains every acknowledged action in its place; return how many there are.

        What is wrong is added to `faults`.
        """
        stored = stored_plies(url)
        count = 0
        for table in self.tables:
            plies = stored[table.id]
            if sorted(plies) != list(range(len(plies))):
                self.faults.append(f"Table {table.id} lacks an action in its middle.")
            for ply, made in table.acknowledged.items():
                count += 1
                if plies.get(ply) != made:
                    self.faults.append(f"Table {table.id}: {made} was acknowledged as {ply}; it is {plies.get(ply)}.")
        return count

    def figures(self, acknowledged: int, seconds: float) -> dict[str, Any]:
        """Return the measurements by name, as they are reported."""
        return {
            "tables": len(self.tables),
            "viewers": sum(len(table.viewers) for table in self.tables),
            "seconds": round(seconds, 1),
            "acknowledged": acknowledged,
            "actions_per_second": round(acknowledged / seconds, 1),
            "action_acknowledged_ms": percentiles(self.took or [0]),
            "action_seen_by_a_viewer_ms": percentiles(self.seen or [0]),
            "action_seen_by_all_ms": percentiles(self.seen_by_all or [0]),
            "not_seen_before_the_next": self.late,
            "streams_that_broke": self.broken,
            "other_answers": {str(status): n for status, n in self.answers.items()},
            "faults": self.faults[:20],
        }


def stored_plies(url: str) -> dict[str, dict[int, tuple[int, str]]]:
    """Return the (seat, action) of every action in a database, by table and ply."""
    engine = sa.create_engine(url)
    plies: dict[str, dict[int, tuple[int, str]]] = defaultdict(dict)
    with engine.connect() as connection:
        for match, ply, seat, action in connection.execute(sa.text("SELECT match, ply, seat, action FROM plies")):
            plies[match][ply] = seat, action
    engine.dispose()
    return plies


@asynccontextmanager
async def serving(url: str, count: int, folder: str, **settings: Any) -> AsyncGenerator[list[Server]]:
    """Context manager: run `count` servers on one database, and stop them afterwards."""
    servers = [Server(url, f"{folder}/{number}", **settings) for number in range(count)]
    try:
        for server in servers:
            await server.start()
        yield servers
    finally:
        for server in servers:
            server.end(signal.SIGTERM)


async def under_load(
    url: str,
    servers: list[Server],
    asked: argparse.Namespace,
    trouble: Callable[[], Awaitable[None]] | None = None,
) -> dict[str, Any]:
    """Play at servers while `trouble` disturbs them, then check that nothing is lost; return the figures."""
    load = Load(servers)
    await load.start(asked.tables)
    before = [server.megabytes() for server in servers]
    beside = asyncio.ensure_future(trouble()) if trouble else None
    start = time.perf_counter()
    await load.play(asked.seconds, asked.rate)
    seconds = time.perf_counter() - start
    if beside is not None:
        await beside
    await load.settle()
    figures = load.figures(load.check(url), seconds)
    figures["megabytes"] = [
        f"{old:.0f} to {server.megabytes():.0f}" for old, server in zip(before, servers, strict=True)
    ]
    figures["kept"] = not load.faults
    return figures


async def single(asked: argparse.Namespace, folder: str) -> dict[str, Any]:
    """Run the scenario of one undisturbed server on SQLite; return the figures."""
    url = f"sqlite:///{folder}/tables.sqlite3"
    async with serving(url, 1, folder) as servers:
        return await under_load(url, servers, asked)


async def two(asked: argparse.Namespace, folder: str) -> dict[str, Any]:
    """Run the scenario of two servers on PostgreSQL, one of which is killed regularly; return the figures."""
    async with AsyncExitStack() as stack:
        cluster = stack.enter_context(Cluster(durable=True))
        url = cluster.new_database()
        servers = await stack.enter_async_context(serving(url, 2, folder))
        kills = 0

        async def killing() -> None:
            nonlocal kills
            end = time.perf_counter() + asked.seconds
            while time.perf_counter() + asked.every < end:
                await asyncio.sleep(asked.every)
                servers[kills % 2].end()
                kills += 1
                await servers[(kills - 1) % 2].start()

        figures = await under_load(url, servers, asked, killing)
        return {**figures, "servers_killed": kills}


async def database(asked: argparse.Namespace, folder: str) -> dict[str, Any]:
    """Run the scenario of two servers whose PostgreSQL crashes regularly; return the figures."""
    async with AsyncExitStack() as stack:
        cluster = stack.enter_context(Cluster(durable=True))
        url = cluster.new_database()
        servers = await stack.enter_async_context(serving(url, 2, folder))
        crashes = 0

        async def crashing() -> None:
            nonlocal crashes
            end = time.perf_counter() + asked.seconds
            while time.perf_counter() + 2 * asked.every < end:
                await asyncio.sleep(2 * asked.every)
                cluster.crash()
                crashes += 1
                await asyncio.sleep(min(2.0, asked.every))
                # In this thread: PostgreSQL is set up to die with the thread that started it.
                cluster.start()

        figures = await under_load(url, servers, asked, crashing)
        return {**figures, "database_crashes": crashes}


async def kills(asked: argparse.Namespace, folder: str) -> dict[str, Any]:
    """Run the scenario of one server on SQLite that is killed again and again; return the figures.

    Afterwards every table must open.
    """
    url = f"sqlite:///{folder}/tables.sqlite3"
    server = ForkedServer(url, folder)
    await server.start()
    load = Load([server])
    await load.start(min(asked.tables, 6))
    start = time.perf_counter()
    playing = asyncio.ensure_future(load.play(1e9, asked.rate))
    for _ in range(asked.times):
        acknowledged = len(load.took)
        # Wait until the server is under load again; otherwise most kills would hit its start-up.
        while len(load.took) == acknowledged:
            await asyncio.sleep(0.005)
            await load.renew()
        await asyncio.sleep(random.uniform(0, 0.4))
        server.end()
        await server.start()
    playing.cancel()
    seconds = time.perf_counter() - start
    await load.settle()
    server.end()
    await server.start()
    connection = await Connection.open(server.port)
    for table in load.tables:
        status, answer = await connection.request(head_of("GET", f"/api/tables/{table.id}/view"))
        if status != 200:
            load.faults.append(f"Table {table.id} cannot be opened: {answer[:200]!r}")
    connection.close()
    server.close()
    figures = load.figures(load.check(url), seconds)
    return {**figures, "servers_killed": asked.times, "kept": not load.faults}


async def deadlines(asked: argparse.Namespace, folder: str) -> dict[str, Any]:
    """Run the scenario of two servers with many deadlines in the same second; return the figures."""
    async with AsyncExitStack() as stack:
        cluster = stack.enter_context(Cluster(durable=True))
        url = cluster.new_database()
        servers = await stack.enter_async_context(serving(url, 2, folder))
        connections = [await Connection.open(server.port) for server in servers]
        order = {"game": "ponzi-scheme", "seats": [{"kind": "open"}] * 3, "clock": 3600}
        for number in range(asked.tables):
            await connections[number % 2].json("POST", "/api/tables", order)
        for connection in connections:
            connection.close()
        due = int(time.time() * 1000) + 6000
        engine = sa.create_engine(url, isolation_level="AUTOCOMMIT")
        with engine.connect() as direct:
            direct.execute(sa.text("UPDATE matches SET deadline = :due"), {"due": due})
            closed = sa.text("SELECT count(DISTINCT match), count(*) FROM plies WHERE by_clock")
            done, last = 0, time.time()
            while done < asked.tables and time.time() * 1000 < due + 60_000:
                await asyncio.sleep(0.05)
                done, plies = direct.execute(closed).one()
                last = time.time()
            await asyncio.sleep(2)
            early = direct.execute(sa.text("SELECT count(*) FROM plies WHERE at < :due"), {"due": due}).scalar_one()
            plies = direct.execute(closed).one()[1]
        engine.dispose()
        delay = last - due / 1000
        return {
            "tables": asked.tables,
            "closed": done,
            "closed_twice": plies - done,
            "closed_early": early,
            "last_one_after_seconds": round(delay, 2),
            "kept": done == plies == asked.tables and not early and delay <= 5,
        }


SCENARIOS = {"one": single, "two": two, "database": database, "kills": kills, "deadlines": deadlines}


def main() -> int:
    """Run the scenario that the command line names, print the figures and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenario", choices=SCENARIOS)
    parser.add_argument("--tables", type=int, help="200; 500 deadlines")
    parser.add_argument("--rate", type=float, default=200, help="actions a second over all tables")
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--times", type=int, default=1000, help="how often to kill the server")
    parser.add_argument("--every", type=float, default=10, help="seconds between two kills")
    parser.add_argument("--json", help="write the figures to this file")
    asked = parser.parse_args()
    asked.tables = asked.tables or (500 if asked.scenario == "deadlines" else 200)
    with tempfile.TemporaryDirectory(prefix="pyramidion-load-") as folder:
        figures = run(SCENARIOS[asked.scenario](asked, folder))
    report(f"Load: {asked.scenario}", figures)
    if asked.json:
        Path(asked.json).write_text(json.dumps(figures, indent=2) + "\n", "utf-8")
    return 0 if figures["kept"] else 1


if __name__ == "__main__":
    sys.exit(main())
