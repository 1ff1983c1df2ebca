# pyright: basic
"""A server that can be killed and restarted many times a minute, by forking a process that has imported everything.

Most of the start-up time is importing the package and its compiler. Here a parent process does that once, without
opening a database or a port, and forks a server on request. Killing the fork kills the whole server with its threads
and connections.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
import traceback
from contextlib import suppress
from typing import Any

import psutil

ENDING_SECONDS = 20


class ForkedServer:
    """Runs a server like `load.Server`, but starts it as a fork of one parent, which takes hardly any time."""

    def __init__(self, url: str, folder: str, **settings: Any) -> None:
        named = {"database_url": url, "data_dir": folder, "bot_pause": 0, "warm": 0, **settings}
        environment = os.environ | {f"PYRAMIDION_{name.upper()}": str(value) for name, value in named.items()}
        self.port, self.pid, self.up = 0, 0, False
        self._parent = subprocess.Popen(
            [sys.executable, __file__], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    async def start(self) -> None:
        """Start the server and wait until it answers."""
        assert self._parent.stdin is not None
        assert self._parent.stdout is not None
        self._parent.stdin.write(f"{self.port}\n")
        self._parent.stdin.flush()
        self.pid, is_listening = 0, False
        try:
            while not (self.pid and is_listening):
                line = await asyncio.to_thread(self._parent.stdout.readline)
                if line.startswith("pid "):
                    self.pid = int(line[4:])
                elif "http://" in line:
                    self.port, is_listening = int(line.split("http://")[1].split("/")[0].rsplit(":", 1)[1]), True
                elif not line or line == f"ended {self.pid}\n":
                    raise SystemExit("A server did not start.")
        except BaseException:
            # The thread that reads would otherwise wait for a line for ever, and with it whoever closes the loop.
            self._parent.kill()
            raise
        self.up = True

    def end(self, how: signal.Signals = signal.SIGKILL) -> None:
        """Kill the fork, by default without warning, and wait until it is gone."""
        self.up = False
        end = time.monotonic() + ENDING_SECONDS
        with suppress(ProcessLookupError):
            os.kill(self.pid, how)
            while time.monotonic() < end:
                os.kill(self.pid, 0)
                time.sleep(0.001)
            raise SystemExit("A server did not end.")

    def close(self) -> None:
        """Stop the parent process as well."""
        self.end()
        self._parent.kill()
        self._parent.wait()
        for pipe in (self._parent.stdin, self._parent.stdout):
            if pipe is not None:
                pipe.close()

    def megabytes(self) -> float:
        """Return how much memory the server's process uses."""
        return psutil.Process(self.pid).memory_info().rss / 1e6


def main() -> None:
    """Be the parent process: fork a server for each line of standard input, which contains its port."""
    import pyramidion
    import pyramidion.web.application
    from pyramidion.cli import main as run

    for name in pyramidion.all_games():
        pyramidion.load(name).warm()
    # Reap children immediately, so that whoever killed one can see that it is gone.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.close(0)
            status = 1
            try:
                status = run(["serve", "--port", line.strip()]) or 0
            except BaseException:
                traceback.print_exc()
            print(f"ended {os.getpid()}", flush=True)
            os._exit(status)
        print(f"pid {pid}", flush=True)


if __name__ == "__main__":
    main()
