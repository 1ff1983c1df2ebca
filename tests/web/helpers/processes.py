"""Servers as processes of their own, on free ports of the loopback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import httpx
from tests.web.conftest import Player


class ServerProcess:
    """A server; `url` is where it is."""

    def __init__(self, folder: Path, **settings: object) -> None:
        self.folder, self.settings = folder, settings
        self.start()

    def start(self, port: int = 0) -> None:
        """Start it, at a port of its own unless one is given, and wait until it answers."""
        named = {"data_dir": self.folder, "warm": 0, "bot_pause": 0, **self.settings}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "pyramidion", "serve", "--port", str(port)],
            env=os.environ | {f"PYRAMIDION_{name.upper()}": str(value) for name, value in named.items()},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert "http://" in line, "The server did not start."
        self.url = "http://" + line.split("http://")[1].split("/")[0]

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self.url.rsplit(":", 1)[1])

    def kill(self) -> None:
        """End it without warning."""
        self._end(signal.SIGKILL)

    def close(self) -> None:
        """Stop it."""
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        self.process.send_signal(how)
        self.process.wait(20)
        assert self.process.stdout is not None
        self.process.stdout.close()

    def client(self, **more: object) -> httpx.Client:
        """Return a client for it."""
        return httpx.Client(base_url=self.url, timeout=30, **more)

    def __enter__(self) -> ServerProcess:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.close()


def elsewhere(player: Player, client: httpx.Client) -> Player:
    """Return the same table as it is seen through another server, with the same tokens."""
    other = object.__new__(Player)
    other.__dict__.update(player.__dict__, client=client)
    return other
