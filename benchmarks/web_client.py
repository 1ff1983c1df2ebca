# pyright: basic
"""Shared parts of the web benchmarks: a server process, lightweight connections, and the report.

The server runs in its own process, with a database in a temporary folder; everything stays on loopback.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import psutil

try:
    import uvloop

    run = uvloop.run
except ImportError:
    run = asyncio.run


class ServerProcess:
    """A running server process: its port, processor time and memory."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.port = port
        self._process = psutil.Process(process.pid)

    async def ready(self) -> None:
        """Wait until the server has compiled its games."""
        connection = await Connection.open(self.port)
        while (await connection.json("GET", "/health"))["compiling"]:  # noqa: ASYNC110
            await asyncio.sleep(0.2)
        connection.close()

    def cpu_seconds(self) -> float:
        """Return the processor time used so far, in seconds."""
        times = self._process.cpu_times()
        return times.user + times.system

    def megabytes(self) -> float:
        """Return the memory in use, in MB."""
        return self._process.memory_info().rss / 1e6


@contextmanager
def server(python: str = sys.executable, **settings: Any) -> Generator[ServerProcess]:
    """Context manager: start a server on a free port with an empty database, and stop it afterwards.

    `python` is the interpreter of the environment whose server it is.
    """
    with tempfile.TemporaryDirectory(prefix="pyramidion-bench-") as folder:
        environment = {f"PYRAMIDION_{name.upper()}": str(value) for name, value in settings.items()}
        process = subprocess.Popen(
            [python, "-m", "pyramidion", "serve", "--port", "0"],
            env=os.environ | {"PYRAMIDION_DATA_DIR": folder, "PYRAMIDION_BOT_PAUSE": "0"} | environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            if "http://" not in line:
                raise SystemExit("The server did not start.")
            yield ServerProcess(process, int(line.split("http://")[1].split("/")[0].rsplit(":", 1)[1]))
        finally:
            process.terminate()
            process.wait(20)


class Connection(asyncio.Protocol):
    """A keep-alive connection for one request at a time, without the overhead of a client library."""

    def __init__(self) -> None:
        self._received = bytearray()
        self._answer: asyncio.Future[tuple[int, bytes]] | None = None
        self._transport: asyncio.Transport | None = None
        self.cookie = self.location = ""

    @classmethod
    async def open(cls, port: int) -> Connection:
        """Connect over loopback."""
        _, connection = await asyncio.get_running_loop().create_connection(cls, "127.0.0.1", port)
        return connection

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport to write requests to."""
        self._transport = cast(asyncio.Transport, transport)  # uvloop's transport is not a subclass

    def data_received(self, data: bytes) -> None:
        """Complete the awaited response; all responses have a content-length."""
        self._received += data
        end = self._received.find(b"\r\n\r\n")
        if end < 0 or self._answer is None:
            return
        status, *lines = self._received[:end].decode("latin-1").split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        length = int(headers["content-length"])
        if len(self._received) >= end + 4 + length:
            body = bytes(self._received[end + 4 : end + 4 + length])
            self._received.clear()
            self.cookie = headers.get("set-cookie", self.cookie).split(";")[0]
            self.location = headers.get("location", "")
            if not self._answer.done():
                self._answer.set_result((int(status[9:12]), body))

    def connection_lost(self, exc: Exception | None) -> None:
        """Fail the awaited request."""
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(exc or ConnectionError("The server closed the connection."))

    async def request(self, head: bytes, body: bytes = b"") -> tuple[int, bytes]:
        """Send a request with a head from `head_of`; return status and body."""
        assert self._transport is not None
        self._answer = asyncio.get_running_loop().create_future()
        self._transport.write(b"%bcontent-length: %d\r\n\r\n%b" % (head, len(body), body))
        return await self._answer

    async def json(self, method: str, path: str, data: Any = None, *headers: str) -> Any:
        """Send JSON and return JSON. Raises RuntimeError for a refusal."""
        body = b"" if data is None else json.dumps(data).encode()
        status, answer = await self.request(head_of(method, path, *headers), body)
        if status >= 300:
            raise RuntimeError(f"{method} {path}: {status} {answer.decode()}")
        return json.loads(answer)

    def close(self) -> None:
        """Close the connection."""
        if self._transport is not None:
            self._transport.close()


class Listener(asyncio.Protocol):
    """An open event stream that calls `heard(data)` with the bytes of each message's data."""

    def __init__(self, head: bytes, heard: Callable[[bytes], None]) -> None:
        self._head, self._heard = head, heard
        self._received = bytearray()
        self._transport: asyncio.Transport | None = None

    @classmethod
    async def open(cls, port: int, path: str, heard: Callable[[bytes], None], *headers: str) -> Listener:
        """Connect over loopback and request the stream."""
        head = head_of("GET", path, *headers) + b"\r\n"
        _, listener = await asyncio.get_running_loop().create_connection(lambda: cls(head, heard), "127.0.0.1", port)
        return listener

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Request the stream."""
        self._transport = cast(asyncio.Transport, transport)
        self._transport.write(self._head)

    def data_received(self, data: bytes) -> None:
        """Pass on complete messages. A message is one line, so the framing around it does not matter."""
        received = self._received
        received += data
        while True:
            start = received.find(b"\ndata: ")
            end = received.find(b"\n\n", start)
            if start < 0 or end < 0:
                return
            message = bytes(received[start + 7 : end])
            del received[: end + 2]
            self._heard(message)

    def close(self) -> None:
        """Close the connection."""
        if self._transport is not None:
            self._transport.close()


def head_of(method: str, path: str, *headers: str, kind: str | None = "application/json") -> bytes:
    """Return the head of a request, without its end; `kind` is the content type."""
    lines = [f"{method} {path} HTTP/1.1", "host: 127.0.0.1", *headers]
    if kind:
        lines.append(f"content-type: {kind}")
    return ("\r\n".join(lines) + "\r\n").encode()


def bearer(token: str) -> str:
    """Return the authorization header for a seat."""
    return f"authorization: Bearer {token}"


def percentiles(seconds: Sequence[float]) -> dict[str, float]:
    """Return p50, p90, p99 and the maximum, in milliseconds."""
    ordered = sorted(seconds)
    at = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "max": 1.0}
    last = len(ordered) - 1
    return {name: round(ordered[min(last, int(q * len(ordered)))] * 1000, 2) for name, q in at.items()}


def report(title: str, figures: dict[str, Any], as_json: str | None = None) -> None:
    """Print the figures as text and JSON, and write them to a file if one is given."""
    print(f"\n{title}")
    for name, value in figures.items():
        text = json.dumps(value).strip("{}").replace('"', "") if isinstance(value, dict) else value
        print(f"  {name.replace('_', ' '):<34} {text}")
    print(json.dumps(figures))
    if as_json:
        Path(as_json).write_text(json.dumps(figures, indent=2) + "\n", "utf-8")


class Clock:
    """Measures wall-clock time, and the processor time of the server and of this process, between two moments."""

    def __init__(self, process: ServerProcess) -> None:
        self._process = process
        self._wall, self._cpu = time.perf_counter(), process.cpu_seconds()
        self._own = time.process_time()

    def shares(self) -> tuple[float, float, float]:
        """Return (seconds passed, share of a core that the server used, share that this load generator used)."""
        wall = time.perf_counter() - self._wall
        cpu, own = self._process.cpu_seconds() - self._cpu, time.process_time() - self._own
        return wall, round(cpu / wall, 2), round(own / wall, 2)
